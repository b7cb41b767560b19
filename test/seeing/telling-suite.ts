import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { chanceOf, type Chance } from '../chance.ts'
import { afterwards } from '../clean-up.ts'
import { freshDatabase } from '../database.ts'
import { makeRandomOffice, type RandomOffice, type RandomPerson } from './random-office.ts'
import type { Reader } from '../../src/access/reader.ts'
import {
  contentsSeen,
  isDeletedFileSeen,
  isFileSeen,
  isFolderSeen,
  isProjectSeen,
} from '../../src/access/seen.db.ts'
import { fileFields } from '../../src/files/file/file-fields.db.ts'
import { isLentTo, isOffice } from '../../src/rights.ts'
import { connectAlone, type Database, type Trx } from '../../src/server/database/database.ts'
import { findReach } from '../../src/live/interest.db.ts'
import { marksFor, mayListen, memberMark, type About, withKind } from '../../src/live/interest.ts'

// Compares what random acts tell with what each reader sees before and after them.

let db: Database
let heard: string[] = []

/** Acts in one transaction, and returns the notifications that it sends. */
async function listenTo(act: (trx: Trx) => Promise<unknown>): Promise<string[]> {
  await hear('begin')
  heard = []
  await db.transaction().execute(act)
  await hear('end')
  return heard.slice(0, -1)
}

async function hear(text: string): Promise<void> {
  await sql`select pg_notify('ringbind_changes', ${text})`.execute(db)
  await expect.poll(() => heard.at(-1), { interval: 1, timeout: 60_000 }).toBe(text)
}

type View = Map<string, { about: About; text: string }>

/** Returns everything that a reader sees, by what a page can listen for. */
async function viewOf(reader: Reader): Promise<View> {
  const view: View = new Map()
  const put = (about: About, content: unknown) => {
    if (mayListen(reader, about))
      view.set(`${about.list} ${about.id}`, { about, text: JSON.stringify(content) })
  }
  const { filesCount, changedAt } = contentsSeen(reader)
  const { rows: projects } = await sql<{ id: number }>`
    select projects.id, number, name, cvr, status from projects where ${isProjectSeen(reader)} order by number`.execute(
    db,
  )
  const { rows: folders } = await sql<Placed>`
    select folders.id, project_id, user_id, name, visible_to_investors, ${filesCount} as files_count, ${changedAt} as changed_at
    from folders where (project_id is not null or user_id is not null) and ${isFolderSeen(reader)} order by place, id`.execute(
    db,
  )
  const { rows: files } = await sql<Placed>`
    select folders.project_id, folders.user_id, folders.id as folder_id, ${fileFields(reader)}
    from files join blobs on blobs.id = files.blob_id join folders on folders.id = files.folder_id
    where ${isFileSeen(reader)} order by folders.id, files.position`.execute(db)
  const { rows: deleted } = await sql<Placed>`
    select folders.project_id, folders.user_id, files.id, files.name, folders.name as folder, visible_to_investors, files.deleted_at
    from files join folders on folders.id = files.folder_id where ${isDeletedFileSeen(reader)} order by files.id`.execute(
    db,
  )
  const within = (rows: Placed[], about: About) =>
    rows.filter((row) => (about.list.startsWith('project') ? row.project_id : row.user_id) === about.id)
  for (const { id } of projects) {
    for (const about of [
      { list: 'project', id },
      { list: 'project-trash', id },
    ] as const)
      put(
        about,
        [about.list === 'project' ? [folders, files] : [deleted]].flat().map((rows) => within(rows, about)),
      )
  }
  const people =
    isOffice(reader.role) || isLentTo(reader.role)
      ? new Set([...folders, ...deleted].flatMap(({ user_id: user }) => user ?? []))
      : [reader.id]
  for (const id of people) {
    put({ list: 'user', id }, [within(folders, { list: 'user', id }), within(files, { list: 'user', id })])
    put({ list: 'user-trash', id }, within(deleted, { list: 'user', id }))
  }
  const totals = projects.map((project) => [
    project,
    within(folders, { list: 'project', id: project.id }).map((folder) => [
      folder.files_count,
      folder.changed_at,
    ]),
  ])
  put({ list: 'projects', id: null }, totals)
  put({ list: 'start', id: null }, [
    totals,
    isOffice(reader.role) ? [] : [...people].map((id) => within(files, { list: 'user', id })),
  ])
  return view
}

/** Returns the places of the files that a reader sees. A move past files that they do not see changes nothing else of their view. */
async function placesOf(reader: Reader): Promise<string> {
  const { rows } = await sql`
    select files.id, folder_id, files.position from files join folders on folders.id = files.folder_id
    where ${isFileSeen(reader)} order by files.id`.execute(db)
  return JSON.stringify(rows)
}

type Placed = { id: number; project_id: number | null; user_id: number | null } & Record<string, unknown>

const key = () => randomBytes(16).toString('hex')

type Act = (trx: Trx, office: RandomOffice, chance: Chance) => Promise<unknown>

