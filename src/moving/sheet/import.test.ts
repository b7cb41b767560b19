import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, wantApproval } from '../../../test/make.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { dayOf } from '../../base/time/dates.ts'
import { refreshAllDuties } from '../../year/obligations/refresh-duties.db.ts'
import { zip } from '../../report/zip.server.ts'
import { urls } from '../../urls.ts'
import { exportOffice } from '../out/export.db.ts'
import { givenSheet } from './read/given-sheet.ts'
import type { ShownRow, WaitingSheet } from './import.ts'
import { sendMailings } from '../../releases/mailings/mailings.db.ts'
import { listImports, queueInvitations } from './list-imports.db.ts'
import { checkSheet } from './read/check-sheet.server.ts'
import { findSheet, keepSheet, purgeSheets } from './sheets.db.ts'
import { readTables } from '../../server/reading/read-tables.ts'

let test: TestApp
let boss: Entered
let count = 0
beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', SMTP_URL: 'smtp://127.0.0.1:1' },
  })
  boss = await enter(test, 'administrator')
})
beforeEach(() => count++)

const upload = (bytes: Buffer | string, visitor: Visitor = boss.visitor) =>
  visitor.postFile(urls.import, 'ark.csv', bytes)

type Preview = { address: string; sheet: WaitingSheet; rows: ShownRow[] }

async function preview(bytes: Buffer | string, visitor?: Visitor, id = boss.id): Promise<Preview> {
  const answer = await upload(bytes, visitor)
  expect(answer.statusCode).toBe(200)
  const { redirect } = answer.json<{ redirect: string }>()
  const sheet = (await findSheet(test.db, id))!
  expect(redirect).toBe(urls.sheet(sheet.id))
  const rows = (await (visitor ?? boss.visitor).get(urls.listSheetRows(sheet.id))).json<{
    data: ShownRow[]
  }>()
  return { address: redirect, sheet, rows: rows.data }
}

const confirm = ({ address, sheet }: Preview, fields = {}, visitor = boss.visitor) =>
  visitor.post(address, { plan: sheet.plan_hash, ...fields }, { script: true })

async function moveIn(bytes: Buffer | string, fields = {}): Promise<number> {
  const shown = await preview(bytes)
  const answer = await confirm(shown, fields)
  expect([answer.statusCode, shown.rows.filter(({ state }) => state === 'wrong')]).toEqual([200, []])
  return (await listImports(test.db, 10))[0]!.id
}

const undo = (id: number) => boss.visitor.post(urls.undoImport(id), {}, { script: true })

/** Everything that an import may touch. */
async function everything() {
  const { rows } = await sql<{ all: unknown }>`
    select json_build_object(
      'projects', (select json_agg(json_build_array(id, number, name, cvr, status, year_ends, held_from, sold_on, followed_from) order by id)
        from projects),
      'folders', (select count(*) from folders), 'names', (select count(*) from folder_names),
      'cells', (select count(*) from year_cells),
      'users', (select json_agg(json_build_array(id, name, email, email_key, role, search, first_number) order by id) from users),
      'numbers', (select json_agg(user_numbers order by number) from user_numbers),
      'members', (select json_agg(json_build_array(project_id, user_id) order by project_id, user_id) from project_members)
    ) as all`.execute(test.db)
  return rows[0]!.all
}

const projectOf = (number: string) =>
  test.db.selectFrom('projects').selectAll().where('number', '=', number).executeTakeFirst()
const personOf = (email: string) =>
  test.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
const lines = (...rows: string[]) => rows.join('\n')
const PROJECTS = 'Projektnr.;Navn;CVR-nr.;Status;Regnskabsår slutter;Overtaget;Solgt den'
const PEOPLE = 'Navn;E-mail;Rolle;Investornr.;Projekter'

