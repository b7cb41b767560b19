import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { afterwards } from '../../test/clean-up.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { LONG, openLivePage, type LivePage } from '../../test/load/live-page.ts'
import {
  foldersByName,
  makeFile,
  makeManyFiles,
  makeProject,
  makeUserFolder,
  PASSWORD,
} from '../../test/make.ts'
import { dutyOf, expectPapers } from '../../test/office/papers-of-year.ts'
import { Visitor } from '../../test/visitor.ts'
import { buildApp } from '../app.ts'
import { dayOf } from '../base/time/dates.ts'
import { connect } from '../server/database/database.ts'
import { PATIENCE } from '../server/process/patience.ts'
import { fileUrls, urls, type Topic } from '../urls.ts'

let test: TestApp
let port: number
let admin: Entered

const portOf = async (app: FastifyInstance) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
  port = await portOf(test.app)
  admin = await enter(test, 'administrator')
})

const script = { script: true }

/** Opens a page that has seen everything so far. */
async function listen(who: Entered, topic: Topic, at = port): Promise<LivePage> {
  const { cookies } = who.visitor
  const first = await openLivePage(at, topic, { cookies })
  if (first.status !== 200) return first
  const since = first.position()
  first.close()
  return openLivePage(at, topic, { cookies, since })
}

/** Waits until everything sent before has arrived: the page hears of a new release, the others of nothing. */
async function untilAllHasCome(): Promise<void> {
  const page = await listen(admin, 'users')
  const before = page.events()
  await sql`select pg_notify('ringbind_changes', 'users')`.execute(test.db)
  await expect.poll(page.events, LONG).toBe(before + 1)
  page.close()
}

type Scene = {
  project: number
  shared: number
  hidden: number
  own: number
  investor: Entered
  auditor: Entered
  outsider: Entered
  file: number
  draft: number
}

/** A project with an investor and an auditor, a file and a draft; and an investor who has nothing to do with it. */
async function makeScene(): Promise<Scene> {
  const [investor, auditor, outsider] = await Promise.all(
    (['investor', 'auditor', 'investor'] as const).map((role) => enter(test, role)),
  )
  const { id: project } = await makeProject(test.db, { members: [investor!.id, auditor!.id] })
  const folders = await foldersByName(test.db, project)
  const [shared, hidden] = [folders.Budget!, folders.Finansiering!]
  const own = await makeUserFolder(test.db, investor!.id)
  const { id: file } = await makeFile(test, shared)
  const { id: draft } = await makeFile(test, shared, { isHeldBack: true })
  return {
    project,
    shared,
    hidden,
    own,
    investor: investor!,
    auditor: auditor!,
    outsider: outsider!,
    file,
    draft,
  }
}

const remove = (project: number, file: number) =>
  admin.visitor.post(fileUrls.file({ project }, file), {}, { ...script, method: 'DELETE' })
const saveFolder = (project: number, folder: number, fields: object) =>
  admin.visitor.post(urls.folder(urls.projectFolders(project), folder), { ...fields }, script)
const placeAt = (folder: number, place: string, file: number) =>
  sql`update files set position = ${place} where id = ${file} and folder_id = ${folder}`.execute(test.db)

async function excuse(folder: number): Promise<void> {
  const today = dayOf(new Date(), 'Europe/Copenhagen')
  await expectPapers(test.db, [folder], { rhythm: 'year', from: '2020', dueMonths: 6 }, today)
  const duty = await dutyOf(test.db, folder, '2020')
  await admin.visitor.post(urls.dutyAct(duty, 'excuse'), { excuse: 'Ingen drift' }, script)
}

type Who = 'investor' | 'auditor' | 'outsider' | 'admin'

