import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { asOwner, connectAsOwner } from '../../test/database.ts'
import { enter } from '../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, makeUserFolder } from '../../test/make.ts'
import type { Visitor } from '../../test/visitor.ts'
import type { Act } from './words/act.ts'
import { listEntries } from './entries.db.ts'
import type { LogAnswer } from './words/entry.ts'

let test: TestApp
let admin: Visitor
const ids = { admin: 0, anne: 0, bo: 0, project: 0, other: 0, folder: 0, file: 0, removed: 0, own: 0 }

type New = {
  at: string
  act: Act
  by?: number
  on?: number
  project?: number
  folder?: number
  file?: number
}

async function write(...entries: New[]): Promise<void> {
  await using owner = await connectAsOwner(test.db)
  await owner
    .insertInto('log')
    .values(
      entries.map(({ at, act, by, on, project, folder, file }) => ({
        at: new Date(at),
        act,
        user_id: by ?? null,
        address: by === undefined ? null : '192.0.2.7',
        subject_user_id: on ?? null,
        project_id: project ?? null,
        folder_id: folder ?? null,
        file_id: file ?? null,
      })),
    )
    .execute()
}

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  const entered = await enter(test, 'administrator', { name: 'Kirsten Overgaard' })
  admin = entered.visitor
  ids.admin = entered.id
  ids.anne = (await makeUser(test.db, { name: 'Anne Holm', email: 'anne@example.dk', numbers: ['2001'] })).id
  ids.bo = (await makeUser(test.db, { name: 'Bo;"=\nB', role: 'employee' })).id
  ids.project = (await makeProject(test.db, { name: 'K/S Nordhavn', number: '1024' })).id
  ids.other = (await makeProject(test.db, { name: 'K/S Øst' })).id
  ids.folder = (await foldersByName(test.db, ids.project))['Årsrapport']!
  ids.file = (await makeFile(test, ids.folder, { name: 'Årsrapport 2024.pdf' })).id
  ids.own = (await makeFile(test, await makeUserFolder(test.db, ids.anne), { name: 'Kapital.pdf' })).id
  ids.removed = 987_654
  await asOwner(test.db, sql`delete from log`)
  const place = { project: ids.project, folder: ids.folder }
  await write(
    { at: '2026-03-01T10:00:00Z', act: 'user-added', by: ids.admin, on: ids.anne },
    { at: '2026-03-02T10:00:00Z', act: 'member-added', by: ids.admin, on: ids.anne, project: ids.project },
    { at: '2026-03-03T10:00:00Z', act: 'file-opened', by: ids.anne, file: ids.file, ...place },
    { at: '2026-03-04T10:00:00Z', act: 'file-opened', by: ids.bo, file: ids.removed, ...place },
    { at: '2026-03-05T10:00:00Z', act: 'file-downloaded', by: ids.anne, on: ids.anne, file: ids.own },
    { at: '2026-03-06T10:00:00Z', act: 'sign-in-failed', on: ids.anne },
    { at: '2026-03-07T10:00:00Z', act: 'project-changed', by: ids.bo, project: ids.other },
    // The first and last moments of a 23-hour day, and the moments just outside.
    { at: '2026-03-28T22:59:59Z', act: 'sign-in', by: ids.bo },
    { at: '2026-03-28T23:00:00Z', act: 'sign-out', by: ids.bo },
    { at: '2026-03-29T21:59:59Z', act: 'sign-in', by: ids.bo },
    { at: '2026-03-29T22:00:00Z', act: 'sign-out', by: ids.bo },
    // At the same time, the later entry comes first.
    { at: '2026-04-01T10:00:00Z', act: 'file-sorted', by: ids.bo, file: ids.file, ...place },
    { at: '2026-04-01T10:00:00Z', act: 'file-moved', by: ids.bo, file: ids.file, ...place },
  )
})

const get = async (query = '') => (await admin.get(`/api/log${query}`)).json() as LogAnswer
const acts = async (query = '') => (await get(query)).data.map(({ act }) => act)

