import { sql, type RawBuilder } from 'kysely'
import { GETS_MAILS_ABOUT, JOIN_OUTSIDE_READERS, OUTSIDE_ROLES } from '../access/outside-readers.db.ts'
import { IS_INVITED } from '../accounts/users/invited.db.ts'
import type { ListQuery } from '../base/list-query.ts'
import { pageInfo, type Page } from '../base/pagination.ts'
import { filesOf } from '../files/versions/shown.db.ts'
import { IS_OF_SHOWN } from '../projects/news/news.db.ts'
import type { Database } from '../server/database/database.ts'
import { isFound } from '../server/database/search.db.ts'
import { notFound } from '../server/http/errors.ts'
import type { PersonLine } from './people-csv.ts'
import {
  MOST_PERSON_FILES,
  withTexts,
  type Moments,
  type PeopleCounts,
  type PersonFile,
  type PersonFilter,
  type ReleasePerson,
} from './release/release.ts'
import { NO_RELEASE } from './approval/locked-release.db.ts'

/** People and counts: a row for everybody outside the office who sees some of the files, or has opened some. */
const peopleOf = (id: number) => sql`
  with places as materialized (
    select files.folder_id, count(*) as files from releases join ${filesOf(sql`releases.submission_id`)} on true
    where releases.id = ${id} and files.deleted_at is null group by files.folder_id
  ), reached as (
    select users.id, sum(places.files)::integer as files, bool_or(${GETS_MAILS_ABOUT}) as is_told
    from places join folders on folders.id = places.folder_id ${JOIN_OUTSIDE_READERS}
    group by users.id
  ), opened as (
    select file_reads.user_id as id, count(*)::integer as opened, max(file_reads.at) as opened_at
    from releases join ${filesOf(sql`releases.submission_id`)} on true
    join file_reads on file_reads.file_id = files.id and ${IS_OF_SHOWN}
    join users on users.id = file_reads.user_id and users.role = any (${OUTSIDE_ROLES})
    where releases.id = ${id} group by file_reads.user_id
  ), people as (
    select id, coalesce(reached.files, 0) as files, coalesce(opened.opened, 0) as opened, opened.opened_at,
      reached.is_told
    from reached full join opened using (id)
  )`

/** Part of a query after `peopleOf`: the people whom a search and a filter find. */
const foundPeople = (id: number, query: ListQuery) => sql`
  people join users using (id)
  left join release_people on release_people.release_id = ${id} and release_people.user_id = users.id
  where ${isFound(sql<string>`users.search`, query.q)} and ${isPassed(id, query.filter as PersonFilter | undefined)}`

function isPassed(id: number, filter: PersonFilter | undefined): RawBuilder<boolean> {
  if (filter === 'opened') return sql<boolean>`people.opened > 0`
  if (filter === 'unopened') return sql<boolean>`people.opened = 0`
  if (filter === 'silent')
    return sql<boolean>`people.files > 0 and (not ${IS_INVITED} or not coalesce(people.is_told, false)
      or users.mail_rate = 'never' and not (select is_for_everybody from releases where id = ${id}))`
  if (filter === 'failed') return sql<boolean>`release_people.outcome = 'failed'`
  return sql<boolean>`true`
}

const PER_PAGE = 25

export async function listReleasePeople(
  db: Database,
  id: number,
  query: ListQuery,
): Promise<Page<ReleasePerson>> {
  const submission = await getSubmission(db, id)
  type Row = Omit<Moments<ReleasePerson>, 'named'> & { total: number }
  const { rows } = await sql<Row | { id: null; total: number }>`
    ${peopleOf(id)}, found as materialized (
      select users.id, users.name, people.files, people.opened, people.opened_at,
        not has_way_in(users) as never_in, ${IS_INVITED} as is_invited, release_people.told_at, release_people.reason,
        case when release_people.user_id is not null then coalesce(outcome, 'waiting') end as mail
      from ${foundPeople(id, query)}
    )
    select counted.total, page.* from (select count(*)::integer as total from found) as counted
    left join (
      select found.* from found
      order by ${orderOf(query)} limit ${PER_PAGE} offset ${(query.page - 1) * PER_PAGE}
    ) as page on true`.execute(db)
  const { total } = rows[0]!
  const data = rows.filter((row): row is Row => row.id !== null)
  const files = await listPersonFiles(
    db,
    submission,
    data.map((row) => row.id),
    MOST_PERSON_FILES,
  )
  return {
    data: data.map(({ total: _total, ...row }) => ({
      ...withTexts<Omit<ReleasePerson, 'named'>>(row),
      named: (files.get(row.id) ?? []).map(({ id: file, name, opened_at }) =>
        withTexts<PersonFile>({ id: file, name, opened_at }),
      ),
    })),
    meta: pageInfo({ page: query.page, perPage: PER_PAGE, total, rows: data.length }),
  }
}