/** Each act, and who hears of it among the people who look at the project, or at their own files. */
const ACTS: [what: string, act: (scene: Scene) => Promise<unknown>, heardBy: Who[]][] = [
  ['a file', ({ shared }) => makeFile(test, shared), ['admin', 'auditor', 'investor']],
  ['a draft', ({ shared }) => makeFile(test, shared, { isHeldBack: true }), ['admin']],
  ['a file in a hidden folder', ({ hidden }) => makeFile(test, hidden), ['admin', 'auditor']],
  ['a deleted file', ({ project, file }) => remove(project, file), ['admin', 'auditor', 'investor']],
  ['a deleted draft', ({ project, draft }) => remove(project, draft), ['admin']],
  ['a draft that is moved past a file', ({ shared, draft }) => placeAt(shared, 'Zz', draft), ['admin']],
  [
    'a file with another place',
    ({ shared, file }) => placeAt(shared, 'zz', file),
    ['admin', 'auditor', 'investor'],
  ],
  [
    'a draft version of a file',
    ({ file }) => sql`update files set last_version = last_version + 1 where id = ${file}`.execute(test.db),
    ['admin'],
  ],
  [
    'a published draft',
    ({ draft }) => sql`update files set is_held_back = false where id = ${draft}`.execute(test.db),
    ['admin', 'auditor', 'investor'],
  ],
  [
    'a recalled file',
    ({ file }) => sql`update files set is_held_back = true where id = ${file}`.execute(test.db),
    ['admin', 'auditor', 'investor'],
  ],
  [
    'a folder that is no longer shared',
    ({ project, shared }) => saveFolder(project, shared, { name: 'Budget' }),
    ['admin', 'auditor', 'investor'],
  ],
  [
    'a folder that is shared',
    ({ project, hidden }) => saveFolder(project, hidden, { name: 'Finansiering', visible_to_investors: '1' }),
    ['admin', 'auditor', 'investor'],
  ],
  [
    'a hidden folder with another name',
    ({ project, hidden }) => saveFolder(project, hidden, { name: 'Andet' }),
    ['admin', 'auditor'],
  ],
  ['an excused paper', ({ shared }) => excuse(shared), ['admin', 'auditor', 'investor']],
  ['an excused paper of a hidden folder', ({ hidden }) => excuse(hidden), ['admin', 'auditor']],
  ['a file of a person', ({ own }) => makeFile(test, own), []],
  [
    'a project with another name',
    ({ project }) => sql`update projects set name = 'Andet' where id = ${project}`.execute(test.db),
    ['admin', 'auditor', 'investor'],
  ],
]

describe('changes of a project', () => {
  it.each(ACTS)('tells open pages of a project about %s', async (_what, act, heardBy) => {
    const scene = await makeScene()
    const people = { investor: scene.investor, auditor: scene.auditor, admin }
    const pages = new Map<Who, LivePage>()
    for (const [name, who] of Object.entries(people) as [keyof typeof people, Entered][])
      pages.set(name, await listen(who, `project:${scene.project}`))
    const others = [
      await listen(scene.outsider, 'start'),
      await listen(scene.outsider, 'projects'),
      await listen(scene.outsider, `user:${scene.outsider.id}`),
    ]
    await act(scene)
    for (const who of heardBy) await expect.poll(pages.get(who)!.events, LONG).toBeGreaterThan(0)
    await untilAllHasCome()
    // A busy server may tell of one change in two parts.
    expect(Object.fromEntries([...pages].map(([who, { events }]) => [who, events() > 0]))).toEqual({
      investor: heardBy.includes('investor'),
      auditor: heardBy.includes('auditor'),
      admin: heardBy.includes('admin'),
    })
    expect(others.map(({ events }) => events())).toEqual([0, 0, 0])
    // They do listen: a page that hears nothing of this hears of something else.
    await sql`update projects set name = 'Tredje' where id = ${scene.project}`.execute(test.db)
    for (const page of pages.values()) await expect.poll(page.events, LONG).toBeGreaterThan(0)
  })
})

