import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Fields } from '../base/fields/field.ts'
import { answerSchemas, editSchemas, formSchemas, storedSchemas, newSchemas } from './fields.ts'

const sheet = { synonyms: [], note: '', example: '', width: 1 }
const FIELDS = {
  name: { kind: 'line', label: 'Navn', called: 'Navnet', most: 9, example: 'Nord', sheet },
  short: { kind: 'line', label: 'Kort', called: 'Teksten', most: 9, isOptional: true, sheet },
  note: { kind: 'lines', label: 'Note', called: 'Noten', most: 9, isOptional: true, sheet },
  email: { kind: 'email', label: 'E-mail', sheet },
  marks: {
    kind: 'texts',
    label: 'Mærker',
    called: 'Mærket',
    most: 9,
    mostTexts: 2,
    description: 'Mærker.',
    example: 'A',
    sheet,
  },
  cvr: { kind: 'cvr', label: 'CVR-nr.', sheet },
  state: {
    kind: 'choice',
    label: '',
    choices: { a: 'Åben', b: 'Lukket' },
    initial: 'a',
    fault: 'Vælg.',
    sheet,
  },
  ends: { kind: 'month', label: 'Slutter', initial: 12, sheet },
  since: { kind: 'day', label: 'Siden', sheet },
} as const satisfies Fields
const FORM = formSchemas(FIELDS)

it.each([
  ['name', ' Nord ', 'Nord'],
  ['short', ' ', null],
  ['note', 'a\r\nb', 'a\nb'],
  ['note', '', null],
  ['email', ' a@example.dk', 'a@example.dk'],
  ['marks', ['a ', ''], ['a']],
  ['marks', undefined, []],
  ['cvr', '38 29 10 41', '38291041'],
  ['state', 'b', 'b'],
  ['ends', '6', 6],
  ['since', '01/07/2015', '2015-07-01'],
  ['since', '', null],
] as const)('a form’s %s %j is saved as %j', (name, sent, value) =>
  expect(FORM[name].parse(sent)).toEqual(value),
)

it.each([
  ['name', '', 'Navnet skal udfyldes.'],
  ['note', '0123456789', 'Noten må højst være på 9 tegn.'],
  ['email', 'a', 'Skriv en gyldig e-mailadresse.'],
  ['marks', ['a', 'b', 'c'], 'Der kan højst være 2.'],
  ['cvr', '1', 'CVR-nummeret er ikke gyldigt. Kontroller de otte cifre.'],
  ['state', 'c', 'Vælg.'],
  ['ends', '13', 'Vælg en måned.'],
  ['since', '31/02/2020', '31/02/2020 findes ikke.'],
] as const)('a form’s %s %j is refused: %s', (name, sent, fault) =>
  expect(FORM[name].safeParse(sent).error?.issues[0]?.message).toBe(fault),
)

const sent = { name: 'Nord', email: 'a@example.dk' }

it('a new row gets initial values for omitted fields, and must have a name and an e-mail', () => {
  const New = z.object(newSchemas(FIELDS, FORM))
  const initial = { short: null, note: null, cvr: null, state: 'a', ends: 12, since: null }
  expect(New.parse(sent)).toEqual({ ...sent, ...initial, marks: [] })
  expect(New.safeParse({}).error?.issues.map(({ path }) => path)).toEqual([['name'], ['email']])
})

it('an edit leaves omitted fields unchanged, except texts, of which a form sends those that are left', () =>
  expect(z.object(editSchemas(FIELDS, FORM)).parse(sent)).toEqual({ ...sent, marks: [] }))

it('answers and stored acts have values as they are in the database', () => {
  const stored = {
    name: 'Nord',
    short: null,
    note: null,
    email: 'a@example.dk',
    marks: ['a'],
    cvr: null,
    state: 'b',
    ends: 6,
    since: '2015-07-01',
  }
  expect(z.strictObject(answerSchemas(FIELDS)).parse(stored)).toEqual(stored)
  expect(z.strictObject(storedSchemas(FIELDS)).parse({ since: null })).toEqual({ since: null })
  expect(z.toJSONSchema(answerSchemas(FIELDS).name)).toMatchObject({ examples: ['Nord'] })
  const marks = { description: 'Mærker.', examples: [['A']] }
  expect(z.toJSONSchema(answerSchemas(FIELDS).marks)).toMatchObject(marks)
})
