import type { Picked } from './entry.ts'
import { nameOfFile } from './sentence.ts'

/** What the page is called: a file's history has the file's name. */
export function titleOf({ file }: Picked): string {
  return file ? `Historik for ${nameOfFile(file)}` : 'Log'
}
