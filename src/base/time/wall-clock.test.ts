import { expect, test } from 'vitest'
import { momentAt } from './wall-clock.ts'

test.each([
  ['2026-12-01', '09:00', 'Europe/Copenhagen', '2026-12-01T08:00:00.000Z'],
  ['2027-06-01', '09:00', 'Europe/Copenhagen', '2027-06-01T07:00:00.000Z'],
  // The clock is put forward at 2 o'clock on 28 March 2027.
  ['2027-03-28', '01:59', 'Europe/Copenhagen', '2027-03-28T00:59:00.000Z'],
  ['2027-03-28', '02:00', 'Europe/Copenhagen', null],
  ['2027-03-28', '02:59', 'Europe/Copenhagen', null],
  ['2027-03-28', '03:00', 'Europe/Copenhagen', '2027-03-28T01:00:00.000Z'],
  // It is put back at 3 o'clock on 31 October 2027: 2.30 comes twice, and the first counts.
  ['2027-10-31', '02:30', 'Europe/Copenhagen', '2027-10-31T00:30:00.000Z'],
  ['2027-10-31', '03:00', 'Europe/Copenhagen', '2027-10-31T02:00:00.000Z'],
  ['2027-03-28', '02:30', 'UTC', '2027-03-28T02:30:00.000Z'],
  ['2027-01-01', '00:00', 'Pacific/Kiritimati', '2026-12-31T10:00:00.000Z'],
])('the wall clock %s %s in %s is %s', (day, time, timeZone, moment) => {
  expect(momentAt(day, time, timeZone)?.toISOString() ?? null).toBe(moment)
})
