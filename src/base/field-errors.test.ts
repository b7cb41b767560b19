import { describe, expect, it } from 'vitest'
import { dotted, FieldErrors } from './field-errors.ts'

const body = {
  message: 'Der er fejl i formularen.',
  errors: {
    name: ['Navnet skal udfyldes.'],
    'files.a.name': ['Mappen findes ikke.', 'Navnet er for langt.'],
    'files.b.name': ['Projektet findes ikke.'],
    'files.b.data': ['Filen er udløbet.'],
  },
}

describe('FieldErrors', () => {
  it('S3.8 keeps a message and a list of messages per field', () => {
    const store = FieldErrors.from(body)
    expect(store.message).toBe(body.message)
    expect(store.errors).toEqual(body.errors)
  })

  it.each([
    ['name', ['Navnet skal udfyldes.']],
    ['files.a.name', ['Mappen findes ikke.', 'Navnet er for langt.']],
    ['files[a][name]', ['Mappen findes ikke.', 'Navnet er for langt.']],
    ['files.*.name', ['Mappen findes ikke.', 'Navnet er for langt.', 'Projektet findes ikke.']],
    ['files.b.*', ['Projektet findes ikke.', 'Filen er udløbet.']],
    ['*.*.*', ['Mappen findes ikke.', 'Navnet er for langt.', 'Projektet findes ikke.', 'Filen er udløbet.']],
    ['files', []],
    ['files.*', []],
    ['nothing', []],
  ])('S5.7 finds the messages of %j', (name, messages) => {
    const store = FieldErrors.from(body)
    expect(store.get(name)).toEqual(messages)
    expect(store.has(name)).toBe(messages.length > 0)
  })

  it('S5.7 clears one field, a wildcard, or all', () => {
    const store = FieldErrors.from(body)
    expect(Object.keys(store.clear('files.a.name').errors)).toEqual(['name', 'files.b.name', 'files.b.data'])
    expect(Object.keys(store.clear('files.*.name').errors)).toEqual(['name', 'files.b.data'])
    expect(store.clear().isEmpty).toBe(true)
    expect(store.clear('nothing')).toBe(store)
    expect(store.errors).toEqual(body.errors)
  })

  it('clears the message together with the last field', () => {
    expect(FieldErrors.from({ message: 'x', errors: { name: ['y'] } }).clear('name').isEmpty).toBe(true)
  })

  it.each([null, undefined, 'text', 17, [], {}, { errors: null }, { errors: 'no' }, { message: 3 }])(
    'reads %j as no errors',
    (odd) => {
      expect(FieldErrors.from(odd).get('name')).toEqual([])
    },
  )

  it('reads a single message as a list', () => {
    expect(FieldErrors.from({ errors: { name: 'Forkert.' } }).get('name')).toEqual(['Forkert.'])
  })
})

it('dotted turns brackets into dots', () => {
  expect(dotted('companies[0][cvr]')).toBe('companies.0.cvr')
})
