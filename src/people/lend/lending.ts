import type { LentScope } from '../../access/lent.ts'

/** Somebody's access to what an investor sees, as the investor and the office read it. */
export type Lending = LentScope & {
  id: number
  lender: { id: number; name: string }
  adviser: {
    id: number
    name: string
    email: string
    /** Has not chosen a password yet. */
    is_pending: boolean
    is_deactivated: boolean
  }
  gets_mails: boolean
  until: string | null
  /** When the office asked for the mails to the lender and the adviser; null if none wait. */
  mails_asked_at: string | null
}

/** The rights that are lent, until which day, and whether mails about releases come too. */
export type Terms = LentScope & { gets_mails: boolean; until: Date | null }

/** How many people an investor can lend access to at once, and how often in a day. */
export const MOST_LENDINGS = 20

/** How many folder names can be chosen. */
export const MOST_FOLDERS = 60
