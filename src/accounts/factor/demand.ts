import type { Role } from '../../rights.ts'

/** A role that must have a second factor, and from when. */
export type FactorDemand = { role: Role; starts_at: string }

/** How many days people may get, and how many the form proposes. */
export const MOST_GRACE_DAYS = 90
export const GRACE_DAYS = 14
