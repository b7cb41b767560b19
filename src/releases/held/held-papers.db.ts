import { sql } from 'kysely'

/** Part of a query, after `from`: the papers that are held, as `held`. A version that was given up is not one. */
export const HELD_PAPERS = sql`(
  select held_papers.*, files.id as file_id, files.folder_id, files.name, files.deleted_at, files.submission_id,
    false as is_version
  from held_papers join files on files.blob_id = held_papers.blob_id
  union all
  select held_papers.*, files.id, files.folder_id, files.name, files.deleted_at, file_versions.submission_id, true
  from held_papers join file_versions on file_versions.blob_id = held_papers.blob_id
  join files on files.id = file_versions.file_id
  where file_versions.is_held_back and file_versions.submission_id is not null
) as held`

/**
 * A paper as a page shows it, of `held` and `folders`: '41-9f2c6b1a'. It changes when the paper is moved, renamed,
 * compared or opened to others, so accepting the one does not accept the other.
 */
export const SHOWN_AS = sql<string>`held.blob_id || '-' || left(md5(concat_ws('|', held.cause, held.held_at, held.found,
  held.folder_id, held.name, folders.visible_to_investors)), 8)`