describe('the log', () => {
  it('lists the newest entries first, with present names', async () => {
    const { data, meta } = await get()
    expect(data.slice(0, 3).map(({ act }) => act)).toEqual(['file-moved', 'file-sorted', 'sign-out'])
    expect(meta).toMatchObject({ total: 13, is_more: false, per_page: 25, current_page: 1, last_page: 1 })
    expect(data.find(({ act }) => act === 'member-added')).toEqual({
      id: expect.any(Number) as number,
      at: '2026-03-02T10:00:00.000Z',
      act: 'member-added',
      user: { id: ids.admin, name: 'Kirsten Overgaard', email: expect.any(String) as string },
      seen_as: null,
      token: null,
      lender: null,
      subject: { id: ids.anne, name: 'Anne Holm', email: expect.any(String) as string },
      project: { id: ids.project, number: '1024', name: 'K/S Nordhavn' },
      folder: null,
      file: null,
      address: '192.0.2.7',
      detail: null,
      release: null,
      names: null,
    })
    const [own, removed] = [
      data.find(({ file }) => file?.id === ids.own),
      data.find(({ file }) => file?.id === ids.removed),
    ]
    expect(own?.file).toMatchObject({ name: 'Kapital.pdf', owner: { user: ids.anne }, in_trash: false })
    expect(removed?.file).toMatchObject({ name: null, path: null, owner: null })
  })

  it.each<[string, () => string, Act[]]>([
    [
      'a person: by them or about them, each once',
      () => `?person=${ids.anne}`,
      ['sign-in-failed', 'file-downloaded', 'file-opened', 'member-added', 'user-added'],
    ],
    [
      'a project',
      () => `?project=${ids.project}`,
      ['file-moved', 'file-sorted', 'file-opened', 'file-opened', 'member-added'],
    ],
    ['an act', () => '?act=file-opened', ['file-opened', 'file-opened']],
    ['a file', () => `?file=${ids.file}`, ['file-moved', 'file-sorted', 'file-opened']],
    ['a deleted file', () => `?file=${ids.removed}`, ['file-opened']],
    ['a day of 23 hours', () => '?from=2026-03-29&to=2026-03-29', ['sign-in', 'sign-out']],
    ['from a day on', () => '?from=2026-03-30', ['file-moved', 'file-sorted', 'sign-out']],
    ['until a day', () => '?to=2026-03-02', ['member-added', 'user-added']],
    [
      'a person and a project',
      () => `?person=${ids.anne}&project=${ids.project}`,
      ['file-opened', 'member-added'],
    ],
    [
      'all filters at once',
      () =>
        `?person=${ids.anne}&project=${ids.project}&act=file-opened&file=${ids.file}&from=2026-03-03&to=2026-03-03`,
      ['file-opened'],
    ],
    ['a period without entries', () => '?period=today', []],
  ])('filters the log by %s', async (_what, query, found) => {
    expect(await acts(query())).toEqual(found)
    expect((await get(query())).meta.total).toBe(found.length)
  })

  it('S9.7 a named period lasts from its first day until now', async () => {
    await write({ at: new Date().toISOString(), act: 'setup', by: ids.bo })
    for (const period of ['today', 'week', 'month', '30-days', 'year'])
      expect((await acts(`?period=${period}`))[0]).toBe('setup')
    expect(await acts('?period=today')).toEqual(['setup'])
    await asOwner(test.db, sql`delete from log where act = 'setup'`)
  })

  it.each([
    ['?person=x', 'person'],
    ['?person=999999', 'person'],
    ['?project=999999', 'project'],
    ['?act=delete', 'act'],
    ['?period=decade', 'period'],
    ['?from=2026-13-01', 'from'],
    ['?from=2026-02-02&to=2026-02-01', 'to'],
    ['?page=0', 'page'],
    ['?user=1', 'user'],
  ])('a call with %s is refused, and the page shows the whole log', async (query, field) => {
    const refused = await admin.get(`/api/log${query}`)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, [field]])
    expect((await admin.get(`/log.csv${query}`)).statusCode).toBe(422)
    const page = await admin.get(`/log${query}`)
    expect(page.statusCode).toBe(200)
    expect(page.body.replaceAll('<!-- -->', '')).toContain('Viser 13 af 13 resultater')
  })

  it.each(['employee', 'auditor', 'investor'] as const)('refuses the log to an %s', async (role) => {
    const { visitor } = await enter(test, role)
    for (const path of ['/log', '/api/log', '/log.csv'])
      expect((await visitor.get(path)).statusCode).toBe(403)
    expect((await visitor.get('/')).body).not.toContain('href="/log"')
    await asOwner(test.db, sql`delete from log where at > '2026-05-01'`)
  })

  it('S9.9 shows the entries as sentences with links', async () => {
    const page = (await admin.get(`/log?person=${ids.anne}`)).body.replaceAll('<!-- -->', '')
    expect(page).toContain('Viser 5 af 5 resultater')
    expect(page).toContain('prøvede forgæves at logge ind som ')
    expect(page).toContain('Ikke logget ind')
    expect(page).toContain('03/03/2026 11.00')
    expect(page).toContain(`href="/log.csv?person=${ids.anne}"`)
  })

  it('S9.7 each day has its full date as a heading, and each time has it as a tooltip', async () => {
    const page = (await admin.get('/log?from=2026-03-28&to=2026-03-30')).body
    const days = [...page.matchAll(/<th scope="rowgroup"[^>]*><span[^>]*>([^<]*)</g)].map(([, day]) => day)
    expect(days).toEqual(['mandag, 30 marts 2026', 'søndag, 29 marts 2026', 'lørdag, 28 marts 2026'])
    expect(page).toContain(
      '<time dateTime="2026-03-28T23:00:00.000Z" data-tooltip="">29/03/2026 00.00</time>',
    )
  })

  it('the title of a file’s history has the file’s name', async () => {
    const title = async (file: number) =>
      /<title>(.*)<\/title>/.exec((await admin.get(`/log?file=${file}`)).body)?.[1]
    expect(await title(ids.file)).toBe('Historik for Årsrapport 2024.pdf · Ringbind')
    expect(await title(ids.removed)).toBe(
      `Historik for en fil, der er slettet for altid (nr. ${ids.removed}) · Ringbind`,
    )
  })

  it.each([
    ['find_person=2001', () => `/log?person=${ids.anne}`],
    ['find_person=+ANNE@example.dk', () => `/log?person=${ids.anne}`],
    ['find_person=Anne Holm&period=week', () => `/log?person=${ids.anne}&period=week`],
    ['find_project=1024&act=&from=&to=&period=', () => `/log?project=${ids.project}`],
  ])('without JavaScript %s finds a person or project by name', async (query, address) => {
    const { statusCode, headers } = await admin.get(`/log?${query}`)
    expect([statusCode, headers.location]).toEqual([303, address()])
  })

  it('without JavaScript a date that does not exist gets a fault at its field', async () => {
    const { body } = await admin.get('/log?period=dates&from=31%2F02%2F2026&to=30/3/2026')
    expect(body).toMatch(/name="from"[^>]*value="31\/02\/2026"|value="31\/02\/2026"[^>]*name="from"/)
    expect(body).toContain('31/02/2026 findes ikke.')
    expect(body).toContain('value="30/03/2026"')
    expect((await admin.get('/api/log?from=31/02/2026')).json()).toMatchObject({
      errors: { from: ['31/02/2026 findes ikke.'] },
    })
  })

  it('without JavaScript an unknown person gets a message', async () => {
    const { statusCode, body } = await admin.get('/log?find_person=<b>Ingen')
    expect([statusCode, body.includes('&lt;b&gt;Ingen')]).toEqual([200, true])
  })

  it('lists a person’s latest entries for their page', async () => {
    const latest = await listEntries(test.db, { person: ids.anne, limit: 2 })
    expect(latest.map(({ act }) => act)).toEqual(['sign-in-failed', 'file-downloaded'])
  })

  it('shows a deactivated person by name', async () => {
    await test.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', ids.bo).execute()
    expect((await get('?act=project-changed')).data[0]?.user?.id).toBe(ids.bo)
  })
})

