import { readFileSync } from 'node:fs'
import { PROJECT } from '../../server/process/project-directory.ts'
import { PasswordFilter } from './password-filter.server.ts'

let filter: PasswordFilter | undefined

/**
 * Returns the words that most passwords are made of, in lower case. Read when the first password is chosen. Where they come from:
 * `common-passwords.md`.
 */
export function commonPasswords(): { has: (word: string) => boolean } {
  filter ??= new PasswordFilter(readFileSync(new URL('src/accounts/passwords/common-passwords.bin', PROJECT)))
  return filter
}
