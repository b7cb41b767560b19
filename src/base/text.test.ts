import { describe, expect, it } from 'vitest'
import { cleanLine, emailKey, initialsOf } from './text.ts'

describe('cleanLine', () => {
  it.each([
    ['  Årsrapport  ', 'Årsrapport'],
    ['A\u030arsrapport', 'Årsrapport'],
    ['a\u00a0\t b\n c', 'a b c'],
    ['a\u200bb\u202ec\ufeff', 'abc'],
    ['a\0b\u001bc', 'abc'],
    ['A\u200b\u030a', 'Å'], // composed only when nothing is between them
    ['A\u0001\u030a', 'Å'],
    ['\u3164\u034f', ''],
    ['\ud800x', '\ufffdx'],
    ['👩‍👩‍👧', '👩👩👧'],
    ['a\u0085b', 'a b'],
    ['', ''],
  ])('cleans the line %j to %j', (text, clean) => {
    expect(cleanLine(text)).toBe(clean)
    expect(cleanLine(clean)).toBe(clean)
  })

  it('limits the marks on a letter, because composing thousands would take minutes', () => {
    const clean = cleanLine(`a${'\u0301\u0323'.repeat(500_000)}`)
    expect(clean.length).toBeLessThan(40)
    expect(cleanLine(clean)).toBe(clean)
  })
})

it.each([
  [' Søren@Example.DK ', 'søren@example.dk'],
  ['S\u00d8REN@example.dk', 'søren@example.dk'],
])('the key of %j is %j', (email, key) => {
  expect(emailKey(email)).toBe(key)
})

it.each([
  ['Anne Marie Holm', 'AH'],
  ['Åse', 'Å'],
  ['ærø østergaard', 'ÆØ'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})
