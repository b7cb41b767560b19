import { sql, type RawBuilder } from 'kysely'
import { firstLender } from '../../access/lenders.db.ts'
import { isSeenByPerson } from '../../access/queried-reader.db.ts'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { isFileSeen, isFolderLent, isOwnedBy } from '../../access/seen.db.ts'
import type { Expiry } from '../../accounts/session/session-expiry.ts'
import { prepareSessionQuery, type Ticket } from '../../accounts/session/sessions.db.ts'
import { lendersFolders, lendersProjects } from '../../projects/news/lent-news.db.ts'
import { isLentTo, isOffice, may, type Right } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound, Refusal } from '../../server/http/errors.ts'
import { isFileOfYear } from '../file/file-year.db.ts'

/**
 * The files that an archive is made from: one owner's, all that one person lends to an adviser, or everything that the
 * reader sees.
 */
export type ZipScope = FileOwner | { lender: number } | 'everything'

/** The choice among those files. */
export type ZipChoice = { files: number[] } | { folder: number } | { year: number } | 'all'

/** A file of an archive, with its blob. */
export type ZipFile = {
  id: number
  version: number
  name: string
  owner: FileOwner
  folder: { id: number; name: string }
  /** '2025-Q3'. Null if it has none. */
  period: string | null
  blob: { id: number; key: string; sha256: string; isDamaged: boolean }
  size: number
  /** Null until a job has found it. */
  crc32: number | null
  modified: { utc: number; local: number }
  /** The person through whom an adviser sees it. */
  lenderId: number | null
}

/** More files would take too much memory while they are sent. */
const MOST_ZIPPED = 100_000

type Row = {
  id: number
  version: number
  name: string
  period: string | null
  project_id: number | null
  user_id: number | null
  folder_id: number
  folder_name: string
  blob_id: number
  key: string
  size: number
  sha256: string
  crc32: number | null
  is_damaged: boolean
  utc: number
  local: number
  lender_id: number | null
}

/**
 * Lists the files of an archive that the reader sees: folder by folder, the oldest file first, so that sorting a folder
 * does not change the archive. Files that were picked one by one must all be seen.
 */
export async function listZipFiles(
  db: Database,
  reader: Reader,
  scope: ZipScope,
  choice: ZipChoice,
  timeZone: string,
  most = MOST_ZIPPED,
): Promise<ZipFile[]> {
  // As in the list of files: others see when a draft was published, not how long it was held back.
  const moment = isOffice(reader.role)
    ? sql`files.created_at`
    : sql`coalesce(files.released_at, files.created_at)`
  const { rows } = await sql<Row>`
    select files.id, files.version, files.name, files.period, folders.project_id, folders.user_id, folders.id as folder_id, folders.name as folder_name, blobs.id as blob_id, blobs.key,
      blobs.size, blobs.sha256, blobs.crc32, damaged_blobs.blob_id is not null as is_damaged,
      floor(extract(epoch from ${moment}))::bigint as utc,
      floor(extract(epoch from ${moment} at time zone ${timeZone}))::bigint as local,
      ${typeof scope === 'object' && 'lender' in scope ? sql`${scope.lender}::bigint` : firstLender(reader)} as lender_id
    from files
    join folders on folders.id = files.folder_id
    join blobs on blobs.id = files.blob_id
    left join damaged_blobs on damaged_blobs.blob_id = blobs.id
    where ${isWithin(scope, reader)} and ${isFileSeen(reader)} and ${isChosen(choice)}
    order by folders.place, files.id limit ${most + 1}`.execute(db)
  if (rows.length > most)
    throw new Refusal(
      422,
      'Der er for mange filer til én ZIP-fil. Hent et projekt, en mappe eller et år ad gangen.',
    )
  // Does not tell which one is missing: it may be one that the reader must not know of.
  if (typeof choice === 'object' && 'files' in choice && rows.length < new Set(choice.files).size)
    throw notFound('En af filerne findes ikke længere.')
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    name: row.name,
    owner: row.project_id === null ? { user: row.user_id! } : { project: row.project_id },
    period: row.period,
    folder: { id: row.folder_id, name: row.folder_name },
    blob: { id: row.blob_id, key: row.key, sha256: row.sha256, isDamaged: row.is_damaged },
    size: row.size,
    crc32: row.crc32,
    modified: { utc: row.utc, local: row.local },
    lenderId: row.lender_id,
  }))
}

function isChosen(choice: ZipChoice): RawBuilder<boolean> {
  if (choice === 'all') return sql<boolean>`true`
  if ('files' in choice) return sql<boolean>`files.id = any (${choice.files}::bigint[])`
  if ('folder' in choice) return sql<boolean>`files.folder_id = ${choice.folder}`
  return isFileOfYear(choice.year)
}

/**
 * Condition on `folders`: belongs to the scope, seen or not, except that what a person lends is what they lend now. Begins
 * with memberships: the rule of seeing alone would be asked about every folder of the office.
 */
export function isWithin(scope: ZipScope, reader: Reader): RawBuilder<boolean> {
  if (scope === 'everything') {
    if (isOffice(reader.role)) return sql<boolean>`true`
    return isLentTo(reader.role)
      ? isAmong(lendersProjects(reader), lendersFolders(reader))
      : isAmong(projectsOf(reader.id), folderOf(reader.id))
  }
  if (!('lender' in scope)) return isOwnedBy(scope)
  const { lender } = scope
  return sql<boolean>`(${isAmong(projectsOf(lender), folderOf(lender))}
    and ${isFolderLent(reader, sql<boolean>`lendings.lender_id = ${lender}`)})`
}

const projectsOf = (user: number) => sql`select project_id from project_members where user_id = ${user}`
const folderOf = (user: number) => sql`select id from folders where user_id = ${user}`

const isAmong = (projects: RawBuilder<unknown>, folders: RawBuilder<unknown>) => sql<boolean>`folders.id in (
  select theirs.id from folders as theirs where theirs.project_id in (${projects}) union all ${folders})`

type Planned = { ids: number[]; folders: number[]; blobs: number[] }

/** Finds the session's person, and how many of some files they still see, in the same place and with the same bytes. */
const countStillSeen = prepareSessionQuery<Planned, { still_seen: number }>((slots) => ({
  columns: sql`, still.still_seen`,
  join: sql`
    cross join lateral (
      select count(*) as still_seen
      from unnest(${slots.ids}::bigint[], ${slots.folders}::bigint[], ${slots.blobs}::bigint[])
        as planned (id, folder_id, blob_id)
      join files on files.id = planned.id and files.folder_id = planned.folder_id and files.blob_id = planned.blob_id
      join folders on folders.id = files.folder_id
      where ${isSeenByPerson(isFileSeen)}
    ) as still`,
}))

/** Returns whether the session lasts and its person may still have every file of an archive as it was planned. */
export async function areStillSeen(
  db: Database,
  { ticket, reader, expiry, right }: { ticket: Ticket; reader: Reader; expiry: Expiry; right: Right },
  files: readonly ZipFile[],
): Promise<boolean> {
  const found = await countStillSeen(db, ticket, expiry, {
    ids: files.map(({ id }) => id),
    folders: files.map(({ folder }) => folder.id),
    blobs: files.map(({ blob }) => blob.id),
  })
  return found?.user.id === reader.id && may(found.user.role, right) && found.row.still_seen === files.length
}
