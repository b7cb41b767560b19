import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFolderSeen } from '../../access/seen.db.ts'
import { EVERYTHING } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { readAccountingYears } from '../../projects/expected/cells.db.ts'
import { isFollowed } from '../../projects/expected/followed.db.ts'
import { periodName } from '../../projects/expected/period-name.ts'
import type { Database } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { countDuties, isAsked, isDueIn, readDuties, seenDuties } from '../obligations/duties.db.ts'
import { ALL_DUTIES, type DutyCounts, type DutyQuery, type DutyState } from '../obligations/duty.ts'
import { IS_OPEN_DUTY } from '../obligations/obligations.db.ts'
import { MOST_COUNTED, type Due, type DuePaper, type Some } from './due.ts'

/** Condition on `year_cells as cells` and `projects`: an expected paper that is followed is neither there, nor a draft, nor excused. Has an index. */
export const IS_OPEN = sql<boolean>`(cells.due_on is not null and cells.files_count = 0 and cells.excuse is null
  and ${isFollowed(sql`cells.due_on`)})`

/** Condition on `cells` and `projects`: no open duty stands for the paper, with its last day or a sooner one. */
const STANDS_ALONE = sql<boolean>`not exists (
  select from duties where duties.folder_id = cells.folder_id and duties.period = cells.period
    and ${IS_OPEN_DUTY} and duties.due_on <= cells.due_on)`

/** Part of a query, after `year_cells as cells`. */
export const JOIN_PROJECTS = sql`join projects on projects.id = cells.project_id`

/** Part of a query, after `from`: the folders of such papers that the reader sees. */
const seenFolders = (reader: Reader) => sql`
  join folders on folders.id = cells.folder_id and ${isFolderSeen(reader)} ${JOIN_PROJECTS}`

const DUTY = sql`'d' || duties.id as id, duties.due_on, duties.done_at, projects.number`
const PAPER = sql`'p' || cells.folder_id || ' ' || cells.period as id, cells.due_on, null::timestamptz as done_at, projects.number`

/** Condition on `cells` and `projects`: found by a query. */
function isPaperAsked({ state, q }: DutyQuery, today: string): RawBuilder<boolean> {
  const isDue = sql<boolean>`${IS_OPEN} and ${isDueIn(state, sql<string>`cells.due_on`, today)} and ${STANDS_ALONE}`
  return q === '' ? isDue : sql<boolean>`${isDue} and ${isFound(sql<string>`projects.search`, q)}`
}

/** Whether a query finds papers, which nobody is responsible for. What is done is not listed as a paper. */
const findsPapers = ({ state, person, obligation }: DutyQuery) =>
  state !== 'done' && person === null && (obligation === null || obligation === 'papers')

/** Part of a query, from `from`: the duties and papers that a query finds. */
function foundDue(reader: Reader, query: DutyQuery, today: string): RawBuilder<unknown> {
  const papers = sql`
    union all select ${PAPER} from year_cells as cells ${seenFolders(reader)} where ${isPaperAsked(query, today)}`
  return sql`from (
    select ${DUTY} from ${seenDuties(reader)} where ${isAsked(query, today)} ${findsPapers(query) ? papers : sql``}
  ) as due`
}

/** Lists what has a last day: what is open by that day, what is done with the newest first. */
export function listDue(db: Database, reader: Reader, query: DutyQuery, today: string): Promise<Page<Due>> {
  return readPage(
    db,
    { ...EVERYTHING, page: query.page },
    {
      id: sql<string>`id`,
      found: foundDue(reader, query, today),
      order: query.state === 'done' ? sql`done_at desc, id` : sql`due_on, number, id`,
      read: (ids) => readDue(db, reader, ids),
    },
  )
}

/** Lists the first `most` of what is open, or of what one person is responsible for, by its last day. */
export async function listOpen(
  db: Database,
  reader: Reader,
  person: number | null,
  { today, most }: { today: string; most: number },
): Promise<Due[]> {
  const { rows } = await sql<{ id: string }>`
    select id ${foundDue(reader, { ...ALL_DUTIES, person }, today)}
    order by due_on, number, id limit ${most}`.execute(db)
  return readInOrder(
    db,
    reader,
    rows.map(({ id }) => id),
  )
}

/** Counts what has a last day, of each kind under the other filters. */
export async function countDue(
  db: Database,
  reader: Reader,
  query: DutyQuery,
  today: string,
): Promise<DutyCounts> {
  const duties = await countDuties(db, reader, query, today)
  if (!findsPapers({ ...query, state: 'open' })) return duties
  const count = (state: DutyState) =>
    sql`count(*) filter (where ${isDueIn(state, sql<string>`cells.due_on`, today)})::integer as ${sql.ref(state)}`
  const { rows } = await sql<Pick<DutyCounts, 'late' | 'month' | 'later'>>`
    select ${count('late')}, ${count('month')}, ${count('later')}
    from year_cells as cells ${seenFolders(reader)} where ${isPaperAsked({ ...query, state: 'open' }, today)}`.execute(
    db,
  )
  const papers = rows[0]!
  return {
    ...duties,
    late: duties.late + papers.late,
    month: duties.month + papers.month,
    later: duties.later + papers.later,
  }
}

