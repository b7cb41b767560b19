export const STATUSES = ['active', 'closing', 'sold'] as const
export type Status = (typeof STATUSES)[number]

export const STATUS_NAMES: Record<Status, string> = {
  active: 'Aktiv',
  closing: 'Under afvikling',
  sold: 'Solgt',
}

/** Said of every project that somebody may not see, whether there is one or not. */
export const NO_PROJECT = 'Projektet findes ikke, eller du har ikke længere adgang til det.'

export type Project = { id: number; number: string; name: string; cvr: string | null; status: Status }

/** A project in a list; the last two reckon only what the reader may see. */
export type ProjectRow = Project & { files_count: number; updated_at: string }

/** With how many files are new to the reader. */
export type ProjectWithNews = ProjectRow & { new_count: number }

/** What the list of projects can be sorted by. */
export const PROJECT_COLUMNS = ['number', 'name', 'status', 'files_count', 'updated_at'] as const
export type ProjectColumn = (typeof PROJECT_COLUMNS)[number]

/** Somebody who sees a project because they belong to it. */
export type Member = {
  id: number
  name: string
  email: string
  role: 'auditor' | 'investor'
  numbers: string[]
}
