import { describe, expect, it } from 'vitest'
import { windowsFault } from '../../../test/formats/zip-reader.ts'
import { directoryIn, nameDirectories, nameIn } from './directories.ts'

const HOSTILE = [
  '..',
  '../../etc',
  '/etc/passwd',
  'CON',
  'nul.txt',
  'a:b',
  'a?b',
  ' . ',
  '',
  'x'.repeat(300),
  'a\u0000b',
]

describe('directories', () => {
  it('names directories after number and name, and replaces characters that some systems refuse', () => {
    const named = nameDirectories(
      [{ id: 1, number: '1024', name: 'K/S Nordhavn' }],
      [
        { id: 5, number: '2001', name: 'Anna Holm' },
        { id: 6, number: null, name: 'Bo' },
      ],
      [
        { id: 10, name: 'Årsrapport', projectId: 1, userId: null },
        { id: 11, name: 'A\u030arsrapport', projectId: 1, userId: null },
        { id: 12, name: 'Filer', projectId: null, userId: 5 },
      ],
    )
    expect([...named.project]).toEqual([[1, 'Projekter/1024 K-S Nordhavn']])
    expect([...named.person]).toEqual([
      [5, 'Personer/2001 Anna Holm'],
      [6, 'Personer/Bo'],
    ])
    expect([...named.folder]).toEqual([
      [10, 'Projekter/1024 K-S Nordhavn/Årsrapport'],
      [11, 'Projekter/1024 K-S Nordhavn/Årsrapport (2)'],
      [12, 'Personer/2001 Anna Holm'],
    ])
  })

  it('directory names differ on every system, whatever the names are', () => {
    const projects = HOSTILE.flatMap((name, index) => [
      { id: index, number: '', name },
      { id: index + 100, number: '', name: name.toUpperCase() },
    ])
    const folders = projects.flatMap(({ id, name }) => [
      { id: id * 2, name, projectId: id, userId: null },
      { id: id * 2 + 1, name, projectId: id, userId: null },
    ])
    const { project, folder } = nameDirectories(projects, [], folders)
    const all = [...project.values(), ...folder.values()]
    expect(new Set(all.map((path) => path.toLowerCase())).size).toBe(all.length)
    for (const path of all) {
      expect(windowsFault(path)).toBeNull()
      expect(path.split('/').every((name) => Buffer.byteLength(name) <= 255)).toBe(true)
    }
    for (const path of folder.values()) expect(path.split('/')).toHaveLength(3)
  })
})

it.each([
  ['live', 'Projekter/1/Budget'],
  ['draft', 'Kladder/Projekter/1/Budget'],
  ['trash', 'Papirkurv/Projekter/1/Budget'],
  ['version', 'Versioner/Projekter/1/Budget'],
] as const)('exports a %s file to %s', (area, path) => {
  expect(directoryIn(area, 'Projekter/1/Budget')).toBe(path)
})

it.each([
  ['live', 'Budget.pdf', 3, 'Budget.pdf'],
  ['version', 'Budget.pdf', 3, 'Budget (version 3).pdf'],
  ['version', 'Budget.pdf', null, 'Budget (ny version).pdf'],
  ['version', 'Budget', 1, 'Budget (version 1)'],
] as const)('names a %s file %s of version %j %s', (area, name, version, called) => {
  expect(nameIn(area, name, version)).toBe(called)
})
