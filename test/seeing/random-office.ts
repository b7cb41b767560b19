import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { FileOwner, Reader } from '../../src/access/reader.ts'
import type { Office } from '../../src/access/seen.ts'
import { addSession } from '../../src/accounts/session/sessions.db.ts'
import { startView } from '../../src/accounts/view/views.db.ts'
import type { Parts } from '../../src/server/parts.ts'
import { RELEASE_STATES, type ReleaseState } from '../../src/releases/release/release.ts'
import { ROLES } from '../../src/rights.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { Chance } from '../chance.ts'
import { connectAsOwner } from '../database.ts'

export type RandomPerson = Reader & { isActive: boolean; number: string }
export type RandomFile = Office['files'][number] & {
  name: string
  path: string
  uploadedBy: number
  readBy: number[]
  /** The blobs of versions that it does not show: an older one, or one that is held back. */
  versions: number[]
  /** The submission that holds a new version of it back. */
  heldIn: number | null
}
/** A saved upload. Its release is null if it has none, as what investors send. */
export type RandomSubmission = {
  id: number
  user: number
  key: string
  release: { id: number; state: ReleaseState } | null
}

/** A small random office, in the database and in memory. */
export type RandomOffice = {
  people: RandomPerson[]
  projects: Office['projects']
  folders: Office['folders']
  files: (RandomFile & { submission: number })[]
  /** Saved uploads, one per person. */
  submissions: RandomSubmission[]
  lendings: Office['lendings']
}

/** Empties the office and makes another one. Ids are never reused, so no cached answer fits the next office. */
export async function makeRandomOffice(db: Database, chance: Chance): Promise<RandomOffice> {
  await emptyOffice(db)
  const people = await makePeople(db, chance)
  const submissions = await makeSubmissions(db, chance, people)
  const projects = await makeProjects(db, chance, people)
  const folders = await makeFolders(db, chance, people, projects)
  const files = await makeFiles(db, chance, people, folders, submissions)
  const lendings = await makeLendings(db, chance, people)
  return { people, projects, folders, files, submissions, lendings }
}

/** Signs everybody in and returns the sessions by person. */
export async function signEverybodyIn(db: Database, { people }: RandomOffice): Promise<Map<number, string>> {
  return db.transaction().execute(async (trx) => {
    const sessions = new Map<number, string>()
    for (const { id } of people) sessions.set(id, await addSession(trx, id, 'test'))
    return sessions
  })
}

/** Lets an administrator of the office see it as each person that they can: by person, the two secrets. */
export async function viewEverybody(
  db: Database,
  { people }: RandomOffice,
): Promise<Map<number, { session: string; view: string }>> {
  const tickets = new Map<number, { session: string; view: string }>()
  const boss = people.find(({ role, isActive }) => role === 'administrator' && isActive)
  if (!boss) return tickets
  for (const { id, role, isActive } of people) {
    if (role === 'administrator' || !isActive) continue
    const session = await db.transaction().execute((trx) => addSession(trx, boss.id, 'test'))
    const actor = { userId: boss.id, address: null }
    tickets.set(id, { session, view: await startView(db, actor, session, id) })
  }
  return tickets
}

/** Gives every file bytes that can be opened. */
export async function storeBytes(
  { db, storage }: Pick<Parts, 'db' | 'storage'>,
  { files }: RandomOffice,
): Promise<void> {
  for (const file of files) {
    const store = (text: string) => receiveBlob(db, storage, Readable.from([Buffer.from(text)]), Infinity)
    const { id: blob } = await store(file.name)
    await sql`update files set blob_id = ${blob} where id = ${file.id}`.execute(db)
    await sql`insert into thumbnails (blob_id, is_pdf, state, webp) values (${blob}, false, 'made', 'webp')`.execute(
      db,
    )
    for (const [index, version] of file.versions.entries()) {
      const { id } = await store(`${file.name} ${index}`)
      await sql`update file_versions set blob_id = ${id} where blob_id = ${version}`.execute(db)
      file.versions[index] = id
    }
  }
}

const some = (chance: Chance, least: number, most: number) => least + chance.number(most - least + 1)
const happens = (chance: Chance, oneIn: number) => chance.number(oneIn) === 0
const randomKey = () => randomBytes(16).toString('hex')

