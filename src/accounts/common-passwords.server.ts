import { readFileSync } from 'node:fs'
import { PROJECT } from '../server/process/project-directory.ts'

let words: ReadonlySet<string> | undefined

/** Returns the words that most passwords are made of, in lower case. The file itself names their source. */
export function commonPasswords(): ReadonlySet<string> {
  words ??= readWords(readFileSync(new URL('src/accounts/common-passwords.txt', PROJECT), 'utf8'))
  return words
}

const readWords = (text: string) =>
  new Set(
    text
      .slice(text.indexOf('\n---\n') + 5)
      .trim()
      .split(/\s+/),
  )
