import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isProjectSeen } from '../../access/seen.db.ts'
import type { Edit } from '../../server/edits.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { settle } from '../../server/edits.ts'
import { conflict, invalid, notFound } from '../../server/http/errors.ts'
import { isFound } from '../../server/database/search.db.ts'
import {
  dutyTitle,
  isOfEvent,
  monthEnd,
  type Duty,
  type DutyCounts,
  type DutyQuery,
  type DutyState,
} from './duty.ts'
import { obligationWords } from './obligation-edit.ts'
import { checkResponsible, IS_COLLEAGUE, IS_OPEN_DUTY, listColleagues } from './obligations.db.ts'
import { refreshDuties } from './refresh-duties.db.ts'

const NO_DUTY = 'Fristen findes ikke mere.'

/** Part of a query, after `from`: the duties of the projects that the reader sees. */
export const seenDuties = (reader: Reader) => sql`
  duties join projects on projects.id = duties.project_id and ${isProjectSeen(reader)}`

/** Condition on `duties`: nobody who is there is responsible. */
const IS_NOBODYS = sql<boolean>`not exists (
  select from users where users.id = duties.responsible_id and ${IS_COLLEAGUE})`

/** Condition on a last day of something open: it has the state. */
export function isDueIn(state: DutyState, dueOn: RawBuilder<string>, today: string): RawBuilder<boolean> {
  const conditions: Record<DutyState, RawBuilder<boolean>> = {
    open: sql<boolean>`true`,
    late: sql<boolean>`${dueOn} < ${today}::date`,
    month: sql<boolean>`${dueOn} between ${today}::date and ${monthEnd(today)}::date`,
    later: sql<boolean>`${dueOn} > ${monthEnd(today)}::date`,
    done: sql<boolean>`false`,
  }
  return conditions[state]
}

const isInState = (state: DutyState, today: string) =>
  state === 'done'
    ? sql<boolean>`duties.done_at is not null`
    : sql<boolean>`(${IS_OPEN_DUTY} and ${isDueIn(state, sql<string>`duties.due_on`, today)})`

function isFiltered({ person, obligation, q }: DutyQuery): RawBuilder<boolean> {
  const conditions = [
    person === 'none' && IS_NOBODYS,
    typeof person === 'number' && sql<boolean>`duties.responsible_id = ${person}`,
    obligation === 'papers' && sql<boolean>`false`,
    typeof obligation === 'number' && sql<boolean>`duties.obligation_id = ${obligation}`,
    q !== '' && isFound(sql<string>`projects.search`, q),
  ].filter((each) => each !== false)
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Condition on `duties` and `projects`: found by a query. */
export const isAsked = (query: DutyQuery, today: string) =>
  sql<boolean>`(${isInState(query.state, today)} and ${isFiltered(query)})`

/** Counts the duties of each kind under the other filters, in one query. */
export async function countDuties(
  db: Database,
  reader: Reader,
  query: DutyQuery,
  today: string,
): Promise<DutyCounts> {
  const count = (state: DutyState) =>
    sql`count(*) filter (where ${isFiltered(query)} and ${isInState(state, today)})::integer as ${sql.ref(state)}`
  const { rows } = await sql<DutyCounts>`
    select ${count('late')}, ${count('month')}, ${count('later')}, ${count('done')},
      count(*) filter (where duties.done_at is null and ${isAsked(query, today)})::integer as given,
      count(*) filter (where ${IS_OPEN_DUTY} and ${IS_NOBODYS})::integer as nobody
    from ${seenDuties(reader)}`.execute(db)
  return rows[0]!
}

type Row = Omit<Duty, 'done'> & {
  done_at: Date | null
  done_by: string | null
  note: string
  is_by_paper: boolean
}

/** Reads the duties that fulfil a condition and that the reader sees, by their last day. */
export async function readDuties(
  db: Database | Trx,
  reader: Reader,
  condition: RawBuilder<boolean>,
  most?: number,
): Promise<Duty[]> {
  const { rows } = await sql<Row>`
    select duties.id, obligations.title, obligations.explanation, obligations.source, obligations.source_url,
      json_build_object('id', projects.id, 'number', projects.number, 'name', projects.name) as project,
      duties.period, duties.starts_on::text as starts_on, duties.ends_on::text as ends_on, duties.due_on::text as due_on,
      obligations.is_filing, case when folders.id is not null then json_build_object('id', folders.id, 'name', folders.name) end as folder,
      case when users.id is not null then json_build_object('id', users.id, 'name', users.name, 'is_active', ${IS_COLLEAGUE})
        end as responsible,
      duties.done_at, doers.name as done_by, duties.note, duties.is_by_paper
    from ${seenDuties(reader)}
    join obligations on obligations.id = duties.obligation_id
    left join folders on folders.id = duties.folder_id
    left join users on users.id = duties.responsible_id
    left join users as doers on doers.id = duties.done_by
    where ${condition}
    order by duties.due_on, projects.number, duties.id
    ${most === undefined ? sql`` : sql`limit ${most}`}`.execute(db)
  return rows.map(({ done_at: at, done_by: by, note, is_by_paper: isByPaper, ...row }) => ({
    ...row,
    done: at === null ? null : { at: at.toISOString(), by, note, is_by_paper: isByPaper },
  }))
}

/** Lists the obligations that have duties, by title, to choose from. */
export async function listDutyTitles(db: Database): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from obligations
    where exists (select from duties where duties.obligation_id = obligations.id) order by title, id`.execute(
    db,
  )
  return rows
}

/** Says that a duty is done, with a note. */
export const finishDuty = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number, note: string): Promise<void> => {
    const duty = await lockDuty(trx, reader, id)
    if (duty.done !== null) throw conflict('Fristen er allerede markeret som udført.')
    await sql`update duties set done_at = now(), done_by = ${reader.id}, note = ${note} where id = ${id}`.execute(
      trx,
    )
    await addLogEntry(trx, actor, 'duty-done', { projectId: duty.project.id, detail: dutyTitle(duty) })
  },
)

/** Reopens a duty. One that a paper fulfilled reopens when the paper is deleted. */
export const reopenDuty = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    const duty = await lockDuty(trx, reader, id)
    if (duty.done === null) throw conflict('Fristen er allerede åben.')
    if (duty.done.is_by_paper) throw conflict('Fristen er udført, fordi papiret ligger i mappen.')
    // Its paper may have come since.
    await sql`
      update duties set done_by = null, note = '', is_by_paper = paper.is_there,
        done_at = case when paper.is_there then duties.done_at end
      from (select exists (
        select from year_cells join duties as its on its.folder_id = year_cells.folder_id and its.period = year_cells.period
        where its.id = ${id} and year_cells.shown_count > 0) as is_there) as paper
      where duties.id = ${id}`.execute(trx)
    await addLogEntry(trx, actor, 'duty-reopened', { projectId: duty.project.id, detail: dutyTitle(duty) })
  },
)

/** Makes somebody responsible for a duty, or nobody. The next mail tells them. */
export const giveDuty = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    id: number,
    wanted: number | null,
    edit: Edit | null,
  ): Promise<void> => {
    const duty = await lockDuty(trx, reader, id)
    const now = { responsible_id: duty.responsible?.id ?? null }
    const people = [...(duty.responsible ? [duty.responsible] : []), ...(await listColleagues(trx))]
    const { responsible_id: words } = obligationWords(people)
    const { responsible_id: responsible } = settle(
      edit,
      { responsible_id: words },
      { responsible_id: wanted },
      now,
    )
    if (now.responsible_id === responsible) return
    await checkResponsible(trx, responsible)
    await sql`
      update duties set responsible_id = ${responsible}, is_responsible_given = true, told_on = null
      where id = ${id}`.execute(trx)
    await addLogEntry(trx, actor, 'duty-given', {
      projectId: duty.project.id,
      userId: responsible,
      detail: dutyTitle(duty),
    })
  },
)

/** Something that has happened to a project, which an obligation asks to be acted on. */
type DutyEvent = { obligation: number; number: string; on: string }

/** Lists the obligations that ask to be told what happens. */
export async function listEventTitles(db: Database): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from obligations where due_rule = 'event' and is_active order by title, id`.execute(db)
  return rows
}

