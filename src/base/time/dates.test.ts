import { expect, it } from 'vitest'
import {
  danishDate,
  dayOf,
  fullDate,
  keepShortDates,
  minutesUntil,
  mondayOf,
  shortDate,
  shortDateTime,
  spokenTime,
} from './dates.ts'

const COPENHAGEN = 'Europe/Copenhagen'

it.each([
  ['2026-03-12T12:00:00Z', COPENHAGEN, '12/03/2026', 'Thursday, 12 March 2026'],
  ['2026-03-12T23:30:00Z', COPENHAGEN, '13/03/2026', 'Friday, 13 March 2026'],
  ['2026-03-12T23:30:00Z', 'UTC', '12/03/2026', 'Thursday, 12 March 2026'],
  ['2026-07-31T22:00:00Z', COPENHAGEN, '01/08/2026', 'Saturday, 1 August 2026'],
  ['2025-12-31T23:00:00Z', COPENHAGEN, '01/01/2026', 'Thursday, 1 January 2026'],
  ['2024-02-29T00:00:00Z', COPENHAGEN, '29/02/2024', 'Thursday, 29 February 2024'],
  ['2026-03-12T02:00:00Z', 'America/Los_Angeles', '11/03/2026', 'Wednesday, 11 March 2026'],
])('S9.7 %s in %s is %s, in full %s', (date, timeZone, short, full) => {
  expect(shortDate(date, timeZone)).toBe(short)
  expect(fullDate(new Date(date), timeZone)).toBe(full)
})

it.each([
  ['2026-11-15T12:00:00Z', 'søndag, 15 november 2026'],
  ['2026-03-12T23:30:00Z', 'fredag, 13 marts 2026'],
  ['2025-12-31T23:00:00Z', 'torsdag, 1 januar 2026'],
])('S9.7 the product writes %s in full in Danish: %s', (date, full) => {
  expect(danishDate(date, COPENHAGEN)).toBe(full)
})

it.each([
  ['2026-03-09T12:00:00Z', '2026-03-09'],
  ['2026-03-15T12:00:00Z', '2026-03-09'],
  ['2026-03-15T23:30:00Z', '2026-03-16'],
  ['2026-01-01T12:00:00Z', '2025-12-29'],
  ['2024-03-03T12:00:00Z', '2024-02-26'],
])('S9.7 the week of %s begins on Monday %s', (date, monday) => {
  expect(mondayOf(date, COPENHAGEN)).toBe(monday)
})

it.each([
  ['2026-03-12T23:30:09Z', COPENHAGEN, '13/03/2026 00.30', '13/03/2026 00:30:09', '2026-03-13'],
  ['2026-03-12T22:59:59.999Z', COPENHAGEN, '12/03/2026 23.59', '12/03/2026 23:59:59', '2026-03-12'],
  ['2026-07-01T22:00:00Z', COPENHAGEN, '02/07/2026 00.00', '02/07/2026 00:00:00', '2026-07-02'],
  ['2026-10-25T00:30:00Z', COPENHAGEN, '25/10/2026 02.30', '25/10/2026 02:30:00', '2026-10-25'],
  ['2026-10-25T01:30:00Z', COPENHAGEN, '25/10/2026 02.30', '25/10/2026 02:30:00', '2026-10-25'],
  ['2026-03-12T12:00:00Z', 'UTC', '12/03/2026 12.00', '12/03/2026 12:00:00', '2026-03-12'],
])('S9.7 %s in %s is %s, or %s, on the day %s', (date, timeZone, short, withSeconds, day) => {
  expect(shortDateTime(date, timeZone)).toBe(short)
  expect(shortDateTime(new Date(date), timeZone, { inSheet: true })).toBe(withSeconds)
  expect(dayOf(date, timeZone)).toBe(day)
})

it.each([
  [undefined, '13/03/2026 kl. 00.30'],
  ['2026-03-13T22:59:00Z', 'kl. 00.30'],
  ['2026-03-12T22:59:00Z', '13/03/2026 kl. 00.30'],
])('writes a time inside a sentence, as seen at %s, as %s', (now, text) => {
  expect(spokenTime('2026-03-12T23:30:00Z', 'Europe/Copenhagen', now)).toBe(text)
})

it.each([
  ['2026-03-12T12:30:00Z', 30],
  ['2026-03-12T12:00:01Z', 1],
  ['2026-03-12T12:00:00Z', 0],
  ['2026-03-12T11:00:00Z', 0],
])('counts the minutes until %s: %i', (end, minutes) => {
  expect(minutesUntil(end, new Date('2026-03-12T12:00:00Z'))).toBe(minutes)
})

it('a kept date is that of its quarter of an hour; a day without a time, and a longer text, are not kept', () => {
  const [at, day, long] = ['2019-05-04T10:31:00Z', '2019-05-05', '2019-05-06T10:00:00Z']
  keepShortDates(
    [
      { at, text: '11/11/2011' },
      { at: day, text: '11/11/2011' },
      { at: long, text: '11/11/2011 kl. 12.00' },
    ],
    COPENHAGEN,
  )
  const shown = (date: string) => shortDate(date, COPENHAGEN)
  expect(['2019-05-04T10:44:00Z', '2019-05-04T10:45:00Z', day, long].map(shown)).toEqual([
    '11/11/2011',
    '04/05/2019',
    '05/05/2019',
    '06/05/2019',
  ])
})
