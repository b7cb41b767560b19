import { sql } from 'kysely'
import type { Act } from '../src/log/words/act.ts'
import type { Role } from '../src/rights.ts'
import { listNewest } from '../src/projects/news/news.db.ts'
import type { Database } from '../src/server/database/database.ts'
import { chanceOf } from '../test/chance.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000
/** How many days back the log has people at work. */
const DAYS = 42
/** How long the log keeps addresses. */
const MONTHS_WITH_ADDRESS = 12

type Person = { id: number; role: Role; projects: number[]; unread: Set<number> }
type Paper = {
  id: number
  folder_id: number
  project_id: number | null
  user_id: number | null
  is_shared: boolean
  created_at: Date
}
type Entry = {
  at: string
  act: Act
  user_id: number | null
  address: string | null
  subject_user_id?: number | null
  project_id?: number | null
  folder_id?: number
  file_id?: number
}

/** Adds the office's log: the same every time, counted from today. */
export async function fillHistory(db: Database, boss: number, clerk: number): Promise<void> {
  await spreadMaking(db, boss, clerk)
  const people = await listPeople(db)
  const papers = await listPapers(db)
  const now = Date.now()
  const entries = Array.from({ length: DAYS + 1 }, (_, daysAgo) => {
    const midnight = Math.floor(now / DAY_MS - daysAgo) * DAY_MS
    return people.flatMap((person) => dayOf(person, papers, { midnight, daysAgo }))
  })
    .flat()
    .filter(({ at }) => Date.parse(at) < now)
    .sort((one, other) => one.at.localeCompare(other.at))
  await sql`
    insert into log (at, act, user_id, address, subject_user_id, project_id, folder_id, file_id)
    select * from json_to_recordset(${JSON.stringify(entries)}::json) as entry (at timestamptz, act text, user_id bigint,
      address inet, subject_user_id bigint, project_id bigint, folder_id bigint, file_id bigint)
    order by at`.execute(db)
  await spreadReading(db)
  await spreadChanges(db)
}

/**
 * Spreads the entries of the demo's data, which was made all at once: each gets a person and the time of its papers.
 */
async function spreadMaking(db: Database, boss: number, clerk: number): Promise<void> {
  await sql`
    with began as (select min(created_at) - interval '21 days' as at from files)
    update log set at = began.at + make_interval(mins => 7 * log.id::integer), user_id = ${boss}
    from began where act in ('user-added', 'folder-added')`.execute(db)
  await sql`
    update log set act = 'setup', subject_user_id = null
    where act = 'user-added' and subject_user_id = ${boss}`.execute(db)
  await sql`
    with began as (
      select folders.project_id, min(files.created_at) - interval '3 days' as at
      from files join folders on folders.id = files.folder_id group by folders.project_id
    )
    update log set at = began.at + make_interval(mins => log.id::integer % 20), user_id = ${boss}
    from began where began.project_id = log.project_id and act in ('project-added', 'member-added')`.execute(
    db,
  )
  await sql`
    update log set at = files.created_at, user_id = coalesce(files.uploaded_by, ${clerk})
    from files where files.id = log.file_id and act = 'file-added'`.execute(db)
  await sql`
    update log set address = ${addressOf(boss, true)} where user_id = ${boss}
      and at > now() - make_interval(months => ${MONTHS_WITH_ADDRESS})`.execute(db)
  await sql`
    update log set address = ${addressOf(clerk, true)} where user_id = ${clerk}
      and at > now() - make_interval(months => ${MONTHS_WITH_ADDRESS})`.execute(db)
}

/** Makes the log and the read marks agree: each opened paper is read, and each read paper was opened. */
async function spreadReading(db: Database): Promise<void> {
  await sql`
    insert into log (at, act, user_id, address, subject_user_id, project_id, folder_id, file_id)
    select file_reads.at, 'file-opened', file_reads.user_id,
      (select address from log where log.user_id = file_reads.user_id and address is not null limit 1),
      folders.user_id, folders.project_id, folders.id, files.id
    from file_reads join files on files.id = file_reads.file_id join folders on folders.id = files.folder_id
    order by file_reads.at`.execute(db)
  await sql`
    insert into file_reads (user_id, file_id, at)
    select user_id, file_id, min(at) from log
    where act in ('file-opened', 'file-downloaded') group by user_id, file_id
    on conflict do nothing`.execute(db)
}

