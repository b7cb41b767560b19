import type { FileOwner } from '../access/reader.ts'
import type { StoredFile } from '../files/stored-file.ts'

/** A file on the start page, which has come from everywhere. */
export type StartFile = Pick<StoredFile, 'id' | 'name' | 'path' | 'mime' | 'is_new' | 'from_investor'> & {
  owner: FileOwner
  /** Of the project it belongs to; null: it is somebody's own. */
  project: string | null
  /** The investor who sent it, for the office. */
  sender: { id: number; name: string } | null
  /** Since when it is there for the reader. */
  at: string
}

/** What investors have sent: some of it, how much there is, and how much of that nobody of the office has read. */
export type Received = { files: StartFile[]; total: number; unread: number }
