import { expect, it } from 'vitest'
import type { AccountingYears } from './accounting-year.ts'
import { expectedCells, type Expectation } from './expected.ts'

const TODAY = '2026-11-17'
const years = (more: Partial<AccountingYears> = {}): AccountingYears => ({
  ends: 12,
  changes: [],
  heldFrom: null,
  soldOn: null,
  ...more,
})
const every = (rhythm: Expectation['rhythm'], more: Partial<Expectation> = {}): Expectation => ({
  rhythm,
  from: null,
  to: null,
  dueMonths: 6,
  ...more,
})

const CASES: [string, AccountingYears, Expectation, string | null, string[]][] = [
  ['nothing', years({ heldFrom: '2020-01-01' }), every('none'), '2020', []],
  ['this year alone', years(), every('year'), null, ['2026']],
  ['this year’s quarters', years(), every('quarter'), null, ['2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4']],
  ['since the oldest file', years(), every('year'), '2024', ['2024', '2025', '2026']],
  ['though a file is of a coming year', years(), every('year'), '2027', ['2026']],
  [
    'since it was taken over',
    years({ heldFrom: '2024-06-15' }),
    every('half'),
    null,
    ['2024-H1', '2024-H2', '2025-H1', '2025-H2', '2026-H1', '2026-H2'],
  ],
  [
    'not before it was taken over',
    years({ heldFrom: '2025-07-01' }),
    every('half'),
    '2015',
    ['2025-H2', '2026-H1', '2026-H2'],
  ],
  [
    'at most ten years back',
    years({ heldFrom: '1998-01-01' }),
    every('year'),
    null,
    Array.from({ length: 11 }, (_, index) => String(2016 + index)),
  ],
  [
    'further, if that is said',
    years(),
    every('year', { from: '2010', to: '2012' }),
    null,
    ['2010', '2011', '2012'],
  ],
  [
    'from a quarter',
    years(),
    every('quarter', { from: '2026-Q2', to: '2026-Q3' }),
    null,
    ['2026-Q2', '2026-Q3'],
  ],
  [
    'from a whole year',
    years(),
    every('half', { from: '2025' }),
    null,
    ['2025-H1', '2025-H2', '2026-H1', '2026-H2'],
  ],
  ['from a year to come', years(), every('year', { from: '2027' }), null, []],
  ['no longer', years(), every('year', { to: '2024' }), '2023', ['2023', '2024']],
  [
    'until it was sold',
    years({ heldFrom: '2023-05-01', soldOn: '2025-02-03' }),
    every('year'),
    null,
    ['2023', '2024', '2025'],
  ],
  ['never had', years({ heldFrom: '2027-01-01' }), every('year'), null, []],
  ['sold long ago', years({ soldOn: '2010-01-01' }), every('year'), null, []],
  [
    'a year that has begun',
    years({ ends: 6, heldFrom: '2025-07-01' }),
    every('year'),
    null,
    ['2026', '2027'],
  ],
  ['its quarters', years({ ends: 6 }), every('quarter'), null, ['2027-Q1', '2027-Q2', '2027-Q3', '2027-Q4']],
  [
    'a changed year',
    years({ ends: 6, changes: [{ since: '2025-07-01', ends: 12 }], heldFrom: '2024-07-01' }),
    every('quarter'),
    null,
    ['2025-Q1', '2025-Q2', '2025-Q3', '2025-Q4', '2025-O', '2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4'],
  ],
]

it.each(CASES)('expects %s', (_what, of, expectation, first, expected) => {
  expect(expectedCells(of, expectation, TODAY, first).map(({ period }) => period)).toEqual(expected)
})

it.each([
  ['2025-12-31', 12, 6, '2026-06-30'],
  ['2025-12-31', 12, 2, '2026-02-28'],
  ['2023-12-31', 12, 2, '2024-02-29'],
  ['2025-12-31', 12, 0, '2025-12-31'],
  ['2025-02-28', 2, 6, '2025-08-31'],
  ['2024-02-29', 2, 12, '2025-02-28'],
  ['2025-06-30', 6, 60, '2030-06-30'],
])(
  'a paper of the year that ends on %s (month %s) is in time for %s months, until %s',
  (day, ends, months, due) => {
    const [cell] = expectedCells(years({ ends }), every('year', { dueMonths: months }), day)
    expect(cell).toMatchObject({ ends_on: day, due_on: due })
  },
)

it('knows the days of each period', () => {
  expect(expectedCells(years({ ends: 3 }), every('half', { dueMonths: 1 }), '2026-03-29')).toEqual([
    { period: '2026-H1', starts_on: '2025-04-01', ends_on: '2025-09-30', due_on: '2025-10-31' },
    { period: '2026-H2', starts_on: '2025-10-01', ends_on: '2026-03-31', due_on: '2026-04-30' },
  ])
})