/** Empties the tables in one transaction: the app may still be writing log entries about the last office. */
async function emptyOffice(db: Database): Promise<void> {
  await using owner = await connectAsOwner(db)
  await owner.transaction().execute(async (trx) => {
    await sql`lock table log in exclusive mode`.execute(trx)
    await sql`delete from views`.execute(trx) // their end is logged
    await sql`
      with acts as (delete from undos), wishes as (delete from asked_acts), sent as (delete from temporary_files),
        links as (delete from link_tokens), failed as (delete from failed_mails)
      select`.execute(trx)
    await sql`
      with reads as (delete from file_reads), members as (delete from project_members), entries as (delete from log), links as (delete from log_chain),
        ended as (delete from sessions), numbers as (delete from user_numbers), lent as (delete from lendings),
        marks as (delete from lent_seen), keys as (delete from tokens)
      select`.execute(trx)
    await sql`delete from files`.execute(trx)
    await sql`delete from releases`.execute(trx)
    await sql`delete from intakes`.execute(trx)
    await sql`with saved as (delete from submissions), bytes as (delete from blobs) select`.execute(trx)
    await sql`delete from folders where project_id is not null or user_id is not null`.execute(trx)
    await sql`delete from obligations`.execute(trx)
    await sql`with moved as (delete from sheet_imports) delete from sheets`.execute(trx)
    await sql`with gone as (delete from projects) delete from users`.execute(trx)
  })
}