function orderOf({ sort }: ListQuery): RawBuilder<unknown> {
  const way = sort?.direction === 'desc' ? sql`desc` : sql`asc`
  const byName = sql`found.name collate danish`
  if (sort?.column === 'opened') return sql`found.opened_at ${way} nulls first, ${byName}, found.id`
  return sql`${byName} ${way}, found.id`
}

async function getSubmission(db: Database, id: number): Promise<number> {
  const { rows } = await sql<{ submission_id: number }>`
    select submission_id from releases where id = ${id}`.execute(db)
  if (!rows[0]) throw notFound(NO_RELEASE)
  return rows[0].submission_id
}

type ReadFile = Moments<PersonFile> & { downloaded_at: Date | null }

/** Lists the files that each person sees or has opened, by name, at most `most` for each. */
async function listPersonFiles(
  db: Database,
  submission: number,
  people: number[],
  most: number,
): Promise<Map<number, ReadFile[]>> {
  if (people.length === 0) return new Map()
  const { rows } = await sql<ReadFile & { user_id: number }>`
    with reached as materialized (
      select users.id as user_id, folders.id as folder_id from folders ${JOIN_OUTSIDE_READERS}
      where users.id = any (${people}) and folders.id in (
        select folder_id from ${filesOf(submission)} where deleted_at is null)
    )
    select person.id as user_id, listed.* from unnest(${people}::bigint[]) as person (id)
    cross join lateral (
      select files.id, files.name, file_reads.at as opened_at, (
        select min(log.at) from log
        where log.file_id = files.id and log.user_id = person.id and log.act = 'file-downloaded'
          and file_reads.at is not null and log.at >= files.version_at
      ) as downloaded_at
      from ${filesOf(submission)}
      left join file_reads on file_reads.file_id = files.id and file_reads.user_id = person.id and ${IS_OF_SHOWN}
      where (file_reads.at is not null or files.deleted_at is null
        and exists (select from reached where reached.user_id = person.id and reached.folder_id = files.folder_id))
      order by files.name collate danish, files.id limit ${most}
    ) as listed`.execute(db)
  return Map.groupBy(rows, (row) => row.user_id)
}

/** Counts the people whom the release reaches now, who have opened some of it, and who were mailed but have not. */
export async function countPeopleOf(db: Database, id: number): Promise<PeopleCounts> {
  const { rows } = await sql<PeopleCounts>`
    ${peopleOf(id)}
    select count(*)::integer as reached, count(*) filter (where opened > 0)::integer as opened,
      count(*) filter (where told_at is not null)::integer as told,
      count(*) filter (where outcome in ('sent', 'failed') and opened = 0)::integer as unopened,
      count(*) filter (where outcome = 'failed')::integer as failed,
      count(*) filter (where release_people.user_id is not null and coalesce(outcome, 'nothing') = 'nothing'
        and opened = 0)::integer as again,
      count(*) filter (where people.files > 0 and not ${IS_INVITED})::integer as uninvited,
      count(*) filter (where people.files > 0 and ${IS_INVITED}
        and (not is_told or mail_rate = 'never' and not is_for_everybody))::integer as no_mail,
      count(*) filter (where people.files > 0 and is_told and ${IS_INVITED}
        and mail_rate in ('daily', 'weekly') and not is_for_everybody)::integer as later
    from people join users using (id) join releases on releases.id = ${id}
    left join release_people on release_people.release_id = ${id} and release_people.user_id = people.id`.execute(
    db,
  )
  return rows[0]!
}

/** How many lines are in memory at a time. */
const LINES_AT_ONCE = 5000

/** Yields a line for each of the people whom a search and a filter find, and each of their files, some at a time. */
export async function* readPersonLines(
  db: Database,
  id: number,
  query: ListQuery,
): AsyncGenerator<PersonLine[]> {
  const submission = await getSubmission(db, id)
  type Person = Pick<PersonLine, 'name' | 'email' | 'mail' | 'told_at'> & { id: number; files: number }
  const { rows: people } = await sql<Person>`
    ${peopleOf(id)}
    select users.id, users.name, users.email, release_people.told_at,
      case when release_people.user_id is not null then coalesce(outcome, 'waiting') end as mail,
      people.files + people.opened as files
    from ${foundPeople(id, query)} order by users.name collate danish, users.id`.execute(db)
  for (let next = 0; next < people.length;) {
    const some: Person[] = []
    for (let lines = 0; next < people.length && (some.length === 0 || lines < LINES_AT_ONCE); next++) {
      some.push(people[next]!)
      lines += people[next]!.files
    }
    const files = await listPersonFiles(
      db,
      submission,
      some.map((person) => person.id),
      MOST_FILES,
    )
    yield some.flatMap(({ id: person, files: _count, ...rest }) =>
      (files.get(person) ?? []).map(({ name: file, opened_at, downloaded_at }) => ({
        ...rest,
        file,
        opened_at,
        downloaded_at,
      })),
    )
  }
}

/** More than one form saves. */
const MOST_FILES = 100_000
