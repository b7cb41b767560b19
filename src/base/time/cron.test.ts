import { expect, it } from 'vitest'
import { lastTimeOf } from './cron.ts'

const ZONE = 'Europe/Copenhagen'

it.each([
  // In winter Copenhagen is an hour ahead of UTC, in summer two.
  ['0 3 * * *', '2026-11-16T08:00:00Z', '2026-11-16T02:00:00.000Z'],
  ['0 3 * * *', '2026-11-16T01:59:59Z', '2026-11-15T02:00:00.000Z'],
  ['0 3 * * *', '2026-11-16T02:00:00Z', '2026-11-16T02:00:00.000Z'],
  ['0 3 * * *', '2026-07-01T08:00:00Z', '2026-07-01T01:00:00.000Z'],
  ['17 * * * *', '2026-11-16T08:16:59Z', '2026-11-16T07:17:00.000Z'],
  ['*/15 * * * *', '2026-11-16T08:44:00Z', '2026-11-16T08:30:00.000Z'],
  ['0 8-18/2 * * *', '2026-11-16T10:30:00Z', '2026-11-16T09:00:00.000Z'],
  ['0,30 0 * * *', '2026-11-15T23:45:00Z', '2026-11-15T23:30:00.000Z'],
  // Monday to Friday: on a Sunday the last time was Friday.
  ['0 3 * * 1-5', '2026-11-15T12:00:00Z', '2026-11-13T02:00:00.000Z'],
  ['0 3 * * 0', '2026-11-16T12:00:00Z', '2026-11-15T02:00:00.000Z'],
  ['0 3 * * 7', '2026-11-16T12:00:00Z', '2026-11-15T02:00:00.000Z'],
  // The first of the month, or a Monday.
  ['0 3 1 * 1', '2026-11-08T12:00:00Z', '2026-11-02T02:00:00.000Z'],
  ['0 3 1 * 1', '2026-11-01T12:00:00Z', '2026-11-01T02:00:00.000Z'],
  ['0 3 1 1 *', '2026-11-16T12:00:00Z', '2026-01-01T02:00:00.000Z'],
  ['0 3 29 2 *', '2026-11-16T12:00:00Z', '2024-02-29T02:00:00.000Z'],
  // Clocks are put forward at 2 on 29 March: 2.30 never comes. They are put back at 3 on 25 October: 2.30 comes twice.
  ['30 2 * * *', '2026-03-29T12:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['30 2 * * *', '2026-10-25T00:45:00Z', '2026-10-25T00:30:00.000Z'],
  ['30 2 * * *', '2026-10-25T12:00:00Z', '2026-10-25T00:30:00.000Z'],
])('the last time of %s before %s is %s', (cron, now, last) => {
  expect(lastTimeOf(cron, ZONE, new Date(now))?.toISOString()).toBe(last)
})

it('finds no last time for a date that does not exist', () => {
  expect(lastTimeOf('0 3 31 2 *', ZONE, new Date('2026-11-16T12:00:00Z'))).toBeNull()
})
