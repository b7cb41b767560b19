import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { IS_ASKED } from '../../access/waiting-acts.db.ts'
import { isNewTo } from '../../projects/news/news.db.ts'
import { isOffice } from '../../rights.ts'
import type { StoredFile } from './stored-file.ts'
import { FILE_YEAR } from './file-year.db.ts'
import { causeOf } from '../versions/held.db.ts'

/** A moment is a text in a row that was read as JSON. */
export type FileRow = Omit<StoredFile, 'created_at'> & { created_at: Date | string }

/** The columns of `files` and `blobs` that a list shows. */
export function fileFields(reader: Reader): RawBuilder<unknown> {
  const isSent = isOffice(reader.role)
    ? sql`files.from_investor`
    : sql`files.from_investor and files.uploaded_by is not distinct from ${reader.id}`
  return sql`files.id, files.name, files.key || '/' || files.name as path, blobs.size, ${shownAt(reader)} as created_at, ${FILE_YEAR} as year,
    blobs.type as mime, blobs.sha256, ${isNewTo(reader)} as is_new, ${isSent} as from_investor,
    ${isOffice(reader.role) ? sql`files.period, files.is_period_given` : sql`null as period, false as is_period_given`},
    ${isOffice(reader.role) ? sql`false` : IS_VERSION} as is_version,
    ${isOffice(reader.role) ? HELD : sql`null`} as held, ${isOffice(reader.role) ? WAITING : sql`null`} as waiting,
    ${isOffice(reader.role) ? IS_ASKED : sql`false`} as is_asked`
}

/** The time that a file's row shows. Others see when a draft was published, not how long it was held back. */
export function shownAt(reader: Reader): RawBuilder<Date> {
  return isOffice(reader.role)
    ? sql<Date>`greatest(files.created_at, files.version_at)`
    : sql<Date>`coalesce(files.released_at, files.created_at)`
}

/** Condition on `files`: people could see an older version of it before. */
const IS_VERSION = sql<boolean>`files.version_at > '-infinity'`

/** The state of the release that holds a paper back, or why the paper is held although it is published. */
const whyHeld = (table: RawBuilder<unknown>) => sql`coalesce((
    select state from releases where releases.submission_id = ${table}.submission_id and state <> 'published'
  ), ${causeOf(sql`${table}.blob_id`)}, 'draft')`

/** Why a file is held back, if it is. */
export const HELD = sql`case when files.is_held_back then ${whyHeld(sql`files`)} end`

/** Why a version is held back. */
export const VERSION_HELD = whyHeld(sql`file_versions`)

/** Why the new version of a file is held back, if it has one. */
const WAITING = sql`(
  select case releases.state when 'published' then ${causeOf(sql`file_versions.blob_id`)} else releases.state end
  from file_versions join releases on releases.submission_id = file_versions.submission_id
  where file_versions.file_id = files.id and file_versions.is_held_back
    and releases.state in ('draft', 'planned', 'waiting', 'published')
  order by file_versions.id desc limit 1)`

export function toStoredFile({ created_at: createdAt, ...row }: FileRow): StoredFile {
  return { ...row, created_at: momentOf(createdAt) }
}

/**
 * Writes a time like `toISOString`. In PostgreSQL's JSON it is '2026-11-16T21:04:30.123456+00:00', which is cut,
 * because parsing is slow.
 */
function momentOf(at: Date | string): string {
  return typeof at === 'string' && at.length === 32 && at.endsWith('+00:00')
    ? `${at.slice(0, 23)}Z`
    : new Date(at).toISOString()
}
