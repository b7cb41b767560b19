import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject } from '../../../test/make.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { dayOf } from '../../base/time/dates.ts'
import { urls } from '../../urls.ts'
import { listFolders } from '../../projects/folders.db.ts'
import { readAccountingYears } from '../../projects/expected/accounting-years.db.ts'
import { refreshDuties, refreshStaleDuties } from './refresh-duties.db.ts'

const YEAR = Number(dayOf(new Date(), 'Europe/Copenhagen').slice(0, 4))
const TODAY = '2026-11-17'
const script = { script: true }

let test: TestApp
let admin: Visitor
let project: { id: number; number: string; name: string }
let folders: Record<string, number>
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  admin = (await enter(test, 'administrator')).visitor
})
beforeEach(async () => {
  project = await makeProject(test.db)
  folders = await foldersByName(test.db, project.id)
})

const refresh = (today = TODAY) =>
  test.db.transaction().execute((trx) => refreshDuties(trx, [project.id], today))

/** The periods of a folder that have a duty. */
async function cellsOf(folder: number): Promise<string[]> {
  await refreshStaleDuties(test.db, test.config.timeZone)
  return periodsOf(folder)
}
const periodsOf = async (folder: number) => {
  const { rows } = await sql<{ period: string }>`
    select period from duties where folder_id = ${folder} order by period`.execute(test.db)
  return rows.map(({ period }) => period)
}

const saveFolder = (name: string, fields: Record<string, unknown>) =>
  admin.post(urls.folder(urls.projectFolders(project.id), folders[name]!), { name, ...fields }, script)
const saveProject = (fields: Record<string, unknown>) =>
  admin.post(urls.editProject(project.id), { number: project.number, name: project.name, ...fields }, script)
const acts = async () => {
  const { rows } = await sql<{ act: string }>`
    select act from log where project_id = ${project.id} and act not in ('project-added', 'file-added') order by id`.execute(
    test.db,
  )
  return rows.map(({ act }) => act)
}

describe('what a folder expects', () => {
  it('duties reach from the folder’s oldest file to the end of this accounting year, with their last days', async () => {
    await makeFile(test, folders['Årsrapport']!, { name: 'Årsrapport 2024.pdf' })
    await refresh()
    expect(await periodsOf(folders['Årsrapport']!)).toEqual(['2024', '2025', '2026'])
    expect(await periodsOf(folders.Kvartalsrapport!)).toEqual(['2026-Q1', '2026-Q2', '2026-Q3', '2026-Q4'])
    expect(await periodsOf(folders.Diverse!)).toEqual([])
    const { rows } = await sql`
      select starts_on::text, ends_on::text, due_on::text, is_by_paper from duties
      where folder_id = ${folders['Årsrapport']!} and period = '2024'`.execute(test.db)
    expect(rows).toEqual([
      {
        starts_on: '2024-01-01',
        ends_on: '2024-12-31',
        due_on: '2025-06-30',
        is_by_paper: true,
      },
    ])
  })

  it('duties are added as time passes, and a second run changes nothing', async () => {
    await refresh('2026-12-31')
    await refresh('2027-01-01')
    expect(await periodsOf(folders.Budget!)).toEqual(['2026', '2027'])
    const read = async () =>
      (
        await sql`select xmin::text, * from duties where project_id = ${project.id} order by id`.execute(
          test.db,
        )
      ).rows
    const before = await read()
    await refresh('2027-01-02')
    expect(await read()).toEqual(before)
  })

  it('an excuse stays when nothing is expected any more, and what nobody has said anything of goes', async () => {
    await makeFile(test, folders.Budget!, { name: 'Budget 2024.pdf' })
    await refresh()
    await sql`update duties set excuse = 'Ikke relevant', excused_at = now()
      where folder_id = ${folders.Budget!} and period = '2025'`.execute(test.db)
    await saveFolder('Budget', { expects: 'none' })
    await refresh()
    expect(await periodsOf(folders.Budget!)).toEqual(['2025'])
    await saveFolder('Budget', { expects: 'year', expects_from: '2025', expects_to: '2026' })
    await refresh()
    expect(await periodsOf(folders.Budget!)).toEqual(['2025', '2026'])
  })

  it('a sold project keeps its duties but gets no more, unless the day of sale is known', async () => {
    await refresh('2025-12-31')
    await sql`update projects set status = 'sold' where id = ${project.id}`.execute(test.db)
    await refresh('2027-01-01')
    expect(await periodsOf(folders.Budget!)).toEqual(['2025'])
    await sql`update projects set sold_on = '2026-03-01' where id = ${project.id}`.execute(test.db)
    await refresh('2027-01-01')
    expect(await periodsOf(folders.Budget!)).toEqual(['2025', '2026'])
  })

  it('duties are made for all projects at once', async () => {
    const other = await makeProject(test.db)
    await test.db.transaction().execute((trx) => refreshDuties(trx, 'all', TODAY))
    expect(await periodsOf((await foldersByName(test.db, other.id)).Budget!)).toEqual(['2026'])
    expect(await periodsOf(folders.Budget!)).toEqual(['2026'])
  })
})

