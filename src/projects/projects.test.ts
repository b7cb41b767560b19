import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { makeProject, makeUser, PASSWORD } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import { namesOf } from '../base/fields/field.ts'
import type { Role } from '../rights.ts'
import { OWN_FIELDS } from './project/project.fields.ts'
import type { ProjectRow } from './project/project.ts'

let test: TestApp
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
})

async function visitor(role: Role, fields: { name?: string } = {}) {
  const user = await makeUser(test.db, { role, ...fields })
  const browser = new Visitor(test.app)
  await browser.signIn(user.email, PASSWORD)
  return { user, browser }
}

const list = async (browser: Visitor, query = '') => (await browser.get(`/api/projects${query}`)).json()
const numbersOf = (page: { data: ProjectRow[] }) => page.data.map(({ number }) => number)

async function project(id: number) {
  return test.db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

const acts = async (projectId: number) =>
  (
    await test.db.selectFrom('log').select('act').where('project_id', '=', projectId).orderBy('id').execute()
  ).map(({ act }) => act)

describe('the list of projects', () => {
  let office: TestApp
  let admin: Visitor
  beforeAll(async () => {
    office = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
    const { email } = await makeUser(office.db, { role: 'administrator' })
    admin = new Visitor(office.app)
    await admin.signIn(email, PASSWORD)
    const names = [
      'K/S Zebra',
      'K/S Aarhus',
      'K/S Ærø',
      'K/S Åse',
      'K/S Øster',
      'K/S Café',
      'K/S Bilag 10',
      'K/S Bilag 2',
    ]
    const statuses = ['active', 'sold', 'closing'] as const
    for (const [index, name] of names.entries())
      await makeProject(office.db, {
        number: String(index * 7 + 5),
        name,
        cvr: name === 'K/S Café' ? '41875305' : null,
        status: statuses[index % 3]!,
      })
    for (let index = 0; index < 22; index++)
      await makeProject(office.db, { number: `9${String(index).padStart(3, '0')}`, name: 'Fyld' })
    const [folder] = await office.db
      .selectFrom('folders')
      .innerJoin('projects', 'projects.id', 'folders.project_id')
      .select('folders.id')
      .where('projects.name', '=', 'K/S Zebra')
      .limit(1)
      .execute()
    await office.db
      .updateTable('folders')
      .set({ files_count: 3, changed_at: new Date('2099-01-01') })
      .where('id', '=', folder!.id)
      .execute()
  })

  const get = async (query: string) =>
    (await admin.get(`/api/projects${query}`)).json() as { data: ProjectRow[]; meta: Record<string, unknown> }

  it('S3.2 and S7.3 lists projects as a paged collection with page info in meta', async () => {
    const page = await get('?page=2')
    expect(page.meta).toEqual({
      current_page: 2,
      prev_page: 1,
      next_page: null,
      first_page: 1,
      last_page: 2,
      from: 26,
      to: 30,
      per_page: 25,
      total: 30,
    })
    expect(page.data).toHaveLength(5)
    expect(Object.keys(page.data[0]!).sort()).toEqual(
      ['id', ...namesOf(OWN_FIELDS), 'files_count', 'new_count', 'updated_at'].sort(),
    )
  })

  it('projects are ordered by number, and numbers by value', async () => {
    expect(numbersOf(await get('')).slice(0, 4)).toEqual(['5', '12', '19', '26'])
  })

  it('S7.3 sorts project names in Danish order', async () => {
    const { data } = await get('?q=k/s&sort[column]=name&sort[direction]=asc')
    expect(data.map(({ name }) => name.slice(4))).toEqual([
      'Bilag 2',
      'Bilag 10',
      'Café',
      'Zebra',
      'Ærø',
      'Øster',
      'Aarhus',
      'Åse',
    ])
  })

  it.each(['number', 'name', 'status', 'files_count', 'updated_at'])(
    'S7.3 sorts projects by %s in both directions, descending by default',
    async (column) => {
      const up = await get(`?q=k/s&sort[column]=${column}&sort[direction]=asc`)
      const down = await get(`?q=k/s&sort[column]=${column}&sort[direction]=desc`)
      expect(await get(`?q=k/s&sort[column]=${column}`)).toEqual(down)
      const key = (row: ProjectRow) => row[column as keyof ProjectRow]
      expect(down.data.map(key)).toEqual(up.data.map(key).toReversed())
      expect(new Set(up.data.map(key)).size).toBeGreaterThan(1)
    },
  )

  it('sorts projects by the Danish names of their statuses', async () => {
    const { data } = await get('?q=k/s&sort[column]=status&sort[direction]=asc')
    expect([...new Set(data.map(({ status }) => status))]).toEqual(['active', 'sold', 'closing'])
  })

  it.each([
    ['?q=aar', ['K/S Aarhus']],
    ['?q=å', ['K/S Aarhus', 'K/S Åse']],
    ['?q=ASE', []],
    ['?q=oster', []],
    ['?q=caf%C3%A9', ['K/S Café']],
    ['?q=cafe', ['K/S Café']],
    ['?q=18753', ['K/S Café']], // a part of its CVR number
    ['?q=bil+10', ['K/S Bilag 10']],
    ['?q=%25', []],
    ['?q=_', []],
    [`?q='`, []],
    ['?q=%22', []],
    ['?q=%5C', []],
    ['?q=%00', null], // nothing to search for, so everything is found
  ])('searches projects by number, name and CVR: %s', async (query, names) => {
    const page = await get(`${query}&sort[column]=name&sort[direction]=asc`)
    if (names) expect(page.data.map(({ name }) => name)).toEqual(names)
    else expect(page.meta.total).toBe(30)
  })

  it.each([
    ['?sort[column]=search', 'sort.column'],
    ['?sort[column]=id;drop', 'sort.column'],
    ['?sort[column]=name&sort[direction]=up', 'sort.direction'],
    ['?page=0', 'page'],
    ['?page=-1', 'page'],
    ['?page=abc', 'page'],
    [`?q=${'x'.repeat(10_000)}`, 'q'],
    ['?q=%ED%A0%80', 'q'],
  ])('refuses wrong query %# at its field in the API, and ignores it on the page', async (query, field) => {
    const answer = await admin.get(`/api/projects${query}`)
    expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, [field]])
    const page = await admin.get(`/projects${query}`)
    expect(page.statusCode).toBe(200)
    expect(page.body.replaceAll('<!-- -->', '')).toContain('af 30 resultater')
  })

  it.each(['?page=1000000000', '?page=9007199254740991', '?q=findes+ikke'])(
    'the list of projects is an empty page for %s',
    async (query) => {
      const { data, meta } = await get(query)
      expect(data).toEqual([])
      expect([meta.from, meta.to]).toEqual([null, null])
    },
  )
})

