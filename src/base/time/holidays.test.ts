import { describe, expect, it } from 'vitest'
import { daysAfter } from './days.ts'
import { dayOffName, dayText, holidayName, workdayFrom } from './holidays.ts'

/** Easter Sundays from the church's calendar. */
const EASTERS = [
  '2020-04-12',
  '2021-04-04',
  '2022-04-17',
  '2023-04-09',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2028-04-16',
  '2029-04-01',
  '2030-04-21',
  '2031-04-13',
  '2032-03-28',
  '2033-04-17',
  '2034-04-09',
  '2035-03-25',
]

describe.each(EASTERS)('the holidays of the year with Easter on %s', (easter) => {
  const year = Number(easter.slice(0, 4))

  it('finds the holidays around Easter', () => {
    expect(
      [-3, -2, -1, 0, 1, 2, 26, 39, 40, 49, 50].map((after) => holidayName(daysAfter(easter, after))),
    ).toEqual([
      'skærtorsdag',
      'langfredag',
      null,
      'påskedag',
      '2. påskedag',
      null,
      year <= 2023 ? 'store bededag' : null,
      'Kristi himmelfartsdag',
      null,
      'pinsedag',
      '2. pinsedag',
    ])
  })

  it('finds no other holidays', () => {
    const named: string[] = []
    for (let day = `${year}-01-01`; day <= `${year}-12-31`; day = daysAfter(day, 1))
      if (holidayName(day) !== null) named.push(day)
    // In some years the fifth of June is Whitsun, too.
    const isShared = [2022, 2028, 2033].includes(year)
    expect(named).toHaveLength((year <= 2023 ? 14 : 13) - (isShared ? 1 : 0))
  })
})

it.each([
  ['2023-05-05', 'store bededag'],
  ['2024-04-26', null],
  ['2025-06-05', 'grundlovsdag'],
  ['2026-12-24', 'juleaftensdag'],
  ['2026-12-31', 'nytårsaftensdag'],
  ['2027-01-01', 'nytårsdag'],
  // Easter Monday and the day on which the clock changes
  ['2027-03-28', 'påskedag'],
  ['2027-03-29', '2. påskedag'],
  ['2028-02-29', null],
  ['2028-06-05', '2. pinsedag'],
])('the holiday on %s is %s', (day, name) => {
  expect(holidayName(day)).toBe(name)
})

it.each([
  ['2026-06-30', 'tirsdag 30/06/2026'],
  ['2026-02-28', 'lørdag 28/02/2026'],
  ['2027-05-01', 'lørdag 01/05/2027'],
  ['2026-04-06', 'mandag 06/04/2026 (2. påskedag)'],
  ['2027-12-31', 'fredag 31/12/2027 (nytårsaftensdag)'],
  // A holiday that is a Sunday as well
  ['2026-04-05', 'søndag 05/04/2026 (påskedag)'],
  ['2028-02-29', 'tirsdag 29/02/2028'],
])('writes the day %s as %s', (day, text) => {
  expect(dayText(day)).toBe(text)
})

it.each([
  ['2026-06-30', '2026-06-30'],
  ['2027-05-01', '2027-05-03'],
  ['2026-04-02', '2026-04-07'],
  ['2026-12-31', '2027-01-04'],
  ['2025-10-26', '2025-10-27'],
])('the first workday from %s is %s', (day, next) => {
  expect(workdayFrom(day)).toBe(next)
  expect(dayOffName(next)).toBeNull()
})
