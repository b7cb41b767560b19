import type { Config } from '../../config.ts'
import { isOffice, type Role } from '../../rights.ts'

/** How long a session lasts without being used, and in all. */
type Lasting = { idleHours: number; maxDays: number }

/** People in the office see more than others, and so stay signed in for a shorter time. */
export type Expiry = { office: Lasting; others: Lasting }

export function expiryOf(config: Config): Expiry {
  return {
    office: { idleHours: config.sessionOfficeIdleHours, maxDays: config.sessionOfficeMaxDays },
    others: { idleHours: config.sessionIdleHours, maxDays: config.sessionMaxDays },
  }
}

export const expiryForRole = (role: Role, { office, others }: Expiry): Lasting =>
  isOffice(role) ? office : others
