import { describe, expect, it } from 'vitest'
import { formatValue, initialOf, namesWith, newValues, pickFields, wordsOf, type Fields } from './field.ts'

const sheet = { synonyms: [], note: '', example: '', width: 1 }
const FIELDS = {
  name: { kind: 'line', label: 'Navn', called: 'Navnet', most: 9, isListed: true, sheet },
  note: { kind: 'lines', label: 'Note', called: 'Noten', most: 9, isOptional: true, sheet },
  email: { kind: 'email', label: 'E-mail', sheet },
  marks: { kind: 'texts', label: 'Mærker', called: 'Mærket', most: 9, mostTexts: 3, sheet },
  cvr: { kind: 'cvr', label: 'CVR-nr.', sheet },
  state: {
    kind: 'choice',
    label: 'Tilstand',
    choices: { a: 'Åben', b: 'Lukket' },
    initial: 'a',
    fault: '',
    sheet,
  },
  ends: { kind: 'month', label: 'Slutter', initial: 12, sheet },
  since: { kind: 'day', label: 'Siden', sheet },
} as const satisfies Fields

describe('a field', () => {
  it.each([
    ['name', undefined],
    ['note', null],
    ['email', undefined],
    ['marks', undefined],
    ['cvr', null],
    ['state', 'a'],
    ['ends', 12],
    ['since', null],
  ] as const)('the initial value of the field %s is %j', (name, initial) =>
    expect(initialOf(FIELDS[name])).toBe(initial),
  )

  it.each([
    ['name', 'Nord', 'Nord'],
    ['note', null, ''],
    ['marks', ['a', 'b'], 'a, b'],
    ['state', 'b', 'Lukket'],
    ['ends', 6, 'juni'],
    ['since', '2015-07-01', '01/07/2015'],
  ] as const)('writes the field %s with the value %j as %j', (name, value, text) =>
    expect(formatValue(FIELDS[name], value)).toBe(text),
  )
})

it('finds fields by a property', () => expect(namesWith(FIELDS, 'isListed')).toEqual(['name']))

it('keeps only the values of the picked fields', () => {
  const { name, cvr } = FIELDS
  const values = { name: 'Nord', cvr: null, other: 1 }
  expect(pickFields({ name, cvr }, values)).toEqual({ name: 'Nord', cvr: null })
})

it('fills a new row with initial values where none is sent', () => {
  const sent = { name: 'Nord', email: 'a@example.dk', marks: ['a'] }
  const initial = { note: null, cvr: null, state: 'b', ends: 12, since: null }
  expect(newValues(FIELDS, { ...sent, state: 'b', ends: undefined })).toEqual({ ...sent, ...initial })
})

it('says values with their labels', () => {
  const { label, say } = wordsOf(FIELDS).state
  expect([label, say('b')]).toEqual(['Tilstand', 'Lukket'])
})