describe('pages', () => {
  beforeAll(() =>
    asOwner(
      test.db,
      sql`insert into log (at, act, user_id, subject_user_id, project_id)
      select '2020-01-01'::timestamptz + make_interval(mins => n), 'file-sorted',
        case n % 2 when 0 then ${ids.bo}::bigint end, case n % 3 when 0 then ${ids.bo}::bigint end, ${ids.other}
      from generate_series(1, 10030) as n`,
    ),
  )

  it('pages follow each other without gaps or duplicates', async () => {
    const seen = new Set<number>()
    for (let page = 1; page <= 8; page++)
      for (const { id } of (await get(`?person=${ids.bo}&page=${page}`)).data) seen.add(id)
    expect(seen.size).toBe(200)
  })

  it('a page past the end redirects to the last one', async () => {
    const { meta } = await get(`?person=${ids.bo}`)
    const { statusCode, headers } = await admin.get(`/log?person=${ids.bo}&page=9999`)
    expect([statusCode, headers.location]).toEqual([303, `/log?person=${ids.bo}&page=${meta.last_page}`])
    expect((await admin.get('/log?to=1999-12-31&page=2')).headers.location).toBe('/log?to=1999-12-31')
    expect((await admin.get('/log?to=1999-12-31')).statusCode).toBe(200)
  })

  it('S9.9 at most 10,000 entries are counted, and the last page links to older ones', async () => {
    const { data, meta } = await get('?to=2020-12-31&page=400')
    expect(meta).toMatchObject({ total: 10_000, is_more: true, last_page: 400, next_page: null, to: 10_000 })
    expect(data).toHaveLength(25)
    expect((await get('?to=2020-12-31&page=401')).data).toEqual([])
    const page = (await admin.get('/log?to=2020-12-31&page=400')).body.replaceAll('<!-- -->', '')
    expect(page).toContain('Viser 25 af over 10.000 resultater')
    expect(page).toContain('href="/log?to=2020-01-01"')
    expect((await get('?person=' + ids.bo)).meta.total).toBe(8 + 6687)
  })
})

