import type { PageInfo } from '../../base/pagination.ts'
import type { Act } from './act.ts'
import type { Days } from './named-period.ts'

export type Named = { id: number; name: string }

type LoggedPerson = Named & { email: string }

/** An act in the log, with the present names of people and things. */
export type LogEntry = {
  id: number
  at: string
  act: Act
  /** The person who did it, or null if nobody was signed in. */
  user: LoggedPerson | null
  /** The person as whom an administrator saw it. */
  seen_as: LoggedPerson | null
  /** The API key with which their program did it; for acts on a key, the key itself. */
  token: Named | null
  /** The person on whose behalf they did it, if it was not for themselves. */
  lender: Named | null
  /** The person it was about. */
  subject: LoggedPerson | null
  project: (Named & { number: string }) | null
  folder: { id: number; name: string | null } | null
  file: LoggedFile | null
  /** For acts on a release, where it is asked for. */
  release: Named | null
  address: string | null
  /** Which fields changed, or the old and new value. Old entries lack it. */
  detail: string | null
  /** The old and new name; null if no name changed or the names have been forgotten. */
  names: { before: string; after: string } | null
}

/** The id of the release that an entry is about: 12 of 'release-planned' with '12', or of 'mails-asked' with 'reminder 12 287'. */
export function releaseIn({ act, detail }: Pick<LogEntry, 'act' | 'detail'>): number | null {
  if (!/^(release|mails)-/.test(act)) return null
  const id = /^(?:(?:reminder|again|recall) )?(\d+)/.exec(detail ?? '')?.[1]
  return id === undefined ? null : Number(id)
}

export type LoggedFile = {
  id: number
  /** Null if the file is permanently deleted. */
  name: string | null
  path: string | null
  /** The present owner. */
  owner: { project: number } | { user: number } | null
  in_trash: boolean
}

/** The chosen filters resolved: names for ids, days for a period. */
export type Picked = {
  person: Named | null
  project: (Named & { number: string }) | null
  file: LoggedFile | null
  /** For a file: its readers. */
  reads: FileReads | null
  /** For a file: who sees it. Null if it is gone. */
  reach: FileReach | null
  /** For a file: its versions, the shown one first. Empty if it is gone or in the trash. */
  versions: FileVersion[]
  days: Days
}

/** How many people have opened or downloaded a file, and who did so last. */
export type FileReads = { people: number; last: { at: string; name: string } | null }

/** How many people outside the office see a file and have opened it, and the release that it came with. */
export type FileReach = { release: number | null; reached: number; opened: number }

/** One of a file's versions, as the office lists them. */
export type FileVersion = {
  /** Null for the one that the file shows. */
  id: number | null
  /** Null if it was never shown. */
  number: number | null
  added_at: string
  /** Null if it is not known. */
  added_by: string | null
  /** In bytes. */
  size: number
  /** The release that holds it back, and its name; null for others. */
  held: { name: string; release: number } | null
  /** Nobody outside the office has ever seen it, and no release has it. */
  is_unpublished: boolean
}

/** One page of the log. `is_more`: there are more entries than are counted. */
export type LogAnswer = { data: LogEntry[]; meta: PageInfo & { is_more: boolean }; picked: Picked }

/** The addresses of the log or of a file's history: the page, and the list that the page fetches. */
export type LogHome = { page: string; list: string }

export const LOG_PER_PAGE = 25
/** At most this many entries are counted and reachable by paging. Older ones are found by choosing a period. */
export const MOST_COUNTED = 10_000