describe('a paper that a folder and an obligation ask for', () => {
  type Found = {
    rule: string | null
    due: string
    excuse: string | null
    responsible_id: number | null
    done: boolean
  }
  const found = async () => {
    const { rows } = await sql<Found>`
      select title as rule, duties.due_on::text as due, excuse, duties.responsible_id, done_at is not null as done
      from duties left join obligations on obligations.id = obligation_id
      where folder_id = ${folders.Budget!} and period = '2025' order by duties.id`.execute(test.db)
    return rows
  }
  const addRule = async (months: number) => {
    await sql`
      insert into obligations (title, due_rule, due_months, folder_name, watched_from)
      values ('Budget vedtaget', 'months', ${months}, 'Budget', '2020-01-01')`.execute(test.db)
    await refresh()
  }
  const said = { excuse: 'Aftalt', responsible_id: 1, done: false }
  afterEach(() => sql`delete from obligations`.execute(test.db))
  beforeEach(async () => {
    await sql`update projects set held_from = '2024-01-01' where id = ${project.id}`.execute(test.db)
    await saveFolder('Budget', { expects: 'year', expects_from: '2025', due_months: '3' })
    await refresh()
    await sql`
      update duties set excuse = 'Aftalt', excused_at = now(), responsible_id = 1, is_responsible_given = true
      where folder_id = ${folders.Budget!} and period = '2025'`.execute(test.db)
  })

  it.each([
    [2, '2026-02-28'],
    [3, '2026-03-31'],
    [6, '2026-03-31'],
  ])('is one duty with the sooner day, if the law gives %s months: %s', async (months, due) => {
    await addRule(months)
    expect(await found()).toEqual([{ rule: 'Budget vedtaget', due, ...said }])
    await refresh()
    expect(await found()).toHaveLength(1)
  })

  it('is the folder’s alone when the obligation is switched off, with what was said of it', async () => {
    await addRule(1)
    await sql`update obligations set is_active = false`.execute(test.db)
    await refresh()
    expect(await found()).toEqual([{ rule: null, due: '2026-03-31', ...said }])
  })

  it('is done for both when somebody says so', async () => {
    await addRule(6)
    await sql`update duties set done_at = now(), done_by = 1 where folder_id = ${folders.Budget!}`.execute(
      test.db,
    )
    await refresh()
    expect(await found()).toMatchObject([{ rule: 'Budget vedtaget', done: true }])
  })
})

