import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser } from '../../../test/make.ts'
import { readRows } from '../../../test/seeing/snapshot.ts'
import { Visitor } from '../../../test/visitor.ts'
import type { LogEntry } from '../../log/words/entry.ts'
import { listEntries } from '../../log/entries.db.ts'
import { exportLine } from '../../log/export.ts'
import { whoOf } from '../../log/words/sentence.ts'
import type { Role } from '../../rights.ts'
import { fileUrls, urls, zipOf } from '../../urls.ts'
import { deactivateUser } from '../change-user.db.ts'
import type { User } from '../users/user.ts'
import { purgeViews, startView } from './views.db.ts'

let test: TestApp
let boss: Entered
let bo: User

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
})

beforeEach(async () => {
  boss = await enter(test, 'administrator', { name: 'Anne Admin' })
  bo = await makeUser(test.db, { role: 'investor', name: 'Bo Holm' })
})

const start = (id = bo.id, who = boss) => who.visitor.post(urls.viewAs(id))
const stop = (who = boss) => who.visitor.post(urls.stopViewing)

/** Whom the start page greets, and whether it has the banner. */
async function seen(visitor: Visitor) {
  const { statusCode, headers, body } = await visitor.get('/')
  if (statusCode !== 200) return headers.location
  return { hej: /Hej ([^<]+)</.exec(body)?.[1], isViewing: body.includes('Du ser Ringbind som') }
}

const AS_BO = { hej: 'Bo', isViewing: true }
const AS_ANNE = { hej: 'Anne', isViewing: false }

const entries = (act: string) =>
  test.db
    .selectFrom('log')
    .select(['user_id', 'as_user_id', 'subject_user_id'])
    .where('act', '=', act as 'view-started')
    .where('user_id', '=', boss.id)
    .execute()

const ageView = (by: string) =>
  sql`update views set started_at = now() - ${by}::interval where viewer_id = ${boss.id}`.execute(test.db)