/** Adds the duty of something that has happened, by the office's word. */
export const addEvent = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    { obligation, number, on }: DutyEvent,
    today: string,
  ): Promise<void> => {
    const { rows: projects } = await sql<{ id: number }>`
      select id from projects where number = ${number} and ${isProjectSeen(reader)}`.execute(trx)
    const [project] = projects
    if (!project) throw invalid({ number: ['Der er ikke noget projekt med det nummer.'] })
    const { rows: added } = await sql<{ id: number }>`
      insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on)
      select id, ${project.id}, ${on}, ${on}::date, ${on}::date, ${on}::date + after_days
      from obligations where id = ${obligation} and due_rule = 'event' and is_active
      on conflict do nothing returning id`.execute(trx)
    const [duty] = added
    if (!duty) throw invalid({ on: ['Hændelsen er allerede meldt, eller pligten er slået fra.'] })
    await refreshDuties(trx, [project.id], today, obligation)
    const [wanted] = await readDuties(trx, reader, sql<boolean>`duties.id = ${duty.id}`)
    if (!wanted) throw invalid({ number: ['Pligten gælder ikke for projektet.'] })
    await addLogEntry(trx, actor, 'duty-event', { projectId: project.id, detail: dutyTitle(wanted) })
  },
)

/** Takes back what somebody said has happened, with its open duty. */
export const withdrawEvent = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    const duty = await lockDuty(trx, reader, id)
    if (!isOfEvent(duty)) throw conflict('Fristen kommer ikke af en hændelse.')
    if (duty.done !== null) throw conflict('Fristen er udført. Åbn den først igen.')
    await sql`delete from duties where id = ${id}`.execute(trx)
    await addLogEntry(trx, actor, 'duty-withdrawn', { projectId: duty.project.id, detail: dutyTitle(duty) })
  },
)

async function lockDuty(trx: Trx, reader: Reader, id: number): Promise<Duty> {
  await sql`select from duties where id = ${id} for update`.execute(trx)
  const [duty] = await readDuties(trx, reader, sql<boolean>`duties.id = ${id}`)
  if (!duty) throw notFound(NO_DUTY)
  return duty
}
