import { USER_FIELDS, type UserValues } from '../../accounts/users/user.fields.ts'
import { namesWith } from '../../base/fields/field.ts'

/** A person in a list. */
export type UserRow = { id: number } & UserValues & {
    deactivated: boolean
    /** Whether they have not chosen a password yet. */
    pending: boolean
    image: string | null
  }

/** The columns that sort the list of people. The numbers follow the name. */
export const USER_COLUMNS = [...new Set(['name', 'numbers', ...namesWith(USER_FIELDS, 'isListed')] as const)]
export type UserColumn = (typeof USER_COLUMNS)[number]
