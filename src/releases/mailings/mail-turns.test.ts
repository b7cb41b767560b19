import { expect, it } from 'vitest'
import { latestTurns } from './mail-turns.ts'

const COPENHAGEN = 'Europe/Copenhagen'

it.each([
  ['on a Monday at eight', '2026-11-16T07:00:00Z', '2026-11-16T07:00', '2026-11-16T07:00'],
  ['a second before', '2026-11-16T06:59:59Z', '2026-11-15T07:00', '2026-11-09T07:00'],
  ['on a Wednesday in the afternoon', '2026-11-18T14:00:00Z', '2026-11-18T07:00', '2026-11-16T07:00'],
  ['on a Wednesday at night', '2026-11-18T00:30:00Z', '2026-11-17T07:00', '2026-11-16T07:00'],
  ['in the summer', '2026-07-01T12:00:00Z', '2026-07-01T06:00', '2026-06-29T06:00'],
  ['after the clock was put back', '2026-10-25T07:30:00Z', '2026-10-25T07:00', '2026-10-19T06:00'],
])('the latest turns %s', (_when, now, daily, weekly) => {
  const turns = latestTurns(new Date(now), COPENHAGEN)
  expect([turns.daily, turns.weekly].map((at) => at.toISOString().slice(0, 16))).toEqual([daily, weekly])
})
