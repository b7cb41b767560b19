import type { PageInfo } from '../base/pagination.ts'
import type { Act } from './act.ts'
import type { Days } from './period.ts'

export type Named = { id: number; name: string }

export type LoggedPerson = Named & { email: string }

/** An act that was written down, with names as they are now. */
export type LogEntry = {
  id: number
  at: string
  act: Act
  /** Null: nobody who was signed in. */
  user: LoggedPerson | null
  /** Whom it concerned. */
  subject: LoggedPerson | null
  project: (Named & { number: string }) | null
  folder: { id: number; name: string | null } | null
  file: LoggedFile | null
  address: string | null
  /** What of it was changed, from what to what; old entries do not know. */
  detail: string | null
  /** What it was called before, and then; null where no name was changed, or it has been forgotten. */
  names: { before: string; after: string } | null
}

export type LoggedFile = {
  id: number
  /** Null: it is gone for good. */
  name: string | null
  path: string | null
  /** Whose it is now. */
  owner: { project: number } | { user: number } | null
  in_trash: boolean
}

/** What the filters mean: names for ids, and days for a period. */
export type Picked = {
  person: Named | null
  project: (Named & { number: string }) | null
  file: LoggedFile | null
  /** Who has read the file. */
  reads: FileReads | null
  days: Days
}

/** How many have opened or fetched a file, and who did so last. */
export type FileReads = { people: number; last: { at: string; name: string } | null }

/** A page of the log. There may be more than are counted. */
export type LogAnswer = { data: LogEntry[]; meta: PageInfo & { is_more: boolean }; picked: Picked }

/** Where the log, or a file's history, is read: its page, and the call that the page makes. */
export type LogHome = { page: string; list: string }

export const LOG_PER_PAGE = 25
/** So many are counted, and reached by turning pages; older ones by their period. */
export const MOST_COUNTED = 10_000
