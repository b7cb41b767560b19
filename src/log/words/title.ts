import type { Picked } from './entry.ts'
import { nameOfFile } from './sentence.ts'

/** Returns the page's title; a file's history carries the file's name. */
export function titleOf({ file }: Picked): string {
  return file ? `Historik for ${nameOfFile(file)}` : 'Log'
}
