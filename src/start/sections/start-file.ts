import type { FileOwner } from '../../access/reader.ts'
import type { InboxItem } from '../../inbox/inbox.ts'
import type { StoredFile } from '../../files/file/stored-file.ts'

/** A file on the start page, from any project or person. */
export type StartFile = Pick<
  StoredFile,
  'id' | 'name' | 'path' | 'mime' | 'is_new' | 'is_version' | 'from_investor' | 'held' | 'waiting'
> & {
  owner: FileOwner
  /** The title that *Papirer* shows, or the file's name for people without that page. */
  title: string
  /** The name of its project. Null if it belongs to a person. */
  project: string | null
  /** For an adviser: through whom they see it. */
  lent_by: string[]
  /** The investor who sent it. Null for everyone but the office. */
  sender: { id: number; name: string } | null
  /** When the reader could first see it. */
  at: string
}

/** A file that an investor sent. It is new until somebody in the office takes or finishes it. */
export type ReceivedFile = StartFile & { inbox: Pick<InboxItem, 'state' | 'by'> }

/** Files that investors have sent: some of them, how many there are, and how many nobody has taken yet. */
export type Received = { files: ReceivedFile[]; total: number; new_count: number }
