import { expect, it } from 'vitest'
import { faultsByFile } from './upload-faults.ts'

it('splits a refusal by file into faults of bytes, name and type', () => {
  const { lost, refused, isMoved } = faultsByFile({
    'files.a.data': ['Send filen igen.'],
    'files.b.name': ['Mappen findes ikke længere.'],
    'files.c.name': ['Navnet er for langt.'],
    'files.c.mime': ['Typen kendes ikke.', 'Gem den som PDF.'],
    'files.d.folder_id': ['Hører til i Budget.'],
    submission: ['Kan ikke læses.'],
  })
  expect(Object.fromEntries(lost)).toEqual({ a: 'Send filen igen.' })
  expect(Object.fromEntries(refused)).toEqual({
    b: 'Mappen findes ikke længere.',
    c: 'Navnet er for langt. Typen kendes ikke. Gem den som PDF.',
  })
  expect(isMoved).toBe(true)
})

it.each([
  [{}, false],
  [{ 'files.a.data': ['x'] }, false],
  [{ 'files.a.mime': ['x'] }, false],
  [{ 'files.a.name': ['x'] }, true],
  [{ 'files.a.user_id': ['x'] }, true],
  [{ 'files.A!.name': ['x'] }, false],
])('%j means that a place has changed: %j', (errors, isMoved) => {
  expect(faultsByFile(errors as Record<string, string[]>).isMoved).toBe(isMoved)
})
