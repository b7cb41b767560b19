import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../test/load/processor-ms.ts'
import {
  comparePeriods,
  isPeriodBetween,
  periodIn,
  periodKey,
  periodText,
  readPeriod,
  rhythmOf,
  periodKeyText,
  typedPeriod,
} from './period.ts'

const KEYS = ['2025', '2025-H1', '2025-H2', '2025-Q1', '2025-Q4', '2025-O', '1899', '2199']

it.each(KEYS)('the period %s is read and written', (key) => {
  expect(periodKey(readPeriod(key)!)).toBe(key)
})

it.each(['', '25', '2025-', '2025-Q5', '2025-H3', '2025-q1', ' 2025', '1799', '2200', '2025-Q1 '])(
  'refuses the period key %o',
  (key) => {
    expect(readPeriod(key)).toBeNull()
  },
)

/** Texts, and the kept form of the period in each. */
const FOUND: [string, string | null][] = [
  ['2025', '2025'],
  ['Årsrapport 2025 endelig', '2025'],
  ['2024/25', '2025'],
  ['2024/2025', '2025'],
  ['2024-25', '2025'],
  ['2024_25', '2025'],
  ['2024 - 2025', '2025'],
  ['2024–2025', '2025'],
  ['1999/00', '2000'],
  ['2024-30', '2024'],
  ['2019-2023', '2019'],
  ['2025/24', '2025'],
  // A day is of its year.
  ['2011-12-05', '2011'],
  ['2024-25-01', '2024'],
  ['05.12.2011', '2011'],
  ['2020-21.12', '2020'],
  // Quarters.
  ['Q3 2026', '2026-Q3'],
  ['q3 2026', '2026-Q3'],
  ['2026 Q3', '2026-Q3'],
  ['2026-Q3', '2026-Q3'],
  ['2026_Q3', '2026-Q3'],
  ['2026Q3', '2026-Q3'],
  ['Q32026', '2026-Q3'],
  ['3Q2026', '2026-Q3'],
  ['3Q 2026', '2026-Q3'],
  ['K3 2026', '2026-Q3'],
  ['3. kvartal 2026', '2026-Q3'],
  ['3.kvartal 2026', '2026-Q3'],
  ['3 kvartal 2026', '2026-Q3'],
  ['2026, 3. kvartal', '2026-Q3'],
  ['3. KVARTAL 2026', '2026-Q3'],
  ['3. kv. 2026', '2026-Q3'],
  ['3. kvt 2026', '2026-Q3'],
  ['kvartal 3 2026', '2026-Q3'],
  ['kvartal 3, 2026', '2026-Q3'],
  ['3. kvartalsrapport 2026', '2026-Q3'],
  ['Kvartalsrapport 3 2026', '2026-Q3'],
  ['tredje kvartal 2026', '2026-Q3'],
  ['1.-3. kvartal 2026', '2026-Q3'],
  ['4. kvartal 2024/25', '2025-Q4'],
  ['kvartal 2026', '2026'],
  ['Kvartalsrapport 2026', '2026'],
  ['12. kvartal 2026', '2026'],
  ['5. kvartal 2026', '2026'],
  ['Q5 2026', '2026'],
  ['Q33 2026', '2026'],
  ['FAQ3 2026', '2026'],
  ['Kvartalsrapport 1.2.2026', '2026'],
  // Halves.
  ['1. halvår 2026', '2026-H1'],
  ['2.halvår 2026', '2026-H2'],
  ['halvår 2 2026', '2026-H2'],
  ['første halvår 2026', '2026-H1'],
  ['andet halvår 2024/25', '2025-H2'],
  ['1. halvårsrapport 2026', '2026-H1'],
  ['Halvårsrapport 2026', '2026'],
  ['H1 2026', '2026-H1'],
  ['2026H2', '2026-H2'],
  ['H3 2026', '2026'],
  ['3. halvår 2026', '2026'],
  // The short year of a changed accounting year. Loans are changed too.
  ['Omlægning 2025', '2025-O'],
  ['omlægningsperioden 2025', '2025-O'],
  ['Omlægning af lån 2025', '2025'],
  ['Låneomlægning 2025', '2025'],
  // No period.
  ['', null],
  ['Vedtægter', null],
  ['Q3', null],
  ['1. halvår', null],
  ['Q3 26', null],
  ['3Q26', null],
  ['12025', null],
  ['20251', null],
  ['1799', null],
  ['24/25', null],
]

it.each(FOUND)('%o names the period %s', (text, key) => {
  const period = periodIn(text)
  expect(period && periodKey(period)).toBe(key)
})