describe('the form of a folder', () => {
  it('a folder’s form sets what it expects, and the cells follow at once', async () => {
    const reply = await saveFolder('Diverse', {
      expects: 'half',
      expects_from: `1. halvår ${YEAR - 1}`,
      expects_to: `H2 ${YEAR - 1}`,
      due_months: '3',
    })
    expect(reply.statusCode).toBe(200)
    const saved = reply.json<{ folders: { name: string }[] }>().folders.find(({ name }) => name === 'Diverse')
    expect(saved).toMatchObject({
      expects: 'half',
      expects_from: `${YEAR - 1}-H1`,
      expects_to: `${YEAR - 1}-H2`,
      due_months: 3,
    })
    expect(await cellsOf(folders.Diverse!)).toEqual([`${YEAR - 1}-H1`, `${YEAR - 1}-H2`])
    expect(await acts()).toEqual(['folder-changed'])
    await saveFolder('Diverse', { expects: 'half', expects_from: '', expects_to: '', due_months: '3' })
    expect(await cellsOf(folders.Diverse!)).toHaveLength(4)
  })

  it('a folder’s form leaves omitted fields unchanged', async () => {
    await saveFolder('Budget', { visible_to_investors: 'on' })
    const budget = (await listFolders(test.db, project.id)).find(({ name }) => name === 'Budget')
    expect(budget).toMatchObject({ expects: 'year', due_months: 0 })
  })

  it('the form of a new folder sets what it expects', async () => {
    const address = urls.projectFolders(project.id)
    await admin.post(address, { name: 'Ny', expects: 'quarter', due_months: '1' }, script)
    const { Ny } = await foldersByName(test.db, project.id)
    expect(await cellsOf(Ny!)).toHaveLength(4)
  })

  it.each([
    [{ expects: 'month' }, 'expects', /hvor tit/],
    [{ expects: 'year', expects_from: 'snart' }, 'expects_from', /2024\/25/],
    [{ expects: 'year', expects_to: 'x'.repeat(5000) }, 'expects_to', /2024\/25/],
    [{ expects: 'year', expects_from: '2026', expects_to: '2025' }, 'expects_to', /ikke ligge før/],
    [{ expects: 'year', due_months: '61' }, 'due_months', /0 til 60/],
    [{ expects: 'year', due_months: '-1' }, 'due_months', /0 til 60/],
    [{ expects: 'year', due_months: '1.5' }, 'due_months', /0 til 60/],
    [{ expects: 'year', due_months: '' }, 'due_months', /0 til 60/],
  ])('a folder’s form refuses %o', async (fields, field, words) => {
    const before = await listFolders(test.db, project.id)
    const reply = await saveFolder('Diverse', fields)
    expect(reply.statusCode).toBe(422)
    expect(reply.json<{ errors: Record<string, string[]> }>().errors).toEqual({
      [field]: [expect.stringMatching(words) as string],
    })
    expect(await listFolders(test.db, project.id)).toEqual(before)
  })

  it('a folder’s form is shown again with its faults without JavaScript', async () => {
    const url = urls.folder(urls.projectFolders(project.id), folders.Diverse!)
    const { statusCode, body } = await admin.post(url, {
      name: 'Diverse',
      expects: 'year',
      expects_from: 'engang',
      due_months: '6',
    })
    expect(statusCode).toBe(422)
    expect(body).toContain('value="engang"')
    expect(body).toContain('Skriv en periode som 2025, 2024/25 eller Q3 2026.')
  })
})

describe('the form of a project', () => {
  const years = async () => (await readAccountingYears(test.db, [project.id])).get(project.id)!

  it('a project’s form sets when its years end, how long it is held, and its changes; the cells follow', async () => {
    const reply = await saveProject({
      year_ends: '6',
      held_from: '15/03/2024',
      sold_on: '',
      followed_from: '01/01/2026',
      year_changes: {
        0: { since: '01/07/2025', year_ends: '12' },
        1: { since: '', year_ends: '12' },
      },
    })
    expect(reply.statusCode).toBe(200)
    expect(await years()).toEqual({
      ends: 6,
      heldFrom: '2024-03-15',
      soldOn: null,
      followedFrom: '2026-01-01',
      changes: [{ since: '2025-07-01', ends: 12 }],
    })
    expect((await cellsOf(folders['Årsrapport']!)).slice(0, 4)).toEqual(['2024', '2025', '2025-O', '2026'])
    expect(await acts()).toEqual(['project-years-changed'])
    await saveProject({})
    expect(await acts()).toEqual(['project-years-changed'])
    expect(await years()).toMatchObject({ ends: 6, heldFrom: '2024-03-15', followedFrom: '2026-01-01' })
    await saveProject({
      held_from: '',
      followed_from: '',
      sold_on: '31.12.2025',
      year_changes: { 0: { since: '', year_ends: '1' } },
    })
    expect(await years()).toEqual({
      ends: 6,
      heldFrom: null,
      soldOn: '2025-12-31',
      followedFrom: null,
      changes: [],
    })
  })

  it('creating a project makes its cells', async () => {
    const reply = await admin.post(
      urls.newProject,
      { number: `N${project.number}`, name: 'K/S Ny', held_from: `01/01/${YEAR - 2}` },
      script,
    )
    const id = Number(/\d+/.exec(reply.json<{ redirect: string }>().redirect)![0])
    const { Budget } = await foldersByName(test.db, id)
    expect(await cellsOf(Budget!)).toEqual([YEAR - 2, YEAR - 1, YEAR].map(String))
  })

  it.each([
    [{ year_ends: '13' }, { year_ends: [/måned/] }],
    [{ held_from: '31/02/2024' }, { held_from: [/findes ikke/] }],
    [{ sold_on: 'i morgen' }, { sold_on: [/dd\/mm/] }],
    [{ held_from: '01/01/2025', sold_on: '31/12/2024' }, { sold_on: [/før det blev overtaget/] }],
    [
      { year_changes: { 0: { since: '15/07/2025', year_ends: '12' } } },
      { 'year_changes.0.since': [/første dag/] },
    ],
    [
      {
        year_changes: {
          0: { since: '01/07/2025', year_ends: '12' },
          1: { since: '01/07/2025', year_ends: '6' },
        },
      },
      { 'year_changes.1.since': [/allerede en ændring/] },
    ],
    [
      { year_changes: { 0: { since: '01/07/2025', year_ends: '0' } } },
      { 'year_changes.0.year_ends': [/måned/] },
    ],
    [{ year_changes: { 0: 'x' } }, { 'year_changes.0': [/dag og måned/] }],
  ])('a project’s form refuses %o', async (fields, errors) => {
    const before = await years()
    const reply = await saveProject(fields)
    expect([reply.statusCode, reply.json<{ errors: object }>().errors]).toEqual([
      422,
      Object.fromEntries(
        Object.entries(errors as Record<string, RegExp[]>).map(([name, list]) => [
          name,
          list.map((words) => expect.stringMatching(words) as string),
        ]),
      ),
    ])
    expect(await years()).toEqual(before)
  })

  it('a project’s form is shown again with what was typed without JavaScript', async () => {
    const { statusCode, body } = await admin.post(urls.editProject(project.id), {
      number: project.number,
      name: project.name,
      held_from: '31/02/2024',
      year_changes: { 0: { since: '15/07/2025', year_ends: '6' } },
    })
    expect(statusCode).toBe(422)
    for (const text of ['31/02/2024 findes ikke.', 'value="15/07/2025"', 'Et regnskabsår begynder'])
      expect(body).toContain(text)
  })
})

