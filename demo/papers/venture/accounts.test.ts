import { expect, it } from 'vitest'
import { FACTS } from './facts.ts'
import { ventureOf } from './venture.ts'

it.each([...Object.keys(FACTS), 'Noget Andet', 'Vind', 'Solskin', 'Skib', 'Hotel', 'Bolig'])(
  'the figures of %s add up, from year to year',
  (of) => {
    const years = [...ventureOf({ number: of, name: of }).accounts.values()]
    expect(years.at(-1)!.year).toBe(2027)
    for (const [index, now] of years.entries()) {
      const { asset, receivables, bank, equity, loan, otherDebt, opening } = now
      expect(asset + receivables + bank).toBe(equity + loan + otherDebt)
      expect(bank).toBeGreaterThanOrEqual(0)
      expect(equity).toBeGreaterThan(0)
      expect(opening.equity + now.result - now.paidOut).toBe(equity)
      expect(opening.loan - now.repaid).toBe(loan)
      const before = years[index - 1]
      if (before) expect(opening).toEqual({ equity: before.equity, loan: before.loan })
    }
  },
)
