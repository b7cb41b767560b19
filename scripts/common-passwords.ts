import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { makePasswordFilter, PasswordFilter } from '../src/accounts/passwords/password-filter.server.ts'
import { plainPassword } from '../src/accounts/passwords/password.ts'

// Makes src/accounts/passwords/common-passwords.bin from a list of passwords, the most common first, one in each line:
// `node scripts/common-passwords.ts passwords.txt.gz`. src/accounts/passwords/common-passwords.md says which list it was made from.

const MOST = 100_000
const home = new URL('../src/accounts/', import.meta.url)

const [path] = process.argv.slice(2)
if (!path) {
  console.error('Name the file with the list, which may be gzipped.')
  process.exit(1)
}
const bytes = readFileSync(path)
const lines = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split(/\r?\n/)
const common = new Set<string>()
for (const line of lines) {
  if (common.size === MOST) break
  if (line !== '') common.add(plainPassword(line))
}
if (common.size < MOST) throw new Error(`The list has ${common.size} different passwords, not ${MOST}.`)

const text = readFileSync(new URL('common-passwords.txt', home), 'utf8')
const more = text
  .slice(text.indexOf('\n---\n') + 5)
  .trim()
  .split(/\s+/)
const words = new Set([...common, ...more])
const made = makePasswordFilter(words)
const filter = new PasswordFilter(made)
const missing = [...words].filter((word) => !filter.has(word))
if (missing.length > 0) throw new Error(`The filter does not know ${missing.length} of its words.`)
writeFileSync(new URL('common-passwords.bin', home), made)
console.log(`${common.size} of the list and ${words.size - common.size} more: ${made.length} bytes.`)
