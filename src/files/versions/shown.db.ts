import { sql, type RawBuilder } from 'kysely'
import { isPaperHeld, listReadersOf } from '../../access/sight.db.ts'
import type { Actor } from '../../log/log.db.ts'
import { needsApproval } from '../../office/office.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { conflict } from '../../server/http/errors.ts'

// The rule: a file shows its highest-numbered version that is not held back. If all are, the file itself is held back.
// The shown version's columns stand in `files`, so that nothing else has to know of versions. The callers have locked the
// files' folders.

/**
 * Part of a query, after `from`: the files of a submission, as `files`. A file belongs to it if the shown version came
 * with it, or if a version that came with it is held back. `version_at` is that version's.
 */
export function filesOf(submission: RawBuilder<unknown> | number): RawBuilder<unknown> {
  return sql`lateral (
    select id, folder_id, name, period, position, search, deleted_at, version_at, version, null::bigint as held_version
    from files where submission_id = ${submission}
    union all
    select files.id, files.folder_id, files.name, files.period, files.position, files.search, files.deleted_at,
      file_versions.version_at, file_versions.number, file_versions.id
    from file_versions join files on files.id = file_versions.file_id
    where file_versions.submission_id = ${submission} and file_versions.is_held_back
  ) as files`
}

/** A new version of a file: bytes that are already stored. */
export type NewVersion = { fileId: number; blobId: number }

/** Adds versions that came with a submission, and shows them unless they are held back. Logs each. */
export async function addVersions(
  trx: Trx,
  actor: Actor,
  submission: number,
  versions: NewVersion[],
  isHeldBack: boolean,
): Promise<void> {
  if (versions.length === 0) return
  const { rows } = await sql`
    with held as materialized (
      select id from blobs where id = any (${versions.map(({ blobId }) => blobId)}::bigint[]) and state = 'stored' for share
    )
    insert into file_versions (file_id, blob_id, submission_id, is_held_back, version_by)
    select new.file_id, new.blob_id, ${submission}, true, ${actor.userId}::bigint
    from unnest(${versions.map(({ fileId }) => fileId)}::bigint[], ${versions.map(({ blobId }) => blobId)}::bigint[])
      as new (file_id, blob_id)
    join held on held.id = new.blob_id
    returning id`.execute(trx)
  if (rows.length < versions.length)
    throw conflict('En af filerne er ikke længere på serveren. Send den igen.')
  await logVersions(trx, actor, 'file-replaced', submission, isHeldBack ? sql`'draft'` : sql`null`)
  if (!isHeldBack) await releaseVersions(trx, submission)
}

/** Condition on `file_versions`: publishing its release shows it. */
const CAN_SHOW = sql`not ${isPaperHeld(sql`file_versions.blob_id`)}`

/**
 * Logs an act for each file of which a submission holds back a version; for published ones, the version that is shown
 * now.
 */
