import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { EVERYTHING } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { isBetweenYears, yearOf } from '../../files/file/file-year.db.ts'
import { isOffice } from '../../rights.ts'
import { expectsText } from '../../projects/expected/expects.ts'
import { listFolders } from '../../projects/folders.db.ts'
import type { Database } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { listRules, readDuties, seenDuties } from '../obligations/duties.db.ts'
import { listColleagues, listObligations } from '../obligations/obligations.db.ts'
import type { ObligationsPageProps } from '../obligations/obligations-page.tsx'
import type { YearChoices } from '../obligations/year-filters.tsx'
import { dutyState, IS_NOBODYS, IS_OPEN, isLate } from '../obligations/duty-state.db.ts'
import { HAS_RECEIPT } from '../receipts/fits.db.ts'
import { DUTY_STATES, OPEN_STATES, type DutyState } from '../obligations/duty-state.ts'
import { ALL_DUTIES, WITH_RECEIPT, type Duty, type DutyCounts, type DutyQuery } from '../obligations/duty.ts'
import { MOST_COUNTED, type Some } from './due.ts'

/** Condition on `duties` and `projects`: found by all filters but the state. */
export function isFiltered({ year, rule, person, q }: DutyQuery): RawBuilder<boolean> {
  const conditions = [
    year !== null && isBetweenYears(sql`duties.period`, year, year),
    rule === WITH_RECEIPT && HAS_RECEIPT,
    rule !== null &&
      rule !== WITH_RECEIPT &&
      sql<boolean>`(duties.obligation_id in (select id from obligations where title = ${rule})
        or duties.folder_id in (select id from folders where name = ${rule}))`,
    person === 'none' && IS_NOBODYS,
    typeof person === 'number' && sql<boolean>`duties.responsible_id = ${person}`,
    q !== '' && isFound(sql<string>`projects.search`, q),
  ].filter((each) => each !== false)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

const isInState = (state: DutyQuery['state'], today: string) =>
  state === 'open' ? IS_OPEN : sql<boolean>`${dutyState(today)} = ${state}`

/** Condition on `duties` and `projects`: found by a query. */
export const isAsked = (query: DutyQuery, today: string) =>
  sql<boolean>`(${isInState(query.state, today)} and ${isFiltered(query)})`

/** Lists duties: what is open by its last day, what is done with the newest first. */
export function listDuties(
  db: Database,
  reader: Reader,
  query: DutyQuery,
  today: string,
): Promise<Page<Duty>> {
  return readPage(
    db,
    { ...EVERYTHING, page: query.page },
    {
      ...(query.all && { perPage: MOST_PRINTED }),
      id: sql<number>`duties.id`,
      found: sql`from ${seenDuties(reader)} where ${isAsked(query, today)}`,
      order:
        query.state === 'done'
          ? sql`done_at desc, duties.id`
          : sql`duties.due_on, projects.number, duties.id`,
      read: (ids) => readDuties(db, reader, sql<boolean>`duties.id = any (${ids})`, today),
    },
  )
}

/** A list that is printed has at most so many. */
const MOST_PRINTED = 5000

/** Lists the first `most` of what is open, or of what one person is responsible for, by its last day. */
export const listOpen = (
  db: Database,
  reader: Reader,
  person: number | null,
  { today, most }: { today: string; most: number },
): Promise<Duty[]> => readDuties(db, reader, isAsked({ ...ALL_DUTIES, person }, today), today, most)

/** Counts the duties of each state under the other filters. */
export async function countDuties(
  db: Database,
  reader: Reader,
  query: DutyQuery,
  today: string,
): Promise<DutyCounts> {
  const { rows } = await sql<{ state: DutyState; count: number }>`
    select state, count(*)::integer as count from (
      select ${dutyState(today)} as state from ${seenDuties(reader)} where ${isFiltered(query)}) as found
    group by state`.execute(db)
  const known = new Map(rows.map(({ state, count }) => [state, count]))
  return Object.fromEntries(DUTY_STATES.map((state) => [state, known.get(state) ?? 0])) as DutyCounts
}

/** Lists what asks for duties, with how much of each is open, under the other filters than the state. */
export async function listRuleCounts(
  db: Database,
  reader: Reader,
  query: DutyQuery,
  today: string,
): Promise<Pick<ObligationsPageProps, 'obligations' | 'folders'>> {
  const count = (state: DutyState) =>
    sql`count(*) filter (where state = ${state})::integer as ${sql.ref(state)}`
  const [{ rows }, obligations, template] = await Promise.all([
    sql<{ obligation: number | null; name: string; late: number; missing: number; coming: number }>`
      select obligation, name, ${sql.join(OPEN_STATES.map(count))} from (
        select duties.obligation_id as obligation,
          case when duties.obligation_id is null then folders.name else '' end as name, ${dutyState(today)} as state
        from ${seenDuties(reader)} left join folders on folders.id = duties.folder_id
        where ${isFiltered(query)}) as found
      group by obligation, name order by name`.execute(db),
    listObligations(db, reader),
    listFolders(db, 'template'),
  ])
  const byId = new Map(rows.map((row) => [row.obligation, row]))
  const expects = new Map(template.map((folder) => [folder.name, expectsText(folder)]))
  return {
    obligations: obligations
      .filter(({ id, title }) => byId.has(id) || (query.rule === null ? isBare(query) : title === query.rule))
      .map((each) => ({ ...each, open: byId.get(each.id) ?? { late: 0, missing: 0, coming: 0 } })),
    folders: rows
      .filter(({ obligation }) => obligation === null)
      .map(({ name, ...open }) => ({ name, expects: expects.get(name) ?? '', open })),
  }
}

/** Whether a query asks for everything: then obligations without duties are shown too. */
const isBare = ({ year, person, q }: DutyQuery) => year === null && person === null && q === ''

/** Reads what the filters offer, with the number of duties of each state. */
export async function readChoices(
  db: Database,
  reader: Reader,
  query: DutyQuery,
  today: string,
): Promise<YearChoices> {
  const isOurs = isOffice(reader.role)
  const [years, rules, people, counts] = await Promise.all([
    listYears(db, reader, today),
    listRules(db, reader),
    isOurs ? listColleagues(db) : [],
    isOurs ? countDuties(db, reader, query, today) : NO_COUNTS,
  ])
  return { years, rules, people, counts }
}

const NO_COUNTS = Object.fromEntries(DUTY_STATES.map((state) => [state, 0])) as DutyCounts

/** How many years back those outside the office can look, whatever is there. */
const YEARS_OFFERED = 10

/** Lists the years that can be chosen, newest first. */
async function listYears(db: Database, reader: Reader, today: string): Promise<number[]> {
  const now = Number(today.slice(0, 4))
  if (!isOffice(reader.role)) return Array.from({ length: YEARS_OFFERED }, (_, index) => now - index)
  // Jumps from year to year in the indexes.
  const first = (condition: RawBuilder<unknown>) => sql`(select ${yearOf(sql`period`)} from (
      (select period from duties where ${condition} order by period limit 1) union all
      (select period from year_cells where files_count > 0 and ${condition} order by period limit 1)
    ) as each order by period limit 1)`
  const { rows } = await sql<{ year: number }>`
    with recursive years as (
      select ${first(sql`true`)} as year
      union all
      select ${first(sql`period >= (years.year + 1)::text`)} from years where years.year is not null
    )
    select year from years where year is not null`.execute(db)
  const known = new Set([...rows.map(({ year }) => year), now, now - 1])
  return [...known].sort((a, b) => b - a)
}

/** Lists what became late last, with how much is late, and what is due next. Reads an index as far as it is shown. */
export async function listNearest(
  db: Database,
  reader: Reader,
  today: string,
  most: number,
): Promise<{ late: Some<Duty>; next: Duty[] }> {
  const nearest = (condition: RawBuilder<boolean>, way: RawBuilder<unknown>) => sql`(
    select duties.id, duties.due_on from ${seenDuties(reader)} where ${IS_OPEN} and ${condition}
    order by duties.due_on ${way}, projects.number, duties.id limit ${most})`
  const { rows } = await sql<{ id: number; due_on: string }>`
    select id, due_on::text as due_on from (
      ${nearest(isLate(today), sql`desc`)} union all ${nearest(sql<boolean>`not ${isLate(today)}`, sql`asc`)}
    ) as due`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      select from ${seenDuties(reader)} where ${IS_OPEN} and ${isLate(today)} limit ${MOST_COUNTED + 1}) as late`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  const duties =
    ids.length === 0 ? [] : await readDuties(db, reader, sql<boolean>`duties.id = any (${ids})`, today)
  const byId = new Map(duties.map((duty) => [duty.id, duty]))
  const those = (isMeant: boolean) =>
    rows.filter((row) => row.due_on < today === isMeant).flatMap(({ id }) => byId.get(id) ?? [])
  return { late: { rows: those(true), total: counted[0]!.total }, next: those(false) }
}
