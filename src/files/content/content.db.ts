import { sql } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { firstLender } from '../../access/lenders.db.ts'
import { forPerson, isSeenByPerson } from '../../access/queried-reader.db.ts'
import { isFileSeen, isOwnedBy, type QueriedOwner } from '../../access/seen.db.ts'
import type { Expiry } from '../../accounts/session/session-expiry.ts'
import { prepareSessionQuery, type SessionUser, type Ticket } from '../../accounts/session/sessions.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Slots } from '../../server/database/prepared.ts'

/** A file and its blob. */
export type Content = {
  id: number
  folder_id: number
  name: string
  /** The version number of these bytes. */
  version: number
  blob_id: number
  /** The blob's key in the storage. */
  blob_key: string
  size: number
  type: string
  sha256: string
}

const KEY = /^[0-9a-f]{32}(?=\/)/

type Given = { owner_id: number; key: string }
type Columns =
  | ({ [Name in keyof Content as `file_${Name}`]: Content[Name] } & { lender_id: number | null })
  | { file_id: null }

/** Finds the session's person and the file in one query, because every download asks for both. */
const findFor = (ownerOf: (slots: Slots<Given>) => QueriedOwner) =>
  prepareSessionQuery<Given, Columns>((slots) => ({
    columns: sql`, file.*`,
    join: sql`
      left join lateral (
        select files.id as file_id, files.folder_id as file_folder_id, files.name as file_name, files.version as file_version,
          blobs.id as file_blob_id, blobs.key as file_blob_key, blobs.size as file_size, blobs.type as file_type,
          blobs.sha256 as file_sha256, ${forPerson<number | null>(firstLender, sql`null`)} as lender_id
        from files
        join folders on folders.id = files.folder_id
        join blobs on blobs.id = files.blob_id
        where files.key = ${slots.key} and blobs.state = 'stored'
          and ${isOwnedBy(ownerOf(slots))} and ${isSeenByPerson(isFileSeen)}
      ) as file on true`,
  }))
const findOfProject = findFor((slots) => ({ project: slots.owner_id }))
const findOfUser = findFor((slots) => ({ user: slots.owner_id }))

/**
 * Returns the cookie's person while the session lasts, with the file at the path `{key}/{name}` if they see it, and
 * the lender through whom an adviser does. The key finds it; the name must be its own or a former one, so that old links go on working.
 */
export async function findReaderAndContent(
  db: Database,
  ticket: Ticket,
  expiry: Expiry,
  owner: FileOwner,
  path: string,
): Promise<{ user: SessionUser; file: Content | null; lenderId: number | null } | null> {
  const key = KEY.exec(path)?.[0] ?? ''
  const found =
    'user' in owner
      ? await findOfUser(db, ticket, expiry, { owner_id: owner.user, key })
      : await findOfProject(db, ticket, expiry, { owner_id: owner.project, key })
  if (!found) return null
  const file = contentOf(found.row)
  const name = path.slice(key.length + 1).normalize('NFC')
  const isIt = file && (file.name === name || (await wasCalled(db, file.id, name)))
  const lenderId = found.row.file_id === null ? null : found.row.lender_id
  return { user: found.user, file: isIt ? file : null, lenderId }
}

type Placed = Content & { project_id: number | null; user_id: number | null; lender_id: number | null }

/** Finds a file by its id, for a person who is known already. */
export async function findContent(
  db: Database,
  reader: Reader,
  id: number,
): Promise<{ owner: FileOwner; file: Content; lenderId: number | null } | null> {
  const { rows } = await sql<Placed>`
    select files.id, files.folder_id, files.name, files.version, blobs.id as blob_id, blobs.key as blob_key, blobs.size,
      blobs.type, blobs.sha256, folders.project_id, folders.user_id, ${firstLender(reader)} as lender_id
    from files join folders on folders.id = files.folder_id join blobs on blobs.id = files.blob_id
    where files.id = ${id} and blobs.state = 'stored' and ${isFileSeen(reader)}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { project_id: project, user_id: user, lender_id: lenderId, ...file } = row
  return { owner: project === null ? { user: user! } : { project }, file, lenderId }
}

async function wasCalled(db: Database, fileId: number, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from log join log_names on log_names.log_id = log.id
    where log.file_id = ${fileId} and log.act = 'file-renamed' and log_names.before = ${name} limit 1`.execute(
    db,
  )
  return rows.length > 0
}

function contentOf(row: Columns): Content | null {
  if (row.file_id === null) return null
  return {
    id: row.file_id,
    folder_id: row.file_folder_id,
    name: row.file_name,
    version: row.file_version,
    blob_id: row.file_blob_id,
    blob_key: row.file_blob_key,
    size: row.file_size,
    type: row.file_type,
    sha256: row.file_sha256,
  }
}
