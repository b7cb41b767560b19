import { lenderNames } from '../access/lenders.db.ts'
import type { Reader } from '../access/reader.ts'
import { isPersonSeen, isProjectSeen, type QueriedReader } from '../access/seen.db.ts'
import { isMemberRole, isOffice, readsHiddenFolders, ROLES, rolesThat } from '../rights.ts'
import { sql, type RawBuilder } from 'kysely'
import { emailKey } from '../base/text.ts'
import { addLogEntries, type Actor } from '../log/log.db.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { columnValues } from '../server/database/fields.db.ts'
import { prepare } from '../server/database/prepared.ts'
import { invalid, notFound } from '../server/http/errors.ts'
import { OWN_FIELDS } from './project/project.fields.ts'
import { NO_PROJECT, type Member, type Project } from './project/project.ts'

/** The members that the reader sees. */
export async function listMembers(db: Database | Trx, reader: Reader, projectId: number): Promise<Member[]> {
  const { rows } = await membersOf(sql`${projectId}`, reader).execute(db)
  return rows
}

const membersOf = (projectId: RawBuilder<unknown>, reader: QueriedReader) => sql<Member>`
  select users.id, users.name, users.email, users.role,
    array(select number from user_numbers where user_id = users.id order by number collate danish) as numbers
  from project_members join users on users.id = project_members.user_id
  where project_members.project_id = ${projectId} and ${isPersonSeen(reader)}
  order by users.name, users.id`

type ProjectRow = Project & {
  has_auditor: boolean
  crosses_new_year: boolean
  members: Member[] | null
  lent_by: string[] | null
}

/** Condition on `projects`: its accounting years now end with another month than December, and are written '2024/25'. */
export const CROSSES_NEW_YEAR = sql<boolean>`(coalesce((
  select changes.year_ends from accounting_year_changes as changes where changes.project_id = projects.id
  order by changes.since desc limit 1), projects.year_ends) <> 12)`

/** One query for each role: the office sees the members, others get null. */
const projectQueries = new Map(
  ROLES.map((role) => [
    role,
    prepare<{ project: number; reader: number }, ProjectRow>((slots) => {
      const reader = { id: slots.reader, role }
      const members = isOffice(role)
        ? sql`(select coalesce(json_agg(members), '[]') from (${membersOf(sql`projects.id`, reader)}) as members)`
        : sql`null::json`
      return sql`
        select id, ${columnValues(OWN_FIELDS, 'projects')}, ${isAudited(sql`projects.id`)} as has_auditor,
          ${CROSSES_NEW_YEAR} as crosses_new_year, ${members} as members,
          ${lenderNames(reader)} as lent_by
        from projects where id = ${slots.project}::bigint and ${isProjectSeen(reader)}`
    }),
  ]),
)

/**
 * Reads a project, whether it has an active auditor, how its years are written, its members: the office sees them, others get null, and on whose behalf
 * an adviser sees it.
 */
export async function getProjectWithMembers(
  db: Database,
  reader: Reader,
  id: number,
): Promise<{
  project: Project
  hasAuditor: boolean
  crossesNewYear: boolean
  members: Member[] | null
  lentBy: string[] | null
}> {
  const [row] = await projectQueries.get(reader.role)!(db, { project: id, reader: reader.id })
  if (!row) throw notFound(NO_PROJECT)
  const {
    has_auditor: isAuditedNow,
    crosses_new_year: crossesNewYear,
    members: known,
    lent_by: lentBy,
    ...project
  } = row
  return { project, hasAuditor: isAuditedNow, crossesNewYear, members: known, lentBy }
}

/** Whether the project has an active auditor. Auditors read all its folders, hidden ones too. */
export async function hasAuditor(db: Database | Trx, projectId: number): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${isAudited(sql`${projectId}`)} as has`.execute(db)
  return rows[0]!.has
}

/** The same, as a condition on a project's id. */
export const isAudited = (projectId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from project_members join users on users.id = project_members.user_id
  where project_members.project_id = ${projectId} and users.role = any (${rolesThat(readsHiddenFolders)}) and users.deactivated_at is null)`

/** A form's changes to the members. It sends only changes, so that two people at once do not undo each other's. */
export type MemberChanges = { add: number[]; remove: number[]; addByName: string }

export const UNKNOWN = {
  add_member: ['Ingen aktiv investor eller revisor har det nummer eller den e-mail.'],
}

/**
 * Locks the people to add, so that they do not change until the transaction ends. Call it before locking the project:
 * a change of a person also locks the person first and then the projects.
 */
