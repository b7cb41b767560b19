import { sql } from 'kysely'
import { OUTSIDE_ROLES } from '../../access/outside-readers.db.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import type { Database } from '../../server/database/database.ts'
import { submissionOf } from '../held/list-held.db.ts'
import type { Accepted, Doubts } from './unusual.ts'

/** Condition on the files of a release: people could see an older version before. */
export const IS_VERSION = sql<boolean>`(files.held_version is not null or files.version_at > '-infinity')`

/** Folders with several papers are unusual if they are at most one in this many. */
const RARE = 5

/** Finds what is unusual about the papers of a release. */
export async function readDoubts(db: Database, release: number): Promise<Doubts> {
  const submission = submissionOf(release)
  const { rows } = await sql<Omit<Doubts, 'accepted'>>`
    with papers as materialized (
      select files.id, files.folder_id, files.deleted_at, ${IS_VERSION} as is_version from ${filesOf(submission)}
    ), folders as (
      select count(*) as papers from papers where deleted_at is null group by folder_id
    )
    select (select count(*)::integer from papers where deleted_at is not null) as deleted,
      (
        select count(*)::integer from file_versions
        where file_versions.submission_id = ${submission} and not file_versions.is_held_back
      ) as replaced,
      (
        select case when ${sql.lit(RARE)} * count(*) filter (where papers > 1) <= count(*)
          then count(*) filter (where papers > 1) else 0 end::integer from folders
      ) as crowded,
      (
        select count(*)::integer from papers where deleted_at is null and is_version and exists (
          select from file_reads join users on users.id = file_reads.user_id and users.role = any (${OUTSIDE_ROLES})
          where file_reads.file_id = papers.id)
      ) as reopened`.execute(db)
  const { rows: accepted } = await sql<Omit<Accepted, 'at'> & { at: Date }>`
    select users.name as by, count(distinct log.file_id)::integer as papers, max(log.at) as at
    from ${filesOf(submission)} join log on log.file_id = files.id and log.act = 'contradiction-accepted'
    join releases on releases.id = ${release} and log.at >= releases.made_at - interval '1 minute'
    join users on users.id = log.user_id
    -- Not of a version that came with a later release, and still waits there.
    where not exists (
      select from file_versions join releases as later on later.submission_id = file_versions.submission_id
      where file_versions.file_id = files.id and later.id > releases.id
        and log.at >= later.made_at - interval '1 minute')
    group by users.id order by at`.execute(db)
  return {
    ...rows[0]!,
    accepted: accepted.map(({ at, ...each }) => ({ ...each, at: at.toISOString() })),
  }
}
