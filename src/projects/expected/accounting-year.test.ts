import { describe, expect, it } from 'vitest'
import { RHYTHMS } from '../../base/time/period.ts'
import { accountingYears, heldBetween, spansOf, type AccountingYears, type Span } from './accounting-year.ts'
import { daysAfter } from '../../base/time/days.ts'

type Years = Pick<AccountingYears, 'ends' | 'changes'>

const calendar: Years = { ends: 12, changes: [] }
const ending = (ends: number, ...changes: [string, number][]): Years => ({
  ends,
  changes: changes.map(([since, month]) => ({ since, ends: month })),
})
const written = ({ key, from, to }: Span) => `${key}: ${from} to ${to}`

const CASES: [string, Years, [string, string], string[]][] = [
  ['a calendar year', calendar, ['2025-06-01', '2025-06-01'], ['2025: 2025-01-01 to 2025-12-31']],
  ['its first day', calendar, ['2025-01-01', '2025-01-01'], ['2025: 2025-01-01 to 2025-12-31']],
  ['its last day', calendar, ['2025-12-31', '2025-12-31'], ['2025: 2025-01-01 to 2025-12-31']],
  [
    'several',
    calendar,
    ['2024-12-31', '2026-01-01'],
    ['2024: 2024-01-01 to 2024-12-31', '2025: 2025-01-01 to 2025-12-31', '2026: 2026-01-01 to 2026-12-31'],
  ],
  [
    'a year that crosses New Year belongs to the year in which it ends',
    ending(6),
    ['2024-07-01', '2025-07-01'],
    ['2025: 2024-07-01 to 2025-06-30', '2026: 2025-07-01 to 2026-06-30'],
  ],
  [
    'one that ends in February, around leap days',
    ending(2),
    ['2023-06-01', '2025-02-28'],
    ['2024: 2023-03-01 to 2024-02-29', '2025: 2024-03-01 to 2025-02-28'],
  ],
  ['the leap day itself', ending(2), ['2024-02-29', '2024-02-29'], ['2024: 2023-03-01 to 2024-02-29']],
  ['no leap day in 2100', ending(2), ['2100-02-28', '2100-02-28'], ['2100: 2099-03-01 to 2100-02-28']],
  [
    'the day the clock changes is a day',
    ending(3),
    ['2026-03-29', '2026-03-29'],
    ['2026: 2025-04-01 to 2026-03-31'],
  ],
  [
    'from December to June: a short year, alone in its calendar year',
    ending(12, ['2025-01-01', 6]),
    ['2024-01-01', '2026-06-30'],
    ['2024: 2024-01-01 to 2024-12-31', '2025: 2025-01-01 to 2025-06-30', '2026: 2025-07-01 to 2026-06-30'],
  ],
  [
    'the same, told by the first whole year',
    ending(12, ['2025-07-01', 6]),
    ['2024-01-01', '2026-06-30'],
    ['2024: 2024-01-01 to 2024-12-31', '2025: 2025-01-01 to 2025-06-30', '2026: 2025-07-01 to 2026-06-30'],
  ],
  [
    'from June to December: the short year is the second that ends in its calendar year',
    ending(6, ['2025-07-01', 12]),
    ['2024-07-01', '2026-12-31'],
    ['2025: 2024-07-01 to 2025-06-30', '2025-O: 2025-07-01 to 2025-12-31', '2026: 2026-01-01 to 2026-12-31'],
  ],
  [
    'asked for the short year alone',
    ending(6, ['2025-07-01', 12]),
    ['2025-08-01', '2025-08-01'],
    ['2025-O: 2025-07-01 to 2025-12-31'],
  ],
  [
    'long after it',
    ending(6, ['2005-07-01', 12]),
    ['2026-08-01', '2026-08-01'],
    ['2026: 2026-01-01 to 2026-12-31'],
  ],
  [
    'there and back again',
    ending(12, ['2020-01-01', 6], ['2022-07-01', 12]),
    ['2019-12-31', '2023-01-01'],
    [
      '2019: 2019-01-01 to 2019-12-31',
      '2020: 2020-01-01 to 2020-06-30',
      '2021: 2020-07-01 to 2021-06-30',
      '2022: 2021-07-01 to 2022-06-30',
      '2022-O: 2022-07-01 to 2022-12-31',
      '2023: 2023-01-01 to 2023-12-31',
    ],
  ],
  [
    'a change that changes nothing',
    ending(12, ['2025-01-01', 12]),
    ['2024-12-31', '2025-01-01'],
    ['2024: 2024-01-01 to 2024-12-31', '2025: 2025-01-01 to 2025-12-31'],
  ],
  [
    'a third end in one calendar year makes the short year longer',
    ending(1, ['2026-05-01', 8]),
    ['2025-02-01', '2026-12-31'],
    ['2026: 2025-02-01 to 2026-01-31', '2026-O: 2026-02-01 to 2026-08-31', '2027: 2026-09-01 to 2027-08-31'],
  ],
  [
    'a change that is still to come',
    ending(12, ['2030-01-01', 6]),
    ['2026-01-01', '2026-01-01'],
    ['2026: 2026-01-01 to 2026-12-31'],
  ],
]