describe('who sees which projects', () => {
  it('the office sees every project, others those they are members of, in lists, counts and search', async () => {
    const { user: investor, browser: asInvestor } = await visitor('investor')
    const { user: auditor, browser: asAuditor } = await visitor('auditor')
    const { browser: asEmployee } = await visitor('employee')
    await makeProject(test.db, { number: 'mit-1', members: [investor.id] })
    await makeProject(test.db, { number: 'mit-2', members: [auditor.id] })
    await makeProject(test.db, { number: 'mit-3' })
    const seen = async (browser: Visitor, query: string) => {
      const page = await list(browser, query)
      return [page.meta.total, ...numbersOf(page)]
    }
    expect(await seen(asInvestor, '')).toEqual([1, 'mit-1'])
    expect(await seen(asAuditor, '')).toEqual([1, 'mit-2'])
    expect(await seen(asInvestor, '?q=mit-3')).toEqual([0])
    expect(await seen(asEmployee, '?q=mit-')).toEqual([3, 'mit-1', 'mit-2', 'mit-3'])
    expect((await asInvestor.get('/projects')).body).not.toContain('mit-3')
  })

  it('counts and "Senest ændret" cover only the folders that the reader sees', async () => {
    const { user: investor, browser: asInvestor } = await visitor('investor')
    const { user: auditor, browser: asAuditor } = await visitor('auditor')
    const { id } = await makeProject(test.db, { number: 'tal-1', members: [investor.id, auditor.id] })
    const fill = (name: string, files: number, changed: string) =>
      test.db
        .updateTable('folders')
        .set({
          files_count: files,
          shown_count: files,
          changed_at: new Date(changed),
          shown_changed_at: new Date(changed),
        })
        .where('project_id', '=', id)
        .where('name', '=', name)
        .execute()
    await fill('Budget', 2, '2090-01-01')
    await fill('Finansiering', 40, '2095-01-01') // not shared
    const shown = async (browser: Visitor) => {
      const { data } = await list(browser, '?q=tal-1')
      return [data[0].files_count, data[0].updated_at]
    }
    expect(await shown(asInvestor)).toEqual([2, '2090-01-01T00:00:00.000Z'])
    expect(await shown(asAuditor)).toEqual([42, '2095-01-01T00:00:00.000Z'])
  })

  it.each(['employee', 'auditor', 'investor'] as const)(
    '%s cannot create or edit a project',
    async (role) => {
      const { user, browser } = await visitor(role)
      const { id } = await makeProject(test.db, role === 'employee' ? {} : { members: [user.id] })
      for (const url of [
        '/projects/new',
        `/projects/${id}/edit`,
        `/projects/${id}/folders`,
        '/settings/folders',
      ]) {
        expect((await browser.get(url)).statusCode).toBe(403)
        expect((await browser.post(url, { number: 'x', name: 'x' }, { script: true })).statusCode).toBe(403)
      }
      expect((await project(id)).name).toMatch(/^K\/S Projekt/)
    },
  )
})

