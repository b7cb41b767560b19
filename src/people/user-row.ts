import type { User } from '../accounts/user.ts'

/** A person in a list. */
export type UserRow = User & {
  numbers: string[]
  deactivated: boolean
  /** Has not chosen a password yet. */
  pending: boolean
  image: string | null
}

/** What the list of people can be sorted by. */
export const USER_COLUMNS = ['name', 'numbers', 'email', 'role'] as const
export type UserColumn = (typeof USER_COLUMNS)[number]
