import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeManyFiles, makeProject, makeUserFolder } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { expectPapers, setPeriod } from '../../../test/office/papers-of-year.ts'
import { dayOf } from '../../base/time/dates.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { MyPapersPageProps } from './my-papers-page.tsx'

let test: TestApp
let investor: Entered
let project: Awaited<ReturnType<typeof makeProject>>
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
})
beforeEach(async () => {
  investor = await enter(test, 'investor', { name: 'Bo Holm' })
  project = await makeProject(test.db, { name: 'K/S Nordhavn', members: [investor.id] })
  folders = await foldersByName(test.db, project.id)
})

async function put(folder: number, name: string, period: string | null) {
  const file = await makeFile(test, folder, { name })
  await setPeriod(test.db, file.id, period)
  return file
}

async function open(query = '', who = investor): Promise<MyPapersPageProps> {
  const { statusCode, body } = await who.visitor.get(urls.papersPage + query)
  expect(statusCode).toBe(200)
  return propsIn<MyPapersPageProps>(body)
}

const titlesIn = ({ open: years }: MyPapersPageProps) =>
  years.map(({ year, papers }) => [year, ...papers.map(({ title }) => title)])

describe('Papirer', () => {
  it('has one’s own and shared papers by year, the newest first, by what they are', async () => {
    await put(folders.Årsrapport!, 'Årsrapport (1) 2025.pdf', '2025')
    await put(folders.Kvartalsrapport!, 'Q3.pdf', '2025-Q3')
    await put(await makeUserFolder(test.db, investor.id), 'Årsopgørelse (7) 2025.pdf', '2025')
    await put(folders.Årsrapport!, 'Årsrapport (1) 2024.pdf', '2024')
    await put(folders.Skatteoplysninger!, 'Vedtægter.pdf', null)
    await put(folders.Diverse!, 'skjult.pdf', '2025')
    await makeFile(test, folders.Budget!, { name: 'kladde 2025.pdf', isHeldBack: true })
    const page = await open()
    expect(titlesIn(page)).toEqual([
      [
        2025,
        'Årsopgørelse 2025 · Mine filer',
        'Kvartalsrapport 3. kvartal 2025 · Nordhavn',
        'Årsrapport 2025 · Nordhavn',
      ],
      [2024, 'Årsrapport 2024 · Nordhavn'],
      [null, 'Vedtægter · Nordhavn'],
    ])
    expect(page.open.map(({ total }) => total)).toEqual([3, 1, 1])
    expect(titlesIn(await open('?project=own'))).toEqual([[2025, 'Årsopgørelse 2025 · Mine filer']])
    expect(titlesIn(await open('?year=none'))).toEqual([[null, 'Vedtægter · Nordhavn']])
    expect(titlesIn(await open('?year=1999'))).toEqual([])
  })

  it('the year in words is that of the project’s accounting year', async () => {
    await sql`update projects set year_ends = 6 where id = ${project.id}`.execute(test.db)
    await put(folders.Årsrapport!, 'Rapport.pdf', '2025')
    expect(titlesIn(await open())).toEqual([[2025, 'Årsrapport 2024/25 · Nordhavn']])
  })

  it.each([
    ['nordhavn arsrapport', []],
    ['NORDHAVN årsrapport 2025', ['Årsrapport 2025 · Nordhavn']],
    ['3. kvartal', ['Kvartalsrapport 3. kvartal 2025 · Nordhavn']],
    ['pas', ['Mit pas · Mine filer']],
    ['findes ikke', []],
  ])('a search for ”%s” finds %j', async (q, titles) => {
    await put(folders.Årsrapport!, 'A.pdf', '2025')
    await put(folders.Kvartalsrapport!, 'B.pdf', '2025-Q3')
    await put(await makeUserFolder(test.db, investor.id), 'Mit pas.pdf', null)
    const page = await open(`?q=${encodeURIComponent(q)}`)
    expect(page.open.flatMap(({ papers }) => papers.map(({ title }) => title))).toEqual(titles)
    expect(page.packages).toBeNull()
  })

  it('shows three years, and 25 of each; a year alone is read on by key', async () => {
    for (const year of [2025, 2024, 2023, 2022]) await put(folders.Budget!, `${year}.pdf`, String(year))
    const ids = await makeManyFiles(test.db, folders.Årsrapport!, 70)
    await sql`update files set period = '2024' where id = any (${ids})`.execute(test.db)
    const all = await open()
    expect(all.years).toEqual([2025, 2024, 2023, 2022])
    expect(all.open.map(({ year, total, papers }) => [year, total, papers.length])).toEqual([
      [2025, 1, 1],
      [2024, 71, 25],
      [2023, 1, 1],
    ])
    const [first] = (await open('?year=2024')).open
    const [rest] = (await open(`?year=2024&after=${first!.next}`)).open
    expect([first!.papers.length, rest!.papers.length, rest!.next]).toEqual([50, 21, null])
    expect(new Set([...first!.papers, ...rest!.papers].map(({ id }) => id)).size).toBe(71)
  })

  it('tells what has not come', async () => {
    const today = dayOf(new Date(), 'Europe/Copenhagen')
    const year = Number(today.slice(0, 4)) - 1
    await expectPapers(
      test.db,
      [folders.Årsrapport!, folders.Budget!, folders.Bestyrelsesmøder!],
      { rhythm: 'year', from: String(year), to: String(year) },
      today,
    )
    await put(folders.Budget!, 'Budget.pdf', String(year))
    const [found] = (await open(`?year=${year}`)).open
    expect(found).toMatchObject({
      year,
      total: 1,
      awaited: [{ title: `Årsrapport ${year} · Nordhavn`, is_excused: false }],
      awaited_total: 1,
    })
    const follow = async (day: string | null) =>
      sql`update projects set followed_from = ${day}::date where id = ${project.id}`.execute(test.db)
    await follow(`${year + 5}-01-01`)
    const [unfollowed] = (await open(`?year=${year}`)).open
    expect(unfollowed).toMatchObject({ total: 1, awaited: [], awaited_total: 0 })
    await sql`update duties set excuse = 'Ingen drift', excused_at = now() where folder_id = ${folders.Årsrapport!}`.execute(
      test.db,
    )
    const { body } = await investor.visitor.get(`${urls.papersPage}?year=${year}`)
    expect(body).toContain(`Årsrapport ${year} · Nordhavn (undtaget af kontoret)`)
    expect(body).not.toContain('Ingen drift')
  })

  it('offers a year as one package: of everything, or of a project', async () => {
    await put(folders.Budget!, 'Budget.pdf', '2025')
    const sums = [{ year: 2025, sum: { files: 1, bytes: expect.any(Number) as number } }]
    expect((await open()).packages).toEqual({ of: 'everything', sums })
    expect((await open(`?project=${project.id}`)).packages).toEqual({ of: { project: project.id }, sums })
    expect((await open('?project=own')).packages).toBeNull()
  })

  it('offers an adviser of several the package of one client, and never of a project that they may share', async () => {
    const adviser = await enter(test, 'adviser')
    const other = await enter(test, 'investor')
    await sql`insert into project_members (project_id, user_id) values (${project.id}, ${other.id})`.execute(
      test.db,
    )
    const lend = (lender: number, names: string) =>
      sql`
        insert into lendings (lender_id, adviser_id, is_everything, folder_names, with_own_files, gets_mails)
        values (${lender}, ${adviser.id}, false, ${names}, true, false)`.execute(test.db)
    await put(folders.Budget!, 'Budget.pdf', '2025')
    await put(folders.Årsrapport!, 'Årsrapport.pdf', '2025')
    const offered = async (query: string) => (await open(query, adviser)).packages?.of ?? null
    const ofProject = `?project=${project.id}`
    await lend(investor.id, '{Budget}')
    expect([await offered(''), await offered(ofProject)]).toEqual([
      { lender: investor.id },
      { project: project.id },
    ])
    expect(await offered(`${ofProject}&client=${other.id}`)).toBeNull()
    await lend(other.id, '{Årsrapport}')
    expect([await offered(''), await offered(ofProject)]).toEqual([null, null])
    expect(await offered(`?client=${other.id}`)).toEqual({ lender: other.id })
    expect(await offered(`${ofProject}&client=${other.id}`)).toBeNull()
  })

  it('offers the year as a spreadsheet only where the page shows all projects', async () => {
    await put(folders.Budget!, 'Budget.pdf', '2025')
    const isOffered = async (query: string) =>
      (await investor.visitor.get(urls.papersPage + query)).body.includes('Hent som Excel')
    expect(await isOffered('?year=2025')).toBe(true)
    expect(await isOffered(`?year=2025&project=${project.id}`)).toBe(false)
  })

  it('names 100 papers that have not come, in each year, and says how many there are', async () => {
    const from = Number(dayOf(new Date(), 'Europe/Copenhagen').slice(0, 4)) - 2
    await sql`
      insert into folders (project_id, name, place, visible_to_investors)
      select ${project.id}, 'Ventet ' || n, 1000 + n, true from generate_series(1, 120) as n`.execute(test.db)
    await sql`
      insert into duties (folder_id, project_id, period, starts_on, ends_on, due_on)
      select folders.id, project_id, year::text, make_date(year, 1, 1), make_date(year, 12, 31), make_date(year + 1, 6, 30)
      from folders, generate_series(${from}::integer, ${from + 1}::integer) as year
      where project_id = ${project.id} and folders.name like 'Ventet %'`.execute(test.db)
    const { open: years } = await open()
    expect(years.map((each) => [each.year, each.awaited.length, each.awaited_total])).toEqual([
      [from + 1, 100, 120],
      [from, 100, 120],
    ])
  })

  it('asks as many questions of the database for many papers as for few', async () => {
    const asked = async () => {
      const queries = vi.spyOn(Client.prototype, 'query')
      await open()
      const many = queries.mock.calls.filter(([query]) => !/\bjobs\./.test(query)).length
      queries.mockRestore()
      return many
    }
    await put(folders.Budget!, '1.pdf', '2025')
    const few = await asked()
    for (let each = 2; each < 12; each++) {
      const { id } = await makeProject(test.db, { members: [investor.id] })
      await put((await foldersByName(test.db, id)).Budget!, `${each}.pdf`, '2025')
    }
    expect(await asked()).toBeLessThan(few + 3) // a new connection asks too
  })

  it('opens papers, and is where the old addresses lead', async () => {
    const { path } = await put(folders.Budget!, 'Budget.pdf', '2025')
    const { body } = await investor.visitor.get(urls.papersPage)
    expect(body).toContain(`href="${fileUrls.open({ project: project.id }, path)}"`)
    const led = async (from: string, who = investor) => (await who.visitor.get(from)).headers.location
    expect(await led(`${urls.year}?year=2025`)).toBe(`${urls.papersPage}?year=2025`)
    expect(await led(urls.yearPackages)).toBe(urls.papersPage)
    expect(await led(`${urls.projects}?q=nord`)).toBe(`${urls.papersPage}?q=nord`)
    const auditor = await enter(test, 'auditor')
    for (const from of [urls.year, urls.projects]) expect(await led(from, auditor)).toBeUndefined()
    expect((await auditor.visitor.get(urls.papersPage)).statusCode).toBe(403)
  })
})
