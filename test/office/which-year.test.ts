import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { StoredFile } from '../../src/files/file/stored-file.ts'
import type { FilesPageProps } from '../../src/files/list/files-page.tsx'
import type { SearchList } from '../../src/search/answer/search-answer.ts'
import { listMigrations, migrate, migrateWithin } from '../../src/server/database/migrate.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { fillPeriods } from '../../src/uploads/names/period.db.ts'
import { listYearSums } from '../../src/files/zip/year-sums.db.ts'
import { receiveTemporaryFile } from '../../src/uploads/transport/temporary.db.ts'
import type { OverviewPageProps } from '../../src/year/overview/overview-page.tsx'
import type { FoundPapers } from '../../src/year/papers/papers.db.ts'
import { freshApp, type TestApp } from '../app.ts'
import { freshDatabase } from '../database.ts'
import { enter, type Entered } from '../enter.ts'
import { foldersByName, makeProject, OFFICE } from '../make.ts'
import { propsIn } from '../page-data.ts'
import { readZip } from '../formats/zip-reader.ts'

let test: TestApp
let office: Entered
let investor: Entered
let project: { id: number; number: string }
let folder: number
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  office = await enter(test, 'employee')
  investor = await enter(test, 'investor')
})
beforeEach(async () => {
  project = await makeProject(test.db, { members: [investor.id] })
  folder = (await foldersByName(test.db, project.id)).Årsrapport!
})

/** Saves a file by its form, and returns its id. */
async function save(name: string, into = folder): Promise<number> {
  const bytes = Readable.from([Buffer.from(`%PDF-1.7 ${name}`)])
  const { hash_name: data } = await receiveTemporaryFile(test, office.id, name, bytes, 1e6)
  const url = `/projects/${project.id}/uploads/folder/${into}`
  await office.visitor.post(url, { files: { f1: { name, mime: '', data } } }, { script: true })
  const { rows } = await sql<{ id: number }>`
    select id from files where folder_id = ${into} order by id desc limit 1`.execute(test.db)
  return rows[0]!.id
}

const owner = () => ({ project: project.id })
const correct = async (file: number, period: string) =>
  (await office.visitor.post(fileUrls.period(owner(), file), { period }, { script: true })).json<{
    undo: string
  }>()

const search = async ({ visitor }: Entered, year = '') =>
  (await visitor.get(`${urls.searchAnswers}?q=${project.number}${year}`)).json<SearchList>()

const YEARS = [2023, 2024, 2025, 2026, 2027]
const among = async (holds: (year: number) => Promise<boolean>) => {
  const found = []
  for (const year of YEARS) if (await holds(year)) found.push(year)
  return found
}

/** Asks every place that knows of years for that of the project's only file, as the office or an investor. */
async function askAll(who: Entered): Promise<Record<string, number[]>> {
  const { visitor } = who
  const [file] = (await visitor.get(fileUrls.list(owner(), folder))).json<{ data: StoredFile[] }>().data
  const { data, about } = await search(who)
  const listed = (year: number | null | undefined) => (year == null ? [] : [year])
  const { years } = propsIn<FilesPageProps>((await visitor.get(urls.files(project.id))).body)
  return {
    'the API': listed(file!.year),
    'what is found': listed(data[0]!.year),
    'the counts beside a search': about.facets.years.map(({ year }) => year),
    'the filter of search': await among(
      async (year) => (await search(who, `&year=${year}`)).data.length === 1,
    ),
    'the overview, or Papirer': await among(async (year) => {
      if (who === investor) {
        const { open } = propsIn<FoundPapers>(
          (await visitor.get(`${urls.papersPage}?year=${year}&project=${project.id}`)).body,
        )
        return open.some((each) => each.year === year && each.papers.length > 0)
      }
      const url = `${urls.year}?year=${year}&folder=%C3%85rsrapport`
      const { overview } = propsIn<OverviewPageProps>((await visitor.get(url)).body)
      return overview.rows.some((row) => row.id === project.id && row.cells.some(({ files }) => files > 0))
    }),
    'the packages that are offered': (years ?? []).map(({ year }) => year),
    'the package': await among(async (year) => {
      const { statusCode, rawPayload } = await visitor.get(urls.projectPackage(project.id, year))
      return statusCode === 200 && readZip(rawPayload).length === 2
    }),
    'the ZIP file of a year': await among(async (year) => {
      const { statusCode } = await visitor.get(`${fileUrls.zip(owner())}?year=${year}`)
      return statusCode === 200
    }),
  }
}

async function expectYear(year: number | null): Promise<void> {
  for (const who of [office, investor]) {
    const answers = await askAll(who)
    const expected = year === null ? [] : [year]
    expect(answers).toEqual(Object.fromEntries(Object.keys(answers).map((place) => [place, expected])))
  }
}