describe('the template’s expectations', () => {
  const budgetOf = async (id: number) =>
    (await listFolders(test.db, id)).find(({ name }) => name === 'Budget')!
  const changeTemplate = async (fields: Record<string, unknown>) => {
    const { Budget } = Object.fromEntries(
      (await listFolders(test.db, 'template')).map(({ id, name }) => [name, id]),
    )
    await admin.post(urls.folder(urls.templateFolders, Budget!), { name: 'Budget', ...fields }, script)
  }

  it('the template of a new office has expectations', async () => {
    const expecting = (await listFolders(test.db, 'template'))
      .filter(({ expects }) => expects !== 'none')
      .map(({ name, expects, due_months: months }) => `${name} ${expects} ${months}`)
    expect(expecting).toEqual([
      'Årsrapport year 6',
      'Kvartalsrapport quarter 2',
      'Budget year 0',
      'Generalforsamling year 6',
      'Skatteoplysninger year 4',
    ])
  })

  it('applies the template’s expectations to folders of the same name in all projects, after a question, and logs it', async () => {
    const sold = await makeProject(test.db, { status: 'sold' })
    const named = await makeProject(test.db)
    await sql`update folders set name = 'Budgetter' where project_id = ${named.id} and name = 'Budget'`.execute(
      test.db,
    )
    await changeTemplate({
      visible_to_investors: 'on',
      expects: 'half',
      due_months: '2',
      expects_from: '',
      expects_to: '',
    })
    expect(await budgetOf(project.id)).toMatchObject({ expects: 'year' })
    expect((await admin.get(urls.templateFolders)).body).not.toContain('Annuller</a>')
    const question = (await admin.get(`${urls.templateFolders}?apply=1`)).body
    expect(question).toMatch(/mappe.* i .*projekt.* får skabelonens forventninger/s)
    const reply = await admin.post(urls.applyExpectations, {}, script)
    const { redirect } = reply.json<{ redirect: string }>()
    expect((await admin.get(redirect)).body).toContain('har fået skabelonens forventninger')
    expect(await budgetOf(project.id)).toMatchObject({ expects: 'half', due_months: 2 })
    expect(await cellsOf(folders.Budget!)).toEqual([`${YEAR}-H1`, `${YEAR}-H2`])
    expect(await budgetOf(sold.id)).toMatchObject({ expects: 'year' })
    expect(await listFolders(test.db, named.id)).toContainEqual(
      expect.objectContaining({ name: 'Budgetter', expects: 'year' }),
    )
    expect(await acts()).toEqual(['expectations-applied'])
    expect((await admin.get(`${urls.templateFolders}?apply=1`)).body).toContain(
      'har allerede skabelonens forventninger',
    )
    await admin.post(urls.applyExpectations, {}, script)
    expect(await acts()).toEqual(['expectations-applied'])
    await changeTemplate({ visible_to_investors: 'on', expects: 'year', due_months: '0' })
  })
})
