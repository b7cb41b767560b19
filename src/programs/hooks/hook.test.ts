import { describe, expect, it } from 'vitest'
import { outcomeText, stepAfter, WAITS_SECONDS, type Outcome, type Step } from './hook.ts'

const answered = (status: number): Outcome => ({ status, fault: null, answer: '', tookMs: 1 })
const silent: Outcome = { status: null, fault: 'too-slow', answer: '', tookMs: 10_000 }
const LAST = WAITS_SECONDS.length + 1

describe('after a try', () => {
  it.each<[string, Outcome, number, boolean, Step]>([
    ['200', answered(200), 1, false, { kind: 'delivered' }],
    ['204', answered(204), 9, true, { kind: 'delivered' }],
    ['301', answered(301), 1, false, { kind: 'again', afterSeconds: 5, holdsHook: true }],
    [
      '400, which concerns this message alone',
      answered(400),
      1,
      false,
      { kind: 'again', afterSeconds: 5, holdsHook: false },
    ],
    ['404', answered(404), 2, true, { kind: 'again', afterSeconds: 30, holdsHook: false }],
    ['408', answered(408), 1, false, { kind: 'again', afterSeconds: 5, holdsHook: true }],
    ['429', answered(429), 3, false, { kind: 'again', afterSeconds: 120, holdsHook: true }],
    ['500', answered(500), 1, false, { kind: 'again', afterSeconds: 5, holdsHook: true }],
    ['silence', silent, 4, true, { kind: 'again', afterSeconds: 600, holdsHook: true }],
    ['410', answered(410), 1, false, { kind: 'failed', stops: 'gone' }],
    [
      'the last silence, when nothing else came through',
      silent,
      LAST,
      true,
      { kind: 'failed', stops: 'failed' },
    ],
    [
      'the last 400, when other messages came through',
      answered(400),
      LAST,
      false,
      { kind: 'failed', stops: null },
    ],
  ])('decides the next step after %s', (_name, outcome, tries, hasFailed, step) => {
    expect(stepAfter(outcome, tries, hasFailed)).toEqual(step)
  })
})

it('retries for almost a day', () => {
  const hours = WAITS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) / 3600
  expect(hours).toBeGreaterThan(23)
  expect(hours).toBeLessThan(24)
})

it.each([
  [answered(200), 'Modtageren svarede 200.'],
  [answered(302), /henvis/],
  [answered(410), /flere beskeder/],
  [answered(500), 'Modtageren svarede 500, og det tæller som en fejl.'],
  [silent, /10 sekunder/],
  [{ status: null, fault: null }, 'Ikke sendt endnu.'],
])('describes the outcome of a message: %j', (outcome, text) => {
  expect(outcomeText(outcome)).toMatch(text)
})