const someFile = async (trx: Trx, chance: Chance) => {
  const { rows } = await sql<{
    id: number
    folder_id: number
  }>`select id, folder_id from files order by id`.execute(trx)
  return rows.length === 0 ? { id: 0, folder_id: 0 } : chance.of(rows)
}
const someFolder = async (trx: Trx, chance: Chance) => {
  const { rows } = await sql<{ id: number; project_id: number | null; user_id: number | null }>`
    select id, project_id, user_id from folders where project_id is not null or user_id is not null order by id`.execute(
    trx,
  )
  return chance.of(rows)
}

const ACTS: Record<string, Act> = {
  'a file that is moved': async (trx, _office, chance) => {
    const { id } = await someFile(trx, chance)
    return sql`update files set position = ${chance.of(['Z', 'a', 'a1', 'b', 'z'])} || ${key()} where id = ${id}`.execute(
      trx,
    )
  },
  'several files that are moved': async (trx, _office, chance) => {
    const { folder_id: folder } = await someFile(trx, chance)
    return sql`
      update files set position = ${chance.of(['Z', 'a', 'a1', 'b', 'z'])} || ${key()} || position
      where folder_id = ${folder} and id % ${2 + chance.number(2)} = 0`.execute(trx)
  },
  'two files that change places': async (trx, _office, chance) => {
    const { folder_id: folder } = await someFile(trx, chance)
    return sql`
      update files set position = other.position
      from (select id, lead(position) over (order by position) as next, lag(position) over (order by position) as last,
          row_number() over (order by position) as number from files where folder_id = ${folder}) as around,
      lateral (select case number when 1 then next when 2 then last end as position) as other
      where files.id = around.id and other.position is not null`.execute(trx)
  },
  'a file that is renamed': async (trx, _office, chance) =>
    sql`update files set name = ${`${key()}.txt`} where id = ${(await someFile(trx, chance)).id}`.execute(
      trx,
    ),
  'a file that is deleted or restored': async (trx, _office, chance) =>
    sql`update files set deleted_at = case when deleted_at is null then now() end
      where id = ${(await someFile(trx, chance)).id}`.execute(trx),
  'a file that is published or recalled': async (trx, _office, chance) =>
    sql`update files set is_held_back = not is_held_back, released_at = now()
      where id = ${(await someFile(trx, chance)).id}`.execute(trx),
  'a file that is moved to another folder': async (trx, _office, chance) =>
    sql`update files set folder_id = ${(await someFolder(trx, chance)).id}, position = ${key()}
      where id = ${(await someFile(trx, chance)).id}`.execute(trx),
  'a file that is removed': async (trx, _office, chance) =>
    sql`delete from files where id = ${(await someFile(trx, chance)).id}`.execute(trx),
  'files that come': async (trx, { submissions }, chance) =>
    sql`with bytes as (
        insert into blobs (key, state, size, sha256, type)
        select md5(random()::text || n), 'stored', 1, repeat('a', 64), 'text/plain' from generate_series(1, 2) as n returning id)
      insert into files (folder_id, blob_id, name, key, position, is_held_back, deleted_at, submission_id)
      select ${(await someFolder(trx, chance)).id}, id, 'Ny' || id, md5(id::text), 'c' || id, ${chance.number(2) === 0},
        ${chance.number(4) === 0 ? new Date() : null}, ${chance.of(submissions).id} from bytes`.execute(trx),
  'a folder that is shared or hidden': async (trx, _office, chance) =>
    sql`update folders set visible_to_investors = not visible_to_investors, shared_at = now()
      where id = ${(await someFolder(trx, chance)).id} and project_id is not null`.execute(trx),
  'a folder that is renamed': async (trx, _office, chance) =>
    sql`update folders set name = ${key()}, shown_changed_at = clock_timestamp()
      where id = ${(await someFolder(trx, chance)).id} and project_id is not null`.execute(trx),
  'folders in another order': async (trx, _office, chance) => {
    const { project_id: project } = await someFolder(trx, chance)
    return sql`
      update folders set place = other.place
      from (select id, place, lead(place) over (order by place) as next, first_value(place) over (order by place) as least
        from folders where project_id = ${project}) as around,
      lateral (select coalesce(next, least) as place) as other where folders.id = around.id`.execute(trx)
  },
  'two folders that change places': async (trx, _office, chance) => {
    const { project_id: project } = await someFolder(trx, chance)
    return sql`
      update folders set place = case number when 1 then next else last end
      from (select id, row_number() over (order by place) as number, lead(place) over (order by place) as next,
        lag(place) over (order by place) as last, count(*) over () as many
        from folders where project_id = ${project}) as around
      where folders.id = around.id and number <= 2 and many >= 2`.execute(trx)
  },
  'a folder that is added': async (trx, { projects }, chance) =>
    sql`insert into folders (project_id, name, visible_to_investors, place)
      values (${chance.of(projects).id}, ${key()}, ${chance.number(2) === 0}, ${100 + chance.number(1_000_000)})`.execute(
      trx,
    ),
  'a folder that is removed': async (trx) =>
    sql`delete from folders where id = (
      select id from folders where project_id is not null and not exists (select from files where folder_id = folders.id)
      order by id limit 1)`.execute(trx),
  'a project that is renamed': async (trx, { projects }, chance) =>
    sql`update projects set name = ${key()} where id = ${chance.of(projects).id}`.execute(trx),
  'a member who comes or goes': async (trx, { projects, people }, chance) => {
    const project = chance.of(projects).id
    const person = chance.of(people.filter(({ role }) => !isOffice(role))).id
    return sql`
      with gone as (delete from project_members where project_id = ${project} and user_id = ${person} returning user_id)
      insert into project_members (project_id, user_id)
      select ${project}, ${person} where not exists (
        select from project_members where project_id = ${project} and user_id = ${person})`.execute(trx)
  },
  'access that is lent or taken back': async (trx, { people }, chance) => {
    const adviser = chance.of(people.filter(({ role }) => role === 'adviser')).id
    const lender = chance.of(people.filter(({ role }) => role === 'investor')).id
    return sql`
      with ended as (
        update lendings set ended_at = now() where adviser_id = ${adviser} and lender_id = ${lender} and ended_at is null
        returning id)
      insert into lendings (adviser_id, lender_id, is_everything, folder_names, with_own_files)
      select ${adviser}, ${lender}, ${chance.number(3) === 0}, array[${chance.of(['Mappe1', 'Mappe2'])}], ${chance.number(2) === 0}
      where not exists (
        select from lendings where adviser_id = ${adviser} and lender_id = ${lender} and ended_at is null)`.execute(
      trx,
    )
  },
  // A person who was deactivated at first, and so is no reader: their own pages end.
  'a lender who comes back or is deactivated again': async (trx, { people }) =>
    sql`update users set deactivated_at = case when deactivated_at is null then now() end
      where id = ${people.find(({ role, isActive }) => role === 'investor' && !isActive)?.id ?? 0}`.execute(
      trx,
    ),
  'a release in another state': async (trx, _office, chance) =>
    sql`update releases set state = ${chance.of(['draft', 'planned'])}
      where id = (select id from releases order by random() limit 1) and state in ('draft', 'planned')`.execute(
      trx,
    ),
}

