import { describe, expect, it } from 'vitest'
import { MOST_COMPANIES, MOST_KRONER } from '../company/company.ts'
import { partOf, sumsOf, type Summed } from './sums.ts'

describe('partOf', () => {
  it.each<[share: number | null, amount: number | null, part: number | null]>([
    [10, 1000, 100],
    [12.5, 1001, 125], // 125.125
    [50, 1, 1], // a half rounds away from zero
    [50, -1, -1],
    [50, 3, 2],
    [50, -3, -2],
    [49.9999, 1, 0],
    [49.9999, -1, 0],
    [33.3333, 3, 1],
    [14.5, 100, 15], // as floating-point numbers 14.499999999999998
    [1.15, 100, 1],
    [0.35, 1000, 4], // 3.5
    [0.285, 1000, 3],
    [0.0001, 500_000, 1], // 0.5
    [0.0001, 499_999, 0],
    [100, MOST_KRONER, MOST_KRONER],
    [99.9999, MOST_KRONER, 999_998_999_999],
    [99.9999, -MOST_KRONER, -999_998_999_999],
    [33.3333, MOST_KRONER, 333_333_000_000],
    [0, -5, 0],
    [100, 0, 0],
    [null, 100, null],
    [10, null, null],
    [null, null, null],
    [NaN, 100, null],
    [10, 0.5, null],
  ])('the share %s of %s is %s', (share, amount, part) => {
    expect(partOf(share, amount)).toBe(part)
  })
})

const row = (values: Partial<Summed>): Summed => ({
  share: null,
  contribution: null,
  liability: null,
  equity: null,
  debt: null,
  result: null,
  ...values,
})

describe('sumsOf', () => {
  it('sums count an empty cell as 0', () => {
    expect(sumsOf([])).toEqual({
      amounts: { contribution: 0, liability: 0, equity: 0, debt: 0, result: 0 },
      parts: { equity: 0, debt: 0, result: 0 },
    })
    expect(
      sumsOf([
        row({ share: 10, contribution: 5, equity: 1005, debt: 7, result: -100 }),
        row({ equity: -2005, debt: 1 }),
        row({ share: 50 }),
      ]),
    ).toEqual({
      amounts: { contribution: 5, liability: 0, equity: -1000, debt: 8, result: -100 },
      parts: { equity: 101, debt: 1, result: -10 },
    })
  })

  it('sums add up the rounded parts that are shown', () => {
    expect(sumsOf([row({ share: 50, equity: 1 }), row({ share: 50, equity: 1 })]).parts.equity).toBe(2)
  })

  it('sums are exact when the table is full of the largest amounts', () => {
    const full = Array.from({ length: MOST_COMPANIES }, () => row({ share: 100, equity: -MOST_KRONER }))
    expect(sumsOf(full)).toMatchObject({
      amounts: { equity: -999_999_999_999_000 },
      parts: { equity: -999_999_999_999_000 },
    })
  })
})
