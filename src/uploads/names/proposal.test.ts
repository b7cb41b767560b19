import { describe, expect, it } from 'vitest'
import { readFileName, yearIn, yearInName } from '../../files/names/file-name.ts'
import { nearMissAmong } from '../../files/names/near-miss.ts'
import { numbersIn, proposeName, type Existing, type Taking } from './proposal.ts'

const NFD = (text: string) => text.normalize('NFD')

const textsOf = (names: string[]) => ({
  has: (text: string) => names.includes(text),
  near: nearMissAmong(names),
})
const folders = textsOf([
  'Årsrapport',
  'Årsrapport 2020',
  'Årsrapport KS',
  'Kvartalsrapport',
  'Budget',
  'Lejekontrakter',
  'Bestyrelsesmøder',
  'Års- og delårsrapporter',
  'Diverse',
])
const EXISTING: Existing = {
  projects: new Map(['1024', '1031', '2014', '12-3', 'K7'].map((number) => [number, folders])),
  people: new Set(['2001', '5005', '1031']),
}
const ALL: Taking = { of: 'all' }
const ONE: Taking = { of: 'project', number: '1024' }
const PEOPLE: Taking = { of: 'people' }

describe('a name that nearly follows the convention', () => {
  it.each([
    ['Årsrapport 1024 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    [NFD('Årsrapport 1024 2025.pdf'), 'Årsrapport (1024) 2025.pdf'],
    ['1024 årsrapport.pdf', 'Årsrapport (1024).pdf'],
    ['1024_Årsrapport_2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Årsrapport_(1024).pdf', 'Årsrapport (1024).pdf'],
    ['Årsrapport_2025_(1024)_endelig.pdf', 'Årsrapport (1024) 2025 endelig.pdf'],
    ['Årsrapport-1024-2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['2025-1024-Årsrapport.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['1024 - Årsrapport - 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['1024 – Årsrapport, endelig.pdf', 'Årsrapport (1024) endelig.pdf'],
    ['1024. Årsrapport 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Årsrapport [1024] 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Årsrapport {1024}.pdf', 'Årsrapport (1024).pdf'],
    ['(1024) Årsrapport 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Årsrapport ((1024)) 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Årsrapport (1024 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Årsrapport 1024) 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Årsrapport (projekt 1024) 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Projekt 1024 årsrapport 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Projektnr. 1024: Årsrapport.pdf', 'Årsrapport (1024).pdf'],
    // The folder is misspelt, and the number is where it should not be
    ['aarsraport 1024 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['BUDGET 1024 2026.PDF', 'Budget (1024) 2026.PDF'],
    ['1024 bestyrelsesmoeder maj.docx', 'Bestyrelsesmøder (1024) maj.docx'],
    // The number is right, but other words stand before it
    ['Årsrapport 2025 (1024).pdf', 'Årsrapport (1024) 2025.pdf'],
    ['Endelig Årsrapport (1024) 2025.pdf', 'Årsrapport (1024) Endelig 2025.pdf'],
    ['Årsrapport (udkast) 1024.pdf', 'Årsrapport (1024) (udkast).pdf'],
    ['Budget (2026) 1024.pdf', 'Budget (1024) (2026).pdf'],
    ['Budget 2026 (2027) 1024.pdf', 'Budget (1024) 2026 (2027).pdf'],
    ['Årsrapport ( 1024', 'Årsrapport (1024)'],
    ['1024) Budget - udkast - 2026.pdf', 'Budget (1024) udkast 2026.pdf'],
    // Sub names, the longest first; names with dashes; numbers that are not only digits
    ['1024 Årsrapport 2020.pdf', 'Årsrapport 2020 (1024).pdf'],
    ['1024 Årsrapport KS 2025.pdf', 'Årsrapport KS (1024) 2025.pdf'],
    ['1024_Årsrapport_KS_2025.pdf', 'Årsrapport KS (1024) 2025.pdf'],
    ['1024 Års- og delårsrapporter 2025.pdf', 'Års- og delårsrapporter (1024) 2025.pdf'],
    ['Budget 12-3 2026.pdf', 'Budget (12-3) 2026.pdf'],
    ['K7 Budget.pdf', 'Budget (K7).pdf'],
    // Every other word stays, in its order
    ['1024 Lejekontrakter Føtex, 2. sal (rev. 2).pdf', 'Lejekontrakter (1024) Føtex, 2. sal (rev. 2).pdf'],
    ['Bilag 3-4 Budget 1024 af 12.3.2026.pdf', 'Budget (1024) Bilag 3-4 af 12.3.2026.pdf'],
    ['Årsrapport 2014 2023.pdf', 'Årsrapport (2014) 2023.pdf'],
    // A folder says more than a free text before a person's number
    ['Budget 1031 2026.pdf', 'Budget (1031) 2026.pdf'],
    ['Kapitalkonto 2001 2025.pdf', 'Kapitalkonto (2001) 2025.pdf'],
    ['2001 Kapitalkonto 2025.pdf', 'Kapitalkonto 2025 (2001).pdf'],
    ['Kapitalkonto_5005.pdf', 'Kapitalkonto (5005).pdf'],
    ['Investor 5005 kapitalkonto.pdf', 'kapitalkonto (5005).pdf'],
    ['Brev (kopi) 5005.pdf', 'Brev (5005) (kopi).pdf'],
    ['5005.pdf', '(5005).pdf'],
    ['Kapitalkonto 1031 ultimo.pdf', 'Kapitalkonto (1031) ultimo.pdf'],
  ])('proposes for %j: %j', (name, proposed) => {
    const next = proposeName(name, EXISTING, ALL)
    expect(next).toBe(proposed)
    // An accepted name is not proposed again.
    expect(proposeName(proposed, EXISTING, ALL)).toBeNull()
    expect(yearInName(proposed)).toBe(yearIn(name.replace(/2001|2014/, '')))
  })

  it.each([
    'Årsrapport 2025.pdf',
    'Årsrapport 9999 2025.pdf',
    'Scan 0001.pdf',
    'Ferie 1024.pdf',
    '1024.pdf',
    'Budget og Årsrapport 1024.pdf',
    'Budget 1024 1031.pdf',
    'Budget 10245.pdf',
    'Budget 01024.pdf',
    'Budget 1024-2.pdf',
    'Budget 10.24.pdf',
    'Årsrapport 2014.pdf', // more likely the year
    'Kapitalkonto 2001.pdf',
    'Budget (9999) 1024.pdf', // the number in the parenthesis may be mistyped
    'Ferieplan (1024) 2027.pdf',
    'Årsrapport (1024) 2025.pdf',
    'constructor 1024.pdf',
    '',
    '.pdf',
    '()',
    `Årsrapport 1024 ${'x'.repeat(260)}.pdf`,
  ])('proposes nothing for %j', (name) => {
    expect(proposeName(name, EXISTING, ALL)).toBeNull()
  })

  it.each([
    ['Årsrapport 2025.pdf', 'Årsrapport (1024) 2025.pdf'],
    ['årsrapport.pdf', 'Årsrapport (1024).pdf'],
    ['Årsrapport (udkast) 2025.pdf', 'Årsrapport (1024) (udkast) 2025.pdf'],
    ['1024 Årsrapport.pdf', 'Årsrapport (1024).pdf'],
    ['Ferie 2025.pdf', null],
    ['Årsrapport 1031 2025.pdf', null],
    ['Årsrapport 9999 2025.pdf', null],
    ['Årsrapport (1031) 2025.pdf', null],
  ])('proposes in the form of one project for %j: %j', (name, proposed) => {
    expect(proposeName(name, EXISTING, ONE)).toBe(proposed)
  })

  it.each([
    ['Kapitalkonto 5005 2025.pdf', 'Kapitalkonto (5005) 2025.pdf'],
    ['Årsrapport 1024 2025.pdf', null],
    ['Kapitalkonto 5005 1031.pdf', null],
  ])('proposes in the form for people for %j: %j', (name, proposed) => {
    expect(proposeName(name, EXISTING, PEOPLE)).toBe(proposed)
  })

  it('any name is read fast', () => {
    for (const part of ['1024 ', 'a', '1-', '(', '-', ' ', 'Årsrapport ', '1024-2025-', '_'])
      for (const length of [250, 100_000]) {
        const name = `${part.repeat(length / part.length)}.pdf`
        const next = proposeName(name, EXISTING, ALL)
        if (next !== null) expect(readFileName(next) ?? next).toBeTruthy()
      }
  })
})

it.each([
  ['Årsrapport 1024 2025.pdf', ['1024', '2025']],
  ['Årsrapport-1024-2025.pdf', ['1024', 'Årsrapport-1024-2025']],
  ['12.3.2025.pdf', ['12.3.2025']],
  ['Scan0001.pdf', ['Scan0001']],
  ['Uden nummer.pdf', []],
])('the name %j may have the numbers %j', (name, numbers) => {
  expect(numbersIn(name)).toEqual(numbers)
})