/** Inserts rows in order and returns their ids. */
async function insert(db: Database, table: string, rows: Record<string, unknown>[]): Promise<number[]> {
  if (rows.length === 0) return []
  const columns = sql.join(Object.keys(rows[0]!).map((name) => sql.ref(name)))
  const { rows: added } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
    returning id`.execute(db)
  return added.map(({ id }) => id)
}

const LONG_AGO = '2020-01-01T00:00:00Z'

async function makePeople(db: Database, chance: Chance): Promise<RandomPerson[]> {
  // At least one of each role, and some more.
  const roles = [
    ...ROLES,
    'investor' as const,
    ...Array.from({ length: some(chance, 1, 4) }, () => chance.of(ROLES)),
  ]
  const people = roles.map((role) => ({ role, isActive: !happens(chance, 6) }))
  const ids = await insert(
    db,
    'users',
    people.map(({ role, isActive }, index) => ({
      name: `Person${index}`,
      email: `person${index}`,
      email_key: randomKey(),
      role,
      deactivated_at: isActive ? null : LONG_AGO,
      created_at: LONG_AGO,
      search: `person${index}`,
    })),
  )
  const numbered = people.map((person, index) => ({ ...person, id: ids[index]!, number: `P${index}` }))
  await sql`
    insert into user_numbers (user_id, number)
    select * from unnest(${numbered.map(({ id }) => id)}::bigint[], ${numbered.map(({ number }) => number)}::text[])`.execute(
    db,
  )
  return numbered
}

async function makeSubmissions(
  db: Database,
  chance: Chance,
  people: RandomPerson[],
): Promise<RandomSubmission[]> {
  const submissions = people.map(({ id }) => ({
    user_id: id,
    key: randomKey(),
    content: '',
    created_at: LONG_AGO,
  }))
  const ids = await insert(db, 'submissions', submissions)
  // Some states need one of these times. What is planned must not be published meanwhile.
  const at = LONG_AGO
  const times = {
    publish_at: '2099-01-01T00:00:00Z',
    published_at: at,
    recalled_at: at,
    asked_at: at,
    announced_at: at,
  }
  // Most files are published, so that an office has something to see.
  const stateOf = () => (happens(chance, 2) ? 'published' : chance.of(RELEASE_STATES))
  const made = submissions.flatMap(({ user_id: user }, index) =>
    happens(chance, 2) ? [] : [{ submission_id: ids[index]!, made_by: user, state: stateOf(), ...times }],
  )
  const texts = { message: '', is_for_everybody: false, rejection: '' }
  const releaseIds = await insert(
    db,
    'releases',
    made.map((release) => ({ ...release, ...texts })),
  )
  const releases = new Map(
    made.map(({ submission_id: submission, state }, index) => [
      submission,
      { id: releaseIds[index]!, state },
    ]),
  )
  return submissions.map(({ user_id: user, key }, index) => ({
    id: ids[index]!,
    user,
    key,
    release: releases.get(ids[index]!) ?? null,
  }))
}

async function makeProjects(
  db: Database,
  chance: Chance,
  people: RandomPerson[],
): Promise<Office['projects']> {
  // Some advisers were investors before, and have not left their projects: that alone shows them nothing.
  const outside = people.filter(
    ({ role }) => role === 'investor' || role === 'auditor' || (role === 'adviser' && happens(chance, 4)),
  )
  const rows = Array.from({ length: some(chance, 1, 3) }, (_, index) => ({
    number: String(index),
    name: `Projekt${index}`,
    status: 'active',
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    files_count: 0,
    changed_at: LONG_AGO,
  }))
  const projects = (await insert(db, 'projects', rows)).map((id) => ({
    id,
    members: outside.filter(() => happens(chance, 2)).map((person) => person.id),
  }))
  const members = projects.flatMap(({ id, members: each }) => each.map((user) => [id, user]))
  await sql`
    insert into project_members (project_id, user_id, since)
    select *, ${LONG_AGO}::timestamptz from unnest(${members.map(([id]) => id)}::bigint[], ${members.map(([, user]) => user)}::bigint[])`.execute(
    db,
  )
  return projects
}

async function makeFolders(
  db: Database,
  chance: Chance,
  people: RandomPerson[],
  projects: Office['projects'],
): Promise<Office['folders']> {
  const ofProjects = projects.flatMap(({ id }) =>
    Array.from({ length: some(chance, 1, 3) }, (_, index) => ({
      owner: { project: id } as FileOwner,
      place: index + 1,
      isShared: happens(chance, 2),
    })),
  )
  // Includes some people who are not investors now: they may have been investors before.
  const ofPeople = people
    .filter(({ role }) => (role === 'investor' ? !happens(chance, 4) : happens(chance, 5)))
    .map(({ id }) => ({ owner: { user: id } as FileOwner, place: 1, isShared: true }))
  const folders = [...ofProjects, ...ofPeople]
  const ids = await insert(
    db,
    'folders',
    folders.map(({ owner, place, isShared }) => ({
      project_id: 'project' in owner ? owner.project : null,
      user_id: 'user' in owner ? owner.user : null,
      name: `Mappe${place}`,
      sub_names: [],
      visible_to_investors: isShared,
      place,
      files_count: 0,
      changed_at: LONG_AGO,
      shared_at: isShared ? LONG_AGO : null,
      shown_count: 0,
      shown_changed_at: LONG_AGO,
    })),
  )
  await sql`
    insert into folder_names (project_id, key, folder_id)
    select project_id, name, id from folders where id = any (${ids}) and project_id is not null`.execute(db)
  return folders.map(({ owner, isShared, place }, index) => ({
    id: ids[index]!,
    owner,
    isShared,
    name: `Mappe${place}`,
  }))
}

async function makeFiles(
  db: Database,
  chance: Chance,
  people: RandomPerson[],
  folders: Office['folders'],
  submissions: RandomSubmission[],
): Promise<RandomOffice['files']> {
  const files = folders
    .flatMap(({ id: folder, owner }) => Array.from({ length: some(chance, 0, 3) }, () => ({ folder, owner })))
    .map(({ folder, owner }, index) => ({
      folder,
      name: `Fil${index}.txt`,
      key: randomKey(),
      isDeleted: happens(chance, 4),
      // Half of a person's own files are those that they have sent.
      submission:
        ('user' in owner && happens(chance, 2) && submissions.find(({ user }) => user === owner.user)) ||
        chance.of(submissions),
      readBy: people.filter(() => happens(chance, 4)).map(({ id }) => id),
      hasOlder: happens(chance, 3),
    }))
    .map((file) => ({
      ...file,
      isHeldBack: file.submission.release
        ? file.submission.release.state !== 'published'
        : happens(chance, 4),
      heldIn: happens(chance, 3) ? (chance.of(holding(submissions, file.submission))?.id ?? null) : null,
    }))
  const { rows: blobs } = await sql<{ id: number }>`
    insert into blobs (key, state, size, sha256, type)
    select key, 'stored', 1, repeat('a', 64), 'text/plain' from unnest(${files.map(({ key }) => key)}::text[]) as key
    returning id`.execute(db)
  const ids = await insert(
    db,
    'files',
    files.map(({ folder, name, key, isDeleted, isHeldBack, submission }, index) => ({
      folder_id: folder,
      blob_id: blobs[index]!.id,
      name,
      key,
      position: `a${index}`,
      uploaded_by: submission.user,
      created_at: '2025-01-01T00:00:00Z',
      shown_at: '2025-01-01T00:00:00Z',
      deleted_at: isDeleted ? '2026-01-01T00:00:00Z' : null,
      from_investor: false,
      is_held_back: isHeldBack,
      submission_id: submission.id,
      version: 2,
      last_version: 2,
      version_at: '2025-01-01T00:00:00Z',
    })),
  )
  const versions = await makeVersions(
    db,
    files.map(({ hasOlder, heldIn }, index) => ({ id: ids[index]!, hasOlder, heldIn })),
  )
  const reads = files.flatMap(({ readBy }, index) => readBy.map((user) => [user, ids[index]]))
  await sql`
    insert into file_reads (user_id, file_id)
    select * from unnest(${reads.map(([user]) => user)}::bigint[], ${reads.map(([, file]) => file)}::bigint[])`.execute(
    db,
  )
  return files.map(({ key, submission, hasOlder: _hasOlder, ...file }, index) => ({
    ...file,
    id: ids[index]!,
    path: `${key}/${file.name}`,
    uploadedBy: submission.user,
    submission: submission.id,
    versions: versions.get(ids[index]!) ?? [],
  }))
}

const NAMES = ['Mappe1', 'Mappe2', 'Mappe3', 'Ferie']

/** Lends to each adviser what some people see: all or some of it, now or before. */
async function makeLendings(
  db: Database,
  chance: Chance,
  people: RandomPerson[],
): Promise<RandomOffice['lendings']> {
  const advisers = people.filter(({ role }) => role === 'adviser')
  // Most lenders are investors; others have been before.
  const lenders = people.filter(({ role }) =>
    role === 'investor' ? !happens(chance, 3) : happens(chance, 5),
  )
  const pairs = advisers.flatMap(({ id: adviser }) =>
    lenders
      .filter(({ id }) => id !== adviser && !happens(chance, 4))
      .map(({ id: lender }) => ({ adviser, lender })),
  )
  const lendings = pairs.flatMap(({ adviser, lender }) => {
    const make = (isEnded: boolean) => {
      const folders = NAMES.filter(() => happens(chance, 2))
      const withOwn = folders.length === 0 || happens(chance, 2)
      const isPast = happens(chance, 6)
      return {
        lender,
        adviser,
        scope: happens(chance, 3) ? ('everything' as const) : { folders, hasOwnFiles: withOwn },
        getsMails: happens(chance, 2),
        isOver: isEnded || isPast,
        isEnded,
        until: isPast ? LONG_AGO : happens(chance, 2) ? '2099-01-01T00:00:00Z' : null,
      }
    }
    const former = happens(chance, 3) ? [make(true)] : []
    return happens(chance, 8) ? former : [...former, make(false)]
  })
  await insert(
    db,
    'lendings',
    lendings.map(({ lender, adviser, scope, getsMails, until, isEnded }) => ({
      lender_id: lender,
      adviser_id: adviser,
      is_everything: scope === 'everything',
      folder_names: scope === 'everything' ? [] : scope.folders,
      with_own_files: scope !== 'everything' && scope.hasOwnFiles,
      gets_mails: getsMails,
      until,
      created_at: LONG_AGO,
      ended_at: isEnded ? LONG_AGO : null,
    })),
  )
  return lendings.map(({ until: _until, isEnded: _isEnded, ...lending }) => lending)
}

/** The submissions that can hold back a new version of a file that came with another. */
function holding(submissions: RandomSubmission[], but: RandomSubmission): (RandomSubmission | undefined)[] {
  const others = submissions.filter(
    ({ id, release }) => id !== but.id && release && release.state !== 'published',
  )
  return others.length > 0 ? others : [undefined]
}

/** Makes versions that files do not show. Returns their blobs by file. */
async function makeVersions(
  db: Database,
  files: { id: number; hasOlder: boolean; heldIn: number | null }[],
): Promise<Map<number, number[]>> {
  const wanted = files.flatMap(({ id, hasOlder, heldIn }) => [
    ...(hasOlder ? [{ file: id, number: 1, submission: null }] : []),
    ...(heldIn === null ? [] : [{ file: id, number: null, submission: heldIn }]),
  ])
  const made = new Map<number, number[]>()
  for (const { file, number, submission } of wanted) {
    const { rows } = await sql<{ blob_id: number }>`
      with blob as (
        insert into blobs (key, state, size, sha256, type) values (${randomKey()}, 'stored', 1, repeat('a', 64), 'text/plain')
        returning id
      )
      insert into file_versions (file_id, number, blob_id, submission_id, is_held_back)
      select ${file}, ${number}::integer, id, ${submission}::bigint, ${number === null}::boolean from blob
      returning blob_id`.execute(db)
    made.set(file, [...(made.get(file) ?? []), rows[0]!.blob_id])
  }
  return made
}
