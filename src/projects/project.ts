export const STATUSES = ['active', 'closing', 'sold'] as const
export type Status = (typeof STATUSES)[number]

export const STATUS_NAMES: Record<Status, string> = {
  active: 'Aktiv',
  closing: 'Under afvikling',
  sold: 'Solgt',
}

/** Shown for every project that the reader may not see, whether it exists or not. */
export const NO_PROJECT = 'Projektet findes ikke, eller du har ikke længere adgang til det.'

export type Project = { id: number; number: string; name: string; cvr: string | null; status: Status }

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
export const PROJECT_COLUMNS = ['number', 'name', 'status', 'files_count', 'updated_at'] as const
export type ProjectColumn = (typeof PROJECT_COLUMNS)[number]

/** A person who sees a project by being a member of it. */
export type Member = {
  id: number
  name: string
  email: string
  role: 'auditor' | 'investor'
  numbers: string[]
}

/** The newest release with files in a project, and how many of those outside the office who see them have opened some. */
export type ProjectRelease = {
  id: number
  published_at: string
  files: number
  reached: number
  opened: number
}
