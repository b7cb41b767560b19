import type { UserValues } from '../../accounts/users/user.fields.ts'
import { namesWith } from '../../base/fields/field.ts'
import { OWN_FIELDS, type OwnValues } from './project.fields.ts'

export type Status = OwnValues['status']
export const STATUS_NAMES: Record<Status, string> = OWN_FIELDS.status.choices
export const STATUSES = Object.keys(STATUS_NAMES) as Status[]

/** Shown for every project that the reader may not see, whether it exists or not. */
export const NO_PROJECT = 'Projektet findes ikke, eller du har ikke længere adgang til det.'

export type Project = { id: number } & OwnValues

/** A project in a list. The last two fields cover only the files that the reader may see. */
export type ProjectRow = Project & {
  files_count: number
  updated_at: string
  /** For an adviser: the names of those on whose behalf they see it. */
  lent_by?: string[]
}

/** A project in a list, with the number of files that are new to the reader. */
export type ProjectWithNews = ProjectRow & { new_count: number }

/** The columns that sort the list of projects. */
export const PROJECT_COLUMNS = [...namesWith(OWN_FIELDS, 'isListed'), 'files_count', 'updated_at'] as const
export type ProjectColumn = (typeof PROJECT_COLUMNS)[number]

/** A person who sees a project by being a member of it. */
export type Member = Pick<UserValues, 'name' | 'email' | 'numbers' | 'role'> & { id: number }

/** The newest release with files in a project, and how many of those outside the office who see them have opened some. */
export type ProjectRelease = {
  id: number
  published_at: string
  files: number
  reached: number
  opened: number
}
