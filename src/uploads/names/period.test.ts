import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeManyFiles, makeProject, makeUserFolder } from '../../../test/make.ts'
import { fileUrls, urls } from '../../urls.ts'
import { periodInName, yearInName } from '../../files/names/file-name.ts'
import { fillPeriods } from './period.db.ts'

let test: TestApp
let office: Entered
let investor: Entered
let project: { id: number; number: string }
let folders: Record<string, number>
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee')
  investor = await enter(test, 'investor')
})
beforeEach(async () => {
  project = await makeProject(test.db, { members: [investor.id] })
  folders = await foldersByName(test.db, project.id)
})

const owner = () => ({ project: project.id })
const correct = (file: number, fields: Record<string, unknown>, { visitor } = office) =>
  visitor.post(fileUrls.period(owner(), file), fields, { script: true })
const kept = async (file: number) => {
  const { rows } = await sql<{ period: string | null; is_period_given: boolean }>`
    select period, is_period_given from files where id = ${file}`.execute(test.db)
  return [rows[0]!.period, rows[0]!.is_period_given]
}
const cells = async () => {
  const { rows } = await sql<{ period: string; files_count: number; shown_count: number }>`
    select period, files_count, shown_count from year_cells where project_id = ${project.id} and files_count > 0
    order by period`.execute(test.db)
  return rows.map((cell) => `${cell.period}: ${cell.files_count}, ${cell.shown_count}`)
}

/** The rest says it, then the folder's text, never the parenthesis or the extension. */
const NAMES: [string, string | null][] = [
  ['Årsrapport (1024) 2025.pdf', '2025'],
  ['Årsrapport (1024) 2024-25.pdf', '2025'],
  ['Årsrapport (1024) 2024_25 endelig.pdf', '2025'],
  ['Årsrapport (1024) 2024 - 2025.pdf', '2025'],
  ['Årsrapport 2020 (1024) endelig.pdf', '2020'],
  ['Årsrapport 2020 (1024) 2021.pdf', '2021'],
  ['Årsrapport (2014).pdf', null],
  ['Årsrapport (2014) Q3.pdf', null],
  ['Kvartalsrapport (1024) Q3 2026.pdf', '2026-Q3'],
  ['Kvartalsrapport (1024) 2026Q3.pdf', '2026-Q3'],
  ['Kvartalsrapport (1024) 3. kvartal 2026.pdf', '2026-Q3'],
  ['Kvartalsrapport Q3 (1024) 2026.pdf', '2026-Q3'],
  ['Kvartalsrapport 2026 (1024) kvartal 3.pdf', '2026-Q3'],
  ['Kvartalsrapport (1024) 1. halvår 2026 (Q3).pdf', '2026-Q3'],
  ['Halvårsrapport (1024) 1. halvår 2026.pdf', '2026-H1'],
  ['Budget 2026.pdf', '2026'],
  ['Referat 12.3.2020', '2020'],
  ['Referat (1024) 2020-03-12.pdf', '2020'],
  ['a.2020', '2020'],
  ['Bilag.q3', null],
  ['Bilag 120256.pdf', null],
  ['A\u030arsrapport\u00a02024\u00a0-\u00a025.pdf', '2025'],
  ['', null],
]

it.each(NAMES)('the name %o has the period %s', (name, period) => {
  expect(periodInName(name)).toBe(period)
  expect(yearInName(name)).toBe(period === null ? null : Number(period.slice(0, 4)))
})

