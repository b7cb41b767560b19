import { expect, it } from 'vitest'
import { carriedFields } from './carried-fields.ts'

it.each<[what: string, body: unknown, carried: Record<string, string> | null]>([
  ['nothing', undefined, {}],
  ['texts', { name: 'Bo', note: '' }, { name: 'Bo', note: '' }],
  [
    'lists and nested fields',
    { numbers: ['1', '2'], was: { name: 'Bo', numbers: { 0: '1' } } },
    { 'numbers[0]': '1', 'numbers[1]': '2', 'was[name]': 'Bo', 'was[numbers][0]': '1' },
  ],
  ['no deeper ones', { a: { b: { c: { d: 'x' } } } }, {}],
  [
    'no secrets, no token, and nothing of the question itself',
    {
      password: 'x',
      current_password: 'x',
      code: '1',
      _token: 'x',
      proof_to: '/',
      proof_password: 'x',
      a: 'b',
    },
    { a: 'b' },
  ],
  ['as many as the largest form has', many(1200), many(1200)],
  ['no more than that: nothing at all rather than a part', many(1201), null],
  ['no more letters than a person writes', { text: 'x'.repeat(150_001) }, null],
])('carries %s', (_what, body, carried) => {
  expect(carriedFields(body)).toEqual(carried)
})

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 'x']))
}