describe('a sheet that is right', () => {
  it('adds projects with folders, years and expected papers, like their form', async () => {
    const number = `P${count}`
    const id = await moveIn(lines(PROJECTS, `${number};K/S Nord;38291041;Solgt;juni;01/07/2015;30/06/2024`))
    const project = (await projectOf(number))!
    expect(project).toMatchObject({ name: 'K/S Nord', cvr: '38291041', status: 'sold', year_ends: 6 })
    const made = await makeProject(test.db)
    const names = async (each: number) => Object.keys(await foldersByName(test.db, each))
    expect(await names(project.id)).toEqual(await names(made.id))
    const entries = await test.db
      .selectFrom('log')
      .select(['act', 'detail', 'user_id'])
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { act: 'project-added', detail: `sheet:${id}`, user_id: boss.id },
      { act: 'project-years-changed', detail: `sheet:${id}`, user_id: boss.id },
    ])
  })

  it('new projects are followed from the answer, unless their row says another day; those that are there stay', async () => {
    const there = await makeProject(test.db)
    const [a, b] = [`P${count}a`, `P${count}b`]
    const sheet = lines(
      'Projektnr.;Navn;Overtaget;Følges fra',
      `${a};K/S Nord;01/07/2015;`,
      `${b};K/S Syd;01/07/2015;01/01/2024`,
      `${there.number};K/S Ny;;`,
    )
    const shown = await preview(sheet)
    const today = dayOf(new Date(), 'Europe/Copenhagen')
    const { body } = await boss.visitor.get(shown.address)
    expect(body).toContain('Fra hvilket år skal Ringbind følge med?')
    expect(/<option value="([^"]*)" selected/.exec(body)?.[1]).toBe(today)
    expect((await confirm(shown, { followed_from: '2025-13-01' })).statusCode).toBe(422)
    expect((await confirm(shown, { followed_from: '2025-01-01' })).statusCode).toBe(200)
    const { rows } = await sql<{ name: string; day: string | null }>`
      select name, followed_from::text as day from projects where number = any (${[a, b, there.number]})
      order by name`.execute(test.db)
    expect(rows).toEqual([
      { name: 'K/S Nord', day: '2025-01-01' },
      { name: 'K/S Ny', day: null },
      { name: 'K/S Syd', day: '2024-01-01' },
    ])
  })

  it('all projects that are there are followed from a day, or always; not if the page showed another number of them', async () => {
    const { id } = await makeProject(test.db)
    const post = async (day: string) => {
      const { body } = await boss.visitor.get(urls.import)
      const many = /name="count" value="(\d+)"/.exec(body)![1]!
      return (more = 0) =>
        boss.visitor.post(
          urls.followAll,
          { followed_from: day, count: String(Number(many) + more) },
          { script: true },
        )
    }
    const days = async () =>
      (
        await sql<{ day: string | null }>`
          select distinct followed_from::text as day from projects`.execute(test.db)
      ).rows.map(({ day }) => day)
    const send = await post('2026-01-01')
    expect((await send(1)).statusCode).toBe(409)
    expect(await days()).not.toEqual(['2026-01-01'])
    expect((await send()).statusCode).toBe(200)
    expect(await days()).toEqual(['2026-01-01'])
    const acts = async () =>
      (await sql`select from log where act = 'project-years-changed' and project_id = ${id}`.execute(test.db))
        .rows.length
    expect(await acts()).toBe(1)
    await send()
    expect(await acts()).toBe(1)
    expect((await (await post(''))()).statusCode).toBe(200)
    expect(await days()).toEqual([null])
    const employee = await enter(test, 'employee')
    const refused = await employee.visitor.post(
      urls.followAll,
      { followed_from: '', count: '1' },
      { script: true },
    )
    expect(refused.statusCode).toBe(403)
  })

  it('adds people with numbers and projects, who are found by search, and invites nobody', async () => {
    const [number, email] = [`P${count}`, `ida${count}@example.dk`]
    await makeProject(test.db, { number })
    await moveIn(lines(PEOPLE, `Ida Sørensen;${email};;I${count}a, I${count}b;${number}`))
    const person = (await personOf(email))!
    expect(person).toMatchObject({ role: 'investor', password_hash: null, first_number: `I${count}a` })
    const found = await boss.visitor.get(`/api/users?q=I${count}b`)
    expect(found.json()).toMatchObject({ data: [{ id: person.id, numbers: [`I${count}a`, `I${count}b`] }] })
    const { rows } = await sql<{ acts: string[] }>`
      select array_agg(act order by id) as acts from log where subject_user_id = ${person.id}`.execute(
      test.db,
    )
    expect(rows[0]!.acts).toEqual(['user-added', 'member-added'])
  })

  it('moves in projects and people from another office’s export unchanged', async () => {
    const from = await freshApp({ hasJobs: false })
    const [number, email] = [`P${count}`, `åse${count}@example.dk`]
    const person = await makeUser(from.db, { name: 'Åse Holm', email, numbers: [`I${count}a`, `I${count}b`] })
    const { id } = await makeProject(from.db, { number, name: 'K/S Nord', members: [person.id] })
    await sql`
      update projects set cvr = '38291041', status = 'closing', year_ends = 6, held_from = '2015-07-01', sold_on = '2024-06-30',
        followed_from = '2024-01-01'
      where id = ${id}`.execute(from.db)
    const root = join(await freshDirectory(), 'ud')
    await exportOffice({ ...from, dataDir: from.config.dataDir, timeZone: 'Europe/Copenhagen' }, root)
    for (const table of ['projekter', 'personer'])
      await moveIn(await readFile(join(root, `Tabeller/${table}.csv`)))
    const readBoth = (app: TestApp) =>
      sql`
        select projects.number, projects.name, cvr, status, year_ends, held_from, sold_on, followed_from::text, users.name as person, email, role,
          (select array_agg(user_numbers.number order by user_numbers.number) from user_numbers where user_id = users.id) as numbers
        from projects join project_members on project_id = projects.id join users on users.id = user_id
        where projects.number = ${number}`
        .execute(app.db)
        .then(({ rows }) => rows)
    expect(await readBoth(from)).toHaveLength(1)
    expect(await readBoth(test)).toEqual(await readBoth(from))
  })

  it('reads an Excel workbook with both sheets', async () => {
    const shown = await preview(await zip(givenSheet('Kontoret')))
    expect(shown.sheet).toMatchObject({
      faults: ['Der er ingen rækker under overskrifterne.'],
      counts: { new: 0 },
    })
  })

  it('importing the same sheet again changes nothing', async () => {
    const number = `P${count}`
    const sheets = [
      lines(PROJECTS, `${number};K/S Nord;;;;01/07/2015;`),
      lines(PEOPLE, `Ida;ida${count}@example.dk;Investor;I${count};${number}`),
    ]
    for (const sheet of sheets) await moveIn(sheet)
    const before = await everything()
    for (const sheet of sheets) {
      const again = await preview(sheet)
      expect(again.sheet.counts).toMatchObject({ unchanged: 1, new: 0, changed: 0, wrong: 0 })
      expect((await boss.visitor.get(again.address)).body).toContain('Alt i arket er i Ringbind allerede')
      await confirm(again)
    }
    expect(await everything()).toEqual(before)
  })

  it('changes the fields that differ, and leaves the rest', async () => {
    const { id, number } = await makeProject(test.db, { name: 'K/S Gammel', cvr: '38291041' })
    const person = await makeUser(test.db, { name: 'Bo', numbers: [`B${count}`] })
    await moveIn(lines(PROJECTS, `${number};K/S Ny;;;;;`))
    await moveIn(lines(PEOPLE, `Bo Holm;;;"B${count}; C${count}";${number}`))
    expect(await projectOf(number)).toMatchObject({ id, name: 'K/S Ny', cvr: '38291041', status: 'active' })
    expect(await personOf(person.email)).toMatchObject({ id: person.id, name: 'Bo Holm' })
    const log = await boss.visitor.get(`${urls.log}?person=${person.id}`)
    expect(log.body).toMatch(/ændrede navn og numre for .*, navnet fra .*Bo.* \(ark nr\. \d+\)/)
  })

  it('imports a sheet without JavaScript', async () => {
    const shown = await preview(lines(PROJECTS, `P${count};K/S Nord`))
    const answer = await boss.visitor.post(shown.address, { plan: shown.sheet.plan_hash })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, urls.import])
    expect((await boss.visitor.get(urls.import)).body).toContain('1 nyt projekt')
  })
})

