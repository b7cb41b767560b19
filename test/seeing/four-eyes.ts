import { Readable } from 'node:stream'
import { generateNKeysBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import type { FileOwner } from '../../src/access/reader.ts'
import type { StoredSight, Who } from '../../src/access/sight.ts'
import { seesFile, seesFolder, type Office } from '../../src/access/seen.ts'
import { addSession } from '../../src/accounts/session/sessions.db.ts'
import { clearPapers, lockPapers } from '../../src/releases/held/clear-papers.db.ts'
import { savePlans, readPapers, readPlanSight } from '../../src/releases/release/plan-sight.db.ts'
import type { ReleaseState } from '../../src/releases/release/release.ts'
import { publishPlanned } from '../../src/releases/steps/publish-planned.db.ts'
import { isOffice, ROLES, type Role } from '../../src/rights.ts'
import type { Database } from '../../src/server/database/database.ts'
import { receiveTemporaryFile } from '../../src/uploads/transport/temporary.db.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import type { TestApp } from '../app.ts'
import { chanceOf, type Chance } from '../chance.ts'
import { NOBODY } from '../make.ts'
import { makeRandomOffice } from './random-office.ts'
import { Visitor } from '../visitor.ts'

type Person = Office['people'][number] & { name: string; email: string; numbers: string[] }
type Project = Office['projects'][number] & { number: string; name: string }
type StoredFile = Office['files'][number] & {
  blob: number
  isUnread: boolean
  versions: { blob: number; isShown: boolean; seenBy: number[] }[]
}
type Release = { id: number; state: ReleaseState; by: number; submission: number; files: number[] }

/** The office as it is in the database now. */
type Now = Omit<Office, 'people' | 'projects' | 'files' | 'lendings'> & {
  people: Person[]
  projects: Project[]
  files: StoredFile[]
  lendings: (Office['lendings'][number] & { id: number })[]
  releases: Release[]
}

async function readOffice(db: Database): Promise<Now> {
  const { rows } = await sql<{ office: Now }>`
    select json_build_object(
      'people', (select json_agg(json_build_object('id', id, 'name', name, 'email', email, 'role', role,
        'isActive', deactivated_at is null, 'numbers', array(select number from user_numbers where user_id = users.id))
        order by id) from users),
      'projects', (select coalesce(json_agg(json_build_object('id', id, 'number', number, 'name', name,
        'members', array(select user_id from project_members where project_id = projects.id)) order by id), '[]') from projects),
      'folders', (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'isShared', visible_to_investors,
        'owner', case when user_id is null then json_build_object('project', project_id) else json_build_object('user', user_id) end)
        order by id), '[]') from folders where project_id is not null or user_id is not null),
      'files', (select coalesce(json_agg(json_build_object('id', id, 'folder', folder_id, 'blob', blob_id,
        'isDeleted', deleted_at is not null, 'isHeldBack', is_held_back,
        'isUnread', exists (select from held_papers where held_papers.blob_id = files.blob_id), 'versions', (
          select coalesce(json_agg(json_build_object('blob', blob_id, 'isShown', not is_held_back,
            'seenBy', coalesce(seen_by, '{}'))), '[]')
          from file_versions where file_id = files.id)) order by id), '[]') from files),
      'lendings', (select coalesce(json_agg(json_build_object('id', id, 'lender', lender_id, 'adviser', adviser_id,
        'scope', case when is_everything then to_json('everything'::text)
          else json_build_object('folders', folder_names, 'hasOwnFiles', with_own_files) end, 'getsMails', gets_mails,
        'isOver', ended_at is not null or coalesce(until <= now(), false)) order by id), '[]') from lendings),
      'releases', (select coalesce(json_agg(json_build_object('id', id, 'state', state, 'by', made_by, 'submission', submission_id,
        'files', array(
        select files.id from files where files.submission_id = releases.submission_id
        union select file_id from file_versions where file_versions.submission_id = releases.submission_id)) order by id), '[]')
        from releases)
    ) as office`.execute(db)
  return rows[0]!.office
}

/** A file's bytes as one person sees them: 'person file blob'. */
const pairOf = (person: number, file: number, blob: number) => `${person} ${file} ${blob}`

/** Lists what people outside the office see, by the model. `wasOffice` were in the office from the beginning. */
function seenIn(office: Now, wasOffice: ReadonlySet<number>) {
  const readers = office.people.filter(({ id, isActive }) => isActive && !wasOffice.has(id))
  return readers.flatMap((reader) =>
    office.files
      .filter((file) => seesFile(office, reader, file.id))
      .map((file) => ({ reader: reader.id, file, pair: pairOf(reader.id, file.id, file.blob) })),
  )
}

/** One person of the office, who acts alone. */
type World = {
  test: TestApp
  chance: Chance
  me: number
  visitor: Visitor
  now: Now
  undos: string[]
  asked: string[]
  /** Another person of the office, who only answers. */
  colleague: Visitor
  allowed: Allowed
}

const happens = (chance: Chance, oneIn: number) => chance.number(oneIn) === 0
const ownerOf = ({ now }: World, folder: number): FileOwner =>
  now.folders.find(({ id }) => id === folder)!.owner

/** Sends what a page would. Returns whether it was accepted, as done or as asked for. */
async function post(world: World, url: string, fields: object = {}): Promise<boolean> {
  const reply = await world.visitor.post(url, { ...fields }, { script: true })
  if (reply.statusCode >= 500)
    throw new Error(`${url} answered ${reply.statusCode}: ${world.test.logged().slice(-3000)}`)
  const isJson = String(reply.headers['content-type']).startsWith('application/json')
  const answer = isJson ? reply.json<{ undo?: string | null; asked?: string }>() : {}
  if (answer.undo) (answer.asked ? world.asked : world.undos).push(answer.undo)
  return reply.statusCode < 400
}

/** Picks something of a kind; an act for which there is nothing is not done. */
function pick<Item>({ chance }: World, items: readonly Item[]): Item {
  if (items.length === 0) throw new Nothing()
  return chance.of(items)
}
class Nothing extends Error {}

const liveIn = (world: World, kind: 'project' | 'user') =>
  world.now.files.filter((file) => !file.isDeleted && kind in ownerOf(world, file.folder))
const folderOf = (world: World, project: number) =>
  pick(
    world,
    world.now.folders.filter(({ owner }) => 'project' in owner && owner.project === project),
  )
const person = (world: World, ...roles: Role[]) =>
  pick(
    world,
    world.now.people.filter(
      ({ id, role }) => id !== world.me && (roles.length === 0 || roles.includes(role)),
    ),
  )
const release = (world: World, ...states: ReleaseState[]) =>
  pick(
    world,
    world.now.releases.filter(({ state }) => states.includes(state)),
  )
const actOn =
  (act: string, ...states: ReleaseState[]) =>
  (world: World) =>
    post(world, urls.releaseAct(release(world, ...states).id, act))

/** Presses a button of a release's page, which says what the page shows. */
async function pressWithPapers(world: World, act: string, fields: object): Promise<boolean> {
  const { id, submission } = release(world, 'draft', 'planned', 'waiting')
  return post(world, urls.releaseAct(id, act), {
    ...fields,
    papers: await readPapers(world.test.db, submission),
  })
}

async function send(world: World, name: string): Promise<object> {
  const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${name} ${world.chance.number(1e9)}`)])
  const { hash_name: data } = await receiveTemporaryFile(world.test, world.me, name, bytes, 1e6)
  return { a: { name, data } }
}

const HOW = [{}, { publish: 'draft' }, { publish: 'later', publish_day: '01/06/2027', publish_time: '10.00' }]

const userForm = ({ name, email }: Person, role: Role, numbers: string[]) => ({
  name,
  email,
  role,
  numbers: role === 'investor' || role === 'auditor' ? numbers : [],
  promote_employee: '1',
  promote_administrator: '1',
})
const projectForm = ({ number, name }: Project) => ({ number, name, status: 'active' })

async function moveToProject(world: World, isMany: boolean): Promise<boolean> {
  const file = pick(world, liveIn(world, 'project'))
  const owner = ownerOf(world, file.folder)
  const project = 'project' in owner ? owner.project : 0
  const folder = folderOf(world, project).id
  return isMany
    ? post(world, fileUrls.many({ project }, 'move'), { files: [file.id], folder_id: folder })
    : post(world, urls.moveFile(project), { file_id: file.id, folder_id: folder })
}

async function moveToPerson(world: World, isMany: boolean): Promise<boolean> {
  const file = pick(world, liveIn(world, 'user'))
  const owner = ownerOf(world, file.folder)
  const user = 'user' in owner ? owner.user : 0
  const to = person(world, 'investor').id
  return isMany
    ? post(world, fileUrls.many({ user }, 'move'), { files: [file.id], user_id: to })
    : post(world, urls.moveUserFile(user), { file_id: file.id, user_id: to })
}

const deleted = (world: World) =>
  pick(
    world,
    world.now.files.filter(({ isDeleted }) => isDeleted),
  )
const live = (world: World) =>
  pick(
    world,
    world.now.files.filter(({ isDeleted }) => !isDeleted),
  )

/** The acts of one person, through the addresses. */
export const ACTS: Record<string, (world: World) => Promise<boolean>> = {
  'move a file': (world) => moveToProject(world, false),
  'move files': (world) => moveToProject(world, true),
  'move a file to a person': (world) => moveToPerson(world, false),
  'move files to a person': (world) => moveToPerson(world, true),
  'move files anywhere': (world) => {
    const { id, folder } = live(world)
    const to = happens(world.chance, 3)
      ? { user_id: person(world, 'investor').id }
      : { folder_id: folderOf(world, pick(world, world.now.projects).id).id }
    return post(world, fileUrls.many(ownerOf(world, folder), 'move'), { files: [id], ...to })
  },
  'foresee a move of files': (world) => {
    const { id, folder } = live(world)
    const to = { folder_id: folderOf(world, pick(world, world.now.projects).id).id }
    return post(world, fileUrls.many(ownerOf(world, folder), 'foresee-move'), { files: [id], ...to })
  },
  'delete files': (world) => {
    const { id, folder } = live(world)
    return post(world, fileUrls.many(ownerOf(world, folder), 'delete'), { files: [id] })
  },
  'restore a file': (world) => {
    const { id, folder } = deleted(world)
    return post(world, fileUrls.restore(ownerOf(world, folder), id))
  },
  'restore files': (world) => {
    const { id, folder } = deleted(world)
    return post(world, fileUrls.many(ownerOf(world, folder), 'restore'), { files: [id] })
  },
  undo: (world) => post(world, urls.undo(pick(world, world.undos))),
  'take a wish back': (world) => post(world, urls.undo(pick(world, world.asked))),
  'approve one’s own wish': async (world) =>
    !(await post(world, urls.askedAct(pick(world, world.asked), 'approve'))),
  'rename a file': (world) => {
    const { id, folder } = live(world)
    return post(world, fileUrls.rename(ownerOf(world, folder), id), {
      name: `Nyt${world.chance.number(99)}.txt`,
    })
  },
  'change a folder': (world) => {
    const { id, name, owner } = pick(
      world,
      world.now.folders.filter((folder) => 'project' in folder.owner),
    )
    const names = ['Mappe1', 'Mappe2', 'Mappe3', `Andet${id}`]
    return post(world, urls.folder(urls.projectFolders('project' in owner ? owner.project : 0), id), {
      name: happens(world.chance, 3) ? world.chance.of(names) : name,
      ...(!happens(world.chance, 3) && { visible_to_investors: '1' }),
    })
  },
  'add a folder': (world) =>
    post(world, urls.projectFolders(pick(world, world.now.projects).id), {
      name: `Ny${world.chance.number(1000)}`,
      visible_to_investors: '1',
    }),
  'remove a folder': (world) => {
    const { id } = pick(world, world.now.projects)
    return post(world, urls.removeFolder(urls.projectFolders(id), folderOf(world, id).id))
  },
  'change members': (world) => {
    const project = pick(world, world.now.projects)
    const { id } = person(world, 'investor', 'auditor')
    const change = happens(world.chance, 3) ? { remove_members: [id] } : { add_members: [id] }
    return post(world, urls.editProject(project.id), { ...projectForm(project), ...change })
  },
  'add a member by e-mail': (world) => {
    const project = pick(world, world.now.projects)
    const { email } = person(world, 'investor', 'auditor')
    return post(world, urls.editProject(project.id), { ...projectForm(project), add_member: email })
  },
  'add many to a project': (world) => {
    const ids = [person(world, 'investor', 'auditor').id, person(world, 'investor', 'auditor').id]
    const { id } = pick(world, world.now.projects)
    return post(world, urls.addToProject, { ids: ids.join(), project: id })
  },
  'add a project': (world) =>
    post(world, urls.newProject, {
      number: `9${world.chance.number(1e6)}`,
      name: 'Nyt projekt',
      add_members: [person(world, 'investor', 'auditor').id],
    }),
  'change a role': (world) => {
    const who = person(world)
    const role = world.chance.of(ROLES)
    return post(world, urls.editUser(who.id), userForm(who, role, who.numbers))
  },
  'change a person’s projects': (world) => {
    const who = person(world, 'investor', 'auditor')
    const { id } = pick(world, world.now.projects)
    const change = happens(world.chance, 3) ? { remove_projects: [id] } : { add_projects: [id] }
    return post(world, urls.editUser(who.id), { ...userForm(who, who.role, who.numbers), ...change })
  },
  'add a person': (world) => {
    const mark = world.chance.number(1e9)
    return post(world, urls.newUser, {
      name: `Ny ${mark}`,
      email: `ny${mark}@example.dk`,
      role: world.chance.of(['investor', 'auditor', 'employee'] as const),
      numbers: [`N${mark}`],
      add_projects: [pick(world, world.now.projects).id],
    })
  },
  'change an e-mail': (world) => {
    const who = person(world)
    const email = `ny${world.chance.number(1e9)}@example.dk`
    return post(world, urls.editUser(who.id), userForm({ ...who, email }, who.role, who.numbers))
  },
  'let a colleague approve a wish': approveWish,
  'let a colleague approve a release': approveWaiting,
  'deactivate a person': (world) => post(world, urls.deactivateUser(person(world).id)),
  'reactivate a person': (world) =>
    post(
      world,
      urls.reactivateUser(
        pick(
          world,
          world.now.people.filter(({ isActive }) => !isActive),
        ).id,
      ),
    ),
  'lend access': (world) => {
    const { name, email } = person(world, 'adviser')
    return post(world, urls.lendings(person(world, 'investor').id), { name, email, what: 'everything' })
  },
  'change what is lent': (world) => {
    const { id, lender } = pick(
      world,
      world.now.lendings.filter(({ isOver }) => !isOver),
    )
    return post(world, urls.lending(urls.lendings(lender), id), { what: 'everything' })
  },
  'take access back': (world) => {
    const { id, lender } = pick(
      world,
      world.now.lendings.filter(({ isOver }) => !isOver),
    )
    return post(world, urls.takeBack(urls.lendings(lender), id))
  },
  publish: (world) => pressWithPapers(world, 'publish', {}),
  plan: (world) => pressWithPapers(world, 'plan', { publish_day: '01/06/2027', publish_time: '10.00' }),
  hold: actOn('hold', 'planned', 'waiting'),
  discard: actOn('discard', 'draft', 'planned', 'waiting'),
  regret: actOn('regret', 'published'),
  recall: actOn('recall', 'published'),
  'undo a recall': actOn('undo-recall', 'recalled'),
  'approve one’s own release': (world) => {
    const mine = world.now.releases.filter(({ state, by }) => state === 'waiting' && by === world.me)
    return post(world, urls.releaseAct(pick(world, mine).id, 'approve')).then((isDone) => !isDone)
  },
  upload: async (world) => {
    const { id, number } = pick(world, world.now.projects)
    const folder = folderOf(world, id)
    const files = await send(world, `${folder.name} (${number}) ${world.chance.number(1e6)}.pdf`)
    return post(world, urls.uploadTo(id, folder.id), { files, ...world.chance.of(HOW) })
  },
  'replace a file': async (world) => {
    const { id, folder } = live(world)
    const files = await send(world, 'Ny version.txt')
    return post(world, fileUrls.replace(ownerOf(world, folder), id), { files, ...world.chance.of(HOW) })
  },
  'put a version back': (world) => {
    const { folder, versions } = pick(
      world,
      world.now.files.filter((file) => !file.isDeleted && file.versions.length > 0),
    )
    return post(world, fileUrls.restoreVersion(ownerOf(world, folder), pick(world, versions).blob))
  },
  'turn approval off': (world) => post(world, urls.officeApproval, {}),
  'turn approval on': (world) => post(world, urls.officeApproval, { needs_approval: '1' }),
  'wait until papers are read': async ({ test }) => {
    await test.db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ blob: number; submission: number | null }>`
        select held_papers.blob_id as blob, files.submission_id as submission
        from held_papers join files on files.blob_id = held_papers.blob_id`.execute(trx)
      for (const { blob, submission } of rows)
        await clearPapers(trx, NOBODY, submission, await lockPapers(trx, submission, [blob]))
    })
    return true
  },
  'wait until plans are due': async ({ test }) => {
    await sql`update releases set publish_at = now() where state = 'planned' and planned_for is not null`.execute(
      test.db,
    )
    return (await publishPlanned(test.db, test.jobs)) >= 0
  },
}

export type Shown = { act: string; reader: number; file: number }

/** How often each act was accepted. */
export type Tally = Map<string, number>

/**
 * Lets one person do random things in a random office where a colleague has to approve. Returns what somebody outside the
 * office sees at last that they did not see at first.
 */
export async function actAlone(test: TestApp, seed: number, many: number, tally: Tally): Promise<Shown[]> {
  const chance = chanceOf(seed)
  const me = await makeOffice(test, chance)
  const visitor = new Visitor(test.app)
  visitor.cookies.set('session', await test.db.transaction().execute((trx) => addSession(trx, me, 'test')))
  const first = await readOffice(test.db)
  const allowed = allowedFrom(first, me)
  const colleague = new Visitor(test.app)
  const other = first.people.find(({ id, role, isActive }) => id !== me && isActive && isOffice(role))!.id
  colleague.cookies.set(
    'session',
    await test.db.transaction().execute((trx) => addSession(trx, other, 'test')),
  )
  const world: World = { test, chance, me, visitor, now: first, undos: [], asked: [], colleague, allowed }
  for (let step = 0; step < many; step++) {
    const act = chance.of(Object.keys(ACTS))
    try {
      if (await ACTS[act]!(world)) tally.set(act, (tally.get(act) ?? 0) + 1)
    } catch (error) {
      if (!(error instanceof Nothing)) throw error
      continue
    }
    world.now = await readOffice(test.db)
    const seen = seenIn(world.now, allowed.wasOffice)
    const more = seen.filter((each) => !allowed.check(each))
    if (more.length > 0) return more.map(({ reader, file }) => ({ act, reader, file: file.id }))
    // Files shown by a colleague's draft may be moved to where the same people see them.
    for (const { pair } of seen) allowed.pairs.add(pair)
    // A person who reads the mail of another address gets in as that person.
    const moved = world.now.people.filter(({ id, email }) => (allowed.emails.get(id) ?? email) !== email)
    if (moved.length > 0) return moved.map(({ id }) => ({ act, reader: id, file: 0 }))
  }
  return []
}

type Allowed = ReturnType<typeof allowedFrom>

/** Lets a colleague approve a request. From then on, exactly what was asked for may be seen. */
async function approveWish(world: World): Promise<boolean> {
  const { rows } = await sql<{ id: string; sight: StoredSight }>`
    select id, sight from asked_acts where state = 'waiting' and kind <> 'set-approval' order by asked_at, id`.execute(
    world.test.db,
  )
  const { id, sight } = pick(world, rows)
  if (!(await letAnswer(world, urls.askedAct(id, 'approve')))) return false
  const { people } = await readOffice(world.test.db)
  const idsOf = (who: Who) =>
    typeof who === 'number' ? [who] : people.filter(({ email }) => email === who).map((each) => each.id)
  for (const { people: readers, files } of sight.shown)
    for (const reader of readers.flatMap(idsOf))
      for (const file of files) world.allowed.pairs.add(pairOf(reader, file.id, file.blob))
  for (const joined of sight.office.flatMap(idsOf)) world.allowed.wasOffice.add(joined)
  for (const moved of sight.moved) world.allowed.emails.delete(moved)
  return true
}

/** Lets a colleague approve a release that waits: its files may be seen by those who saw their folders then. */
async function approveWaiting(world: World): Promise<boolean> {
  const { id, submission } = release(world, 'waiting')
  const { files, readers } = await readPlanSight(world.test.db, submission)
  const papers = await readPapers(world.test.db, submission)
  if (!(await letAnswer(world, urls.releaseAct(id, 'approve'), { papers }))) return false
  for (const { id: file, blob, folder } of files)
    for (const reader of readers.find((each) => each.folder === folder)?.people ?? [])
      world.allowed.pairs.add(pairOf(reader, file, blob))
  return true
}

async function letAnswer(world: World, url: string, fields: object = {}): Promise<boolean> {
  const reply = await world.colleague.post(url, { ...fields }, { script: true })
  if (reply.statusCode >= 500)
    throw new Error(`${url} answered ${reply.statusCode}: ${world.test.logged().slice(-3000)}`)
  // A person whose session is over is redirected to the sign-in.
  return reply.statusCode === 200
}

/**
 * Returns what may be seen: what was seen at first, older versions of it, and what colleagues had uploaded, where they
 * put it.
 */
function allowedFrom(first: Now, me: number) {
  const wasOffice = new Set(first.people.filter(({ role }) => isOffice(role)).map(({ id }) => id))
  const pairs = new Set(seenIn(first, wasOffice).map(({ pair }) => pair))
  // A recall shows an older version to those who have seen it.
  for (const file of first.files)
    for (const { blob, isShown, seenBy } of file.versions)
      if (isShown) for (const reader of seenBy) pairs.add(pairOf(reader, file.id, blob))
  const readers = first.people.filter(({ id, isActive }) => isActive && !wasOffice.has(id))
  const placed = new Set<string>()
  // Only bytes that were shown are unread (`holdUnread`): they are shown again to their readers.
  for (const file of first.files.filter(({ isUnread }) => isUnread))
    for (const reader of readers)
      if (seesFolder(first, reader, file.folder)) pairs.add(pairOf(reader.id, file.id, file.blob))
  for (const { state, by, files } of first.releases)
    for (const file of first.files.filter(({ id }) => files.includes(id)))
      for (const blob of [file.blob, ...file.versions.map((version) => version.blob)]) {
        // A person who publishes or approves a colleague's draft is the second person, for those who would have seen it
        // there.
        if (by !== me && (state === 'draft' || state === 'waiting' || state === 'planned'))
          for (const reader of readers)
            if (seesFolder(first, reader, file.folder))
              placed.add(`${pairOf(reader.id, file.id, blob)} ${file.folder}`)
        // A plan from before is carried out for those whom it was meant for.
        if (state === 'planned')
          for (const reader of readers)
            if (seesFolder(first, reader, file.folder)) pairs.add(pairOf(reader.id, file.id, blob))
      }
  return {
    wasOffice,
    pairs,
    emails: new Map(first.people.map(({ id, email }) => [id, email])),
    check: ({ file, pair }: ReturnType<typeof seenIn>[number]) =>
      pairs.has(pair) || placed.has(`${pair} ${file.folder}`),
  }
}

/** Makes some files unread: they are shown automatically as soon as they are read. */
async function holdUnread(db: Database): Promise<void> {
  await sql`
    insert into held_papers (blob_id, cause) select blob_id, 'reading' from files
    where id % 4 = 0 and not is_held_back and deleted_at is null`.execute(db)
  await sql`
    update files set is_held_back = true where blob_id in (select blob_id from held_papers)`.execute(db)
}

/** Gives files places between which others fit. */
async function placeFiles(db: Database): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from files order by id`.execute(db)
  await sql`
    update files set position = placed.position
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${generateNKeysBetween(null, null, rows.length)}::text[])
      as placed (id, position)
    where files.id = placed.id`.execute(db)
}

/** Makes a random office where a colleague has to approve, and two can. Returns an administrator. */
async function makeOffice({ db }: TestApp, chance: Chance): Promise<number> {
  const { people } = await makeRandomOffice(db, chance)
  const me = people.find(({ role }) => role === 'administrator')!.id
  const colleague = people.find(({ role }) => role === 'employee')!.id
  await sql`update users set deactivated_at = null where id = any (${[me, colleague]})`.execute(db)
  await sql`
    update users set email = 'p' || id || '@example.dk', email_key = 'p' || id || '@example.dk', password_hash = 'none'`.execute(
    db,
  )
  await sql`
    insert into office (needs_approval) values (true) on conflict (is_only) do update set needs_approval = true`.execute(
    db,
  )
  // Everybody has seen some of the older versions, and nobody the others.
  await sql`
    update file_versions set seen_by = array(select id from users) where not is_held_back and file_id % 2 = 0`.execute(
    db,
  )
  await placeFiles(db)
  await holdUnread(db)
  await savePlans(db)
  return me
}
