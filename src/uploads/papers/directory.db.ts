import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen, isPersonSeen, isProjectSeen } from '../../access/seen.db.ts'
import { isAudited } from '../../projects/members.db.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import {
  makeDirectory,
  type Directory,
  type KnownFolder,
  type KnownPerson,
  type KnownProject,
} from './directory.ts'
import { TITLES_BEFORE } from '../../base/person-name.ts'

/** Which projects and people are asked for: certain ones, or those whom some papers may name. */
type Only = { projects: number[]; people: number[] } | { mentions: Mentions }

/** Every word and every CVR number of some papers, as compared, and the people whom the page names. */
export type Mentions = { words: string[]; cvrs: string[]; people: number[] }

/** Reads projects and investors that papers may name, among those that the reader sees. An office may have many thousands. */
export async function readDirectory(db: Database | Trx, reader: Reader, only?: Only): Promise<Directory> {
  const ids = only && 'projects' in only ? only : null
  const { rows: projects } = await sql<KnownProject>`
    select id, number, name, cvr, ${isAudited(sql`projects.id`)} as has_auditor
    from projects where ${isProjectSeen(reader)} ${ids ? sql`and id = any (${ids.projects})` : sql``}`.execute(
    db,
  )
  const { rows: people } = await sql<KnownPerson>`
    select users.id, users.name,
      array(select number from user_numbers where user_id = users.id order by number) as numbers,
      coalesce((select json_agg(json_build_object('name', name, 'cvr', cvr))
        from report_companies where user_id = users.id), '[]') as companies,
      coalesce((select json_agg(project_id) from project_members where user_id = users.id), '[]') as projects
    from users where role = any (${rolesThat(hasOwnFiles)}) and ${isPersonSeen(reader)}
      ${ids ? sql`and id = any (${ids.people})` : sql``}
      ${only && 'mentions' in only ? sql`and ${isMentioned(only.mentions)}` : sql``}`.execute(db)
  return makeDirectory(projects, people)
}

const TITLED = `^((${TITLES_BEFORE.join('|')})[. ]+)+`

/** Condition on `users`: the first word of their name or of a company of theirs, or a number, is among those of the papers. */
function isMentioned({ words, cvrs, people }: Mentions): RawBuilder<boolean> {
  // `search` begins with the name, nearly as it is compared.
  const spelled = (text: RawBuilder<string>) =>
    sql<string>`replace(replace(replace(${text}, 'å', 'aa'), 'æ', 'ae'), 'ø', 'oe')`
  const first = (text: RawBuilder<string>) => sql<string>`
    ${spelled(sql`substring(${text} from '^[^ /.,\n-]+')`)} collate "C"`
  // 'Dr. med. Anne Holm' is looked up as Anne.
  const untitled = sql<string>`regexp_replace(${spelled(sql`split_part(users.search, E'\n', 1)`)}, ${TITLED}, '')`
  const bare = sql<string>`regexp_replace(folded(report_companies.name), '^(k/s|ks|kommanditselskabet) +', '')`
  return sql<boolean>`(users.id = any (${people}) or ${first(sql`users.search`)} = any (${words})
    or (${first(sql`users.search`)} = any (${TITLES_BEFORE}) and ${first(untitled)} = any (${words}))
    or users.id in (select user_id from user_numbers where lower(number) = any (${words}))
    or users.id in (select user_id from report_companies where cvr = any (${cvrs}) or ${first(bare)} = any (${words})))`
}

/** Reads the folders of some projects, by project. */
export async function readFolders(
  db: Database | Trx,
  reader: Reader,
  projects: number[],
): Promise<Map<number, KnownFolder[]>> {
  const { rows } = await sql<KnownFolder>`
    select id, name, sub_names, visible_to_investors, project_id from folders
    where project_id = any (${projects}) and ${isFolderSeen(reader)} order by project_id, place`.execute(db)
  return Map.groupBy(rows, ({ project_id: project }) => project)
}
