import type { User } from '../../accounts/users/user.ts'

/** A person in a list. */
export type UserRow = User & {
  numbers: string[]
  deactivated: boolean
  /** Whether they have not chosen a password yet. */
  pending: boolean
  image: string | null
}

/** The columns that sort the list of people. */
export const USER_COLUMNS = ['name', 'numbers', 'email', 'role'] as const
export type UserColumn = (typeof USER_COLUMNS)[number]
