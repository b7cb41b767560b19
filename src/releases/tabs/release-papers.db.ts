import { sql, type RawBuilder } from 'kysely'
import { JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isReleased, isVersionSeen } from '../../access/seen.db.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { HELD, VERSION_HELD } from '../../files/file/file-fields.db.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import type { Database } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { HELD_PAPERS } from '../held/held-papers.db.ts'
import { submissionOf } from '../held/list-held.db.ts'
import { checkRelease } from '../release/release-list.db.ts'
import { IS_VERSION } from '../summary/doubts.db.ts'
import { MOST_READERS, type PaperFilter, type ReleasePaper } from '../release/release-paper.ts'

/** Lists the papers of a release that are not in the trash, by project, person and folder. */
export async function listReleasePapers(
  db: Database,
  reader: Reader,
  release: number,
  query: ListQuery,
): Promise<Page<ReleasePaper>> {
  await checkRelease(db, release)
  const submission = submissionOf(release)
  return readPage(db, query, {
    id: sql<number>`files.id`,
    found: sql`from ${filesOf(submission)} join folders on folders.id = files.folder_id
      left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
      where files.deleted_at is null and ${isFolderSeen(reader)} and ${isPassed(submission, query.filter as PaperFilter | undefined)}
        and (${isFound(sql`files.search`, query.q)} or ${isFound(sql`coalesce(projects.search, users.search)`, query.q)})`,
    order: sql`projects.number collate danish, users.name collate danish, folders.place, folders.id, files.position, files.id`,
    read: (ids) => readPapers(db, reader, submission, ids),
  })
}

function isPassed(submission: RawBuilder<number>, filter: PaperFilter | undefined): RawBuilder<boolean> {
  if (filter === 'versions') return IS_VERSION
  if (filter === 'held')
    return sql<boolean>`files.id in (
      select held.file_id from ${HELD_PAPERS} where held.submission_id = ${submission})`
  if (filter === 'crowded')
    return sql<boolean>`files.folder_id in (
      select files.folder_id from ${filesOf(submission)} where files.deleted_at is null
      group by files.folder_id having count(*) > 1)`
  return sql<boolean>`true`
}

async function readPapers(
  db: Database,
  reader: Reader,
  submission: RawBuilder<number>,
  ids: number[],
): Promise<ReleasePaper[]> {
  const { rows } = await sql<ReleasePaper>`
    with own as materialized (
      select files.id, files.folder_id, files.held_version, ${IS_VERSION} as is_version
      from ${filesOf(submission)} where files.id = any (${ids})
    ), readers as materialized (
      select folders.id as folder_id, count(distinct users.id)::integer as total,
        (array_agg(distinct users.name order by users.name))[1:${sql.lit(MOST_READERS)}] as first
      from folders ${JOIN_OUTSIDE_READERS} where folders.id in (select folder_id from own) group by folders.id
    )
    select files.id, files.name, files.key || '/' || files.name as path, blobs.size, blobs.type as mime,
      case when projects.id is null then json_build_object('user', users.id)
        else json_build_object('project', projects.id) end as owner,
      json_build_object('id', folders.id, 'name', folders.name) as folder,
      coalesce(projects.number || ' ' || projects.name, users.name) as place,
      case when file_versions.id is null then ${HELD} else ${VERSION_HELD} end as held,
      file_versions.blob_id as held_version, own.is_version,
      json_build_object('total', coalesce(readers.total, 0), 'first', coalesce(to_json(readers.first), '[]')) as readers
    from own join files on files.id = own.id
    left join file_versions on file_versions.id = own.held_version
    join blobs on blobs.id = coalesce(file_versions.blob_id, files.blob_id)
    join folders on folders.id = files.folder_id
    left join readers on readers.folder_id = folders.id
    left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
    where ${isFolderSeen(reader)} and ${isReleased(reader)}
      and (own.held_version is null or ${isVersionSeen(reader)})`.execute(db)
  return rows
}
