import { sql } from 'kysely'
import { filesOf } from '../../files/versions/shown.db.ts'
import type { Database } from '../../server/database/database.ts'
import { releaseName, type Naming } from './release-name.ts'
import { CROSSES_NEW_YEAR } from '../../projects/members.db.ts'

/** A release of many kinds is named after those with the most papers. */
const MOST_KINDS = 20

/** How the name of a person's own file begins: 'Årsopgørelse' of 'Årsopgørelse 2025 (Bo Holm).pdf'. */
const BEGINNING = sql`nullif(btrim(substring(files.name from '^[^(0-9._]*'), ' -–,'), '')`

/**
 * Column of `releases`: what it is named after, for `releaseName`. Papers in the trash, and those that a newer version has
 * replaced, count only if there are no others.
 */
export const NAMING = sql`(
  with present as materialized (
    select folder_id, name, period, deleted_at is not null as is_gone from ${filesOf(sql`releases.submission_id`)}
  ), papers as materialized (
    select folders.project_id, folders.user_id, folders.project_id is null as is_own,
      case when folders.project_id is null then ${BEGINNING} else folders.name end as kind, files.period,
      files.is_gone
    from (
      select * from present union all
      select files.folder_id, files.name, files.period, true from file_versions
      join files on files.id = file_versions.file_id
      where file_versions.submission_id = releases.submission_id and not file_versions.is_held_back
        and not exists (select from present)
    ) as files join folders on folders.id = files.folder_id
  ), named as materialized (
    select * from papers where not is_gone or (select bool_and(is_gone) from papers)
  ), contents as (
    select kind, is_own, period, count(*)::integer as papers from named group by kind, is_own, period
    order by papers desc, kind, period limit ${sql.lit(MOST_KINDS)}
  ), owners as (
    select count(distinct project_id)::integer as projects, count(distinct user_id)::integer as people,
      min(project_id) as project_id, min(user_id) as user_id from named
  )
  select json_build_object(
    'given', releases.name,
    'contents', (select coalesce(json_agg(contents order by papers desc, kind, period), '[]') from contents),
    'projects', projects, 'people', people,
    'owner', case when projects + people = 1 then coalesce(
      (select name from projects where projects.id = owners.project_id),
      (select name from users where users.id = owners.user_id)) end,
    'crosses_new_year', projects = 1 and people = 0 and (
      select ${CROSSES_NEW_YEAR} from projects where projects.id = owners.project_id))
  from owners)`

/** Returns the names of releases by their ids. */
export async function nameReleases(db: Database, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; naming: Naming }>`
    select id, ${NAMING} as naming from releases where id = any (${ids})`.execute(db)
  return new Map(rows.map(({ id, naming }) => [id, releaseName(naming)]))
}
