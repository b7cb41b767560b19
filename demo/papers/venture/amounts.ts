export type Item = [label: string, amount: number]

/** The income and costs of a year or a part of it. Both are positive. */
export type Operations = { income: Item[]; costs: Item[] }

export function operatingResult({ income, costs }: Operations): number {
  return sum(income) - sum(costs)
}

export function sum(items: Item[]): number {
  return items.reduce((added, [, amount]) => added + amount, 0)
}

export function roundTo(amount: number, step: number): number {
  return Math.round(amount / step) * step
}

export function roundDown(amount: number, step: number): number {
  return Math.floor(amount / step) * step
}
