import { describe, expect, it } from 'vitest'
import { followChoices } from './followed.ts'

describe('the years from which an office can follow', () => {
  it.each([
    ['in November', '2026-11-19', ['2026-11-19', '2026-01-01', '2025-01-01']],
    [
      'on New Year’s Day, which is today and the beginning of the year',
      '2027-01-01',
      ['2027-01-01', '2026-01-01'],
    ],
  ])('%s they begin with today', (_name, today, first) => {
    const values = followChoices(today).map(({ value }) => value)
    expect(values.slice(0, first.length)).toEqual(first)
    expect(values.at(-1)).toBe('')
    expect(new Set(values).size).toBe(values.length)
  })
})