it('tells open pages about lists, the trash, the log, releases and the inbox', async () => {
  const { project, shared, own, investor, file } = await makeScene()
  const employee = await enter(test, 'employee')
  const page = (topic: Topic) => listen(employee, topic)
  const listed = await Promise.all(
    (
      [
        `project-trash:${project}`,
        `user:${investor.id}`,
        'projects',
        'users',
        'releases',
        'inbox',
        'start',
      ] as const
    ).map(async (topic) => [topic, await page(topic)] as const),
  )
  const [trash, theirs, projects, users, releases, inbox, start] = listed.map(([, each]) => each)
  const log = await listen(admin, 'log')
  const mine = await listen(investor, 'start')

  await remove(project, file)
  for (const each of [trash!, projects!, start!, log]) await expect.poll(each.events, LONG).toBeGreaterThan(0)
  await makeFile(test, own)
  for (const each of [theirs!, mine]) await expect.poll(each.events, LONG).toBeGreaterThan(0)
  await enter(test, 'investor')
  await expect.poll(users!.events, LONG).toBeGreaterThan(0)

  const { rows } = await sql<{ id: number }>`
    insert into submissions (user_id, key, content) values (${investor.id}, ${`k${project}`}, '') returning id`.execute(
    test.db,
  )
  const submission = rows[0]!.id
  expect(inbox!.events()).toBe(0)
  await makeFile(test, own, { fromInvestor: true, submissionId: submission })
  await expect.poll(inbox!.events, LONG).toBeGreaterThan(0)
  expect(releases!.events()).toBe(0)
  const { rows: made } = await sql<{ id: number }>`
    insert into releases (submission_id, made_by, state) values (${submission}, ${admin.id}, 'draft') returning id`.execute(
    test.db,
  )
  await expect.poll(releases!.events, LONG).toBeGreaterThan(0)
  const release = await page(`release:${made[0]!.id}`)
  await makeFile(test, shared, { submissionId: submission })
  await expect.poll(release.events, LONG).toBeGreaterThan(0)
})

const REFUSED: [Topic | 'nothing' | '', Who | 'nobody', number][] = [
  ['', 'admin', 404],
  ['nothing', 'admin', 404],
  ['project:99999999', 'admin', 404],
  ['release:99999999', 'admin', 404],
  ['users', 'investor', 403],
  ['log', 'auditor', 403],
  ['inbox', 'investor', 403],
  ['releases', 'auditor', 403],
  ['start', 'nobody', 401],
]

it.each(REFUSED)('refuses to listen to %s for %s', async (topic, who, status) => {
  const visitor =
    who === 'nobody'
      ? new Visitor(test.app)
      : who === 'admin'
        ? admin.visitor
        : (await enter(test, who as 'investor')).visitor
  expect((await visitor.get(`${urls.changes}?about=${topic}`)).statusCode).toBe(status)
})

it('refuses to listen to a project or person that the reader does not see', async () => {
  const { project, investor, auditor, outsider } = await makeScene()
  const status = async (who: Entered, topic: Topic) =>
    (await who.visitor.get(`${urls.changes}?about=${topic}`)).statusCode
  expect(await status(outsider, `project:${project}`)).toBe(404)
  expect(await status(outsider, `user:${investor.id}`)).toBe(404)
  expect(await status(auditor, `user:${investor.id}`)).toBe(403)
  expect(await status(investor, `project-trash:${project}`)).toBe(403)
  expect(await status(investor, `user-trash:${investor.id}`)).toBe(403)
})

const ENDS: [what: string, act: (scene: Scene) => Promise<unknown>, then: number][] = [
  ['signs out', ({ investor }) => investor.visitor.post(urls.logout, {}, script), 401],
  [
    'is signed out from another browser',
    async ({ investor }) => {
      const { email } = await test.db
        .selectFrom('users')
        .select('email')
        .where('id', '=', investor.id)
        .executeTakeFirstOrThrow()
      const other = new Visitor(test.app)
      await other.signIn(email, PASSWORD)
      return other.post(urls.endOtherSessions, {}, script)
    },
    401,
  ],
  ['is deactivated', ({ investor }) => admin.visitor.post(urls.deactivateUser(investor.id), {}, script), 401],
  [
    'is no longer a member',
    ({ investor, project }) =>
      sql`delete from project_members where user_id = ${investor.id} and project_id = ${project}`.execute(
        test.db,
      ),
    404,
  ],
]

