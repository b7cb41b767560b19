import type { LogEntry } from '../../log/words/entry.ts'
import type { Role } from '../../rights.ts'
import { dispositionOf } from '../content/content.ts'
import type { PaperNote } from '../file/paper-note.ts'
import type { ListedFile } from '../file/stored-file.ts'

/** The facts about a file in the panel beside the list. */
export type LookFacts = {
  file: ListedFile
  has_thumbnail: boolean
  /** Null for everybody else. */
  office: OfficeFacts | null
}

/** Facts for the office only. */
export type OfficeFacts = {
  /** Null if the person is not known. */
  uploaded_by: string | null
  /** Whether the project's accounting years are written '2024/25'. */
  crosses_new_year: boolean
  /**
   * Why the words of the file cannot be searched, or not all of them; null if they can, or if nobody has tried to read
   * it.
   */
  unread: { isFailed: boolean; reason: string } | null
  /** Links to what needs attention. */
  notes: PaperNote[]
  /** Everybody outside the office who sees the file now. */
  readers: { total: number; first: { id: number; name: string; role: Role }[] }
  /** The newest entries of the file's history. */
  history: LogEntry[]
}

/** How many readers are named, at most. */
export const NAMED_READERS = 20
/** How many entries of the history are shown. */
export const SHOWN_ENTRIES = 5

/** How the panel shows a file. It does not show files that opening downloads. */
export function wayToShow({ name, mime }: { name: string; mime: string }): 'picture' | 'pdf' | 'text' | null {
  if (dispositionOf({ name, type: mime }) !== 'inline') return null
  if (mime.startsWith('image/')) return 'picture'
  return mime === 'application/pdf' ? 'pdf' : 'text'
}
