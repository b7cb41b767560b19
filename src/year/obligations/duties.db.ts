import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isFolderSeen, isProjectSeen } from '../../access/seen.db.ts'
import { isOffice } from '../../rights.ts'
import type { Edit } from '../../server/edits.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { settle as settleEdit } from '../../server/edits.ts'
import { conflict, invalid, notFound } from '../../server/http/errors.ts'
import { dutyState, IS_COLLEAGUE } from './duty-state.db.ts'
import { dutyTitle, isOfEvent, type Duty } from './duty.ts'
import { obligationWords } from './obligation-edit.ts'
import { checkResponsible, listColleagues } from './obligations.db.ts'
import { refreshDuties, settle } from './refresh-duties.db.ts'

const NO_DUTY = 'Fristen findes ikke mere.'

/** Part of a query, after `from`: the duties of the projects that the reader sees. */
export const seenDuties = (reader: Reader) => sql`
  duties join projects on projects.id = duties.project_id and ${isProjectSeen(reader)}`

type Row = Omit<Duty, 'done' | 'excused'> & {
  done_at: Date | null
  done_by: string | null
  note: string
  is_by_paper: boolean
  excuse: string | null
  excused_by: string | null
  excused_at: Date | null
}

export const isDuty = (duty: number) => sql<boolean>`duties.id = ${duty}`

/** Reads the duties that fulfil a condition and that the reader sees, by their last day. */
export async function readDuties(
  db: Database | Trx,
  reader: Reader,
  condition: RawBuilder<boolean>,
  today: string,
  most?: number,
): Promise<Duty[]> {
  const { rows } = await sql<Row>`
    select duties.id, duties.obligation_id, coalesce(obligations.title, folders.name) as title, ${dutyState(today)} as state,
      coalesce(obligations.explanation, '') as explanation, coalesce(obligations.source, '') as source,
      coalesce(obligations.source_url, '') as source_url,
      json_build_object('id', projects.id, 'number', projects.number, 'name', projects.name) as project,
      duties.period, duties.starts_on::text as starts_on, duties.ends_on::text as ends_on, duties.due_on::text as due_on,
      coalesce(obligations.is_filing, false) as is_filing, case when folders.id is not null then json_build_object('id', folders.id, 'name', folders.name) end as folder,
      case when users.id is not null then json_build_object('id', users.id, 'name', users.name, 'is_active', ${IS_COLLEAGUE})
        end as responsible,
      duties.done_at, doers.name as done_by, duties.note, duties.is_by_paper,
      duties.excuse, excusers.name as excused_by, duties.excused_at
    from ${seenDuties(reader)}
    left join obligations on obligations.id = duties.obligation_id
    left join folders on folders.id = duties.folder_id
    left join users on users.id = duties.responsible_id
    left join users as doers on doers.id = duties.done_by
    left join users as excusers on excusers.id = duties.excused_by
    where ${condition}
    order by duties.due_on, projects.number, duties.id
    ${most === undefined ? sql`` : sql`limit ${most}`}`.execute(db)
  return rows.map(({ done_at, done_by: by, note, is_by_paper, excuse, excused_by, excused_at, ...row }) => ({
    ...row,
    done: done_at && { at: done_at.toISOString(), by, note, is_by_paper },
    excused: excused_at && { reason: excuse!, by: excused_by, at: excused_at.toISOString() },
  }))
}

/** Lists what duties are called that a reader can choose among: obligations, and the folders that they see. */
export async function listRules(db: Database, reader: Reader): Promise<string[]> {
  const ofOffice = isOffice(reader.role)
    ? sql`select title as name from obligations where exists (
        select from duties where duties.obligation_id = obligations.id) union`
    : sql``
  const { rows } = await sql<{ name: string }>`
    ${ofOffice} select name collate "C" from folders where project_id is not null
      and (folders.files_count > 0 or folders.expects <> 'none') and ${isFolderSeen(reader)}`.execute(db)
  return rows.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'da'))
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
    await sql`update duties set done_at = null, done_by = null, note = '' where id = ${id}`.execute(trx)
    await settle(trx, [duty.project.id])
    await addLogEntry(trx, actor, 'duty-reopened', { projectId: duty.project.id, detail: dutyTitle(duty) })
  },
)

const EXCUSE_WORDS = { excuse: 'Hvorfor bliver det ikke gjort?' }

/** Notes why a duty will not be done, or with null that it is to be done again. */
export const excuseDuty = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    id: number,
    wanted: string | null,
    edit: Edit | null,
  ): Promise<void> => {
    const { project, folder, period, excused, ...duty } = await lockDuty(trx, reader, id)
    const now = { excuse: excused?.reason ?? null }
    const { excuse } = settleEdit(edit, EXCUSE_WORDS, { excuse: wanted }, now)
    if (now.excuse === excuse) return
    await sql`
      update duties set excuse = ${excuse}, excused_by = ${excuse === null ? null : actor.userId},
        excused_at = ${excuse === null ? null : sql`now()`}
      where id = ${id}`.execute(trx)
    await addLogEntry(trx, actor, excuse === null ? 'paper-expected' : 'paper-excused', {
      projectId: project.id,
      ...(folder ? { folderId: folder.id, detail: period } : { detail: dutyTitle({ ...duty, period }) }),
    })
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
    const { responsible_id: responsible } = settleEdit(
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
    const [wanted] = await readDuties(trx, reader, isDuty(duty.id), today)
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

/** An act asks what was said of a duty, not whether it is late. */
const ANY_DAY = '2000-01-01'

async function lockDuty(trx: Trx, reader: Reader, id: number): Promise<Duty> {
  await sql`select from duties where id = ${id} for update`.execute(trx)
  const [duty] = await readDuties(trx, reader, isDuty(id), ANY_DAY)
  if (!duty) throw notFound(NO_DUTY)
  return duty
}