describe('a sheet that is wrong', () => {
  const wrong = async (sheet: string) => {
    const before = await everything()
    const shown = await preview(sheet)
    const answer = await confirm(shown)
    expect(answer.statusCode).toBe(422)
    expect(await everything()).toEqual(before)
    return [
      ...shown.sheet.faults,
      ...shown.rows.flatMap(({ faults }) => faults.map(({ place, text }) => `${place}: ${text}`)),
    ]
  }

  it('reports every fault at its cell, and stores nothing of the sheet', async () => {
    const other = await makeUser(test.db, { role: 'auditor' })
    const taken = await makeUser(test.db, { numbers: [`T${count}`] })
    const sheet = lines(
      PEOPLE,
      `Rigtig;rigtig${count}@example.dk;;R${count};`,
      `Ida;ida;Konge;(;`,
      `Ove;${other.email};Investor;O${count};`,
      `Eva;eva${count}@example.dk;;T${count};99999`,
      `Per;per${count}@example.dk;Administrator;;`,
      `Rigtig;rigtig${count}@example.dk;;Q${count};`,
      `Uden;uden${count}@example.dk;;R${count};`,
    )
    expect(await wrong(sheet)).toEqual([
      'Personer, B2: E-mailen står også i række 7.',
      'Personer, B3: Skriv en gyldig e-mailadresse.',
      expect.stringContaining('Personer, C3: Rollen er'),
      expect.stringContaining('Personer, D3: Nummeret skal kunne stå i et filnavn'),
      expect.stringContaining(`Personer, C4: ${other.name} findes allerede som revisor.`),
      expect.stringContaining(`Personer, B5: Nummeret tilhører ${taken.name}`),
      'Personer, E5: Der er intet projekt med nummeret 99999.',
      expect.stringContaining('Personer, C6: En administrator kan ikke'),
      'Personer, B7: E-mailen står også i række 2.',
      `Personer, D8: Nummeret R${count} står også i række 2.`,
    ])
  })

  it('reports two projects with the same number', async () => {
    expect(await wrong(lines(PROJECTS, `P${count};A`, `P${count};B`))).toEqual([
      `Projekter, A2: Nummeret P${count} står også i række 3.`,
      `Projekter, A3: Nummeret P${count} står også i række 2.`,
    ])
  })

  it('reports a sheet with one row too many', async () => {
    const rows = Array.from({ length: 25_001 }, (_, at) => `N${at};Navn`)
    expect(await wrong(lines('Projektnr.;Selskab;Status', ...rows))).toEqual([
      'Projekter har 25.001 rækker. Der kan højst være 25.000 ad gangen. Del arket i flere.',
    ])
  })

  it.each([
    ['nothing', '', 422, 'Arket er tomt.'],
    ['other bytes', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 422, 'Arket er låst'],
    ['a damaged workbook', 'PK\x03\x04', 422, 'Filen kan ikke læses'],
    ['too much', Buffer.alloc(20 * 1024 * 1024 + 1, 'x'), 413, 'Arket må højst fylde 20 MB.'],
  ])('refuses a sheet that is %s', async (_, bytes, status, text) => {
    const answer = await upload(bytes)
    expect(answer.statusCode).toBe(status)
    expect(answer.json<{ message: string }>().message).toContain(text)
  })

  it('shows the faults of a sheet in pages and by state', async () => {
    const rows = Array.from({ length: 120 }, (_, at) =>
      at < 60 ? `W${count}${at};` : `W${count}${at};K/S ${at}`,
    )
    const { sheet, address } = await preview(lines(PROJECTS, ...rows))
    expect(sheet.counts).toMatchObject({ wrong: 60, new: 60 })
    const page = await boss.visitor.get(`${urls.listSheetRows(sheet.id)}?filter=wrong&page=2`)
    expect(page.json()).toMatchObject({ meta: { total: 60, current_page: 2 } })
    expect(page.json<{ data: ShownRow[] }>().data).toHaveLength(10)
    const found = await boss.visitor.get(`${urls.listSheetRows(sheet.id)}?q=W${count}77`)
    expect(found.json()).toMatchObject({ meta: { total: 1 } })
    expect((await boss.visitor.get(`${address}?filter=new`)).statusCode).toBe(200)
  })
})