it('every place has the same year of a paper, and a corrected period reaches all of them', async () => {
  const file = await save(`Årsrapport (${project.number}) 2024-25.pdf`)
  await expectYear(2025)
  const { undo } = await correct(file, 'Q3 2027')
  await expectYear(2027)
  await office.visitor.post(
    fileUrls.rename(owner(), file),
    { name: `Årsrapport (${project.number}) 2023.pdf` },
    { script: true },
  )
  await expectYear(2027)
  await correct(file, '')
  await expectYear(null)
  await correct(file, '2023')
  await expectYear(2023)
  expect((await office.visitor.post(urls.undo(undo), {}, { script: true })).statusCode).toBe(409)
})

it('undoing a correction or a new name restores the year in every place', async () => {
  const file = await save(`Årsrapport (${project.number}) 2024-25.pdf`)
  const { undo } = await correct(file, '2026')
  await office.visitor.post(urls.undo(undo), {}, { script: true })
  await expectYear(2025)
  const renamed = await office.visitor.post(
    fileUrls.rename(owner(), file),
    { name: `Årsrapport (${project.number}) 2026-27.pdf` },
    { script: true },
  )
  await expectYear(2027)
  await office.visitor.post(urls.undo(renamed.json<{ undo: string }>().undo), {}, { script: true })
  await expectYear(2025)
})

it('a folder is sorted by the year that the accounting year ends in', async () => {
  const names = ['a 2025.pdf', 'b 2024-25.pdf', 'c 2026.pdf', 'd 2024.pdf', 'e.pdf', 'f 2027.pdf']
  const ids = new Map<string, number>()
  for (const name of names) ids.set(name, await save(name))
  await correct(ids.get('e.pdf')!, '2027')
  await correct(ids.get('f 2027.pdf')!, '')
  const by = { by: 'year', direction: 'desc' }
  const sorted = await office.visitor.post(fileUrls.sort(owner(), folder), by, { script: true })
  expect(sorted.statusCode).toBe(200)
  const { data } = (await office.visitor.get(fileUrls.list(owner(), folder))).json<{ data: StoredFile[] }>()
  expect(data.map(({ name, year }) => [name, year])).toEqual([
    ['e.pdf', 2027],
    ['c 2026.pdf', 2026],
    ['a 2025.pdf', 2025],
    ['b 2024-25.pdf', 2025],
    ['d 2024.pdf', 2024],
    ['f 2027.pdf', null],
  ])
})

it('files stored by the last release have the year of their period, for it and for this one', async () => {
  const { db } = await freshDatabase({ migrated: false })
  const names = await listMigrations()
  const until = names.findIndex((name) => name.endsWith('_one_year.sql'))
  await db.transaction().execute((trx) => migrateWithin(trx, undefined, until))
  const { rows } = await sql<{ folder: number; project: number }>`
    with project as (insert into projects (number, name) values ('1024', 'K/S Nordhavn') returning id)
    insert into folders (project_id, name, place, visible_to_investors) select id, 'Årsrapport', 1, true from project
    returning id as folder, project_id as project`.execute(db)
  const { folder: theirs, project: nordhavn } = rows[0]!
  const store = async (name: string, columns: Record<string, unknown>) => {
    const { rows: stored } = await sql<{ id: number }>`
      with blob as (
        insert into blobs (key, state, size, sha256, type)
        values (md5(${name}), 'stored', 1, repeat('a', 64), 'application/pdf') returning id
      )
      insert into files (folder_id, blob_id, name, key, position, ${sql.join(Object.keys(columns).map((column) => sql.ref(column)))})
      select ${theirs}::bigint, id, ${name}, md5(${name}), 'a' || id, ${sql.join(Object.values(columns))} from blob
      returning id`.execute(db)
    return stored[0]!.id
  }
  await store('Årsrapport (1024) 2024-25.pdf', { year: 2024, period: '2025' })
  await store('Corrected 2019.pdf', { year: 2019, period: '2023-Q4', is_period_given: true })
  await store('Without a period 2020.pdf', { year: 2020, period: null, is_period_given: true })
  await store('Before periods Q2 2021-22.pdf', { year: 2021, period: null, is_period_given: false })
  await migrate(db)

  const yearsNow = async () =>
    (await listYearSums(db, OFFICE, { project: nordhavn })).map(({ year, sum }) => [year, sum!.files])
  expect(await yearsNow()).toEqual([
    [2025, 1],
    [2023, 1],
  ])
  expect(await fillPeriods(db)).toBe(1)
  expect(await yearsNow()).toEqual([
    [2025, 1],
    [2023, 1],
    [2022, 1],
  ])

  const seenByOld = async (id: number) =>
    (await sql<{ year: number | null }>`select year from files where id = ${id}`.execute(db)).rows[0]!.year
  const byOld = await store('Årsrapport 2025-26.pdf', { year: 2025, period: '2026' })
  const byNew = await store('Årsrapport 2026-27.pdf', { period: '2027' })
  expect([await seenByOld(byOld), await seenByOld(byNew)]).toEqual([2026, 2027])
  await sql`update files set period = '2028-H1' where id = ${byNew}`.execute(db)
  await sql`update files set period = null where id = ${byOld}`.execute(db)
  expect([await seenByOld(byOld), await seenByOld(byNew)]).toEqual([null, 2028])
})