describe('creating a project', () => {
  it('a new project copies the folders of the template, and is logged', async () => {
    const { browser } = await visitor('administrator')
    const fields = { number: ' 5001 ', name: 'K/S  A\u030aen', cvr: 'dk 41 87 53 05', status: 'closing' }
    const answer = await browser.post('/projects/new', fields, { script: true })
    expect(answer.statusCode).toBe(200)
    const id = Number(/^\/projects\/(\d+)\/folders$/.exec(answer.json().redirect)![1])
    expect(await project(id)).toMatchObject({
      number: '5001',
      name: 'K/S Åen',
      cvr: '41875305',
      status: 'closing',
    })
    const folders = await test.db
      .selectFrom('folders')
      .select(['name', 'sub_names', 'visible_to_investors'])
      .where('project_id', '=', id)
      .orderBy('place')
      .execute()
    expect(folders[0]).toEqual({
      name: 'Årsrapport',
      sub_names: ['Årsrapport 2020', 'Årsrapport KS'],
      visible_to_investors: true,
    })
    expect(folders).toHaveLength(13)
    expect(folders.filter((folder) => !folder.visible_to_investors).map(({ name }) => name)).toEqual([
      'Bestyrelsesmøder',
      'Finansiering',
      'Diverse',
    ])
    const { count } = await test.db
      .selectFrom('folder_names')
      .select((is) => is.fn.countAll<number>().as('count'))
      .where('project_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(count).toBe(15)
    expect(await acts(id)).toEqual(['project-added'])
  })

  it.each([
    ['number', { number: '' }, 'Nummeret skal udfyldes.'],
    ['number', { number: 'x'.repeat(51) }, 'Nummeret må højst være på 50 tegn.'],
    ['number', { number: '10(24)' }, /parenteser/],
    ['number', { number: '10/24' }, /skråstreger/],
    ['name', { name: '' }, 'Navnet skal udfyldes.'],
    ['name', { name: ' \u200b ' }, 'Navnet skal udfyldes.'],
    ['name', { name: 'x'.repeat(300) }, 'Navnet må højst være på 200 tegn.'],
    ['name', { name: ['a'] }, 'Navnet skal være en tekst.'],
    ['cvr', { cvr: '12345678' }, /CVR/],
    ['cvr', { cvr: '00000000' }, /CVR/],
    ['cvr', { cvr: '4187530' }, /CVR/],
    ['status', { status: 'lost' }, 'Vælg en status.'],
    ['add_members.0', { add_members: ['x'] }, /id/],
    ['add_member', { add_members: ['999999'] }, /investorer og revisorer/],
    ['add_member', { add_member: 'ingen@example.dk' }, /Ingen aktiv/],
    ['add_member', { add_member: '\0x' }, /Ingen aktiv/],
    ['add_member', { add_member: ['x'] }, /nummer eller en e-mail/],
  ])('refuses a project with a wrong %s: %j', async (field, wrong, message) => {
    const { browser } = await visitor('administrator')
    const before = await test.db.selectFrom('projects').select('id').execute()
    const fields = { number: 'gyldig', name: 'Gyldig', ...wrong }
    const answer = await browser.post('/projects/new', fields, { script: true })
    expect(answer.statusCode).toBe(422)
    expect(answer.json().errors).toEqual({ [field]: [expect.stringMatching(message)] })
    expect(await test.db.selectFrom('projects').select('id').execute()).toEqual(before)
  })

  it('a refused project shows all faults at once, and the form again without JavaScript', async () => {
    const { browser } = await visitor('administrator')
    const answer = await browser.post('/projects/new', { number: '', name: '', cvr: '1 "2<' })
    expect(answer.statusCode).toBe(422)
    for (const text of [
      'Nummeret skal udfyldes.',
      'Navnet skal udfyldes.',
      'CVR-nummeret er ikke gyldigt',
      '1 &quot;2&lt;',
    ])
      expect(answer.body).toContain(text)
  })

  it('faults that only the database finds are shown together with the others', async () => {
    const { browser } = await visitor('administrator')
    const { number } = await makeProject(test.db)
    const fields = { number, name: '', cvr: '1', add_member: 'ingen@example.dk' }
    const answer = await browser.post('/projects/new', fields, { script: true })
    expect(Object.keys(answer.json().errors).sort()).toEqual(['add_member', 'cvr', 'name', 'number'])
  })

  it('refuses a taken number at its field, also when two people take it at the same time', async () => {
    const { browser } = await visitor('administrator')
    const add = () => browser.post('/projects/new', { number: '6001', name: 'To' }, { script: true })
    const answers = await Promise.all([add(), add(), add()])
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 422, 422])
    expect(answers.find(({ statusCode }) => statusCode === 422)!.json().errors).toEqual({
      number: ['Der er allerede et projekt med det nummer.'],
    })
  })
})

