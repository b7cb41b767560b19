import type { Page } from '../../base/pagination.ts'
import type { UserRow } from './user-row.ts'

/** The filters of the list of people. Nobody who is deactivated is in another filter than their own. */
export const PEOPLE_FILTERS = {
  never: 'Aldrig logget ind',
  bounced: 'Mail kom retur',
  'one-step': 'Uden totrinslogin',
  deactivated: 'Deaktiveret',
} as const
export type PeopleFilter = keyof typeof PEOPLE_FILTERS

/** A page of the list, how many of its search and role each filter has, and how many of all that are found can be invited. */
export type PeopleList = Page<UserRow> & { counts: Record<PeopleFilter, number>; invitable: number }