it.each(ENDS)('the stream of a person who %s ends at once, without an event', async (_what, act, then) => {
  const scene = await makeScene()
  const { investor, project } = scene
  const cookies = new Map(investor.visitor.cookies)
  const page = await listen(investor, `project:${project}`)
  const other = await listen(scene.auditor, `project:${project}`)
  await act(scene)
  await expect.poll(page.isEnded, LONG).toBe(true)
  expect(page.events()).toBe(0)
  expect((await openLivePage(port, `project:${project}`, { cookies })).status).toBe(then)
  expect(other.isEnded()).toBe(false)
})

it('the open pages of a new member hear about the project', async () => {
  const { outsider, project, shared } = await makeScene()
  const page = await listen(outsider, 'projects')
  await sql`insert into project_members (project_id, user_id) values (${project}, ${outsider.id})`.execute(
    test.db,
  )
  await expect.poll(page.events, LONG).toBeGreaterThan(0)
  await untilAllHasCome()
  const before = page.events()
  await makeFile(test, shared)
  await expect.poll(page.events, LONG).toBe(before + 1)
})

it('a page that reconnects is told if it has missed something, and only then', async () => {
  const { investor, project, shared } = await makeScene()
  const topic = `project:${project}` as const
  const page = await listen(investor, topic)
  const since = page.position()
  page.close()
  const { cookies } = investor.visitor
  await makeFile(test, shared, { isHeldBack: true })
  await untilAllHasCome()
  expect((await openLivePage(port, topic, { cookies, since })).events()).toBe(0)
  await makeFile(test, shared)
  await untilAllHasCome()
  expect((await openLivePage(port, topic, { cookies, since })).events()).toBe(1)
  const headers = { 'last-event-id': since }
  expect((await openLivePage(port, topic, { cookies, headers, since: 'x' })).events()).toBe(1)
  for (const unknown of ['', 'x', `${since}9999`, 'aaaaaaaaaaaa-1'])
    expect((await openLivePage(port, topic, { cookies, since: unknown })).events()).toBe(1)
})

it('a page is told about changes made while it was loading', async () => {
  const { investor, project, shared } = await makeScene()
  await listen(admin, 'users') // so that the process listens
  const html = (await investor.visitor.get(urls.files(project))).body
  const since = /"seen":"([^"]+)"/.exec(html)![1]!
  const { cookies } = investor.visitor
  expect((await openLivePage(port, `project:${project}`, { cookies, since })).events()).toBe(0)
  await makeFile(test, shared)
  await untilAllHasCome()
  expect((await openLivePage(port, `project:${project}`, { cookies, since })).events()).toBe(1)
})

it('all pages reload after the listening connection was lost, and continue', async () => {
  const { investor, project, shared } = await makeScene()
  const page = await listen(investor, `project:${project}`)
  // After half a minute its last query is the one that tries the connection.
  const { rows } = await sql<{ ended: boolean }>`
    select pg_terminate_backend(pid) as ended from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (query like '%listen "ringbind_changes"%' or query = 'select')`.execute(test.db)
  expect(rows).toEqual([{ ended: true }])
  await expect.poll(page.events, LONG).toBe(1)
  await makeFile(test, shared)
  await expect.poll(page.events, LONG).toBe(2)
  expect(page.isEnded()).toBe(false)
})

async function startOther(more: Partial<Parameters<typeof buildApp>[0]> = {}) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(test.db)
  const connection = { host: inject('socket'), user: 'ringbind', database: rows[0]!.name, max: 5 }
  const db = connect({ connection, onError: () => undefined })
  const app = await buildApp({ ...test, db, ...more })
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await app.close()
    await db.destroy()
  }
  afterwards(close)
  return { app, port: await portOf(app), close }
}

it('a process tells about changes made in another one', async () => {
  const { investor, project, file } = await makeScene()
  const other = await startOther()
  const pages = [
    await listen(investor, `project:${project}`, other.port),
    await listen(investor, `project:${project}`),
  ]
  await remove(project, file)
  for (const page of pages) await expect.poll(page.events, LONG).toBe(1)
})

