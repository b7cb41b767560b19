import { expect, it } from 'vitest'
import { crossesNewYear, readPeriod, periodKeyText } from '../../base/time/period.ts'
import { shortPeriod, tallyOf, tallyText, wantedName } from './overview.ts'

it.each([
  ['2025', '2025-01-01', false],
  ['2025', '2024-07-01', true],
  // The third quarter of a year that begins in July is in the second calendar year.
  ['2025-Q1', '2024-07-01', true],
  ['2025-Q3', '2025-01-01', true],
  ['2025-Q3', '2025-07-01', false],
  ['2025-H2', '2025-01-01', true],
  ['2025-H2', '2025-07-01', false],
  // Begins on a leap day's morrow.
  ['2025', '2024-03-01', true],
  ['2025-O', '2025-07-01', false],
  ['2025', null, false],
])('the period %s from %s crosses New Year: %s', (period, from, crosses) => {
  expect(crossesNewYear(readPeriod(period)!, from)).toBe(crosses)
})

it.each([
  ['2025', false, 'Årsrapport (1024) 2025'],
  ['2025', true, 'Årsrapport (1024) 2024-25'],
  ['2025-Q3', false, 'Årsrapport (1024) 3. kvartal 2025'],
  ['2025-H1', true, 'Årsrapport (1024) 1. halvår 2024-25'],
  ['2025-O', false, 'Årsrapport (1024) Omlægning 2025'],
])('%s has a name that a file can have: %s', (period, crosses, name) => {
  expect(wantedName({ name: 'Årsrapport', period, crosses_new_year: crosses }, '1024')).toBe(name)
})

it.each([
  [periodKeyText('2025', true), '2024/25'],
  [periodKeyText('2025-Q3'), '3. kvartal 2025'],
  [shortPeriod('2025'), 'Året'],
  [shortPeriod('2025-Q3'), '3. kvartal'],
  [shortPeriod('2025-H1'), '1. halvår'],
  [shortPeriod('2025-O'), 'Omlægning'],
  [tallyText({ expected: 13, there: 11 }), '11 af 13'],
  [tallyText({ expected: 0, there: 0 }), ''],
  [
    tallyText(
      tallyOf([
        { expected: 1000, there: 999 },
        { expected: 234, there: 1 },
      ]),
    ),
    '1.000 af 1.234',
  ],
])('summarises “%s”', (text, expected) => {
  expect(text).toBe(expected)
})