describe('a view as somebody else', () => {
  it('a view shows the person’s pages with a banner, and ends with Stop', async () => {
    const began = await start()
    expect([began.statusCode, began.headers.location]).toEqual([303, '/'])
    expect(await seen(boss.visitor)).toEqual(AS_BO)
    const { body } = await boss.visitor.get('/')
    expect(body).toContain('Slutter om 30 minutter.')
    expect(body).toContain('(<!-- -->Investor<!-- -->)')
    const ended = await stop()
    expect([ended.statusCode, ended.headers.location]).toEqual([303, urls.user(bo.id)])
    expect(boss.visitor.cookies.has('view')).toBe(false)
    expect(await seen(boss.visitor)).toEqual(AS_ANNE)
    const both = [{ user_id: boss.id, as_user_id: null, subject_user_id: bo.id }]
    expect(await entries('view-started')).toEqual(both)
    expect(await entries('view-ended')).toEqual(both)
  })

  it.each<[Role, number]>([
    ['employee', 200],
    ['auditor', 403],
    ['investor', 403],
  ])('a view of an %s has the same rights: the list of users is %i', async (role, status) => {
    await start((await makeUser(test.db, { role })).id)
    expect((await boss.visitor.get('/users')).statusCode).toBe(status)
    expect((await boss.visitor.get('/log')).statusCode).toBe(403)
  })

  it.each([
    ['an administrator', async () => (await makeUser(test.db, { role: 'administrator' })).id, 422],
    ['oneself', async () => boss.id, 422],
    ['nobody', async () => 99_999, 404],
    [
      'somebody deactivated',
      async () => {
        const { id } = await makeUser(test.db)
        await deactivateUser(test.db, { userId: boss.id, address: null }, id)
        return id
      },
      422,
    ],
  ])('refuses a view of %s', async (_who, make, status) => {
    expect((await start(await make())).statusCode).toBe(status)
    expect(boss.visitor.cookies.has('view')).toBe(false)
    expect(await seen(boss.visitor)).toEqual(AS_ANNE)
  })

  it.each<Role>(['employee', 'auditor', 'investor'])('refuses a view to an %s', async (role) => {
    const other = await enter(test, role)
    expect((await start(bo.id, other)).statusCode).toBe(403)
  })

  it('starting a view asks the administrator for a proof', async () => {
    await sql`update sessions set proved_at = now() - interval '1 hour' where user_id = ${boss.id}`.execute(
      test.db,
    )
    const refused = await boss.visitor.post(urls.viewAs(bo.id), {}, { script: true })
    expect([refused.statusCode, refused.json<{ prove?: boolean }>().prove]).toEqual([403, true])
  })

  it('a view ends after 30 minutes, and the session is the administrator’s again', async () => {
    await start()
    await ageView('29 minutes')
    expect(await seen(boss.visitor)).toEqual(AS_BO)
    await ageView('31 minutes')
    expect(await seen(boss.visitor)).toEqual(AS_ANNE)
    expect(boss.visitor.cookies.has('view')).toBe(false)
    await purgeViews(test.db)
    expect(await entries('view-ended')).toHaveLength(1)
    await start()
    expect(await seen(boss.visitor)).toEqual(AS_BO)
  })

  it('a page of an expired view cannot change anything as the administrator', async () => {
    await start()
    await boss.visitor.get('/profile')
    const token = decodeURIComponent(boss.visitor.cookies.get('XSRF-TOKEN')!)
    await ageView('31 minutes')
    const late = () =>
      boss.visitor.get('/profile', { method: 'POST', payload: { name: 'Bo Holm', _token: token } })
    const first = await late()
    expect([first.statusCode, first.body.includes('Visningen er slut')]).toEqual([403, true])
    expect((await late()).statusCode).toBe(403) // its token is that of the view
    expect(await seen(boss.visitor)).toEqual(AS_ANNE)
  })

  it('a page of a view stopped in another window cannot do anything by script either', async () => {
    await start()
    await stop()
    const marked = { script: true, headers: { 'x-viewed': String(bo.id) } }
    const change = await boss.visitor.post('/profile', { name: 'Bo Holm' }, marked)
    expect([change.statusCode, change.json<{ message: string }>().message]).toEqual([
      403,
      'Visningen som en anden er slut. Genindlæs siden, før du fortsætter.',
    ])
    const list = await boss.visitor.get('/api/projects', { headers: { 'x-viewed': String(bo.id) } })
    expect(list.statusCode).toBe(403)
    expect((await boss.visitor.get('/api/projects')).statusCode).toBe(200)
  })

  it('the administrator’s pages in other windows cannot change anything during a view, and say so', async () => {
    const { id: other } = await makeUser(test.db)
    await start()
    for (const [url, fields] of [
      [urls.viewAs(other), {}],
      [urls.newUser, { name: 'Ny', email: 'ny@example.dk', role: 'auditor' }],
      [urls.profile, { name: 'Anne' }],
    ] as const) {
      const refused = await boss.visitor.post(url, fields, { script: true })
      expect([url, refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
        url,
        403,
        'Du ser Ringbind som Bo Holm og kan ikke ændre noget. Stop visningen først.',
      ])
    }
    expect((await boss.visitor.post(urls.profile, { name: 'Anne' })).body).toContain('Intet er ændret')
    expect(await seen(boss.visitor)).toEqual(AS_BO)
  })

  it('a view does not appear in the administrator’s pages in other windows, nor in pages of another view', async () => {
    await start()
    const list = (mark?: string) =>
      boss.visitor.get('/api/projects', mark === undefined ? {} : { headers: { 'x-viewed': mark } })
    expect((await list(String(bo.id))).statusCode).toBe(200)
    expect((await list()).statusCode).toBe(200) // no page of ours
    for (const mark of ['0', String(boss.id), '']) {
      const refused = await list(mark)
      expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
        403,
        'Du ser nu Ringbind som Bo Holm i et andet vindue. Stop visningen, eller genindlæs siden.',
      ])
    }
    await stop()
    expect((await list('0')).statusCode).toBe(200)
  })

  it('a stolen view cookie is worthless alone, or in another session', async () => {
    await start()
    const view = boss.visitor.cookies.get('view')!
    const thief = new Visitor(test.app)
    thief.cookies.set('view', view)
    expect(await seen(thief)).toBe('/login')
    for (const role of ['administrator', 'investor'] as const) {
      const other = await enter(test, role, { name: 'Carl' })
      other.visitor.cookies.set('view', view)
      expect(await seen(other.visitor)).toEqual({ hej: 'Carl', isViewing: false })
      other.visitor.cookies.set('view', view)
      await other.visitor.post(urls.stopViewing) // not theirs to stop
    }
    expect(await seen(boss.visitor)).toEqual(AS_BO)
  })

  it.each(['', 'x', '%00', 'x'.repeat(5000)])('the cookie %j opens no view', async (value) => {
    boss.visitor.cookies.set('view', value)
    expect(await seen(boss.visitor)).toEqual(AS_ANNE)
  })

  it.each<[what: string, end: () => Promise<unknown>, then: unknown]>([
    [
      'the administrator loses the role',
      () => test.db.updateTable('users').set({ role: 'employee' }).where('id', '=', boss.id).execute(),
      AS_ANNE,
    ],
    ['the administrator signs out', () => boss.visitor.post('/logout'), '/login'],
    [
      'the administrator’s session ends',
      () => test.db.deleteFrom('sessions').where('user_id', '=', boss.id).execute(),
      '/login',
    ],
    [
      'the administrator is deactivated',
      () => deactivateUser(test.db, { userId: null, address: null }, boss.id),
      '/login',
    ],
    [
      'the person is deactivated',
      () => deactivateUser(test.db, { userId: null, address: null }, bo.id),
      AS_ANNE,
    ],
    [
      'the person becomes an administrator',
      () => test.db.updateTable('users').set({ role: 'administrator' }).where('id', '=', bo.id).execute(),
      AS_ANNE,
    ],
  ])('a view ends when %s', async (_what, end, then) => {
    await makeUser(test.db, { role: 'administrator' })
    await start()
    expect(await seen(boss.visitor)).toEqual(AS_BO)
    await end()
    expect(await seen(boss.visitor)).toEqual(then)
    expect(await entries('view-ended')).toHaveLength(1)
    expect(
      await test.db.selectFrom('views').select('hash').where('viewer_id', '=', boss.id).execute(),
    ).toEqual([])
  })

  it('signing out during a view signs out the administrator, not the person', async () => {
    const own = await enter(test, 'investor')
    await start(own.id)
    await boss.visitor.post('/logout')
    expect(await entries('sign-out')).toHaveLength(1)
    expect((await own.visitor.get('/')).statusCode).toBe(200)
  })

  it('two views started at once: only one remains', async () => {
    const session = boss.visitor.cookies.get('session')!
    const actor = { userId: boss.id, address: null }
    await Promise.all([bo.id, bo.id].map((id) => startView(test.db, actor, session, id)))
    expect(
      await test.db.selectFrom('views').select('hash').where('viewer_id', '=', boss.id).execute(),
    ).toHaveLength(1)
  })
})