describe('the period of a file', () => {
  it('a period is read from a new name, counted, and restored with the name', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Budget 2025.pdf' })
    expect(await cells()).toEqual(['2025: 1, 1'])
    const rename = (name: string) =>
      office.visitor.post(fileUrls.rename(owner(), file.id), { name }, { script: true })
    const { undo } = (await rename('Budget Q3 2026.pdf')).json<{ undo: string }>()
    expect([await kept(file.id), await cells()]).toEqual([['2026-Q3', false], ['2026-Q3: 1, 1']])
    await office.visitor.post(urls.undo(undo), {}, { script: true })
    expect([await kept(file.id), await cells()]).toEqual([['2025', false], ['2025: 1, 1']])
    await rename('Budget.pdf')
    expect([await kept(file.id), await cells()]).toEqual([[null, false], []])
  })

  it.each([
    ['2025', '2025', 'fra 2024 til 2025'],
    ['2024/25', '2025', 'fra 2024 til 2025'],
    [' q3  2026 ', '2026-Q3', 'fra 2024 til 3. kvartal 2026'],
    ['1. halvår 2026', '2026-H1', 'fra 2024 til 1. halvår 2026'],
    ['', null, 'fra 2024 til ingen'],
  ])(
    'a period is corrected to %o, logged, and stays when the file is renamed',
    async (text, period, said) => {
      const file = await makeFile(test, folders.Budget!, { name: 'Budget 2024.pdf' })
      const reply = await correct(file.id, { period: text })
      expect(reply.json()).toEqual({
        success: true,
        period,
        is_period_given: true,
        undo: expect.any(String) as string,
      })
      expect(await kept(file.id)).toEqual([period, true])
      expect(await cells()).toEqual(period === null ? [] : [`${period}: 1, 1`])
      const history = await office.visitor.get(urls.fileHistory(file.id))
      expect(history.body).toContain(said)
      await office.visitor.post(
        fileUrls.rename(owner(), file.id),
        { name: 'Budget 2020.pdf' },
        { script: true },
      )
      expect(await kept(file.id)).toEqual([period, true])
      expect((await correct(file.id, { as_named: '1', period: 'vrøvl' })).json()).toMatchObject({
        period: '2020',
      })
      expect([await kept(file.id), await cells()]).toEqual([['2020', false], ['2020: 1, 1']])
    },
  )

  it('a period equal to that of the name is not stored or logged', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Budget 2024.pdf' })
    expect((await correct(file.id, { period: '2024' })).json()).toEqual({
      success: true,
      period: '2024',
      is_period_given: false,
      undo: null,
    })
    expect(await kept(file.id)).toEqual(['2024', false])
    const { rows } =
      await sql`select from log where file_id = ${file.id} and act = 'file-period-changed'`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('undo restores a period only if nobody has renamed the file since', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Budget 2024.pdf' })
    const { undo } = (await correct(file.id, { period: '2020' })).json<{ undo: string }>()
    await office.visitor.post(
      fileUrls.rename(owner(), file.id),
      { name: 'Budget 2023.pdf' },
      { script: true },
    )
    const reply = await office.visitor.post(urls.undo(undo), {}, { script: true })
    expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
      409,
      '”Budget 2023.pdf” er siden omdøbt af dig.',
    ])
  })

  it.each([
    [{ period: 'snart' }],
    [{ period: '24/25' }],
    [{ period: 'Q3' }],
    [{ period: 'Q5 2026' }],
    [{ period: '2025/27' }],
    [{ period: 'hest 2024' }],
    [{ period: 'x'.repeat(5000) }],
    [{ period: ['2025'] }],
    [{}],
  ])('refuses the period %o', async (fields) => {
    const file = await makeFile(test, folders.Budget!, { name: 'Budget 2024.pdf' })
    const reply = await correct(file.id, fields)
    expect(reply.statusCode).toBe(422)
    expect(reply.json<{ errors: object }>().errors).toHaveProperty('period')
    expect(await kept(file.id)).toEqual(['2024', false])
  })

  it('only the office corrects a period, and only of existing files', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Budget 2024.pdf' })
    expect((await correct(file.id, { period: '2020' }, investor)).statusCode).toBe(403)
    expect((await correct(999_999, { period: '2020' })).statusCode).toBe(404)
    const elsewhere = await makeProject(test.db)
    const url = fileUrls.period({ project: elsewhere.id }, file.id)
    expect((await office.visitor.post(url, { period: '2020' }, { script: true })).statusCode).toBe(404)
    expect(await kept(file.id)).toEqual(['2024', false])
  })

  it('only the office sees a period, and the list has it', async () => {
    const file = await makeFile(test, folders.Budget!, { name: 'Budget 2024.pdf' })
    await correct(file.id, { period: '2020' })
    const url = fileUrls.list(owner(), folders.Budget!)
    const read = async ({ visitor }: Entered) => (await visitor.get(url)).json<{ data: object[] }>().data[0]
    expect(await read(office)).toMatchObject({ period: '2020', is_period_given: true })
    expect(await read(investor)).toMatchObject({ period: null, is_period_given: false })
  })

  it('own files have a period too, without cells', async () => {
    const folder = await makeUserFolder(test.db, investor.id)
    const file = await makeFile(test, folder, { name: 'Årsopgørelse 2024.pdf' })
    const url = fileUrls.period({ user: investor.id }, file.id)
    expect((await office.visitor.post(url, { period: '2023' }, { script: true })).statusCode).toBe(200)
    expect(await kept(file.id)).toEqual(['2023', true])
    const { rows } = await sql`select from year_cells where folder_id = ${folder}`.execute(test.db)
    expect(rows).toEqual([])
  })
})

it('files of an earlier version get their periods, except those with none by hand', async () => {
  const ids = await makeManyFiles(test.db, folders.Diverse!, 3)
  const [quarter, by, none] = ids as [number, number, number]
  await sql`update files set name = 'Rapport Q3 2026.pdf' where id = any (${ids})`.execute(test.db)
  await sql`update files set is_period_given = true where id = ${by}`.execute(test.db)
  await sql`update files set name = 'Rapport.pdf' where id = ${none}`.execute(test.db)
  const removed = 999_999
  await sql`insert into unread_periods select unnest(${[...ids, removed]}::bigint[])`.execute(test.db)
  expect(await fillPeriods(test.db)).toBe(4)
  expect([await kept(quarter), await kept(by), await kept(none)]).toEqual([
    ['2026-Q3', false],
    [null, true],
    [null, false],
  ])
  expect(await cells()).toEqual(['2026-Q3: 1, 1'])
  expect(await fillPeriods(test.db)).toBe(0)
})