describe('a sheet with some rows that are wrong', () => {
  const restOf = async (address: string) => {
    const answer = await boss.visitor.get(address)
    expect([answer.statusCode, answer.headers['content-disposition']]).toEqual([
      200,
      expect.stringContaining('ark, ikke flyttet ind.xlsx'),
    ])
    return answer.rawPayload
  }
  const cellsOf = async (bytes: Buffer) =>
    (await readTables(bytes, 100)).map(({ name, rows }) => [name, ...rows.map(({ cells }) => cells)])

  it('imports the right rows, and offers the wrong ones as a sheet to correct', async () => {
    const [first, second] = await Promise.all([makeProject(test.db), makeProject(test.db)])
    const both = `${first.number} / ${second.number}`
    const row = (name: string, number: string, more = '') =>
      `${name};${number}${count};${name.split(' ').at(-2)!.toLowerCase()}${count}@example.dk;${both};${more}`
    const shown = await preview(
      lines(
        'Navn;Inv.nr.;Mail;K/S;Bemærkning',
        row('Dr. med. Ida Holm', 'A', 'ring'),
        row('Dr. med. Ida Holm', 'A', 'ring'),
        `Bo Bruun;B${count};bo;${both};skriv`,
        row('Eva Friis', 'C'),
        `Ove Ek;D${count};ove${count}@example.dk;99999;`,
      ),
    )
    expect(shown.sheet.counts).toMatchObject({ new: 2, unchanged: 1, wrong: 2, newPeople: 2 })
    const page = await boss.visitor.get(shown.address)
    expect(page.body).toContain('Flyt 2 rækker ind')
    expect(page.body).toContain('2 rækker er forkerte og bliver ikke taget med.')
    const waiting = await cellsOf(await restOf(urls.sheetRest(shown.sheet.id)))
    expect(await personOf(`ida${count}@example.dk`)).toBeUndefined()

    expect((await confirm(shown)).statusCode).toBe(200)
    expect(await personOf(`ida${count}@example.dk`)).toMatchObject({ name: 'Ida Holm' })
    expect(await personOf(`eva${count}@example.dk`)).toBeDefined()
    expect(await personOf(`ove${count}@example.dk`)).toBeUndefined()
    const [done] = await listImports(test.db, 10)
    expect(done).toMatchObject({ hasRest: true, counts: { wrong: 2, newPeople: 2 } })
    expect((await boss.visitor.get(urls.import)).body).toContain('2 rækker kom ikke med.')
    const bytes = await restOf(urls.importRest(done!.id))
    expect(await cellsOf(bytes)).toEqual(waiting)
    expect(waiting).toEqual([
      [
        'Personer',
        ['Navn', 'Inv.nr.', 'Mail', 'K/S', 'Bemærkning', 'Hvad der er galt'],
        ['Bo Bruun', `B${count}`, 'bo', both, 'skriv', 'C2: Skriv en gyldig e-mailadresse.'],
        [
          'Ove Ek',
          `D${count}`,
          `ove${count}@example.dk`,
          '99999',
          null,
          'D3: Der er intet projekt med nummeret 99999.',
        ],
      ],
    ])
    // It comes back as it went, and says the same at the same cells.
    const again = await preview(bytes)
    expect(again.sheet.notes).toEqual(['Personer: Ringbind bruger ikke kolonnen Bemærkning.'])
    expect(again.rows.flatMap(({ faults }) => faults.map(({ place }) => place))).toEqual([
      'Personer, C2',
      'Personer, D3',
    ])
  })

  it('reads the columns that the office chooses, also without JavaScript', async () => {
    const shown = await preview(
      lines('Kunde;Adr;Løbenr.;Engagement', `Ida Holm;valgt${count}@example.dk;V${count};`),
    )
    expect(shown.sheet).toMatchObject({
      faults: [expect.stringContaining('ingen kolonner')],
      columns: [{ table: 0, kind: null }],
    })
    const choose = (fields: Record<string, string>) =>
      boss.visitor.post(urls.sheetColumns(shown.sheet.id), fields)
    expect((await choose({ 'kind-0': 'people' })).headers.location).toBe(shown.address)
    const guessed = (await findSheet(test.db, boss.id))!
    expect(guessed.columns[0]).toMatchObject({
      kind: 'people',
      columns: [
        { heading: 'Kunde', field: 'name', samples: ['Ida Holm'] },
        { heading: 'Adr', field: null },
        { heading: 'Løbenr.', field: null },
        { heading: 'Engagement', field: null },
      ],
    })
    const chosen = {
      'kind-0': 'people',
      'column-0-0': 'name',
      'column-0-1': 'email',
      'column-0-2': 'numbers',
    }
    await choose({ ...chosen, 'column-0-3': 'email' })
    expect((await findSheet(test.db, boss.id))!.faults).toEqual([
      'Personer, D1: Kolonnen E-mail er der to gange.',
    ])
    await choose(chosen)
    const sheet = (await findSheet(test.db, boss.id))!
    expect(sheet).toMatchObject({ faults: [], counts: { new: 1 } })
    expect((await boss.visitor.get(shown.address)).body).toContain('Vælg, hvilken kolonne der er hvad')
    expect((await confirm({ ...shown, sheet })).statusCode).toBe(200)
    expect(await personOf(`valgt${count}@example.dk`)).toMatchObject({ name: 'Ida Holm' })
  })

  it('gives nobody a project whose own row is wrong', async () => {
    const checked = await checkSheet([
      table('Projekter', [
        ['Projektnr.', 'Navn'],
        [`X${count}`, null],
      ]),
      table('Personer', [
        ['Navn', 'E-mail', 'Nr.', 'K/S'],
        ['Bo', `bo${count}@example.dk`, `X${count}`, `X${count}`],
      ]),
    ])
    await keepSheet(test.db, boss.id, 'ark', checked)
    expect((await findSheet(test.db, boss.id))!.counts).toMatchObject({ wrong: 2, new: 0 })
  })

  it('only its own administrator gets the wrong rows of a sheet, until they are removed after 30 days', async () => {
    const other = await enter(test, 'administrator')
    const shown = await preview(lines(PROJECTS, `P${count};K/S Nord`, `Q${count};`))
    expect((await other.visitor.get(urls.sheetRest(shown.sheet.id))).statusCode).toBe(404)
    await confirm(shown)
    const [done] = await listImports(test.db, 10)
    expect(done!.hasRest).toBe(true)
    await sql`update sheet_imports set made_at = now() - interval '31 days' where id = ${done!.id}`.execute(
      test.db,
    )
    await purgeSheets(test.db, 30)
    expect((await boss.visitor.get(urls.importRest(done!.id))).statusCode).toBe(404)
  })
})