it('reads the year and the part each from the first text that has one', () => {
  expect(periodIn('2026', 'Q3 2025')).toEqual({ year: 2026, part: 'Q3' })
  expect(periodIn('Q1', '2. halvår 2025')).toEqual({ year: 2025, part: 'Q1' })
  expect(periodIn('endelig', 'Årsrapport 2020')).toEqual({ year: 2020, part: null })
})

it('finds a period quickly in any text', () => {
  for (const piece of ['1 kvartal', '2025-', 'Q3', 'omlægning', 'kvartals', ' ', '2'])
    expect([piece, processorMs(() => periodIn(piece.repeat(20_000))) < 1000]).toEqual([piece, true])
})

it.each([
  ['2025', false, '2025'],
  ['2025', true, '2024/25'],
  ['2000', true, '1999/00'],
  ['2025-Q3', false, '3. kvartal 2025'],
  ['2025-H1', true, '1. halvår 2024/25'],
  ['2025-O', true, 'Omlægning 2025'],
])('writes the period %s in words, and reads it back', (key, crosses, words) => {
  expect(periodKeyText(key, crosses)).toBe(words)
  expect(periodText(readPeriod(key)!, crosses)).toBe(words)
  expect(periodKey(periodIn(words)!)).toBe(key)
})

it('writes no words for no period', () => {
  expect([periodKeyText(null), periodKeyText('x')]).toEqual(['', ''])
})

it('sorts periods by their end', () => {
  const keys = ['2025-O', '2025', '2026-Q1', '2025-Q4', '2025-H2', '2025-Q1', '2024', '2025-Q2', '2025-H1']
  const inOrder = keys.toSorted((a, b) => comparePeriods(readPeriod(a)!, readPeriod(b)!))
  expect(inOrder).toEqual([
    '2024',
    '2025-Q1',
    '2025-Q2',
    '2025-H1',
    '2025-Q4',
    '2025-H2',
    '2025',
    '2025-O',
    '2026-Q1',
  ])
})

it.each([
  ['2025', 'year'],
  ['2025-O', 'year'],
  ['2025-H2', 'half'],
  ['2025-Q2', 'quarter'],
])('the period %s recurs every %s', (key, rhythm) => {
  expect(rhythmOf(readPeriod(key)!)).toBe(rhythm)
})

describe('a period between two others', () => {
  it.each([
    ['2025', null, null, true],
    ['2025', '2025', '2025', true],
    ['2024', '2025', null, false],
    ['2026', null, '2025', false],
    ['2025-Q1', '2025', null, true],
    ['2024-Q4', '2025', null, false],
    ['2025-Q2', '2025-Q3', null, false],
    ['2025-Q3', '2025-Q3', null, true],
    ['2025-Q3', null, '2025-Q2', false],
    ['2025-Q2', null, '2025-Q2', true],
    // A part of it is enough.
    ['2025', '2025-Q3', null, true],
    ['2025-H1', null, '2025-Q1', true],
    ['2025-H2', null, '2025-Q2', false],
    // The short year comes after the year, and belongs to it.
    ['2025-O', null, '2025', true],
    ['2025-O', '2025', null, true],
    ['2025', '2025-O', null, false],
    ['2025-O', null, '2025-Q4', false],
    ['2025-O', '2025-O', '2025-O', true],
  ])('whether %s is between %s and %s: %s', (key, from, to, isBetween) => {
    const limits = { from: readPeriod(from ?? ''), to: readPeriod(to ?? '') }
    expect(isPeriodBetween(readPeriod(key)!, limits)).toBe(isBetween)
  })
})

it.each([
  ...KEYS.map((key) => [key, key] as const),
  ['2024/25', '2025'],
  [' 2024 - 2025 ', '2025'],
  ['1999/00', '2000'],
  ['Q3 2026', '2026-Q3'],
  ['Q3/2026', '2026-Q3'],
  ['2026Q3', '2026-Q3'],
  ['3q2026', '2026-Q3'],
  ['3. kvartal 2026', '2026-Q3'],
  ['første halvår 2024/25', '2025-H1'],
  ['Omlægning 2025', '2025-O'],
  ['Regnskabsåret 2025', '2025'],
] as const)('reads the typed period %s', (text, key) => {
  expect(periodKey(typedPeriod(text)!)).toBe(key)
})

it.each([
  'Q5 2026',
  '3. halvår 2026',
  '2026-13',
  '2025/27',
  'hest 2024',
  '2024 hest',
  'Q3',
  '',
  '20245',
  '2024 2025',
  'Q1 Q2 2025',
  '31.12.2025',
  '2025-12-31',
  '2025/24',
])('refuses the typed period %o', (text) => {
  expect(typedPeriod(text)).toBeNull()
})
