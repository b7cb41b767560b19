import { describe, expect, it } from 'vitest'
import { ALL_DUTIES, distanceText, dutyTitle, monthEnd, readDutyQuery, writeDutyQuery } from './duty.ts'
import { isReminderDue, latestReminder } from './reminder.ts'

const TODAY = '2026-11-17'

it.each([
  ['2026-11-16', 'Forsinket 1 dag'],
  ['2026-10-01', 'Forsinket 47 dage'],
  ['2026-11-17', 'I dag'],
  ['2026-11-18', 'I morgen'],
  ['2026-11-30', 'Om 13 dage'],
])('a duty of %s is told as: %s', (due, text) => {
  expect(distanceText(due, TODAY)).toBe(text)
})

it.each([
  ['2026-12-05', '2026-12-31'],
  ['2028-02-01', '2028-02-29'],
  ['2026-09-30', '2026-09-30'],
])('the month of %s ends on %s', (day, end) => {
  expect(monthEnd(day)).toBe(end)
})

it('counts whole days over the change of the clock', () => {
  expect(distanceText('2026-10-26', '2026-10-24')).toBe('Om 2 dage')
  expect(distanceText('2027-03-29', '2027-03-27')).toBe('Om 2 dage')
})

it.each([
  ['2025', '2025-01-01', 'Årsrapport 2025'],
  ['2025', '2024-07-01', 'Årsrapport 2024/25'],
  ['2025-Q3', '2025-07-01', 'Årsrapport 3. kvartal 2025'],
  // The third quarter of a year that begins in July.
  ['2025-Q3', '2025-01-01', 'Årsrapport 3. kvartal 2024/25'],
  ['2026-03-14', '2026-03-14', 'Årsrapport 14/03/2026'],
])('the duty %s from %s is called %s', (period, from, title) => {
  expect(dutyTitle({ title: 'Årsrapport', period, starts_on: from })).toBe(title)
})

describe('when the responsible person is told', () => {
  const DAYS = [30, 7, 1]
  it.each([
    ['not yet', '2026-12-18', null],
    ['30 days before', '2026-12-17', '2026-11-17'],
    ['since 30 days before', '2026-12-10', '2026-11-10'],
    ['7 days before', '2026-11-24', '2026-11-17'],
    ['the day before', '2026-11-18', '2026-11-17'],
    ['not on the day itself', '2026-11-17', '2026-11-16'],
    ['on the first day that it is late', '2026-11-16', '2026-11-17'],
    ['not on the second', '2026-11-15', '2026-11-16'],
    ['not on the seventh', '2026-11-10', '2026-11-11'],
    ['a week later', '2026-11-09', '2026-11-17'],
    ['every week', '2026-07-06', '2026-11-17'],
  ])('%s', (_when, due, reminder) => {
    expect(latestReminder(due, DAYS, TODAY)).toBe(reminder)
  })

  it.each([
    ['once', '2026-11-24', '2026-11-17', false],
    ['of each time', '2026-11-24', '2026-11-10', true],
    ['of a day on which nothing ran', '2026-11-22', '2026-11-01', true],
    ['of what came late to them', '2026-11-20', null, true],
    ['again when it is late', '2026-11-16', '2026-11-15', true],
  ])('%s', (_when, due_on, told_on, expected) => {
    expect(isReminderDue({ due_on, told_on, remind_days: DAYS }, TODAY)).toBe(expected)
  })

  it('without days before, the responsible is told only when a duty is late', () => {
    expect(latestReminder('2026-11-18', [], TODAY)).toBeNull()
    expect(latestReminder('2026-11-16', [], TODAY)).toBe('2026-11-17')
  })
})

it.each([
  ['', ALL_DUTIES],
  ['?state=late&person=7', { ...ALL_DUTIES, state: 'late', person: 7 }],
  ['?year=2025&all=true', { ...ALL_DUTIES, year: 2025, all: true }],
  ['?person=none&page=3', { ...ALL_DUTIES, person: 'none', page: 3 }],
  [
    '?year=2025&rule=Budget&q=Nord%20%26%20S%C3%B8n',
    { ...ALL_DUTIES, year: 2025, rule: 'Budget', q: 'Nord & Søn' },
  ],
] as const)('%s is a valid address', (address, query) => {
  expect(readDutyQuery(new URLSearchParams(address))).toEqual(query)
  expect(writeDutyQuery(query)).toBe(address)
})

it.each(['?year=20255', '?year=1799', '?state=gone', '?page=0', '?page=1e9', '?rule='])(
  'ignores %s',
  (address) => {
    expect(readDutyQuery(new URLSearchParams(address))).toEqual(ALL_DUTIES)
  },
)

it('ignores wrong parts of an address', () => {
  expect(readDutyQuery(new URLSearchParams('?state=x&person=-1&year=1e3&page=0&other=1'))).toEqual(ALL_DUTIES)
  expect(readDutyQuery(new URLSearchParams(`?q=${'a'.repeat(5000)}`)).q).toHaveLength(100)
})
