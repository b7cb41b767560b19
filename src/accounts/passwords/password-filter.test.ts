import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chanceOf } from '../../../test/chance.ts'
import { processorMs } from '../../../test/load/processor-ms.ts'
import { PROJECT } from '../../server/process/project-directory.ts'
import { commonPasswords } from './common-passwords.server.ts'
import { makePasswordFilter, PasswordFilter } from './password-filter.server.ts'
import { passwordFault } from './password.ts'

const chance = chanceOf(22)
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#%-_'
const randomWord = (length: number) =>
  Array.from({ length }, () => LETTERS[chance.number(LETTERS.length)]).join('')

const file = () => readFileSync(new URL('src/accounts/passwords/common-passwords.bin', PROJECT))

describe('a filter', () => {
  it('the filter finds each of its words, and no others', () => {
    const words = Array.from({ length: 20_000 }, (_, index) => `ord ${index}`)
    const filter = new PasswordFilter(makePasswordFilter([...words, ...words.slice(0, 10), '', 'æøå']))
    expect(filter.size).toBe(20_002)
    expect([...words, '', 'æøå'].filter((word) => !filter.has(word))).toEqual([])
    expect(
      Array.from({ length: 100_000 }, (_, index) => `andet ${index}`).filter((word) => filter.has(word)),
    ).toEqual([])
  })

  it('an empty filter finds nothing', () => {
    expect(new PasswordFilter(makePasswordFilter([])).has('')).toBe(false)
  })

  it.each([
    ['nothing', (_bytes: Buffer) => Buffer.alloc(0)],
    ['half of it', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['something else', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['a word more', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(3)])],
  ])('refuses to read a filter from %s', (_what, spoil) => {
    expect(() => new PasswordFilter(spoil(makePasswordFilter(['a', 'b', 'c'])))).toThrow('damaged')
  })
})

describe('the common passwords', () => {
  it('the list has more than 100,000 common passwords, in a small file that is read quickly', () => {
    const bytes = file()
    expect(bytes.length).toBeLessThan(400_000)
    expect(processorMs(() => new PasswordFilter(bytes))).toBeLessThan(1000) // it takes some milliseconds
    expect(new PasswordFilter(bytes).size).toBeGreaterThanOrEqual(100_000)
  })

  it('the filter finds every word of the original list', () => {
    const text = readFileSync(new URL('src/accounts/passwords/common-passwords.txt', PROJECT), 'utf8')
    const words = text
      .slice(text.indexOf('\n---\n') + 5)
      .trim()
      .split(/\s+/)
    expect(words.length).toBeGreaterThan(8000)
    const common = commonPasswords()
    expect(words.filter((word) => !common.has(word))).toEqual([])
  })

  it('fewer than one in 100,000 other passwords is mistaken for a common one', () => {
    const common = commonPasswords()
    const mistaken = Array.from({ length: 200_000 }, (_, index) => `ikke ${index}`).filter((word) =>
      common.has(word),
    )
    expect(mistaken.length).toBeLessThan(2)
  })

  it('accepts random passwords', () => {
    const known = { common: commonPasswords() }
    const owner = { email: 'mette@example.dk', name: 'Mette' }
    const words = Array.from({ length: 5000 }, (_, index) => randomWord(10 + (index % 10)))
    expect(words.filter((word) => passwordFault(word, owner, known) !== null)).toEqual([])
  })
})