export async function logVersions(
  trx: Trx,
  actor: Actor,
  act: 'file-replaced' | 'file-published' | 'version-dropped',
  submission: number,
  detail: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into log (act, user_id, token_id, address, subject_user_id, project_id, folder_id, file_id, detail)
    select ${act}, ${actor.userId}::bigint, ${actor.tokenId ?? null}::bigint, ${actor.address}::inet, folders.user_id,
      folders.project_id, folders.id, files.id, ${detail}
    from file_versions join files on files.id = file_versions.file_id
    join folders on folders.id = files.folder_id
    where file_versions.submission_id = ${submission} and file_versions.is_held_back
      ${act === 'file-published' ? sql`and ${CAN_SHOW}` : sql``} order by files.id`.execute(trx)
}

/**
 * Shows the versions of a submission that is published, or no longer recalled, apart from papers that are held. A new one
 * gets its number now.
 */
export async function releaseVersions(trx: Trx, submission: number): Promise<void> {
  const { rows } = await sql<{ file_id: number }>`
    with numbered as (
      update files set last_version = last_version + 1 from file_versions
      where file_versions.submission_id = ${submission} and file_versions.is_held_back and ${CAN_SHOW}
        and file_versions.number is null and files.id = file_versions.file_id
      returning files.id as file_id, files.last_version
    )
    update file_versions set is_held_back = false, number = coalesce(number, last_version),
      version_at = case when number is null then clock_timestamp() else version_at end,
      shown_at = case when number is null then now() else shown_at end,
      released_at = case when number is null then now() else released_at end
    from (
      select file_versions.id, numbered.last_version
      from file_versions left join numbered on numbered.file_id = file_versions.file_id
      where file_versions.submission_id = ${submission} and file_versions.is_held_back and ${CAN_SHOW}
    ) as held
    where file_versions.id = held.id returning file_id`.execute(trx)
  await showNewest(
    trx,
    rows.map((row) => row.file_id),
  )
}

/**
 * Takes back the versions of a submission that is recalled: its files show what they showed before. Where a colleague has to
 * approve what more people see, an older version is kept back too if somebody would see it who has never seen it.
 */
export async function holdVersions(trx: Trx, submission: number): Promise<void> {
  await sql`update file_versions set is_held_back = true where submission_id = ${submission}`.execute(trx)
  const { rows } = await sql<{ id: number }>`
    select id from files where submission_id = ${submission} and is_held_back`.execute(trx)
  const files = rows.map(({ id }) => id)
  if (await needsApproval(trx)) await keepUnseen(trx, files)
  await showNewest(trx, files)
}

/** Holds all versions of those files whose newest one somebody would see for the first time. They stay in the list of versions. */
async function keepUnseen(trx: Trx, files: number[]): Promise<void> {
  const { rows } = await sql<{ file: number; folder: number; seen_by: number[] | null }>`
    select files.id as file, files.folder_id as folder, to_json(newest.seen_by) as seen_by from files cross join lateral (
      select seen_by from file_versions where file_id = files.id and not is_held_back order by number desc limit 1
    ) as newest where files.id = any (${files}::bigint[])`.execute(trx)
  const readers = new Map(
    (
      await listReadersOf(
        trx,
        rows.map(({ folder }) => folder),
      )
    ).map(({ folder, people }) => [folder, people]),
  )
  const unseen = rows.filter(({ folder, seen_by: seen }) =>
    (readers.get(folder) ?? []).some((person) => !seen?.includes(person)),
  )
  await sql`
    update file_versions set is_held_back = true, submission_id = null
    where file_id = any (${unseen.map(({ file }) => file)}::bigint[]) and not is_held_back`.execute(trx)
}

/** Lists who sees files outside the office, before another version of them is shown. */
async function listSeenBy(trx: Trx, files: number[]): Promise<{ file: number; people: number[] }[]> {
  const { rows } = await sql<{ file: number; folder: number }>`
    select id as file, folder_id as folder from files
    where id = any (${files}::bigint[]) and not is_held_back and deleted_at is null`.execute(trx)
  const readers = await listReadersOf(
    trx,
    rows.map(({ folder }) => folder),
  )
  return rows.map(({ file, folder }) => ({
    file,
    people: readers.find((each) => each.folder === folder)?.people ?? [],
  }))
}

/** Removes the held-back versions of a submission from it. They stay in the office's list of versions. */
export async function dropVersions(trx: Trx, actor: Actor, submission: number): Promise<void> {
  await logVersions(trx, actor, 'version-dropped', submission, sql`file_versions.number::text`)
  await sql`
    update file_versions set submission_id = null
    where submission_id = ${submission} and is_held_back`.execute(trx)
}

/** Makes each file show its newest version that is not held back, if it shows another. */
async function showNewest(trx: Trx, files: number[]): Promise<void> {
  if (files.length === 0) return
  const seen = await listSeenBy(trx, files)
  await swap(
    trx,
    sql`
      select files.id as file_id, newest.id as version_id from files cross join lateral (
        select id, number from file_versions where file_id = files.id and not is_held_back
        order by number desc limit 1
      ) as newest
      where files.id = any (${files}::bigint[]) and (files.is_held_back or newest.number > files.version)`,
    seen,
  )
  // What everybody sees of their folders has changed, although the number of files has not.
  await sql`
    update folders set changed_at = greatest(changed_at, now()), shown_changed_at = greatest(shown_changed_at, now())
    where id in (select folder_id from files where id = any (${files}::bigint[]) and deleted_at is null)`.execute(
    trx,
  )
}

/**
 * Swaps the shown bytes of files with the given versions. Nothing is copied: a blob is in one row. `seen` are the
 * people outside the office who have seen the old bytes.
 */
async function swap(
  trx: Trx,
  which: RawBuilder<unknown>,
  seen: { file: number; people: number[] }[] = [],
): Promise<void> {
  await sql`
    with chosen as materialized (${which}), swapped as materialized (
      select files.id as file_id, file_versions.id as version_id,
        files.version, files.blob_id, files.submission_id, files.is_held_back, files.version_at, files.version_by,
        files.shown_at, files.released_at,
        case when isfinite(files.version_at) then files.version_at else files.created_at end as added_at,
        file_versions.number as new_version, file_versions.blob_id as new_blob_id,
        file_versions.submission_id as new_submission_id, file_versions.is_held_back as new_is_held_back,
        file_versions.version_at as new_version_at, file_versions.version_by as new_version_by,
        file_versions.shown_at as new_shown_at, file_versions.released_at as new_released_at
      from chosen join files on files.id = chosen.file_id join file_versions on file_versions.id = chosen.version_id
    ), put_away as (
      update file_versions set number = version, blob_id = swapped.blob_id, submission_id = swapped.submission_id,
        is_held_back = swapped.is_held_back, version_at = swapped.version_at, version_by = swapped.version_by,
        shown_at = swapped.shown_at, released_at = swapped.released_at, added_at = swapped.added_at,
        seen_by = coalesce((
          select array(select json_array_elements_text(people)::bigint)
          from json_to_recordset(${JSON.stringify(seen)}::json) as seen (file bigint, people json)
          where seen.file = swapped.file_id), '{}')
      from swapped where file_versions.id = swapped.version_id
    )
    update files set version = new_version, blob_id = new_blob_id, submission_id = new_submission_id,
      is_held_back = new_is_held_back, version_at = new_version_at, version_by = new_version_by,
      shown_at = new_shown_at, released_at = new_released_at
    from swapped where files.id = swapped.file_id`.execute(trx)
}

/** Replaces the bytes of a file that nobody outside the office has seen yet. It stays in its release. */
export async function replaceHeldBack(trx: Trx, actor: Actor, { fileId, blobId }: NewVersion): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with held as materialized (
      select id from blobs where id = ${blobId}::bigint and state = 'stored' for share
    ), numbered as (
      update files set last_version = last_version + 1 where id = ${fileId} returning last_version, version_at
    )
    insert into file_versions (file_id, number, blob_id, submission_id, is_held_back, version_by, version_at)
    select ${fileId}, last_version, held.id, null, true, ${actor.userId}::bigint, version_at from held, numbered
    returning id`.execute(trx)
  if (rows.length === 0) throw conflict('Filen er ikke længere på serveren. Send den igen.')
  await showInstead(trx, fileId, rows[0]!.id)
}

/** Shows a version of a file that is held back instead of its present one, in the same release. */
export async function showInstead(trx: Trx, fileId: number, versionId: number): Promise<void> {
  const { rows } = await sql<{ submission_id: number | null }>`
    select submission_id from files where id = ${fileId}`.execute(trx)
  await swap(trx, sql`select ${fileId}::bigint as file_id, ${versionId}::bigint as version_id`)
  // The version that is put away belongs to no release: it was never shown.
  await sql`update file_versions set submission_id = null where id = ${versionId}`.execute(trx)
  await sql`
    update files set submission_id = ${rows[0]!.submission_id}::bigint, is_held_back = true where id = ${fileId}`.execute(
    trx,
  )
}
