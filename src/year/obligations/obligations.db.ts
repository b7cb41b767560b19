import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isProjectSeen } from '../../access/seen.db.ts'
import type { Edit } from '../../server/edits.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { OWN_FIELDS } from '../../projects/project/project.fields.ts'
import type { Project } from '../../projects/project/project.ts'
import { hasOwnFiles, rolesThat } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { columnValues } from '../../server/database/fields.db.ts'
import { settle } from '../../server/edits.ts'
import { conflict, invalid, notFound } from '../../server/http/errors.ts'
import { IS_COLLEAGUE } from './duty-state.db.ts'
import { obligationValues, obligationWords } from './obligation-edit.ts'
import { isShippedFiling, type Obligation, type ObligationFields } from './obligation.ts'
import { OBLIGATION, refreshDuties } from './refresh-duties.db.ts'

const MOST_UNDECIDED = 100
const NO_OBLIGATION = 'Pligten findes ikke mere.'

/** An obligation in the list of rules. */
export type ObligationRow = Obligation & {
  responsible: string | null
  /** Projects that the office has not decided about, with more investors than it says. */
  undecided_count: number
}

/** Lists all obligations, the active ones first, by title. */
export async function listObligations(db: Database, reader: Reader): Promise<ObligationRow[]> {
  const { rows } = await sql<ObligationRow>`
    select ${OBLIGATION}, users.name as responsible, (select count(*)::integer from projects where ${isUndecided(reader)}) as undecided_count
    from obligations left join users on users.id = obligations.responsible_id
    order by not obligations.is_active, obligations.title, obligations.id`.execute(db)
  return rows
}

/** Condition on `projects` and `obligations`: the number of investors hints at it, and nobody has decided. */
const isUndecided = (reader: Reader) => sql<boolean>`(
  obligations.is_active and obligations.reach = 'chosen' and obligations.more_than is not null
    and projects.status <> 'sold' and ${isProjectSeen(reader)}
    and not exists (select from obligation_choices as choices
      where choices.obligation_id = obligations.id and choices.project_id = projects.id)
    and ${INVESTORS} > obligations.more_than)`

/** The number of a project's investors who can come in. */
const INVESTORS = sql<number>`(
  select count(*)::integer from project_members join users as members on members.id = project_members.user_id
  where project_members.project_id = projects.id and members.role = any (${rolesThat(hasOwnFiles)})
    and members.deactivated_at is null)`

/** A project that an obligation may bind. */
export type Undecided = Pick<Project, 'id' | 'number' | 'name'> & { investors: number }

/** Lists all obligations by title, to choose another one from. */
export async function listOthers(
  db: Database | Trx,
  id: number | null,
): Promise<{ id: number; title: string }[]> {
  const { rows } = await sql<{ id: number; title: string }>`
    select id, title from obligations where ${id}::bigint is distinct from id order by title, id`.execute(db)
  return rows
}

/** A person who can be responsible. */
export type Colleague = { id: number; name: string }

/** Lists whom the office can make responsible, by name. */
export async function listColleagues(db: Database | Trx): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select id, name from users where ${IS_COLLEAGUE} order by name, id`.execute(db)
  return rows
}

/** Lists the names of the template's folders and of all projects' folders, to choose from. */
export async function listFolderNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from folders where user_id is null group by name order by count(*) desc, name limit 200`.execute(
    db,
  )
  return rows.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'da'))
}

export type EditedObligation = Obligation & {
  /** Projects that it binds, and does not bind, whatever else it says. */
  bound: Project[]
  freed: Project[]
  undecided: Undecided[]
}

export async function getObligation(
  db: Database | Trx,
  reader: Reader,
  id: number,
): Promise<EditedObligation> {
  const { rows } = await sql<Obligation>`select ${OBLIGATION} from obligations where id = ${id}`.execute(db)
  const [obligation] = rows
  if (!obligation) throw notFound(NO_OBLIGATION)
  const { rows: chosen } = await sql<Project & { is_bound: boolean }>`
    select projects.id, ${columnValues(OWN_FIELDS, 'projects')}, obligation_choices.is_bound
    from obligation_choices join projects on projects.id = obligation_choices.project_id
    where obligation_choices.obligation_id = ${id} and ${isProjectSeen(reader)}
    order by projects.number`.execute(db)
  const those = (isBound: boolean) =>
    chosen.filter((each) => each.is_bound === isBound).map(({ is_bound: _isBound, ...project }) => project)
  const { rows: undecided } = await sql<Undecided>`
    select projects.id, projects.number, projects.name, ${INVESTORS} as investors
    from obligations cross join projects where obligations.id = ${id} and ${isUndecided(reader)}
    order by projects.number limit ${MOST_UNDECIDED}`.execute(db)
  return { ...obligation, bound: those(true), freed: those(false), undecided }
}

