import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { EVERYTHING } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { isBetweenYears } from '../../files/file/file-year.db.ts'
import type { Database } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { readDuties, seenDuties } from '../obligations/duties.db.ts'
import { dutyState, IS_NOBODYS, IS_OPEN, isLate } from '../obligations/duty-state.db.ts'
import { DUTY_STATES, type DutyState } from '../obligations/duty-state.ts'
import { HAS_RECEIPT } from '../receipts/fits.db.ts'
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
  isWhole = false,
): Promise<Page<Duty>> {
  return readPage(
    db,
    { ...EVERYTHING, page: query.page, ...(isWhole && { perPage: MOST_PRINTED }) },
    {
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
