import { sql } from 'kysely'
import type { Act } from '../src/log/act.ts'
import type { Role } from '../src/rights.ts'
import type { Database } from '../src/server/database.ts'
import { chanceOf } from '../test/chance.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MINUTE_MS = 60 * 1000
/** So many days back people have been at work. */
const DAYS = 42
/** As long as the log keeps addresses. */
const MONTHS_WITH_ADDRESS = 12

type Person = { id: number; role: Role; projects: number[] }
type Paper = {
  id: number
  folder_id: number
  project_id: number | null
  user_id: number | null
  is_shared: boolean
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

/** What the office has been doing: the same every time, counted from today. */
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
}

/** What the demo made all at once was made by somebody, when its papers were. */
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

async function listPeople(db: Database): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select id, role, array(select project_id from project_members where user_id = users.id order by 1) as projects
    from users order by id`.execute(db)
  return rows
}

async function listPapers(db: Database): Promise<Paper[]> {
  const { rows } = await sql<Paper>`
    select files.id, folder_id, project_id, user_id, visible_to_investors as is_shared
    from files join folders on folders.id = folder_id order by files.id`.execute(db)
  return rows
}

/** The office sits in one place, others each in theirs; all of them addresses that are nobody's. */
const addressOf = (person: number, isOffice: boolean) => (isOffice ? '192.0.2.17' : `203.0.113.${person}`)

const isOffice = ({ role }: Person) => role === 'administrator' || role === 'employee'

/** One day of one person: they come, read a few papers, and sometimes sign out. */
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
    const paper = chance.of(seen)
    entries.push({
      at: after(isOffice(person) ? 180 : 20),
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
  { project_id: project, user_id: user, is_shared: isShared }: Paper,
): boolean {
  if (isOffice(person)) return true
  if (project === null) return user === person.id
  return person.projects.includes(project) && (isShared || person.role === 'auditor')
}
