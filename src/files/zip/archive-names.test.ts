import { describe, expect, it } from 'vitest'
import { windowsFault } from '../../../test/formats/zip-reader.ts'
import { archivePaths, distinctNames, nestedPaths, safeName } from './archive-names.ts'

it.each([
  ['Årsrapport (1024) 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
  ['K/S Nordhavn: 50 %?', 'K_S Nordhavn_ 50 %_'],
  ['a<b>c"d|e*f\\g', 'a_b_c_d_e_f_g'],
  ['linje\nskift\t\u007f', 'linje_skift__'],
  ['punktum. . .', 'punktum'],
  ['  mellemrum  ', 'mellemrum'],
  ['.gitignore', '.gitignore'],
  ['..', '_'],
  ['', '_'],
  ['...', '_'],
  ['CON', '_CON'],
  ['con.txt', '_con.txt'],
  ['Con .txt', '_Con .txt'],
  ['NUL.tar.gz', '_NUL.tar.gz'],
  ['COM1', '_COM1'],
  ['lpt¹.pdf', '_lpt¹.pdf'],
  ['Kontor.pdf', 'Kontor.pdf'],
  ['console.pdf', 'console.pdf'],
  ['A\u030arsrapport.pdf', 'Årsrapport.pdf'],
  ['\ud800.pdf', '\ufffd.pdf'],
])('the file name %j becomes %j in an archive', (name, safe) => {
  expect(safeName(name)).toBe(safe)
  expect(windowsFault(safeName(name))).toBeNull()
})

it('shortens a name to the limit of Linux, and keeps its ending', () => {
  for (const letter of ['a', 'å', '漢', '𝄞']) {
    const short = safeName(`${letter.repeat(255)}.pdf`)
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(240)
    expect(Buffer.byteLength(short)).toBeGreaterThan(230)
    expect(short.endsWith(`${letter}.pdf`)).toBe(true)
  }
  expect(safeName(`${'a'.repeat(239)}. ${'b'.repeat(20)}`)).toBe('a'.repeat(239))
})

describe('names that differ', () => {
  it.each([
    [
      ['a.pdf', 'a.pdf', 'a.pdf'],
      ['a.pdf', 'a (2).pdf', 'a (3).pdf'],
    ],
    [
      ['a.pdf', 'a.pdf', 'a (2).pdf'],
      ['a.pdf', 'a (3).pdf', 'a (2).pdf'],
    ],
    [
      ['Budget.PDF', 'budget.pdf'],
      ['Budget.PDF', 'budget (2).pdf'],
    ],
    [
      ['ÅRSRAPPORT.pdf', 'årsrapport.pdf'],
      ['ÅRSRAPPORT.pdf', 'årsrapport (2).pdf'],
    ],
    [
      ['a:b.pdf', 'a?b.pdf'],
      ['a_b.pdf', 'a_b (2).pdf'],
    ],
    [
      ['a.pdf.', 'a.pdf'],
      ['a.pdf', 'a (2).pdf'],
    ],
    [
      ['uden ending', 'uden ending'],
      ['uden ending', 'uden ending (2)'],
    ],
    [
      ['Referat 12.3 2020', 'Referat 12.3 2020'],
      ['Referat 12.3 2020', 'Referat 12.3 2020 (2)'],
    ],
    [
      ['.a', '.a'],
      ['.a', '.a (2)'],
    ],
    [
      ['\u00e5.pdf', 'a\u030a.pdf'],
      ['å.pdf', 'å (2).pdf'],
    ],
  ])('tells the names %j apart', (names, distinct) => {
    expect(distinctNames(names)).toEqual(distinct)
  })

  it('tells names apart quickly, however many are the same', () => {
    const names = distinctNames(Array<string>(50_000).fill('Bilag.pdf'))
    expect(names.at(-1)).toBe('Bilag (50000).pdf')
    expect(new Set(names).size).toBe(50_000)
  })
})

describe('paths', () => {
  const [budget, other, large] = [
    { id: 7, name: 'Budget' },
    { id: 3, name: 'Leje/drift' },
    { id: 9, name: 'BUDGET' },
  ]
  const file = (name: string, folder: { id: number; name: string }) => ({ name, folder })

  it('each folder has a directory, and directories are told apart like files', () => {
    const files = [file('a.pdf', budget), file('a.pdf', other), file('a.pdf', large), file('a.pdf', budget)]
    expect(archivePaths(files, true)).toEqual([
      'Budget/a.pdf',
      'Leje_drift/a.pdf',
      'BUDGET (2)/a.pdf',
      'Budget/a (2).pdf',
    ])
  })

  it('tells all files apart in an archive without directories', () => {
    expect(archivePaths([file('a.pdf', budget), file('A.pdf', other)], false)).toEqual(['a.pdf', 'A (2).pdf'])
  })

  it('tells directories in directories apart from names at the top', () => {
    const [north, south] = [
      { id: 'p1', name: 'Nord' },
      { id: 'p2', name: 'nord' },
    ]
    const nested = (name: string, ...directories: { id: string | number; name: string }[]) => ({
      name,
      directories,
    })
    expect(
      nestedPaths(
        [
          nested('a.pdf', north, budget),
          nested('a.pdf', south, budget),
          nested('a.pdf', north, budget),
          nested('a.pdf', north),
          nested('Budget', north),
          nested('indhold.html'),
          nested('a.pdf', { id: 'p3', name: 'Indhold.html' }),
        ],
        ['Indhold.html'],
      ),
    ).toEqual([
      'Nord/Budget/a.pdf',
      'nord (2)/Budget/a.pdf',
      'Nord/Budget/a (2).pdf',
      'Nord/a.pdf',
      'Nord/Budget (2)',
      'indhold (3).html',
      'Indhold (2).html/a.pdf',
    ])
  })

  it('no path leads out of the directory in which it is unpacked', () => {
    const bad = ['..', '../../etc/passwd', '/etc/passwd', 'C:\\Windows\\x', '..\\x', '.', ' .. ']
    const files = bad.flatMap((name) => [file(name, { id: 1, name }), file(name, { id: 2, name })])
    for (const path of archivePaths(files, true)) {
      expect(windowsFault(path)).toBeNull()
      expect(path.split('/')).toHaveLength(2)
    }
  })
})
