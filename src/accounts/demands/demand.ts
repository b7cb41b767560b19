import type { Role } from '../../rights.ts'

/**
 * A role that must have a second factor, and from when. Every request asks anew: `session/sessions.db.ts` finds who owes one,
 * `server/http/permit.ts` lets them no further than the routes with `isOpenWithoutFactor`, and `tokens/find-bearer.routes.ts`
 * refuses their keys.
 */
export type FactorDemand = { role: Role; starts_at: string }

/** The most days of grace, and the number that the form proposes. */
export const MOST_GRACE_DAYS = 90
export const GRACE_DAYS = 14

/** Which roles need a second factor, as the form shows it. */
export const demandedOf = (roles: readonly Role[]): Record<Role, boolean> => ({
  administrator: roles.includes('administrator'),
  employee: roles.includes('employee'),
  auditor: roles.includes('auditor'),
  investor: roles.includes('investor'),
  adviser: roles.includes('adviser'),
})
