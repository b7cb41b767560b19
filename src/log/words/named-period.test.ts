import { describe, expect, it } from 'vitest'
import { boundsOf, daysOf, PERIODS } from './named-period.ts'

const COPENHAGEN = 'Europe/Copenhagen'

describe('named periods begin', () => {
  it.each([
    // A Thursday at noon.
    [
      '2026-03-12T12:00:00Z',
      COPENHAGEN,
      ['2026-03-12', '2026-03-09', '2026-03-01', '2026-02-11', '2026-01-01'],
    ],
    // A minute before and at midnight, winter and summer.
    [
      '2026-03-12T22:59:59.999Z',
      COPENHAGEN,
      ['2026-03-12', '2026-03-09', '2026-03-01', '2026-02-11', '2026-01-01'],
    ],
    [
      '2026-03-12T23:00:00Z',
      COPENHAGEN,
      ['2026-03-13', '2026-03-09', '2026-03-01', '2026-02-12', '2026-01-01'],
    ],
    [
      '2026-06-30T21:59:59Z',
      COPENHAGEN,
      ['2026-06-30', '2026-06-29', '2026-06-01', '2026-06-01', '2026-01-01'],
    ],
    [
      '2026-06-30T22:00:00Z',
      COPENHAGEN,
      ['2026-07-01', '2026-06-29', '2026-07-01', '2026-06-02', '2026-01-01'],
    ],
    // The last moment of a Sunday and the first of a Monday.
    [
      '2026-03-15T22:59:59Z',
      COPENHAGEN,
      ['2026-03-15', '2026-03-09', '2026-03-01', '2026-02-14', '2026-01-01'],
    ],
    [
      '2026-03-15T23:00:00Z',
      COPENHAGEN,
      ['2026-03-16', '2026-03-16', '2026-03-01', '2026-02-15', '2026-01-01'],
    ],
    // New Year, in the middle of a week.
    [
      '2025-12-31T22:59:59Z',
      COPENHAGEN,
      ['2025-12-31', '2025-12-29', '2025-12-01', '2025-12-02', '2025-01-01'],
    ],
    [
      '2025-12-31T23:00:00Z',
      COPENHAGEN,
      ['2026-01-01', '2025-12-29', '2026-01-01', '2025-12-03', '2026-01-01'],
    ],
    // The days on which the clocks change.
    [
      '2026-03-29T01:00:00Z',
      COPENHAGEN,
      ['2026-03-29', '2026-03-23', '2026-03-01', '2026-02-28', '2026-01-01'],
    ],
    [
      '2026-10-25T22:59:59Z',
      COPENHAGEN,
      ['2026-10-25', '2026-10-19', '2026-10-01', '2026-09-26', '2026-01-01'],
    ],
    // A leap year.
    [
      '2024-03-01T00:00:00Z',
      COPENHAGEN,
      ['2024-03-01', '2024-02-26', '2024-03-01', '2024-02-01', '2024-01-01'],
    ],
    // An office in another time zone.
    [
      '2026-03-16T02:00:00Z',
      'America/New_York',
      ['2026-03-15', '2026-03-09', '2026-03-01', '2026-02-14', '2026-01-01'],
    ],
  ])('S9.7 the named periods at %s in %s begin on the right days', (now, timeZone, begins) => {
    const days = PERIODS.map((period) => daysOf(period, new Date(now), timeZone))
    expect(days).toEqual(begins.map((from) => ({ from, to: null })))
  })
})

describe('days last', () => {
  it.each([
    // A day in winter, in summer, with 23 hours and with 25.
    ['2026-01-15', '2026-01-15', COPENHAGEN, '2026-01-14T23:00:00.000Z', '2026-01-15T23:00:00.000Z'],
    ['2026-07-15', '2026-07-15', COPENHAGEN, '2026-07-14T22:00:00.000Z', '2026-07-15T22:00:00.000Z'],
    ['2026-03-29', '2026-03-29', COPENHAGEN, '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', '2026-10-25', COPENHAGEN, '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // New Year, and a leap day.
    ['2025-12-31', '2026-01-01', COPENHAGEN, '2025-12-30T23:00:00.000Z', '2026-01-01T23:00:00.000Z'],
    ['2024-02-28', '2024-02-29', COPENHAGEN, '2024-02-27T23:00:00.000Z', '2024-02-29T23:00:00.000Z'],
    // Places where midnight is skipped when clocks go forward, and places far from UTC.
    ['2026-04-24', '2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    [
      '2026-01-01',
      '2026-01-01',
      'Pacific/Kiritimati',
      '2025-12-31T10:00:00.000Z',
      '2026-01-01T10:00:00.000Z',
    ],
    ['2026-01-01', '2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z', '2026-01-01T18:15:00.000Z'],
    ['2026-01-01', '2026-01-01', 'UTC', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  ])('the days from %s to %s in %s begin and end at midnight', (from, to, timeZone, begins, ends) => {
    const bounds = boundsOf({ from, to }, timeZone)
    expect([bounds.from?.toISOString(), bounds.before?.toISOString()]).toEqual([begins, ends])
  })

  it('days without an end are open-ended', () => {
    expect(boundsOf({ from: null, to: null }, COPENHAGEN)).toEqual({ from: null, before: null })
  })
})
