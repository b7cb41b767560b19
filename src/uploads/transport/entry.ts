import type { Trx } from '../../server/database/database.ts'

/** A file of a form: S3.4. Its folder or person is the page's word, and does not decide where it goes. */
export type Entry = {
  id: string
  name: string
  hashName: string
  folderId?: number | undefined
  folder?: string | undefined
  userId?: number | undefined
  /** The file that it is a new version of. */
  replaces?: number | undefined
}

/** The files' bytes, by their `hash_name`. */
export type Taken = Map<string, { blobId: number; type: string; sha256: string }>

export type Faults = Record<string, string[]>

/** Returns each entry's folder, by the entry's id; adds an entry's faults to `faults`. */
export type Placing = (
  trx: Trx,
  entries: Entry[],
  faults: Faults,
  taken: Taken,
) => Promise<Map<string, number>>

/** A file that was not stored, because the file `twin` in its folder has the same bytes. */
export type Skipped = { name: string; twin: string; folder_id: number }