/** Sets the times of change: a folder's is that of its newest paper, a project's that of its newest folder. */
async function spreadChanges(db: Database): Promise<void> {
  await sql`
    update projects set created_at = log.at, updated_at = log.at
    from log where log.project_id = projects.id and act = 'project-added'`.execute(db)
  await sql`
    update folders set changed_at = coalesce(
      (select max(created_at) from files where folder_id = folders.id),
      (select created_at from projects where id = project_id),
      changed_at)`.execute(db)
  await sql`
    update folders set shown_changed_at = coalesce(
      (select max(created_at) from files where folder_id = folders.id and not is_held_back),
      (select created_at from projects where id = project_id),
      changed_at)`.execute(db)
  await sql`
    update projects set changed_at = (select max(changed_at) from folders where project_id = projects.id)`.execute(
    db,
  )
}

async function listPeople(db: Database): Promise<Person[]> {
  const { rows } = await sql<Omit<Person, 'unread'>>`
    select id, role, array(select project_id from project_members where user_id = users.id order by 1) as projects
    from users where role <> 'adviser' order by id`.execute(db)
  const unanswered = await listUnanswered(db)
  return Promise.all(
    rows.map(async (person) => ({
      ...person,
      unread: isOffice(person)
        ? unanswered
        : new Set((await listNewest(db, person, ALL)).map(({ id }) => id)),
    })),
  )
}

/** More than there are files. */
const ALL = 100_000

/** Returns the files from investors that nobody in the office has read. */
async function listUnanswered(db: Database): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from files where from_investor and not exists (
      select from file_reads join users on users.id = file_reads.user_id
      where file_id = files.id and role in ('administrator', 'employee'))`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function listPapers(db: Database): Promise<Paper[]> {
  const { rows } = await sql<Paper>`
    select files.id, folder_id, project_id, user_id, visible_to_investors as is_shared, files.created_at
    from files join folders on folders.id = folder_id where not is_held_back order by files.id`.execute(db)
  return rows
}

/** The office has one address, and each other person their own; all are reserved for documentation. */
const addressOf = (person: number, isOffice: boolean) => (isOffice ? '192.0.2.17' : `203.0.113.${person}`)

const isOffice = ({ role }: Pick<Person, 'role'>) => role === 'administrator' || role === 'employee'

/** Returns one day of one person: they sign in, read a few papers, and sometimes sign out. */
function dayOf(person: Person, papers: Paper[], day: { midnight: number; daysAgo: number }): Entry[] {
  const chance = chanceOf(person.id * 1000 + day.daysAgo)
  const isLikely = (percent: number) => chance.number(100) < percent
  const isWeekend = [0, 6].includes(new Date(day.midnight).getUTCDay())
  const isThere = isLikely(isOffice(person) ? (isWeekend ? 3 : 85) : isWeekend ? 6 : 14)
  const seen = papers.filter((paper) => mayRead(person, paper))
  if (!isThere || seen.length === 0) return []
  let moment =
    day.midnight + (isOffice(person) ? 6 * 60 + chance.number(120) : 6 * 60 + chance.number(840)) * MINUTE_MS
  const after = (minutes: number) => {
    moment += chance.number(minutes * MINUTE_MS)
    return new Date(moment).toISOString()
  }
  const address = addressOf(person.id, isOffice(person))
  const by = { user_id: person.id, address }
  const entries: Entry[] = []
  if (isLikely(5))
    entries.push({ at: after(2), act: 'sign-in-failed', user_id: null, address, subject_user_id: person.id })
  entries.push({ at: after(2), act: 'sign-in', ...by })
  for (let reads = 1 + chance.number(4); reads > 0; reads--) {
    const at = after(isOffice(person) ? 180 : 20)
    const there = seen.filter(({ created_at: createdAt }) => createdAt.getTime() < moment)
    if (there.length === 0) continue
    const paper = chance.of(there)
    entries.push({
      at,
      act: chance.of(isOffice(person) ? OFFICE_ACTS : READER_ACTS),
      ...by,
      subject_user_id: paper.user_id,
      project_id: paper.project_id,
      folder_id: paper.folder_id,
      file_id: paper.id,
    })
  }
  if (isLikely(40)) entries.push({ at: after(60), act: 'sign-out', ...by })
  return entries
}

const READER_ACTS: Act[] = ['file-opened', 'file-opened', 'file-downloaded']
const OFFICE_ACTS: Act[] = [...READER_ACTS, ...READER_ACTS, 'file-sorted']

function mayRead(
  person: Person,
  { id, project_id: project, user_id: user, is_shared: isShared }: Paper,
): boolean {
  if (person.unread.has(id)) return false
  if (isOffice(person)) return true
  if (project === null) return user === person.id
  return person.projects.includes(project) && (isShared || person.role === 'auditor')
}