it('stopping ends the streams at once, and says when to come back', async () => {
  const { investor, project } = await makeScene()
  const other = await startOther()
  const page = await listen(investor, `project:${project}`, other.port)
  const began = performance.now()
  await other.close()
  expect(performance.now() - began).toBeLessThan(test.config.shutdownSeconds * 1000)
  await expect.poll(page.isEnded, LONG).toBe(true)
  expect(page.text()).toMatch(/\n\nretry: [12]\d{3}\n\n$/)
})

it('limits the listening pages of a person and of a network', async () => {
  const streams = { all: 4, network: 3, each: 2 }
  const other = await startOther({ patience: { ...PATIENCE, streams } })
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => enter(test, 'investor')))
  const open = async (who: Entered | undefined) =>
    openLivePage(other.port, 'start', { cookies: who!.visitor.cookies })
  const pages = [await open(one), await open(one)]
  expect((await open(one)).status).toBe(429)
  expect((await open(two)).status).toBe(200)
  const refused = await open(three)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  pages[0]!.close()
  await expect.poll(async () => (await open(three)).status, LONG).toBe(200)
})

it('listening pages use nothing that other requests need', async () => {
  const other = await startOther({ patience: { ...PATIENCE, requestsEach: 2, answeringEach: 1 } })
  const { investor } = await makeScene()
  for (let number = 0; number < 5; number++)
    expect((await listen(investor, 'start', other.port)).status).toBe(200)
  const answer = await fetch(`http://127.0.0.1:${other.port}${urls.listProjects}`, {
    headers: { cookie: [...investor.visitor.cookies].map((each) => each.join('=')).join('; ') },
  })
  expect(answer.status).toBe(200)
})

it('automatic requests of a page do not keep its session alive', async () => {
  const { investor, project } = await makeScene()
  const used = async () => {
    const { rows } = await sql<{ at: Date }>`
      select max(used_at) as at from sessions where user_id = ${investor.id}`.execute(test.db)
    return rows[0]!.at.getTime()
  }
  await sql`update sessions set used_at = now() - interval '10 minutes' where user_id = ${investor.id}`.execute(
    test.db,
  )
  const before = await used()
  await listen(investor, `project:${project}`)
  const headers = { 'x-unattended': '1' }
  expect((await investor.visitor.get(urls.listFolders(project), { headers })).statusCode).toBe(200)
  expect(await used()).toBe(before)
  expect((await investor.visitor.get(urls.listFolders(project))).statusCode).toBe(200)
  expect(await used()).toBeGreaterThan(before)
})

it('a statement about many files sends one notification; a transaction with too many marks says that anything may have changed', async () => {
  const { project, shared } = await makeScene()
  const heard: string[] = []
  const page = await listen(admin, `project:${project}`)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(test.db)
  const { Client } = await import('pg')
  const client = new Client({ host: inject('socket'), user: 'ringbind', database: rows[0]!.name })
  await client.connect()
  afterwards(() => client.end())
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query('listen ringbind_changes')
  const files = await makeManyFiles(test.db, shared, 900)
  await expect.poll(page.events, LONG).toBeGreaterThan(0)
  // Notifications come in the order of their transactions, so everything before this one has come with it.
  await sql`select pg_notify('ringbind_changes', 'made')`.execute(test.db)
  await expect.poll(() => heard.includes('made'), LONG).toBe(true)
  heard.length = 0
  await sql`update files set deleted_at = now() where id = any (${files})`.execute(test.db)
  await sql`insert into users (name, email, email_key, role)
    select 'N', n || 'x', n || 'x', 'investor' from generate_series(1, 2000) as n`.execute(test.db)
  // Jobs may have something to tell meanwhile.
  const own = () => heard.filter((text) => text === '*' || text.includes(`p${project}`))
  await expect.poll(() => own().length, LONG).toBe(2)
  expect(own()[0]!.split(' ').toSorted()).toEqual(
    [`f${shared}`, `p${project}`, `p${project}a`, `p${project}i`, `tp${project}`].toSorted(),
  )
  expect(own()[1]).toBe('*')
})
