import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
import { HELD_PAPERS, SHOWN_AS } from './held-papers.db.ts'
import { MOST_ACCEPTED, type DoubtedPaper, type HeldPapers } from './held.ts'

/** How many doubts a page shows. */
const MOST_SHOWN = 100
/** After this long somebody may accept a paper that is not read: the computer may never read it. */
const SLOW_MINUTES = 10

/** Which held papers: all of the office's, those of one upload, or those that came from a directory. */
type Which = 'all' | 'directories' | { submission: RawBuilder<number> | number }

const isOne = (which: Which) =>
  which === 'all'
    ? sql`true`
    : which === 'directories'
      ? sql`held.submission_id is null`
      : sql`held.submission_id = ${which.submission}`

/** The upload that a release is made of. */
export const submissionOf = (release: number): RawBuilder<number> =>
  sql<number>`(select submission_id from releases where id = ${release})`

/** The upload that a person's form made. */
export const submissionBy = (user: number, key: string): RawBuilder<number> =>
  sql<number>`(select id from submissions where user_id = ${user} and key = ${key})`

/** Lists papers that only the office sees because they are not read, or because of their contents. */
export async function listHeld(db: Database, reader: Reader, which: Which): Promise<HeldPapers> {
  const seen = sql`${HELD_PAPERS} join files on files.id = held.file_id
    join folders on folders.id = files.folder_id where ${isFileShown(reader)} and ${isOne(which)}`
  const { rows: counts } = await sql<Omit<HeldPapers, 'doubts'>>`
    select count(distinct held.blob_id) filter (where held.cause <> 'scan' or not files.from_investor)::integer as papers,
      count(distinct held.blob_id) filter (where held.cause = 'reading'
        or held.cause = 'scan' and not files.from_investor)::integer as reading,
      count(distinct held.blob_id) filter (where held.cause = 'scan' and not files.from_investor and not exists (
        select from held_papers where held_papers.blob_id = held.blob_id and held_papers.cause = 'reading'))::integer as scanning,
      (coalesce(array_agg(${SHOWN_AS}) filter (where held.cause = 'reading'
        and held.held_at < now() - make_interval(mins => ${SLOW_MINUTES}::integer)), '{}'))[1:${sql.lit(MOST_ACCEPTED)}] as slow,
      count(distinct held.blob_id) filter (where held.cause in ('doubt', 'virus', 'unscanned'))::integer as total,
      (coalesce(array_agg(${SHOWN_AS}) filter (where held.cause = 'doubt'
        and not held.found @? '$[*] ? (@.kind <> "unreadable")'), '{}'))[1:${sql.lit(MOST_ACCEPTED)}] as unreadable
    from ${seen}`.execute(db)
  const { rows } = await sql<DoubtedPaper>`
    select doubts.paper, doubts.shown_as, doubts.name, doubts.path, doubts.is_version, doubts.found, doubts.is_virus,
      json_build_object('id', folders.id, 'name', folders.name) as folder,
      case when projects.id is null then json_build_object('user', users.id)
        else json_build_object('project', projects.id) end as owner,
      coalesce(projects.number || ' ' || projects.name, users.name) as place
    from (
      select held.blob_id as paper, ${SHOWN_AS} as shown_as, files.name, files.key || '/' || files.name as path, held.is_version,
        held.found, files.folder_id, held.cause = 'virus' as is_virus
      from ${seen} and (held.cause = 'virus' or held.cause in ('doubt', 'unscanned') and not exists (
        select from held_papers where held_papers.blob_id = held.blob_id and held_papers.cause = 'virus'))
      order by held.cause <> 'virus', held.blob_id limit ${MOST_SHOWN}
    ) as doubts
    join folders on folders.id = doubts.folder_id
    left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
    order by projects.number collate danish, users.name collate danish, folders.place, doubts.paper`.execute(
    db,
  )
  return { ...counts[0]!, doubts: rows }
}
