import { describe, expect, it } from 'vitest'
import { readFileName, renamed, simpleName, splitExtension, yearIn, yearInName } from './file-name.ts'

const NFD = (text: string) => text.normalize('NFD')

describe('readFileName', () => {
  it.each([
    ['Årsrapport (1024) 2023.pdf', 'Årsrapport', '1024', '2023', 2023],
    ['Årsrapport 2020 (1024) endelig.pdf', 'Årsrapport 2020', '1024', 'endelig', 2020],
    ['Årsrapport KS (1024).pdf', 'Årsrapport KS', '1024', '', null],
    [NFD('Årsrapport (1024) 2023.pdf'), 'Årsrapport', '1024', '2023', 2023],
    ['  Årsrapport   KS  ( 1024 )   2023  .pdf', 'Årsrapport KS', '1024', '2023', 2023],
    ['Årsrapport\u00a0KS\t(1024)\u00a02023.pdf', 'Årsrapport KS', '1024', '2023', 2023],
    ['Budget(1024)2025.pdf', 'Budget', '1024', '2025', 2025],
    ['Budget (1024) (rev. 2) 2025.pdf', 'Budget', '1024', '(rev. 2) 2025', 2025],
    ['Budget (1024) (2019) 2025.pdf', 'Budget', '1024', '(2019) 2025', 2019],
    ['Budget (2014) 2025.pdf', 'Budget', '2014', '2025', 2025],
    ['Budget (2014).pdf', 'Budget', '2014', '', null],
    ['Budget 2013 (2014) 2025.pdf', 'Budget 2013', '2014', '2025', 2025],
    ['Budget (01024) x.pdf', 'Budget', '01024', 'x', null],
    ['Budget (1024) 20251.pdf', 'Budget', '1024', '20251', null],
    ['Budget (1024) 12345 2025.pdf', 'Budget', '1024', '12345 2025', 2025],
    ['Budget (1024) 1799 2200 1800.pdf', 'Budget', '1024', '1799 2200 1800', 1800],
    ['Budget (1024) 2025', 'Budget', '1024', '2025', 2025],
    ['Budget (1024) v1.2025', 'Budget', '1024', 'v1.2025', 2025],
    ['Budget (1024) x.mp2025', 'Budget', '1024', 'x', null],
    ['Bud\u200bget (10\u200d24) 2025.pdf', 'Budget', '1024', '2025', 2025],
    ['\u202eBudget\u202c (1024) 2025.pdf', 'Budget', '1024', '2025', 2025],
    ['Budget (1024) 📊 2025.pdf', 'Budget', '1024', '📊 2025', 2025],
    ['Budget (A-17/b) 2025.pdf', 'Budget', 'A-17/b', '2025', 2025],
    ['BUDGET (1024) 2025.PDF', 'BUDGET', '1024', '2025', 2025],
  ])('%j: the folder %j, the key %j, the rest %j, the year %j', (name, folder, key, rest, year) => {
    expect(readFileName(name)).toEqual({ folder, key, rest, year })
  })

  it.each([
    'Årsrapport 2023.pdf',
    'Årsrapport 1024) 2023.pdf',
    'Årsrapport (1024 2023.pdf',
    'Årsrapport )1024( 2023.pdf',
    'Årsrapport ((1024)) 2023.pdf',
    'Årsrapport (10(24)) 2023.pdf',
    'Årsrapport () 2023.pdf',
    'Årsrapport ( ) 2023.pdf',
    '(1024) 2023.pdf',
    ' (1024).pdf',
    '',
    '.pdf',
    '()',
  ])('%j does not follow the convention', (name) => {
    expect(readFileName(name)).toBeNull()
  })

  it('takes names of 255 bytes, and far longer ones, in no time', () => {
    const name = `Årsrapport (1024) ${'æ'.repeat(115)}.pdf`
    expect(Buffer.byteLength(name)).toBeGreaterThan(250)
    expect(readFileName(name)?.rest).toHaveLength(115)
    for (const part of ['(', ')', ' ', 'a', '(a', '1', '.'])
      expect(readFileName(part.repeat(100_000))?.folder ?? null).toBeNull()
  })
})

describe('the year', () => {
  it.each([
    ['1800', 1800],
    ['2199', 2199],
    ['1799', null],
    ['2200', null],
    ['12023', null],
    ['20235', null],
    ['2023-24', 2023],
    ['fra 2019 til 2023', 2019],
    ['x2023y', 2023],
  ])('S9.6 in %j is %j', (text, year) => {
    expect(yearIn(text)).toBe(year)
  })

  it.each([
    ['Brev 2023.pdf', 2023],
    ['Brev.2023', 2023],
    ['Brev (2014) x.pdf', null],
    ['Brev.mp2023', null],
    ['Uden år.pdf', null],
  ])('S9.6 of any file, as of %j, is %j', (name, year) => {
    expect(yearInName(name)).toBe(year)
  })
})

it.each([
  ['Bilag.v2.pdf', 'Bilag.v2', '.pdf'],
  ['Referat 12.3.2020', 'Referat 12.3.2020', ''],
  ['.pdf', '.pdf', ''],
  ['Bilag', 'Bilag', ''],
  ['Bilag.', 'Bilag.', ''],
  ['a.tar.gz', 'a.tar', '.gz'],
  ['x.7z', 'x', '.7z'],
])('%j is %j with the extension %j', (name, stem, extension) => {
  expect(splitExtension(name)).toEqual({ stem, extension })
})

it.each([
  ['Arsrapport (1024) 2023.pdf', { folder: 'Årsrapport', key: '1024' }, 'Årsrapport (1024) 2023.pdf'],
  ['Årsrapport 2023.pdf', { folder: 'Årsrapport', key: '1024' }, 'Årsrapport (1024) Årsrapport 2023.pdf'],
  ['Budget (9999).pdf', { folder: 'Budget', key: '1024' }, 'Budget (1024).pdf'],
  ['scan0001.pdf', { folder: 'Diverse', key: '1024' }, 'Diverse (1024) scan0001.pdf'],
])('%j, led to %j, is %j, and says so', (name, to, next) => {
  expect(renamed(name, to)).toBe(next)
  expect(readFileName(next)).toMatchObject(to)
})

it.each([
  ['../../etc/passwd.pdf', '....etcpasswd.pdf'],
  ['C:\\Brev: svar.pdf', 'CBrev svar.pdf'],
  [NFD('Å/b.pdf'), 'Åb.pdf'],
])('the simple form makes %j of %j', (name, clean) => {
  expect(simpleName(name)).toBe(clean)
})
