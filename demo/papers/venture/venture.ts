import { accountsFrom, type Accounts } from './accounts.ts'
import { between } from './chance.ts'
import { FACTS, guessedFacts, type Facts } from './facts.ts'
import { KINDS, type Kind } from './kinds.ts'
import type { Lease } from './leases.ts'

/** A project as its papers describe it. */
export type Venture = Omit<Facts, 'kind' | 'leases'> & {
  number: string
  name: string
  kind: Kind
  leases: Lease[]
  /** The chairman, two members, and the lawyer who chairs general meetings. */
  board: string[]
  accounts: Map<number, Accounts>
}

export const SHARES = 100

export function ventureOf({ number, name }: { number: string; name: string }): Venture {
  const facts = FACTS[number] ?? guessedFacts(name)
  const leases = facts.leases.map(([short, full, what, size, from, to]) => {
    return { short, full, what, size, from, to }
  })
  const basis = { ...facts, number, kind: KINDS[facts.kind], leases }
  const first = between(0, PEOPLE.length - 1, `board ${number}`)
  const board = [0, 1, 2, 3].map((step) => PEOPLE[(first + step * 3) % PEOPLE.length]!)
  return { ...basis, name, board, accounts: accountsFrom(basis) }
}

/** Returns the last year with a report: a sold asset was owned until the year before. */
export function lastReport({ sold }: Venture, otherwise = 2025): number {
  return sold ? sold - 1 : otherwise
}

const PEOPLE = [
  'Jens Holck',
  'Marie Vang',
  'Peter Stausholm',
  'Karin Lydolph',
  'Asger Tolstrup',
  'Dorthe Winge',
  'Henrik Balle',
  'Charlotte Bøgh',
  'Esben Krag',
  'Lise Åkjær',
  'André Sørbye',
]
