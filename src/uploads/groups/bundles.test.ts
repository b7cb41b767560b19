import { expect, it } from 'vitest'
import { newUpload, type Upload } from '../transport/upload.ts'
import { bundlesOf, groupByFault, seenByText } from './bundles.ts'
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

it('a large pile has one line for each project and each person, with the files that are not saved', () => {
  const bundles = bundlesOf(GROUPS, ({ name }) => / [12]$/.test(name))
  expect(bundles.map(({ groups, files, bytes, skipped }) => [groups.length, files, bytes, skipped])).toEqual([
    [2, 240, 240, 4],
    [2, 1017, 1017, 4],
    [1, 47, 47, 2],
    [1, 1, 1, 0],
  ])
})

it('summarises who will see the files that are saved', () => {
  const isShared = ({ target }: Group) => target.folder?.visible_to_investors ?? false
  expect(seenByText(GROUPS, isShared)).toBe(
    '1.212 deles med investorer, 5 kontoret og revisor, 40 kun kontoret, 48 til personer',
  )
  expect(seenByText(GROUPS.slice(4), isShared)).toBe('48 til personer')
  expect(seenByText(GROUPS.slice(4), isShared, ({ name }) => / [12]$/.test(name))).toBe('46 til personer')
  // A folder that has been shared since the page was opened
  expect(seenByText(GROUPS.slice(1, 2), () => true)).toBe('40 deles med investorer')
})

it('groups ignored files by fault, most files first, and the same folder in several projects together', () => {
  const missing = (text: string, number: string): Fault => ({
    kind: 'folder',
    folder: text,
    project: number,
    projectId: 1,
    near: null,
  })
  const ignored = (fault: Fault): Ignored => ({ upload: upload('x'), fault, proposal: null })
  const groups = groupByFault([
    ignored({ kind: 'number', key: '9999' }),
    ignored({ kind: 'number', key: '9998' }),
    ignored({ kind: 'number', key: '9999' }),
    ignored(missing('Ferie', '1024')),
    ignored(missing('Ferie', '1031')),
    ignored(missing('Ferie', '1031')),
  ])
  expect(groups.map(({ title, ignored: theirs }) => [title, theirs.length])).toEqual([
    ['Mappen ”Ferie” findes ikke i projektet.', 3],
    ['Nummer 9999 findes ikke.', 2],
    ['Nummer 9998 findes ikke.', 1],
  ])
})
