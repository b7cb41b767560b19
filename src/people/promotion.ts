import type { Role } from '../rights.ts'

const RANKS: Record<Role, number> = { adviser: 0, investor: 0, auditor: 0, employee: 1, administrator: 2 }

const SEES: Partial<Record<Role, string>> = {
  employee: 'alle projekter og mapper, også kontorets egne, og alle personers filer og rapporter',
  administrator:
    'alt: alle projekter og mapper, alle personers filer og rapporter og hele loggen, og kan ændre personer, roller og projekter',
}

/** Says in Danish what a person will see after joining or rising in the office. Null if it is no more than before. */
export function promotionOf(from: Role, to: Role): string | null {
  return RANKS[to] > RANKS[from] ? (SEES[to] ?? null) : null
}
