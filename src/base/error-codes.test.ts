import { expect, it } from 'vitest'
import { codeOfStatus, ERROR_CODES } from './error-codes.ts'
import { errorWords } from './error-words.ts'

it.each([
  [400, 'malformed'],
  [401, 'signed_out'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [413, 'too_large'],
  [415, 'unsupported_type'],
  [422, 'invalid'],
  [429, 'too_many'],
  [500, 'failed'],
  [503, 'unavailable'],
  [507, 'full'],
  // A status that the table does not have.
  [405, 'malformed'],
  [418, 'malformed'],
  [502, 'failed'],
])('the usual code of %i is %s', (status, code) => {
  expect(codeOfStatus(status)).toBe(code)
})

it.each(Object.entries(ERROR_CODES))(
  'the error code %s has a plain name, an explanation and a title',
  (code, { status, says }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(says).toMatch(/[.]$/)
    expect(errorWords(status).title).not.toBe('')
  },
)
