import { daysAfter } from '../../base/time/days.ts'
import { dayOf, spokenTime } from '../../base/time/dates.ts'
import type { PublishingWay } from '../../releases/release/release.ts'
import type { Meaning } from '../names/placing.ts'

/** A file of a pile that is not saved yet, with what its person has decided about it. */
export type UnsavedFile = {
  name: string
  /** Its name on its owner's disk. */
  original: string
  size: number
  /** Null while it is not sent. */
  hash_name: string | null
  /** What happens if it exists already. */
  choice: 'version' | 'keep' | 'skip' | null
  /** The meaning of its number, if both a project and a person have it. */
  meaning: Meaning | null
  /** The kinds of contradictions that were seen. */
  acknowledged: readonly string[]
}

/** How a pile is to be published. */
export type PilePublishing = { way: PublishingWay; day: string | null; time: string }

/** The part of a pile that a page sends: only the changes since the last time. */
export type PileChange = {
  /** The form's address. */
  form: string
  /** The page's own name for its pile. */
  pile: string
  publishing: PilePublishing
  files: Readonly<Record<string, UnsavedFile>>
  /** The files that are no longer in it, and those of other piles that are in this one now, as '0123456789abcdef.f1'. */
  gone: readonly string[]
}

/** A file of some pile, as loaded again. */
export type FoundFile = UnsavedFile & {
  /** Its key in `gone`. */
  key: string
  /** Found from its bytes; null while it is not sent. */
  type: string | null
}

export type FoundPile = { files: FoundFile[]; publishing: PilePublishing | null }

/** The summary of an unsaved pile on an upload form. */
export type UnsavedSummary = {
  /** How many files are on the server. */
  files: number
  /** How many were not sent. */
  unsent: number
  /** When something was last done to it: 'i går kl. 16.42'. */
  since: string
  /** The keys of the piles. */
  piles: string[]
  /** The page's address asks for this one pile, as when the inbox leads here: it is taken up at once. */
  isAsked?: boolean
}

/** A page writes at most this many files at a time. */
export const MOST_AT_ONCE = 500

export const PILE_KEY = /^[0-9a-f]{16}$/

const ID = String.raw`\d{1,15}`
const FORMS = new RegExp(
  `^/(?:upload|users/upload|users/${ID}/upload|projects/${ID}/upload|projects/${ID}/uploads/folder/${ID})$`,
)

/** Returns whether an address is that of a form whose piles are kept. */
export const isPileStored = (address: string) => FORMS.test(address)

/** Writes when a pile was left: 'i dag kl. 09.12', 'i går kl. 16.42'. */
export function sinceText(date: Date, now: Date, timeZone: string): string {
  const today = dayOf(now, timeZone)
  const day = dayOf(date, timeZone)
  const time = spokenTime(date, timeZone, date)
  if (day === today) return `i dag ${time}`
  return day === daysAfter(today, -1) ? `i går ${time}` : spokenTime(date, timeZone, now)
}
