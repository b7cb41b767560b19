import type { Kind } from './kinds.ts'
import { RISE } from './yearly-rates.ts'

export type Lease = {
  short: string
  full: string
  what: string
  size: number
  from: number
  to: number | undefined
}

type Rents = { kind: Kind; rate: number; leases: Lease[] }

export function activeIn(leases: Lease[], year: number): Lease[] {
  return leases.filter(({ from, to = 9999 }) => from <= year && year <= to)
}

/** Returns the rent of a lease in a year: adjusted each January, from its second year on. */
export function rentOf({ kind, rate }: Rents, { size, from }: Lease, year: number): number {
  let rent = size * rate
  if (!kind.contract.indexed) return rent
  for (let next = from + 1; next <= year; next++) rent = Math.round((rent * (1000 + RISE[next]!)) / 1000)
  return rent
}

export function rentIn(rents: Rents, year: number): number {
  return activeIn(rents.leases, year).reduce((rent, lease) => rent + rentOf(rents, lease, year), 0)
}
