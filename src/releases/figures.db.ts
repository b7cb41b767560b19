import { sql } from 'kysely'
import { JOIN_OUTSIDE_READERS } from '../access/outside-readers.db.ts'
import type { FileReach } from '../log/words/entry.ts'
import { IS_OF_SHOWN } from '../projects/news/news.db.ts'
import type { ProjectRelease } from '../projects/project/project.ts'
import type { Database } from '../server/database/database.ts'
import { prepare } from '../server/database/prepared.ts'

/** How many of the newest files of each folder are looked at for the newest release. */
const A_FEW = 5

type ReleaseRow = Omit<ProjectRelease, 'published_at'> & { published_at: Date }

const newestRelease = prepare<{ project: number }, ReleaseRow>(
  ({ project }) => sql`
    with newest as materialized (
      select releases.id, releases.submission_id, releases.published_at from releases
      where releases.state = 'published' and releases.submission_id in (
        select latest.submission_id from folders cross join lateral (
          select submission_id from files
          where files.folder_id = folders.id and files.deleted_at is null and not files.is_held_back
          order by files.shown_at desc limit ${A_FEW}::integer) as latest
        where folders.project_id = ${project}::bigint)
      order by releases.published_at desc, releases.id desc limit 1
    ), released as materialized (
      select files.id, files.folder_id, files.version_at from newest join files on files.submission_id = newest.submission_id
      join folders on folders.id = files.folder_id and folders.project_id = ${project}::bigint
      where files.deleted_at is null and not files.is_held_back
    ), reached as (
      select distinct users.id from folders ${JOIN_OUTSIDE_READERS}
      where folders.id in (select folder_id from released)
    )
    select newest.id, newest.published_at, (select count(*)::integer from released) as files,
      (select count(*)::integer from reached) as reached,
      (
        select count(*)::integer from reached where exists (
          select from released as files join file_reads on file_reads.file_id = files.id and ${IS_OF_SHOWN}
          where file_reads.user_id = reached.id)
      ) as opened
    from newest`,
)

/** Finds the newest published release with files in a project, and who of those that see them has opened some. */
export async function findProjectRelease(db: Database, project: number): Promise<ProjectRelease | null> {
  const [row] = await newestRelease(db, { project })
  return row ? { ...row, published_at: row.published_at.toISOString() } : null
}

/** Counts who outside the office sees a file now, and has opened it. Null for a deleted file. */
export async function findFileReach(db: Database, file: number): Promise<FileReach | null> {
  const { rows } = await sql<FileReach>`
    select (
        select releases.id from releases where releases.submission_id = files.submission_id
      ) as release, reached.people as reached, reached.opened
    from files cross join lateral (
      select count(*)::integer as people, count(file_reads.at)::integer as opened
      from folders ${JOIN_OUTSIDE_READERS}
      left join file_reads on file_reads.file_id = files.id and file_reads.user_id = users.id and ${IS_OF_SHOWN}
      where folders.id = files.folder_id and not files.is_held_back
    ) as reached
    where files.id = ${file} and files.deleted_at is null`.execute(db)
  return rows[0] ?? null
}
