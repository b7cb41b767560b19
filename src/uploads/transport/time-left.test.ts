import { expect, it } from 'vitest'
import { addSample, leftText, secondsLeft, type Sample } from './time-left.ts'

it.each<[Sample[], number, number | null]>([
  [[], 100, null],
  [[{ at: 0, done: 0 }], 100, null],
  [
    [
      { at: 0, done: 0 },
      { at: 500, done: 50 },
    ],
    100,
    null,
  ], // too soon to tell
  [
    [
      { at: 0, done: 0 },
      { at: 2000, done: 50 },
    ],
    100,
    4,
  ],
  [
    [
      { at: 0, done: 50 },
      { at: 2000, done: 50 },
    ],
    100,
    null,
  ], // nothing moves
])('%j with %d left takes %j seconds', (samples, left, seconds) => {
  expect(secondsLeft(samples, left)).toBe(seconds)
})

it('drops old samples, and samples above a lower one', () => {
  const old = [
    { at: 0, done: 10 },
    { at: 10_000, done: 900 },
  ]
  expect(addSample(old, { at: 16_000, done: 950 })).toEqual([old[1], { at: 16_000, done: 950 }])
  expect(addSample(old, { at: 11_000, done: 50 })).toEqual([old[0], { at: 11_000, done: 50 }])
})

it.each([
  [0, 'få sekunder tilbage'],
  [9.9, 'få sekunder tilbage'],
  [11, 'ca. 20 sekunder tilbage'],
  [54, 'ca. 60 sekunder tilbage'],
  [55, 'ca. 1 minut tilbage'],
  [89, 'ca. 1 minut tilbage'],
  [91, 'ca. 2 minutter tilbage'],
  [3600, 'ca. 1 time tilbage'],
  [9000, 'ca. 3 timer tilbage'],
])('%d seconds are written %j', (seconds, text) => {
  expect(leftText(seconds)).toBe(text)
})
