import { sql } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isFileSeen, isFolderOf } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'

/** A file and its blob. */
export type Content = {
  id: number
  folder_id: number
  name: string
  blob_id: number
  /** The blob's key in the storage. */
  blob_key: string
  size: number
  type: string
  sha256: string
}

const KEY = /^[0-9a-f]{32}(?=\/)/

/** Returns the file at the path `{key}/{name}`. The key finds it; the name must match. */
export async function getContent(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  path: string,
): Promise<Content> {
  const key = KEY.exec(path)?.[0]
  if (key === undefined) throw missing()
  const { rows } = await sql<Content>`
    select files.id, files.folder_id, files.name, blobs.id as blob_id, blobs.key as blob_key, blobs.size, blobs.type,
      blobs.sha256
    from files
    join folders on folders.id = files.folder_id
    join blobs on blobs.id = files.blob_id
    where files.key = ${key} and blobs.state = 'stored'
      and ${isFolderOf(owner, reader)} and ${isFileSeen(reader)}`.execute(db)
  const [file] = rows
  if (!file || path.normalize('NFC') !== `${key}/${file.name}`) throw missing()
  return file
}

const missing = () => notFound('Filen findes ikke.')