export async function holdCandidates(trx: Trx, { add, addByName }: MemberChanges): Promise<void> {
  await sql`
    select from users
    where id = any (${add}) or email_key = ${emailKey(addByName)}
      or id in (select user_id from user_numbers where number = ${addByName})
    order by id for share`.execute(trx)
}

export async function changeMembers(
  trx: Trx,
  actor: Actor,
  projectId: number,
  { add, remove, addByName }: MemberChanges,
): Promise<void> {
  const byName = addByName === '' ? null : await findCandidate(trx, addByName)
  if (addByName !== '' && byName === null) throw invalid(UNKNOWN)
  await checkCandidates(trx, add)
  const { rows: added } = await sql<On>`
    insert into project_members (project_id, user_id)
    select ${projectId}, unnest(${byName === null ? add : [...add, byName]}::bigint[])
    on conflict do nothing returning ${ON}`.execute(trx)
  await addLogEntries(trx, actor, 'member-added', added)
  const { rows: removed } = await sql<On>`
    delete from project_members where project_id = ${projectId} and user_id = any (${remove})
    returning ${ON}`.execute(trx)
  await addLogEntries(trx, actor, 'member-removed', removed)
}

/** A membership, as the log names it. */
type On = { projectId: number; userId: number }
const ON = sql`project_id as "projectId", user_id as "userId"`

/** Lists the projects that a person is a member of, by number. */
export async function listProjectsOf(db: Database | Trx, userId: number): Promise<Project[]> {
  const { rows } = await sql<Project>`
    select projects.id, ${columnValues(OWN_FIELDS, 'projects')}
    from project_members join projects on projects.id = project_members.project_id
    where project_members.user_id = ${userId} order by projects.number`.execute(db)
  return rows
}

/** A form's changes to one person's projects. */
export type ProjectChanges = { add: number[]; remove: number[]; addByNumber: string }

export const UNKNOWN_PROJECT = { add_project: ['Der er intet projekt med det nummer.'] }

export async function changeProjectsOf(
  trx: Trx,
  actor: Actor,
  userId: number,
  { add, remove, addByNumber }: ProjectChanges,
): Promise<void> {
  const byNumber = addByNumber === '' ? null : await findProject(trx, addByNumber)
  if (addByNumber !== '' && byNumber === null) throw invalid(UNKNOWN_PROJECT)
  const { rows: added } = await sql<On>`
    insert into project_members (project_id, user_id)
    select id, ${userId} from projects where id = any (${byNumber === null ? add : [...add, byNumber]}) order by id
    on conflict do nothing returning ${ON}`.execute(trx)
  await addLogEntries(trx, actor, 'member-added', added)
  const { rows: removed } = await sql<On>`
    delete from project_members where user_id = ${userId} and project_id = any (${remove})
    returning ${ON}`.execute(trx)
  await addLogEntries(trx, actor, 'member-removed', removed)
}

/**
 * Ends all memberships of a person who joins the office, and so sees every project. Otherwise they would get the old
 * projects back when they leave the office.
 */
export async function leaveProjects(trx: Trx, actor: Actor, userId: number): Promise<void> {
  const { rows } = await sql<On>`
    delete from project_members where user_id = ${userId} returning ${ON}`.execute(trx)
  await addLogEntries(trx, actor, 'member-removed', rows)
}

export async function findProject(trx: Database | Trx, number: string): Promise<number | null> {
  const found = await trx.selectFrom('projects').select('id').where('number', '=', number).executeTakeFirst()
  return found?.id ?? null
}

/** Selects the people who can be members: active investors and auditors. The office sees every project anyway. */
const candidates = (trx: Database | Trx) =>
  trx
    .selectFrom('users')
    .select('id')
    .where('role', 'in', rolesThat(isMemberRole))
    .where('deactivated_at', 'is', null)

/** Finds the person with a number or an e-mail. */
export async function findCandidate(trx: Database | Trx, numberOrEmail: string): Promise<number | null> {
  const found = await candidates(trx)
    .where((is) =>
      is.or([
        is('email_key', '=', emailKey(numberOrEmail)),
        is('id', 'in', trx.selectFrom('user_numbers').select('user_id').where('number', '=', numberOrEmail)),
      ]),
    )
    .executeTakeFirst()
  return found?.id ?? null
}

async function checkCandidates(trx: Trx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const found = await candidates(trx).where('id', 'in', ids).execute()
  if (found.length < new Set(ids).size)
    throw invalid({ add_member: ['Kun aktive investorer og revisorer kan være medlem af et projekt.'] })
}