it.each(CASES)('%s', (_what, years, [from, to], expected) => {
  expect(accountingYears(years, { from, to }).map(written)).toEqual(expected)
})

const ALL: [string, Years][] = [
  ...Array.from({ length: 12 }, (_, index): [string, Years] => [`month ${index + 1}`, ending(index + 1)]),
  ...CASES.map(([what, years]): [string, Years] => [what, years]),
]

it.each(ALL)('years, halves and quarters follow each other without a gap: %s', (_what, years) => {
  const between = { from: '2015-01-01', to: '2036-12-31' }
  for (const rhythm of RHYTHMS) {
    const spans = spansOf(years, rhythm, between)
    for (const [index, span] of spans.entries()) {
      expect(span.from <= span.to).toBe(true)
      if (index > 0) expect(span.from).toBe(daysAfter(spans[index - 1]!.to, 1))
    }
    expect(new Set(spans.map(({ key }) => key)).size).toBe(spans.length)
    expect(spans[0]!.from <= between.from && spans.at(-1)!.to >= between.to).toBe(true)
  }
})

describe('the parts of a year', () => {
  const year = { from: '2025-01-01', to: '2025-12-31' }
  it.each([
    [
      'quarter',
      calendar,
      [
        '2025-Q1: 2025-01-01 to 2025-03-31',
        '2025-Q2: 2025-04-01 to 2025-06-30',
        '2025-Q3: 2025-07-01 to 2025-09-30',
        '2025-Q4: 2025-10-01 to 2025-12-31',
      ],
    ],
    ['half', calendar, ['2025-H1: 2025-01-01 to 2025-06-30', '2025-H2: 2025-07-01 to 2025-12-31']],
    [
      'half',
      ending(2),
      [
        '2025-H2: 2024-09-01 to 2025-02-28',
        '2026-H1: 2025-03-01 to 2025-08-31',
        '2026-H2: 2025-09-01 to 2026-02-28',
      ],
    ],
    [
      'quarter',
      ending(6, ['2025-07-01', 12]),
      [
        '2025-Q3: 2025-01-01 to 2025-03-31',
        '2025-Q4: 2025-04-01 to 2025-06-30',
        '2025-O: 2025-07-01 to 2025-12-31',
      ],
    ],
  ] as const)('%s', (rhythm, years, expected) => {
    expect(spansOf(years, rhythm, year).map(written)).toEqual(expected)
  })
})

it('knows which accounting years are written as two years', () => {
  const crossing = (years: Years) =>
    accountingYears(years, { from: '2024-07-01', to: '2025-12-31' }).map(
      ({ crossesNewYear }) => crossesNewYear,
    )
  expect(crossing(calendar)).toEqual([false, false])
  expect(crossing(ending(6, ['2025-07-01', 12]))).toEqual([true, false])
})

it.each([
  [null, null, '2025-01-01 2025-12-31'],
  ['2025-03-15', null, '2025-03-15 2025-12-31'],
  [null, '2025-03-15', '2025-01-01 2025-03-15'],
  ['2025-03-15', '2025-03-15', '2025-03-15 2025-03-15'],
  ['2026-01-01', null, null],
  [null, '2024-12-31', null],
  ['2020-01-01', '2030-01-01', '2025-01-01 2025-12-31'],
])('held from %s to %s', (heldFrom, soldOn, expected) => {
  const held = heldBetween({ heldFrom, soldOn }, { from: '2025-01-01', to: '2025-12-31' })
  expect(held && `${held.from} ${held.to}`).toBe(expected)
})
