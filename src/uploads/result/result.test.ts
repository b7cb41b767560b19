import { expect, it } from 'vitest'
import type { FileGroup, SubmittedFile } from '../../files/file/stored-file.ts'
import { resultText, resultTitle, skippedText, type SkippedFile } from './result.ts'

const group = (files: number, place: 'folder' | 'user'): FileGroup => ({
  folder: { id: 1, name: 'Budget', visible_to_investors: true },
  project: place === 'folder' ? { id: 1, number: '1024', name: 'K/S Nordhavn', has_auditor: false } : null,
  user: place === 'user' ? { id: 1, name: 'Søren Kjærgaard', readers: [] } : null,
  lent_by: [],
  files: Array.from({ length: files }, () => ({}) as SubmittedFile),
})
const folder = (files: number) => group(files, 'folder')
const user = (files: number) => group(files, 'user')

it.each<[FileGroup[], number, string, string]>([
  [[folder(1)], 0, 'Filen er gemt', '1 fil er gemt.'],
  [[folder(4)], 0, 'Filerne er gemt', '4 filer er gemt.'],
  [[folder(4), folder(7), folder(1)], 0, 'Filerne er gemt', '12 filer er gemt i 3 mapper.'],
  [[user(2), user(1)], 0, 'Filerne er gemt', '3 filer er gemt hos 2 personer.'],
  [[folder(2), user(1)], 0, 'Filerne er gemt', '3 filer er gemt i 1 mappe og hos 1 person.'],
  [[folder(1)], 2, 'Filerne er gemt', '1 fil er gemt. 2 filer er slettet siden.'],
  [[], 1, 'Filen er gemt', 'Filen er slettet siden.'],
  [[], 2, 'Filerne er gemt', 'Filerne er slettet siden.'],
])('says where the office has stored files: %#', (groups, deleted, title, text) => {
  const result = { form: null, groups, deleted, skipped: [] }
  expect([resultTitle(result, false), resultText(result, false)]).toEqual([title, text])
})

it.each<[FileGroup[], number, string, string]>([
  [[user(1)], 0, 'Filen er sendt', '1 fil er sendt til kontoret.'],
  [[user(3)], 1, 'Filerne er sendt', '3 filer er sendt til kontoret. 1 fil er slettet siden.'],
])('says what an investor has sent to the office: %#', (groups, deleted, title, text) => {
  const result = { form: null, groups, deleted, skipped: [] }
  expect([resultTitle(result, true), resultText(result, true)]).toEqual([title, text])
})

const skipped = (place: 'folder' | 'user'): SkippedFile => {
  const { files: _files, ...rest } = group(0, place)
  return { ...rest, name: 'Ny.pdf', twin: 'Budget.pdf' }
}

it('says where the file is that a skipped file equals', () => {
  expect(skippedText(skipped('folder'), false)).toBe('Filen ligger der allerede: ”Budget.pdf” i Budget.')
  expect(skippedText(skipped('user'), false)).toBe(
    'Filen ligger der allerede: ”Budget.pdf” hos Søren Kjærgaard.',
  )
  expect(skippedText(skipped('user'), true)).toBe(
    'Filen ligger der allerede: ”Budget.pdf” blandt dine filer.',
  )
  const nothing = { form: null, groups: [], deleted: 0, skipped: [skipped('folder')] }
  expect([resultTitle(nothing, false), resultText(nothing, false)]).toEqual([
    'Ingen nye filer',
    'Filen lå der allerede.',
  ])
})
