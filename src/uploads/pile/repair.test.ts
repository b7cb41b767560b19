import { expect, it } from 'vitest'
import { keyInName } from '../../files/names/file-name.ts'
import type { UploadForm } from './pile.ts'
import type { Fault } from '../names/placing.ts'
import { isSameFault, repaired, sameFor, type Repair } from './repair.ts'

const FOLDERS: UploadForm = { kind: 'folders', project: null }
const USERS: UploadForm = { kind: 'users' }

it.each<[UploadForm, string, Repair, string]>([
  [FOLDERS, 'Arsrapport (1024) 2023.pdf', { folder: 'Årsrapport' }, 'Årsrapport (1024) 2023.pdf'],
  [FOLDERS, 'Budget (9999) 2023.pdf', { key: '1024' }, 'Budget (1024) 2023.pdf'],
  [FOLDERS, 'Ferieplan (1024) 2027.pdf', { folder: 'Diverse' }, 'Diverse (1024) Ferieplan 2027.pdf'],
  [FOLDERS, 'Ferie.pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) Ferie.pdf'],
  [FOLDERS, 'Brev.pdf', { key: '2001', isPerson: true }, 'Brev (2001).pdf'],
  [FOLDERS, 'Budget (1024) 2027.pdf', { key: '2001', isPerson: true }, 'Budget (2001) 2027.pdf'],
  [FOLDERS, 'Brev (2001) 2027.pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) Brev 2027.pdf'],
  [USERS, 'Brev (9) 2023.pdf', { key: '2001' }, 'Brev (2001) 2023.pdf'],
  [USERS, 'Brev.pdf', { key: '2001' }, 'Brev (2001).pdf'],
  [USERS, '(9).pdf', { key: '2001' }, '(2001).pdf'],
  [USERS, '(9) uden tekst.pdf', { key: '2001' }, '(2001) uden tekst.pdf'],
  [USERS, 'Brev (kopi) 2023.pdf', { key: '2001' }, 'Brev (2001) (kopi) 2023.pdf'],
  [USERS, '().pdf', { key: '2001' }, 'Fil (2001).pdf'],
  [USERS, 'Brev 2023', { key: '2001' }, 'Brev 2023 (2001)'],
])('repairs %j: %j with %j becomes %j', (form, name, repair, expected) => {
  expect(repaired(form, name, repair)).toBe(expected)
  expect(keyInName(expected)).toBe(repair.key ?? '1024')
})

const folder = (text: string, project: string): Fault => ({
  kind: 'folder',
  folder: text,
  project,
  projectId: 1,
  near: null,
})

it.each<[Fault, Fault, boolean]>([
  [folder('Arsrapport', '1'), folder('Arsrapport', '2'), true],
  [folder('Arsrapport', '1'), folder('Ferie', '1'), false],
  [{ kind: 'project', key: '9' }, { kind: 'project', key: '9' }, true],
  [{ kind: 'project', key: '9' }, { kind: 'project', key: '8' }, false],
  [{ kind: 'user', key: '9' }, { kind: 'project', key: '9' }, false],
  [{ kind: 'name', of: 'user' }, { kind: 'name', of: 'user' }, true],
  [{ kind: 'not-pdf' }, { kind: 'not-pdf' }, false],
])('%j and %j are the same fault: %j', (a, b, expected) => {
  expect(
    isSameFault({ upload: { name: 'Scan 1' }, fault: a }, { upload: { name: 'Scan 22.pdf' }, fault: b }),
  ).toBe(expected)
})

it.each<[string, Repair, string, Repair]>([
  ['Arsrapport (1)', { folder: 'Årsrapport' }, 'Arsrapport (2)', { folder: 'Årsrapport' }],
  ['Ferie (9)', { key: '1', folder: 'Diverse' }, 'Budget (9)', { key: '1' }], // its own folder was right
  ['Ferie (9)', { key: '1', folder: 'Diverse' }, 'Ferie (9) 2', { key: '1', folder: 'Diverse' }],
  ['x', { key: '1', folder: 'Diverse' }, 'y', { key: '1', folder: 'Diverse' }],
])('if %j is repaired by %j, %j is repaired by %j', (name, repair, other, expected) => {
  expect(sameFor(other, { name, repair })).toEqual(expected)
})

it('names without a parenthesis have the same fault if they differ only in numbers', () => {
  const faulty = (name: string) => ({ upload: { name }, fault: { kind: 'name', of: 'user' } as const })
  expect(isSameFault(faulty('Scan 0001.pdf'), faulty('Scan 17.PDF'))).toBe(true)
  expect(isSameFault(faulty('Scan 0001.pdf'), faulty('Årsrapport 1024 2025.pdf'))).toBe(false)
})