describe('a file’s history', () => {
  let employee: Visitor
  const at = (more = '') => `/files/${ids.file}/history${more}`
  beforeAll(async () => {
    employee = (await enter(test, 'employee')).visitor
    const exported = {
      at: '2026-04-02T10:00:00Z',
      act: 'log-exported',
      by: ids.admin,
      file: ids.file,
    } as const
    const opened = { at: '2026-03-20T10:00:00Z', act: 'file-downloaded', by: ids.bo, file: ids.file } as const
    // A person who reads it twice is one person.
    const before = { ...opened, at: '2026-03-19T10:00:00Z', act: 'file-opened' } as const
    await write(exported, opened, before)
  })

  it('a file’s history has only the file’s own entries, for an employee without IP addresses', async () => {
    const answer = (await employee.get(`/api${at()}`)).json<LogAnswer>()
    expect(answer.data.map(({ act, address }) => [act, address])).toEqual([
      ['file-moved', null],
      ['file-sorted', null],
      ['file-downloaded', null],
      ['file-opened', null],
      ['file-opened', null],
    ])
    const whole = (await admin.get(`/api${at()}`)).json<LogAnswer>()
    expect(whole.data.map(({ act }) => act)).toEqual(['log-exported', ...answer.data.map(({ act }) => act)])
    expect(whole.data[0]!.address).toBe('192.0.2.7')
  })

  it('a file’s history shows how many people have read the file, and who did so last', async () => {
    const { picked } = (await employee.get(`/api${at()}`)).json<LogAnswer>()
    expect(picked.reads).toEqual({ people: 2, last: { at: '2026-03-20T10:00:00.000Z', name: 'Bo;"=\nB' } })
    const page = (await employee.get(at())).body.replaceAll('<!-- -->', '')
    expect(page).toMatch(/Åbnet af <strong[^>]*>2 personer<\/strong>,\s*senest/)
    expect(page.indexOf('Åbnet af')).toBeLessThan(page.indexOf('aria-label="Filtre"'))
    const none = await makeFile(test, ids.folder, { name: 'Ulæst.pdf' })
    expect((await employee.get(`/files/${none.id}/history`)).body).toContain(
      'Ingen har åbnet eller hentet filen endnu.',
    )
  })

  it('a file’s history can be filtered at its own address, but not by another file', async () => {
    const ask = (query: string) => employee.get(`/api${at(query)}`)
    const found = (await ask(`?person=${ids.anne}`)).json<LogAnswer>()
    expect(found.data.map(({ act }) => act)).toEqual(['file-opened'])
    expect((await ask('?act=log-exported')).json<LogAnswer>().data).toEqual([])
    expect((await ask(`?file=${ids.own}`)).statusCode).toBe(422)
    const page = (await employee.get(at(`?file=${ids.own}&act=file-moved`))).body.replaceAll('<!-- -->', '')
    expect(page).toContain('Viser 1 af 1 resultater')
    expect(page).toContain(`action="${at()}"`)
    expect(page).not.toContain('href="/log')
    expect(page).not.toContain('192.0.2.7')
  })

  it('a permanently deleted file has a history, but not one that never existed', async () => {
    expect((await employee.get(`/files/${ids.removed}/history`)).statusCode).toBe(200)
    expect((await employee.get('/files/999999/history')).statusCode).toBe(404)
    expect((await employee.get('/files/x/history')).statusCode).toBe(404)
    expect((await employee.get(`/log?file=${ids.file}`)).statusCode).toBe(403)
  })
})