/** A form's changes to the chosen projects: ids, and the number of one more. */
export type ChoiceChanges = { add: number[]; remove: number[]; addByNumber: string }
export type Choices = { bound: ChoiceChanges; freed: ChoiceChanges }

const UNKNOWN_PROJECT = 'Der er ikke noget projekt med det nummer.'

/** Adds one of the office's own obligations. Returns its id. */
export const addObligation = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    fields: ObligationFields,
    choices: Choices,
    today: string,
  ): Promise<number> => {
    await checkResponsible(trx, fields.responsible_id)
    await checkOther(trx, fields.unless_id, null)
    const { id } = await trx
      .insertInto('obligations')
      .values({ ...fields, code: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    await changeChoices(trx, reader, id, choices)
    await addLogEntry(trx, actor, 'obligation-added', { detail: fields.title })
    await refreshDuties(trx, 'all', today, id)
    return id
  },
)

/**
 * Changes an obligation. If somebody else has changed the same field since the form was opened, refuses with both
 * values.
 */
export const changeObligation = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    id: number,
    sent: ObligationFields,
    edit: Edit | null,
    choices: Choices,
    today: string,
  ): Promise<void> => {
    const { version } = await lockObligation(trx, id)
    const before = await getObligation(trx, reader, id)
    const now = obligationValues(before)
    const words = obligationWords(await listColleagues(trx), await listOthers(trx, id))
    const { due, held, ...settled } = settle(edit, words, obligationValues(sent), now)
    const isFiling = settled.is_filing || isShippedFiling(before)
    const fields: ObligationFields = { ...settled, ...due, ...held, is_filing: isFiling }
    await checkResponsible(
      trx,
      fields.responsible_id === before.responsible_id ? null : fields.responsible_id,
    )
    await checkOther(trx, fields.unless_id, id)
    await trx
      .updateTable('obligations')
      .set({ ...fields, version: version + 1 })
      .where('id', '=', id)
      .execute()
    await changeChoices(trx, reader, id, choices)
    await addLogEntry(trx, actor, 'obligation-changed', { detail: fields.title })
    await refreshDuties(trx, 'all', today, id)
  },
)

/** Removes one of the office's own obligations, with its duties. One that came with Ringbind can only be switched off. */
export const removeObligation = transactional(
  async (trx: Trx, { actor }: Visit, id: number): Promise<void> => {
    const { title, code } = await lockObligation(trx, id)
    if (code !== null) throw conflict('Pligten følger med Ringbind. Slå den fra i stedet for at slette den.')
    await trx.updateTable('obligations').set({ unless_id: null }).where('unless_id', '=', id).execute()
    await trx.deleteFrom('obligations').where('id', '=', id).execute()
    await addLogEntry(trx, actor, 'obligation-removed', { detail: title })
  },
)

/** Refuses another obligation that is not there, or is the same one. */
async function checkOther(trx: Trx, other: number | null, id: number | null): Promise<void> {
  if (other !== null && !(await listOthers(trx, id)).some((each) => each.id === other))
    throw invalid({ unless_id: ['Vælg en pligt fra listen.'] })
}

async function lockObligation(trx: Trx, id: number) {
  const found = await trx
    .selectFrom('obligations')
    .select(['title', 'code', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw notFound(NO_OBLIGATION)
  return found
}

/** Refuses somebody who is not of the office, or no longer. */
export async function checkResponsible(trx: Trx, id: number | null): Promise<void> {
  if (id === null) return
  const { rows } = await sql`select from users where id = ${id} and ${IS_COLLEAGUE} for share`.execute(trx)
  if (rows.length === 0) throw invalid({ responsible_id: ['Vælg en på kontoret, som er aktiv.'] })
}

async function changeChoices(trx: Trx, reader: Reader, id: number, { bound, freed }: Choices): Promise<void> {
  await sql`
    delete from obligation_choices where obligation_id = ${id}
      and (is_bound and project_id = any (${bound.remove}) or not is_bound and project_id = any (${freed.remove}))`.execute(
    trx,
  )
  for (const [changes, isBound, field] of [
    [bound, true, 'add_bound_project'],
    [freed, false, 'add_freed_project'],
  ] as const) {
    const isMeant: RawBuilder<boolean> =
      changes.addByNumber === ''
        ? sql<boolean>`projects.id = any (${changes.add})`
        : sql<boolean>`(projects.id = any (${changes.add}) or projects.number = ${changes.addByNumber})`
    const { rows } = await sql<{ number: string }>`
      with meant as (
        select id, number from projects where ${isMeant} and ${isProjectSeen(reader)}
      ), chosen as (
        insert into obligation_choices (obligation_id, project_id, is_bound)
        select ${id}, id, ${isBound} from meant
        on conflict (obligation_id, project_id) do update set is_bound = excluded.is_bound
      )
      select number from meant`.execute(trx)
    if (changes.addByNumber !== '' && !rows.some(({ number }) => number === changes.addByNumber))
      throw invalid({ [field]: [UNKNOWN_PROJECT] })
  }
}
