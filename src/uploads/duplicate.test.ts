import { expect, it } from 'vitest'
import { warningsOf, type Duplicate } from './duplicate.ts'
import type { Target } from './pile.ts'
import { newUpload, type Upload } from './upload.ts'

const upload = (id: string, name: string, more: Partial<Upload> = {}): Upload => ({
  ...newUpload(new File(['x'], name), name, { bytes: 9, files: 9 }),
  id,
  ...more,
})
const known = (more: Partial<Duplicate>): Duplicate => ({
  same_name: false,
  same_bytes: null,
  sha256: null,
  ...more,
})

const folder = { id: 1, name: 'Budget', visible_to_investors: true }

function warn(
  uploads: Upload[],
  found: Record<string, Duplicate>,
  target: Target = { folder },
): Record<string, string> {
  const group = { key: 'a', target, uploads, bytes: 1 }
  return Object.fromEntries(warningsOf([group], new Map(Object.entries(found))))
}

it.each<[Partial<Duplicate>, string | undefined]>([
  [{}, undefined],
  [{ sha256: 'x' }, undefined],
  [{ same_name: true }, 'Navnet findes allerede i mappen.'],
  [{ same_name: true, sha256: 'x' }, 'Navnet findes allerede i mappen, men med et andet indhold.'],
  [{ same_name: true, same_bytes: 'a.pdf', sha256: 'x' }, 'Findes allerede i mappen med samme indhold.'],
  [
    { same_name: true, same_bytes: 'b.pdf', sha256: 'x' },
    'Navnet findes allerede i mappen, og indholdet er som i ”b.pdf”.',
  ],
  [{ same_bytes: 'b.pdf', sha256: 'x' }, 'Samme indhold som ”b.pdf”, der ligger i mappen.'],
])('of %j is said %j', (found, text) => {
  expect(warn([upload('u', 'a.pdf')], { u: known(found) }).u).toBe(text)
})

it('what is twice in a pile is told of at the second, not at the first', () => {
  const found = {
    a: known({ sha256: 'x' }),
    b: known({ sha256: 'y' }),
    c: known({ sha256: 'x' }),
    d: known({ sha256: 'x' }),
  }
  expect(warn([upload('a', 'a'), upload('b', 'a'), upload('c', 'a'), upload('d', 'd')], found)).toEqual({
    b: 'En anden af filerne har samme navn.',
    c: 'Er med to gange med samme indhold.',
    d: 'Samme indhold som ”a”.',
  })
})

it('one that is skipped does not make another one the second', () => {
  expect(warn([upload('a', 'a', { isSkipped: true }), upload('b', 'a')], {})).toEqual({})
})

it.each<[Target, string]>([
  [{ user: { id: 1, name: 'Bo' } }, 'Findes allerede hos Bo med samme indhold.'],
  [{}, 'Findes allerede blandt dine filer med samme indhold.'],
])('of %j is said where it is: %s', (target, text) => {
  const found = { u: known({ same_name: true, same_bytes: 'a.pdf', sha256: 'x' }) }
  expect(warn([upload('u', 'a.pdf')], found, target).u).toBe(text)
})
