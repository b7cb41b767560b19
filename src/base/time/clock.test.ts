import { describe, expect, it } from 'vitest'
import { judgeClock, judgeSchedule, type ClockSeen } from './clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.parse('2026-11-16T12:00:00Z')
const MINUTE = 60_000

describe('a clock', () => {
  it.each<[string, Partial<ClockSeen>, event: string | null, isDoubted: boolean]>([
    ['is trusted the first time', { seen: null, elapsed: null }, null, false],
    ['runs as it should', { seen: NOON - MINUTE, elapsed: MINUTE }, null, false],
    ['is corrected by minutes', { seen: NOON - 6 * MINUTE, elapsed: MINUTE }, null, false],
    ['slept for a weekend, and knows how long', { seen: NOON - 3 * DAY, elapsed: 3 * DAY }, null, false],
    ['was off for a night', { seen: NOON - 15 * HOUR, elapsed: null }, null, false],
    ['jumped by 40 days', { seen: NOON - 40 * DAY, elapsed: MINUTE }, 'jumped', true],
    ['is 3 days ahead after a start', { seen: NOON - 3 * DAY, elapsed: null }, 'jumped', true],
    ['was put back by minutes', { seen: NOON + 5 * MINUTE, elapsed: MINUTE }, null, false],
    ['was put back by an hour', { seen: NOON + HOUR, elapsed: 0 }, 'went-back', false],
    ['was put back by days', { seen: NOON + 40 * DAY, elapsed: MINUTE }, 'went-back', false],
    ['was put back by days before a start', { seen: NOON + 40 * DAY, elapsed: null }, 'went-back', false],
  ])('judges a clock that %s', (_what, seen, event, isDoubted) => {
    const verdict = judgeClock({ now: NOON, seen: NOON, elapsed: 0, doubt: null, ...seen })
    expect([verdict.event, verdict.doubt !== null]).toEqual([event, isDoubted])
  })

  /** Checks the clock once per step: `after` is the time since the last step, `ahead` how far the clock is wrong. */
  const walk = (steps: { after: number; ahead: number; isStart?: boolean }[]) => {
    let [truth, seen, doubt] = [NOON, NOON as number | null, null as ClockSeen['doubt']]
    return steps.map(({ after, ahead, isStart }) => {
      truth += after
      const verdict = judgeClock({ now: truth + ahead, seen, elapsed: isStart ? null : after, doubt })
      ;[seen, doubt] = [truth + ahead, verdict.doubt]
      return verdict.event ?? (doubt ? 'doubted' : 'good')
    })
  }

  it('doubts a clock that is 40 days ahead until it comes back', () => {
    expect(
      walk([
        { after: MINUTE, ahead: 0 },
        { after: MINUTE, ahead: 40 * DAY },
        { after: MINUTE, ahead: 40 * DAY },
        { after: MINUTE, ahead: 0 },
        { after: MINUTE, ahead: 0 },
      ]),
    ).toEqual(['good', 'jumped', 'doubted', 'came-back', 'good'])
  })

  it('trusts a clock that stays ahead after the computer has run for a day', () => {
    expect(
      walk([
        { after: MINUTE, ahead: 40 * DAY },
        { after: 12 * HOUR, ahead: 40 * DAY },
        { after: 5 * HOUR, ahead: 40 * DAY, isStart: true }, // the night does not count
        { after: 11 * HOUR, ahead: 40 * DAY },
        { after: HOUR, ahead: 40 * DAY },
        { after: MINUTE, ahead: 40 * DAY },
      ]),
    ).toEqual(['jumped', 'doubted', 'doubted', 'doubted', 'believed', 'good'])
  })

  it('waits a whole day again after a second jump', () => {
    expect(
      walk([
        { after: MINUTE, ahead: 40 * DAY },
        { after: 23 * HOUR, ahead: 40 * DAY },
        { after: HOUR, ahead: 80 * DAY },
        { after: 23 * HOUR, ahead: 80 * DAY },
        { after: HOUR, ahead: 80 * DAY },
      ]),
    ).toEqual(['jumped', 'doubted', 'jumped', 'doubted', 'believed'])
  })

  it('trusts a clock that was corrected before a restart', () => {
    expect(
      walk([
        { after: MINUTE, ahead: 40 * DAY },
        { after: MINUTE, ahead: 0, isStart: true },
      ]),
    ).toEqual(['jumped', 'came-back'])
  })
})

describe('a repeated job', () => {
  const at = (hours: number) => new Date(NOON + hours * HOUR)
  it.each<[string, Parameters<typeof judgeSchedule>[0], boolean, Date | null]>([
    ['is new: it waits for its next time', { now: at(0), due: at(-9), last: undefined }, false, at(-9)],
    ['was started', { now: at(0), due: at(-9), last: at(-9) }, false, at(-9)],
    ['is due now', { now: at(0), due: at(0), last: at(-24) }, true, at(0)],
    ['missed its time', { now: at(0), due: at(-9), last: at(-33) }, true, at(-9)],
    [
      'missed its times for a week: it runs once',
      { now: at(0), due: at(-9), last: at(-9 - 168) },
      true,
      at(-9),
    ],
    ['was started while the clock was ahead', { now: at(0), due: at(-9), last: at(960) }, false, at(-9)],
    [
      'was started just before the clock was put back',
      { now: at(0), due: at(-24), last: at(0.05) },
      false,
      at(0.05),
    ],
    ['has no time', { now: at(0), due: null, last: null }, false, null],
  ])('judges a repeated job that %s', (_what, schedule, isDue, last) => {
    expect(judgeSchedule(schedule)).toEqual({ isDue, last })
  })
})