/** Many projects have papers with the same last day. So many are put in the order of projects. */
const OF_A_DAY = 200

/** Lists what became late last, with how much is late, and what is due next. */
export async function listNearest(
  db: Database,
  reader: Reader,
  today: string,
  most: number,
): Promise<{ late: Some<Due>; next: Due[] }> {
  const isLate = (day: RawBuilder<unknown>) => sql<boolean>`${day} < ${today}::date`
  const isNext = (day: RawBuilder<unknown>) => sql<boolean>`${day} >= ${today}::date`
  // Each part reads an index as far as it is shown.
  const nearest = (which: typeof isLate, way: RawBuilder<unknown>) => sql`(
    select * from (
      (select ${DUTY} from (
        select duties.* from ${seenDuties(reader)} where ${IS_OPEN_DUTY} and ${which(sql`duties.due_on`)}
        order by duties.due_on ${way}, duties.id limit ${OF_A_DAY}
      ) as duties join projects on projects.id = duties.project_id)
      union all
      (select ${PAPER} from (
        select cells.* from year_cells as cells ${JOIN_PROJECTS} where ${IS_OPEN} and ${which(sql`cells.due_on`)} and ${STANDS_ALONE}
        order by cells.due_on ${way} limit ${OF_A_DAY}
      ) as cells ${seenFolders(reader)})
    ) as near order by due_on ${way}, number, id limit ${most})`
  const { rows } = await sql<{ id: string; is_late: boolean }>`
    select id, ${isLate(sql`due_on`)} as is_late
    from (${nearest(isLate, sql`desc`)} union all ${nearest(isNext, sql`asc`)}) as due`.execute(db)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from (
      (select from ${seenDuties(reader)} where ${IS_OPEN_DUTY} and ${isLate(sql`duties.due_on`)} limit ${MOST_COUNTED + 1})
      union all
      (select from year_cells as cells ${seenFolders(reader)}
        where ${IS_OPEN} and ${isLate(sql`cells.due_on`)} and ${STANDS_ALONE} limit ${MOST_COUNTED + 1})
      limit ${MOST_COUNTED + 1}) as late`.execute(db)
  const read = await readInOrder(
    db,
    reader,
    rows.map(({ id }) => id),
  )
  const late = new Set(rows.filter((row) => row.is_late).map(({ id }) => id))
  return {
    late: { rows: read.filter(({ id }) => late.has(id)), total: counted[0]!.total },
    next: read.filter(({ id }) => !late.has(id)),
  }
}

async function readInOrder(db: Database, reader: Reader, ids: readonly string[]): Promise<Due[]> {
  const dueOf = new Map((await readDue(db, reader, ids)).map((due) => [due.id, due]))
  return ids.flatMap((id) => dueOf.get(id) ?? [])
}

/** Reads what the ids of a list name, in any order. */
async function readDue(db: Database, reader: Reader, ids: readonly string[]): Promise<Due[]> {
  const [duties, papers] = [
    ids.filter((id) => id.startsWith('d')).map((id) => Number(id.slice(1))),
    ids.filter((id) => id.startsWith('p')).map((id) => id.slice(1)),
  ]
  const [ofDuties, ofPapers] = await Promise.all([
    duties.length === 0 ? [] : readDuties(db, reader, sql<boolean>`duties.id = any (${duties})`),
    papers.length === 0 ? [] : readPapers(db, reader, papers),
  ])
  return [
    ...ofDuties.map((duty) => ({ id: `d${duty.id}`, duty })),
    ...ofPapers.map((paper) => ({ id: `p${paper.folder.id} ${paper.period}`, paper })),
  ]
}

/** Reads papers by their keys: '7 2025-Q3'. */
async function readPapers(db: Database, reader: Reader, keys: string[]): Promise<DuePaper[]> {
  const { rows } = await sql<Omit<DuePaper, 'title'>>`
    select json_build_object('id', projects.id, 'number', projects.number, 'name', projects.name) as project,
      json_build_object('id', folders.id, 'name', folders.name) as folder, cells.period, cells.due_on::text as due_on
    from unnest(${keys}::text[]) as key
    join year_cells as cells on cells.folder_id = split_part(key, ' ', 1)::bigint and cells.period = split_part(key, ' ', 2)
    ${seenFolders(reader)}
    where ${IS_OPEN}`.execute(db)
  const years = await readAccountingYears(db, [...new Set(rows.map(({ project }) => project.id))])
  return rows.map((row) => ({
    ...row,
    title: `${row.folder.name} ${periodName(row.period, years.get(row.project.id) ?? null)}`,
  }))
}