it.each([
  ['a number that only looks different', 'Å77', 'A\u200b\u030a77'],
  ['a number with a filler', 'B77', 'B\u31647\u034f7'],
])('%s is taken', async (_what, first, second) => {
  const { browser } = await visitor('administrator')
  const add = (number: string) => browser.post('/projects/new', { number, name: 'x' }, { script: true })
  expect((await add(first)).statusCode).toBe(200)
  expect((await add(second)).statusCode).toBe(422)
})

describe('editing a project', () => {
  it('saving a project writes and logs only real changes', async () => {
    const { browser } = await visitor('administrator')
    const { id, number } = await makeProject(test.db, { name: 'Før' })
    const save = (fields: object) =>
      browser.post(`/projects/${id}/edit`, { number, name: 'Før', status: 'active', ...fields })
    expect((await save({})).headers.location).toBe('/projects')
    expect(await acts(id)).toEqual(['project-added'])
    const { updated_at: before } = await project(id)
    await save({ name: 'Efter', status: 'sold' })
    const now = await project(id)
    expect([now.name, now.status, now.cvr]).toEqual(['Efter', 'sold', null])
    expect(now.updated_at.getTime()).toBeGreaterThan(before.getTime())
    expect(await acts(id)).toEqual(['project-added', 'project-changed'])
    const { rows } = await sql`
      select before, after from log_names join log on log.id = log_id where project_id = ${id}`.execute(
      test.db,
    )
    expect(rows).toEqual([{ before: 'Før', after: 'Efter' }])
  })

  it('refuses to change to a taken number, also when two people take it at the same time', async () => {
    const { browser } = await visitor('administrator')
    const [one, other] = [await makeProject(test.db), await makeProject(test.db)]
    const save = (id: number) =>
      browser.post(`/projects/${id}/edit`, { number: '7001', name: 'x' }, { script: true })
    const answers = await Promise.all([save(one.id), save(other.id)])
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 422])
    expect(answers.find(({ statusCode }) => statusCode === 422)!.json().errors.number).toHaveLength(1)
  })

  it('leaves omitted fields unchanged', async () => {
    const { browser } = await visitor('administrator')
    const { id, number } = await makeProject(test.db, { status: 'sold', cvr: '41875305' })
    await browser.post(`/projects/${id}/edit`, { number, name: 'Nyt navn' })
    expect(await project(id)).toMatchObject({ name: 'Nyt navn', status: 'sold', cvr: '41875305' })
    await browser.post(`/projects/${id}/edit`, { number, name: 'Nyt navn', cvr: '' })
    expect((await project(id)).cvr).toBeNull()
  })

  it('never answers 500 while folders are added and two projects swap numbers', async () => {
    const { browser } = await visitor('administrator')
    const [one, other] = [await makeProject(test.db), await makeProject(test.db)]
    const statuses: number[] = []
    for (let round = 0; round < 12; round++) {
      const numbers = round % 2 ? [one.number, other.number] : [other.number, one.number]
      const answers = await Promise.all([
        browser.post(`/projects/${one.id}/folders`, { name: `Ny ${round}` }, { script: true }),
        browser.post(`/projects/${one.id}/edit`, { number: numbers[0], name: 'x' }, { script: true }),
        browser.post(`/projects/${one.id}/edit`, { number: `r${round}`, name: 'x' }, { script: true }),
        browser.post(`/projects/${other.id}/edit`, { number: numbers[1], name: 'x' }, { script: true }),
        browser.post(`/projects/${one.id}/folders`, { name: `Og ${round}` }, { script: true }),
      ])
      statuses.push(...answers.map(({ statusCode }) => statusCode))
    }
    expect(statuses.filter((status) => ![200, 409, 422].includes(status))).toEqual([])
  })

  it.each(['0', '-1', 'abc', '1e3', '9999999999999999999', '999999', '1%00', 'ny'])(
    'editing a project answers 404 for the id %s',
    async (id) => {
      const { browser } = await visitor('administrator')
      expect((await browser.get(`/projects/${id}/edit`)).statusCode).toBe(404)
      expect((await browser.post(`/projects/${id}/edit`, { number: '1', name: 'x' })).statusCode).toBe(404)
    },
  )
})

