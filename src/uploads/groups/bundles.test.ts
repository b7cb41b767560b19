import { expect, it } from 'vitest'
import { newUpload, type Upload } from '../transport/upload.ts'
import { bundlesOf, groupByFault, onlyNeedingAttention, seenByText } from './bundles.ts'
import type { Group, Ignored, Target } from '../pile/pile.ts'
import type { Fault } from '../names/placing.ts'

const upload = (name: string): Upload => newUpload(new File(['x'], name), name, { bytes: 9, files: 9 })
const project = (id: number, hasAuditor = false) => ({
  id,
  number: String(1000 + id),
  name: `K/S ${id}`,
  has_auditor: hasAuditor,
})
const folder = (id: number, isShared: boolean) => ({
  id,
  name: `Mappe ${id}`,
  visible_to_investors: isShared,
})
const group = (key: string, target: Target, files: number): Group => ({
  key,
  target,
  uploads: Array.from({ length: files }, (_, n) => upload(`${key} ${n}`)),
  bytes: files,
})

const GROUPS = [
  group('a', { project: project(1), folder: folder(1, true) }, 200),
  group('b', { project: project(1), folder: folder(2, false) }, 40),
  group('c', { project: project(2, true), folder: folder(3, true) }, 1012),
  group('d', { project: project(2, true), folder: folder(4, false) }, 5),
  group('e', { user: { id: 1, name: 'Bo' } }, 47),
  group('f', { user: { id: 2, name: 'Åse' } }, 1),
]

it('a large pile has one line for each project and each person, with what needs attention', () => {
  const bundles = bundlesOf(GROUPS, ({ name }) => / [12]$/.test(name))
  expect(bundles.map(({ groups, files, bytes, toSee }) => [groups.length, files, bytes, toSee])).toEqual([
    [2, 240, 240, 4],
    [2, 1017, 1017, 4],
    [1, 47, 47, 2],
    [1, 1, 1, 0],
  ])
})

it('the filter keeps only files that need attention, and no empty groups', () => {
  const left = onlyNeedingAttention(GROUPS, ({ name }) => name === 'b 3' || name === 'e 0')
  expect(left.map(({ key, uploads }) => [key, uploads.map(({ name }) => name)])).toEqual([
    ['b', ['b 3']],
    ['e', ['e 0']],
  ])
})

it('summarises who will see the files', () => {
  const isShared = ({ target }: Group) => target.folder?.visible_to_investors ?? false
  expect(seenByText(GROUPS, isShared)).toBe(
    '1.212 deles med investorer, 5 kontoret og revisor, 40 kun kontoret, 48 til personer',
  )
  expect(seenByText(GROUPS.slice(4), isShared)).toBe('48 til personer')
  // A folder that has been shared since the page was opened
  expect(seenByText(GROUPS.slice(1, 2), () => true)).toBe('40 deles med investorer')
})

it('groups ignored files by fault, those that one press repairs first', () => {
  const missing = (text: string, number: string, near: string | null): Fault => ({
    kind: 'folder',
    folder: text,
    project: number,
    projectId: 1,
    near,
  })
  const ignored = (fault: Fault, proposal: string | null = null): Ignored => ({
    upload: upload('x'),
    fault,
    proposal,
  })
  const groups = groupByFault([
    ignored({ kind: 'number', key: '9999' }),
    ignored({ kind: 'number', key: '9998' }),
    ignored({ kind: 'number', key: '9999' }),
    ignored(missing('Ferie', '1024', null)),
    ignored(missing('Ferie', '1031', null)),
    ignored(missing('Ferie', '1031', null)),
    ignored(missing('Arsrapport', '1024', 'Årsrapport')),
    ignored({ kind: 'name', of: 'all' }, 'Budget (1024).pdf'),
    ignored({ kind: 'number', key: 'kopi' }, 'Budget (1024) (kopi).pdf'),
  ])
  expect(groups.map(({ title, ignored: theirs, repair }) => [title, theirs.length, repair?.text])).toEqual([
    ['Navnet følger næsten reglen, og Ringbind har et forslag', 2, 'Ret som foreslået'],
    ['Mappen ”Arsrapport” findes ikke. Mente du Årsrapport?', 1, 'Ret til Årsrapport'],
    ['Mappen ”Ferie” findes ikke i projektet.', 3, undefined],
    ['Hverken et projekt eller en investor har nummer 9999.', 2, undefined],
    ['Hverken et projekt eller en investor har nummer 9998.', 1, undefined],
  ])
})