/** Finds a value for each placeholder; made-up ones are enough, as nothing may get that far. */
const filled = (url: string) => url.replaceAll(/:\w+/g, '1').replace('*', 'x')

/** Stopping, signing out, and telling of a broken page, which only the server's own log keeps. */
const NOT_REFUSED = new Set<string>([urls.stopViewing, urls.logout, urls.fault])

it('refuses every route that changes something during a view, whatever the role', async () => {
  for (const role of ['employee', 'auditor', 'investor'] as const) {
    await start((await makeUser(test.db, { role })).id)
    for (const { method, url } of test.app.routeRights) {
      if (['GET', 'HEAD'].includes(method) || NOT_REFUSED.has(url)) continue
      const { statusCode, body } = await boss.visitor.post(
        filled(url),
        {},
        { script: true, method: method as 'POST' },
      )
      expect([method, url, statusCode, body.includes('Stop visningen først')]).toEqual([
        method,
        url,
        403,
        true,
      ])
    }
    await stop()
  }
})

it('reading during a view marks nothing as read, and is logged with both people', async () => {
  const { id: project, name } = await makeProject(test.db, { members: [bo.id] })
  const { Budget } = await foldersByName(test.db, project)
  const file = await makeFile(test, Budget!, { name: 'Budget 2026.pdf' })
  await start()
  const before = await readRows(test.db)
  const addresses = [
    '/',
    '/papers',
    '/my-files',
    '/profile',
    urls.files(project),
    urls.report(bo.id),
    fileUrls.open({ project }, file.path),
    fileUrls.download({ project }, file.path),
    fileUrls.look({ project }, file.id),
    fileUrls.zip({ project }),
    zipOf({ project }, { files: [file.id] }),
  ]
  for (const url of addresses) expect([url, (await boss.visitor.get(url)).statusCode]).toEqual([url, 200])
  const logged = async () =>
    (await listEntries(test.db, { person: bo.id, limit: 20 })).filter(({ seen_as: shown }) => shown)
  await expect
    .poll(async () => (await logged()).map(({ act }) => act).toSorted())
    .toEqual(['file-downloaded', 'file-opened', 'report-opened'])
  const after = await readRows(test.db)
  const logs = { log: [], log_id_seq: [], log_chain: [], log_chain_marks: [] }
  expect({ ...after, ...logs }).toEqual({ ...before, ...logs })

  const entry = (await logged()).find(({ act }) => act === 'file-opened')
  expect(entry).toMatchObject({
    user: { id: boss.id, name: 'Anne Admin' },
    seen_as: { id: bo.id, name: 'Bo Holm' },
    project: { name },
  })
  expect(whoOf(entry as LogEntry)).toBe('Anne Admin (vist som Bo Holm)')
  expect(exportLine(entry as LogEntry, 'UTC')).toContain('Anne Admin (vist som Bo Holm)')
  await stop()
  expect((await boss.visitor.get(`/log?person=${bo.id}`)).body).toContain('vist som')
})

it('an open page of a view hears the person’s changes, and nothing after the view ends', async () => {
  const { id: project } = await makeProject(test.db, { members: [bo.id] })
  await start()
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = test.app.server.address() as { port: number }
  const cookie = [...boss.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stream = await fetch(`http://127.0.0.1:${port}/api/changes?about=project:${project}`, {
    headers: { cookie },
  })
  expect(stream.status).toBe(200)
  await stop()
  await new Response(stream.body).text() // ends
})