describe('members', () => {
  it('two people who add and remove members at once do not undo each other’s changes', async () => {
    const { browser } = await visitor('administrator')
    const person = async (own: string) => (await makeUser(test.db, { role: 'investor', numbers: [own] })).id
    const [first, second, third] = [await person('m1'), await person('m2'), await person('m3')]
    const { id, number, name } = await makeProject(test.db, { members: [first] })
    const save = (fields: object) => browser.post(`/projects/${id}/edit`, { number, name, ...fields })
    // Both pages were opened while the first was the only member.
    await save({ add_members: [second] })
    await save({ add_member: 'm3' })
    const members = async () =>
      (await test.db.selectFrom('project_members').select('user_id').where('project_id', '=', id).execute())
        .map(({ user_id: user }) => user)
        .sort((a, b) => a - b)
    expect(await members()).toEqual([first, second, third])
    await save({ remove_members: { 0: first, 1: 424242 } })
    expect(await members()).toEqual([second, third])
    await save({ add_members: [second] }) // again
    expect(await acts(id)).toEqual([
      'project-added',
      'member-added',
      'member-added',
      'member-added',
      'member-removed',
    ])
  })

  it.each([
    ['an employee', { role: 'employee' as const }],
    ['somebody deactivated', { role: 'investor' as const }],
  ])('members are never %s', async (what, fields) => {
    const { browser } = await visitor('administrator')
    const user = await makeUser(test.db, fields)
    if (what === 'somebody deactivated')
      await test.db
        .updateTable('users')
        .set({ deactivated_at: new Date() })
        .where('id', '=', user.id)
        .execute()
    const { id, number, name } = await makeProject(test.db)
    for (const change of [{ add_members: [user.id] }, { add_member: user.email }]) {
      const answer = await browser.post(`/projects/${id}/edit`, { number, name, ...change }, { script: true })
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['add_member']])
    }
    expect(
      await test.db.selectFrom('project_members').selectAll().where('project_id', '=', id).execute(),
    ).toEqual([])
  })
})