const table = (name: string, rows: (string | null)[][]) => ({
  name,
  isHidden: false,
  rows: rows.map((cells, at) => ({ row: at + 1, cells })),
  rowsCount: rows.length,
  troubles: [],
  merged: [],
})

describe('a sheet that waits', () => {
  it('only the person who uploaded a sheet sees it before it is imported', async () => {
    const other = await enter(test, 'administrator')
    const shown = await preview(lines(PROJECTS, `P${count};K/S Nord`))
    expect((await other.visitor.get(shown.address)).statusCode).toBe(404)
    expect((await other.visitor.get(urls.listSheetRows(shown.sheet.id))).statusCode).toBe(404)
    expect((await confirm(shown, {}, other.visitor)).statusCode).toBe(404)
    await other.visitor.post(urls.discardSheet(shown.sheet.id))
    expect((await boss.visitor.get(shown.address)).statusCode).toBe(200)
    expect(await projectOf(`P${count}`)).toBeUndefined()
  })

  it('a new sheet replaces the waiting one, which can be discarded and is removed after a day', async () => {
    const first = await preview(lines(PROJECTS, `P${count};A`))
    const second = await preview(lines(PROJECTS, `P${count};B`))
    expect((await boss.visitor.get(first.address)).statusCode).toBe(404)
    await boss.visitor.post(urls.discardSheet(second.sheet.id))
    expect((await boss.visitor.get(second.address)).statusCode).toBe(404)
    const third = await preview(lines(PROJECTS, `P${count};C`))
    await sql`update sheets set created_at = now() - interval '25 hours'`.execute(test.db)
    expect((await boss.visitor.get(third.address)).statusCode).toBe(404)
    expect((await confirm(third)).statusCode).toBe(404)
    await purgeSheets(test.db, 30)
    const { rows } = await sql`select from sheet_rows`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('imports a sheet once, however often it is confirmed', async () => {
    const shown = await preview(lines(PROJECTS, `P${count};K/S Nord`))
    const answers = await Promise.all([confirm(shown), confirm(shown), confirm(shown)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const imports = await listImports(test.db, 10)
    expect(
      imports.filter(({ counts, id }) => counts.newProjects === 1 && id === imports[0]!.id),
    ).toHaveLength(1)
    expect((await confirm(shown)).statusCode).toBe(200)
    expect(await listImports(test.db, 10)).toHaveLength(imports.length)
  })

  it('shows the plan again if somebody has changed something since', async () => {
    const { id, number } = await makeProject(test.db, { name: 'K/S Gammel' })
    const shown = await preview(lines(PROJECTS, `${number};K/S Ny`))
    await boss.visitor.post(
      `/projects/${id}/edit`,
      { number, name: 'K/S Anden', status: 'active' },
      { script: true },
    )
    const answer = await confirm(shown)
    expect(answer.statusCode).toBe(409)
    expect(await projectOf(number)).toMatchObject({ name: 'K/S Anden' })
    const now = (await findSheet(test.db, boss.id))!
    const page = await boss.visitor.post(shown.address, { plan: shown.sheet.plan_hash })
    expect([page.statusCode, page.body.includes('K/S Anden')]).toEqual([409, true])
    expect((await confirm({ ...shown, sheet: now })).statusCode).toBe(200)
    expect(await projectOf(number)).toMatchObject({ name: 'K/S Ny' })
  })

  it('two administrators who import the same sheet at once: nothing is done twice', async () => {
    const other = await enter(test, 'administrator')
    const sheet = lines(
      PEOPLE,
      ...Array.from({ length: 50 }, (_, at) => `P${at};p${count}-${at}@example.dk;;S${count}-${at};`),
    )
    const [mine, theirs] = [await preview(sheet), await preview(sheet, other.visitor, other.id)]
    const answers = await Promise.all([confirm(mine), confirm(theirs, {}, other.visitor)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
    const { rows } = await sql`select from users where email like ${`p${count}-%`}`.execute(test.db)
    expect(rows).toHaveLength(50)
  })
})

describe('an import is taken back', () => {
  const sheets = (number: string) => [
    lines(PROJECTS, `${number};K/S Ny;;;juni;;`),
    lines(PEOPLE, `Ida;ida${number}@example.dk;;I${number};${number}`),
  ]

  it('undoing an import leaves nothing of it, except in the log', async () => {
    const { number } = await makeProject(test.db, { name: 'K/S Gammel' })
    const bo = await makeUser(test.db, { name: 'Bo', numbers: [`B${count}`], passwordHash: null })
    await refreshAllDuties(test.db, dayOf(new Date(), test.config.timeZone))
    const before = await everything()
    const first = await moveIn(
      lines(PROJECTS, `${number};K/S Ny;38291041;Solgt;;01/01/2020;`, `Q${count};K/S Helt ny`),
    )
    const second = await moveIn(
      lines(
        PEOPLE,
        `Bo Holm;bo.ny${count}@example.dk;;"B${count},C${count}";${number}`,
        `Ida;ida${count}@example.dk;Revisor;;Q${count}`,
        `Kim;kim${count}@example.dk;Medarbejder;;`,
      ),
    )
    expect((await personOf(`bo.ny${count}@example.dk`))!.id).toBe(bo.id)
    expect((await undo(second)).statusCode).toBe(200)
    expect((await undo(second)).statusCode).toBe(200)
    expect((await undo(first)).statusCode).toBe(200)
    expect(await everything()).toEqual(before)
    expect((await boss.visitor.get(urls.import)).body).toContain('Fortrudt')
    const log = await boss.visitor.get('/api/log')
    expect(log.body).toContain('user-removed')
    expect((await boss.visitor.get(urls.log)).body).toContain('K/S Helt ny')
  })

  it.each([
    [
      'a project has got a file',
      async (number: string) => {
        const { id } = (await projectOf(number))!
        await makeFile(test, Object.values(await foldersByName(test.db, id))[0]!)
      },
      'har fået filer',
    ],
    [
      'a project was changed',
      async (number: string) => {
        const { id } = (await projectOf(number))!
        await boss.visitor.post(`/projects/${id}/edit`, { number, name: 'Andet', status: 'active' })
      },
      'er ændret siden',
    ],
  ])('refuses to undo an import if %s', async (_, act, text) => {
    const number = `P${count}`
    const id = await moveIn(sheets(number)[0]!)
    await act(number)
    const before = await everything()
    const answer = await undo(id)
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ obstacles: [expect.stringContaining(text)] })
    const page = await boss.visitor.post(urls.undoImport(id))
    expect([page.statusCode, page.body.includes(text)]).toEqual([409, true])
    expect(await everything()).toEqual(before)
  })

  it.each([
    [
      'has accepted an invitation',
      (id: number) => sql`update users set password_hash = 'x' where id = ${id}`.execute(test.db),
      'har taget imod invitationen',
    ],
    [
      'was changed',
      (id: number) =>
        boss.visitor.post(`/users/${id}/edit`, {
          name: 'Anden',
          email: `anden${count}@example.dk`,
          role: 'investor',
          numbers: [`I${count}`],
        }),
      'er ændret siden',
    ],
  ])('refuses to undo an import if a person %s', async (_, act, text) => {
    const number = `P${count}`
    await makeProject(test.db, { number })
    const id = await moveIn(sheets(number)[1]!)
    await act((await personOf(`ida${number}@example.dk`))!.id)
    const before = await everything()
    expect((await undo(id)).json()).toMatchObject({ obstacles: [expect.stringContaining(text)] })
    expect(await everything()).toEqual(before)
  })

  it('refuses to undo an import if a changed field has changed again', async () => {
    const { id, number } = await makeProject(test.db)
    const done = await moveIn(lines(PROJECTS, `${number};K/S Ny`))
    await boss.visitor.post(`/projects/${id}/edit`, { number, name: 'K/S Igen', status: 'active' })
    expect((await undo(done)).statusCode).toBe(409)
    expect(await projectOf(number)).toMatchObject({ name: 'K/S Igen' })
  })

  it('refuses to undo an import after 30 days', async () => {
    const done = await moveIn(lines(PROJECTS, `P${count};K/S Ny`))
    await sql`update sheet_imports set made_at = now() - interval '31 days' where id = ${done}`.execute(
      test.db,
    )
    expect((await undo(done)).statusCode).toBe(409)
    await purgeSheets(test.db, 30)
    const { rows } = await sql`select from sheet_changes where import_id = ${done}`.execute(test.db)
    expect(rows).toEqual([])
    expect((await boss.visitor.get(urls.import)).statusCode).toBe(200)
  })
})

it('with approval, a sheet that adds somebody to the office waits for a colleague; one with an investor does not', async () => {
  await enter(test, 'employee', { name: 'Karl' })
  await wantApproval(test.db, true)
  try {
    const said = async (row: string) =>
      (await confirm(await preview(lines(PEOPLE, row)))).json<{ said?: string }>().said
    expect(await said(`Kaj;kaj${count}@example.dk;Medarbejder;;`)).toMatch('Venter')
    expect(await personOf(`kaj${count}@example.dk`)).toBeUndefined()
    expect(await said(`Pia;pia${count}@example.dk;;PIA${count};`)).toBeUndefined()
  } finally {
    await wantApproval(test.db, false)
  }
})

describe('invitations', () => {
  let office: TestApp
  let chief: Entered
  beforeAll(async () => {
    office = await freshApp({
      hasJobs: 'mails',
      env: { REQUESTS_PER_MINUTE: '100000', SMTP_URL: 'smtp://127.0.0.1:1' },
    })
    chief = await enter(office, 'administrator')
  })

  async function movePeopleIn(many: number, fields = {}): Promise<number> {
    const people = Array.from(
      { length: many },
      (_, at) => `P${at};p${count}-${at}@example.dk;;V${count}-${at};`,
    )
    await chief.visitor.postFile(urls.import, 'ark.csv', lines(PEOPLE, ...people))
    const { id, plan_hash: plan } = (await findSheet(office.db, chief.id))!
    const answer = await chief.visitor.post(urls.sheet(id), { plan, ...fields }, { script: true })
    expect(answer.statusCode).toBe(200)
    return (await listImports(office.db, 10))[0]!.id
  }

  const leave = (regretMinutes = 0) =>
    sendMailings(office.db, office.jobs, regretMinutes, { invitations: queueInvitations })
  const invitations = async () => (await listImports(office.db, 10))[0]!.invitations
  const linksOf = async () =>
    (
      await sql<{ links: number }>`
        select count(link_tokens.hash) as links from users left join link_tokens on link_tokens.user_id = users.id
        where email like ${`p${count}-%`} group by users.id`.execute(office.db)
    ).rows.map(({ links }) => links)

  it('sends invitations on request, once to each, and shows the progress', async () => {
    const done = await movePeopleIn(3)
    expect(await invitations()).toEqual({ open: 3, asked: 0, sent: 0, failed: 0 })
    expect((await chief.visitor.get(urls.import)).body).toContain('Inviter 3 personer')
    for (const _ of [1, 2]) {
      const answer = await chief.visitor.post(urls.inviteImported(done), {}, { script: true })
      expect(answer.statusCode).toBe(200)
    }
    await leave(10)
    expect(await invitations()).toEqual({ open: 3, asked: 0, sent: 0, failed: 0 })
    const page = (await chief.visitor.get(urls.import)).body.replaceAll('<!-- -->', '')
    expect(page).toContain('Invitation til 3 personer sendes tidligst')
    expect(page).not.toContain('Inviter 3 personer')
    expect((await chief.visitor.get(urls.start)).body).toContain('Invitation til 3 personer')
    const regret = () => chief.visitor.post(urls.cancelInvitations(done), {}, { script: true })
    expect((await regret()).statusCode).toBe(200)
    expect((await regret()).statusCode).toBe(409)
    await leave()
    expect(await invitations()).toEqual({ open: 3, asked: 0, sent: 0, failed: 0 })
    await chief.visitor.post(urls.inviteImported(done), {}, { script: true })
    await leave()
    expect(await invitations()).toMatchObject({ open: 0, asked: 3 })
    await expect.poll(invitations, { timeout: 120_000 }).toEqual({ open: 0, asked: 3, sent: 3, failed: 0 })
    expect(await linksOf()).toEqual([1, 1, 1])
    expect((await chief.visitor.get(urls.import)).body).toContain('3 af 3 invitationer sendt')
  })

  it('reports invitations that could not be sent', async () => {
    await movePeopleIn(1)
    await sql`update sheet_changes set invited_at = now()`.execute(office.db)
    await sql`
      insert into failed_mails (job_id, user_id, is_final)
      select gen_random_uuid(), id, true from users where email like ${`p${count}-%`}`.execute(office.db)
    expect(await invitations()).toEqual({ open: 0, asked: 1, sent: 0, failed: 1 })
    expect((await chief.visitor.get(urls.import)).body).toContain('1 kunne ikke sendes')
  })

  it('sends invitations with the import if wished, and they do not prevent undoing it', async () => {
    const done = await movePeopleIn(2, { invite: '1' })
    await leave()
    await expect.poll(invitations, { timeout: 120_000 }).toEqual({ open: 0, asked: 2, sent: 2, failed: 0 })
    const answer = await chief.visitor.post(urls.undoImport(done), {}, { script: true })
    expect(answer.statusCode).toBe(200)
    expect(await linksOf()).toEqual([])
  })
})