/** Returns notifications to people who see no change, and missing ones to people who see one. */
async function compare(readers: RandomPerson[], act: (trx: Trx) => Promise<unknown>): Promise<string[]> {
  const before = await Promise.all(readers.map(viewOf))
  const placesBefore = await Promise.all(readers.map(placesOf))
  const reaches = await Promise.all(readers.map((reader) => findReach(db, reader)))
  const notifications = await listenTo(act)
  const after = await Promise.all(readers.map(viewOf))
  const placesAfter = await Promise.all(readers.map(placesOf))
  const told = new Set(notifications.join(' ').split(' ').flatMap(withKind))
  const faults: string[] = []
  for (const [index, reader] of readers.entries()) {
    const [was, is] = [before[index]!, after[index]!]
    const topics = [...was].filter(([name]) => is.has(name))
    const hasChanged = (name: string) => was.get(name)!.text !== is.get(name)!.text
    const hasMoved = placesBefore[index] !== placesAfter[index]
    const seesChange = hasMoved || was.size !== is.size || topics.some(([name]) => hasChanged(name))
    for (const [name, { about }] of topics) {
      const marks = marksFor(reader, about, reaches[index]!)
      const isTold = marks.some((mark) => told.has(mark))
      // An adviser may be notified about a project or lender that they see although nothing changes for them.
      const isExact = marks.some(
        (mark) => told.has(mark) && !(isLentTo(reader.role) && mark === memberMark(reader.id)),
      )
      if (isExact && !seesChange && !isOffice(reader.role))
        faults.push(`${reader.role} is told at ${name} by ${[...told].join()}`)
      if (!isTold && hasChanged(name))
        faults.push(`${reader.role} is not told at ${name}, only ${[...told].join()}`)
    }
  }
  return faults
}

/** Lets random acts happen in random offices. */
export function tellAlike(offices: number, acts: number): void {
  beforeAll(async () => {
    ;({ db } = await freshDatabase())
    const listener = await connectAlone(db)
    afterwards(() => listener.end())
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await listener.query('listen ringbind_changes')
  })

  it('only those who see a change are told of it', { timeout: 60 * 60_000 }, async () => {
    const names = Object.keys(ACTS)
    for (let seed = 1; seed <= offices; seed++) {
      const chance = chanceOf(seed)
      const office = await makeRandomOffice(db, chance)
      const readers = office.people.filter(({ isActive }) => isActive)
      for (let number = 0; number < acts; number++) {
        const done = [chance.of(names), ...(chance.number(4) === 0 ? [chance.of(names)] : [])]
        const faults = await compare(readers, async (trx) => {
          for (const name of done) await ACTS[name]!(trx, office, chance)
        })
        // Two acts can undo each other, so the second may hide the first one's change.
        const shown = done.length === 1 ? faults : faults.filter((fault) => !fault.includes('is told'))
        expect(shown, `seed ${seed}, act ${number}: ${done.join(' and ')}`).toEqual([])
      }
    }
  })
}
