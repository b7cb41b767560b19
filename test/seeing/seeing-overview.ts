import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { seesFile, seesFolder, seesProject } from '../../src/access/seen.ts'
import { dayOf } from '../../src/base/time/dates.ts'
import { isOffice, may, seesSharedFoldersOnly } from '../../src/rights.ts'
import type { Database } from '../../src/server/database/database.ts'
import { urls } from '../../src/urls.ts'
import type { OverviewCell } from '../../src/year/overview/overview.ts'
import type { OverviewPageProps } from '../../src/year/overview/overview-page.tsx'
import type { PaperPageProps } from '../../src/year/overview/paper-page.tsx'
import { comparisonFor, type Difference } from './differences.ts'
import type { RandomOffice, RandomPerson } from './random-office.ts'
import { unzip } from '../formats/unzip.ts'
import { yearOfFile, YEARS } from './seeing-years.ts'
import { propsIn } from '../page-data.ts'

// A folder's expectations and a file's period depend on its id alone, so that the model can compute them.

/** Two folders of three expect a paper each year; of those every other one for 2024 is excused. */
const isExpected = (folder: number) => folder % 3 > 0
const isExcused = (folder: number, year: number) => isExpected(folder) && folder % 2 === 0 && year === 2024
const DUE_MONTHS = 18
/** The last day of June, a year and a half after the period. */
const dueOn = (year: number) => `${year + 2}-06-30`
const TODAY = dayOf(new Date(), 'Europe/Copenhagen')

/** Lets the folders of a random office expect papers, and gives each file a year. */
export async function expectYears(db: Database, { folders, files }: RandomOffice): Promise<void> {
  const cells = folders
    .flatMap(({ id, owner }) =>
      'project' in owner && isExpected(id) ? YEARS.map((year) => ({ id, owner, year })) : [],
    )
    .map(({ id, owner, year }) => ({
      folder_id: id,
      project_id: owner.project,
      period: String(year),
      starts_on: `${year}-01-01`,
      ends_on: `${year}-12-31`,
      due_on: dueOn(year),
      excuse: isExcused(id, year) ? `Undtaget ${id}` : null,
      excused_at: isExcused(id, year) ? '2025-01-01T00:00:00Z' : null,
    }))
  // Written as their forms would, so that a job that runs meanwhile changes nothing.
  await sql`
    update folders set expects = 'year', expects_from = ${YEARS[0]}, expects_to = ${YEARS[1]}, due_months = ${DUE_MONTHS}
    where id = any (${cells.map((cell) => cell.folder_id)})`.execute(db)
  await sql`
    insert into duties (folder_id, project_id, period, starts_on, ends_on, due_on, excuse, excused_at)
    select folder_id, project_id, period, starts_on, ends_on, due_on, excuse, excused_at
    from json_to_recordset(${JSON.stringify(cells)}::json) as row (folder_id bigint, project_id bigint, period text,
      starts_on date, ends_on date, due_on date, excuse text, excused_at timestamptz)
    on conflict (folder_id, period) where obligation_id is null do update set excuse = excluded.excuse, excused_at = excluded.excused_at`.execute(
    db,
  )
  for (const year of YEARS)
    await sql`
      update files set period = ${year}
      where id = any (${files.map(({ id }) => id).filter((id) => yearOfFile(id) === year)})`.execute(db)
}

/** A cell: its folder, state, visible files and drafts; then the office's details, its excuse and last day. */
type Shown = [folder: number, state: string, files: number, drafts: number, ...ours: (string | null)[]]

/** Opens the overview as one reader, and compares every cell and sum with the model. */
export async function compareOverview(
  app: FastifyInstance,
  office: RandomOffice,
  reader: RandomPerson,
  cookies: Record<string, string>,
): Promise<Difference[]> {
  const { differences, compare } = comparisonFor(reader)
  for (const year of YEARS) {
    const url = `${urls.year}?year=${year}`
    const { statusCode, body } = await app.inject({ url, cookies })
    const isElsewhere = !reader.isActive || may(reader.role, 'seePapers')
    compare(url, statusCode, isElsewhere ? 303 : 200)
    const model = cellsOf(office, reader, year)
    if (reader.isActive) await compareSheet(year, model.length)
    if (statusCode !== 200) continue
    const { overview } = propsIn<OverviewPageProps>(body)
    compare(
      `the papers of ${year}`,
      overview.rows.map(({ id, cells }) => [id, ...cells.map(toShown).sort(byFirst)] as const).sort(byFirst),
      model,
    )
    const all = model.flatMap(([, ...cells]) => cells)
    const expected = all.filter(([folder, state]) => isExpected(folder) && state !== 'excused')
    const there = expected.filter(([, state]) => state === 'done')
    compare(
      `the sums of ${year}`,
      overview.columns.reduce(([a, b], column) => [a! + column.expected, b! + column.there], [0, 0]),
      [expected.length, there.length],
    )
    compare(`the number of projects in ${year}`, overview.meta.total, model.length)
    // One folder is enough for those who may see none.
    const folders = may(reader.role, 'changeFiles') ? office.folders : office.folders.slice(0, 1)
    for (const { id } of folders) await comparePaper(id, year)
  }
  return differences

  /** The spreadsheet has a line for each project, and the reasons of excuses for the office alone. */
  async function compareSheet(year: number, projects: number): Promise<void> {
    const { rawPayload } = await app.inject({ url: `${urls.yearSheet}?year=${year}`, cookies })
    const sheet = unzip(rawPayload)['xl/worksheets/sheet1.xml']!
    compare(`the lines of the spreadsheet of ${year}`, sheet.match(/<row /g)?.length, projects + 2)
    if (!isOffice(reader.role)) compare('excuses in the spreadsheet', sheet.includes('Undtaget:'), false)
  }

  async function comparePaper(folder: number, year: number): Promise<void> {
    const url = urls.paper(folder, String(year))
    const { statusCode, body } = await app.inject({ url, cookies })
    const cell = everyCell(office, reader, year).find(([id]) => id === folder)
    compare(url, statusCode, may(reader.role, 'changeFiles') ? (cell ? 200 : 404) : 403)
    if (statusCode !== 200) return
    const { paper } = propsIn<PaperPageProps>(body)
    compare(`the paper at ${url}`, toShown(paper.cell), cell)
    compare(`the files at ${url}`, paper.files.length, cell![2])
    const readers = office.people.filter(
      (person) => person.isActive && !isOffice(person.role) && seesFolder(office, person, folder),
    )
    for (const file of paper.files)
      compare(`who sees a file at ${url}`, file.reached, file.is_held_back ? 0 : readers.length)
  }
}

const toShown = ({ folder, state, files, drafts, excuse, due_on: due }: OverviewCell): Shown => [
  folder!,
  state,
  files,
  drafts,
  excuse,
  due,
]

const ownerOf = (office: RandomOffice, id: number) => office.folders.find((folder) => folder.id === id)!.owner
const nameOf = (office: RandomOffice, id: number) => office.folders.find((folder) => folder.id === id)!.name

/**
 * Lists by project what the model says. Projects that nothing is expected of, and folders that expect nothing from anybody, are
 * left out, unless nothing is expected at all, and for investors and advisers.
 */
function cellsOf(office: RandomOffice, reader: RandomPerson, year: number): [number, ...Shown[]][] {
  const cells = everyCell(office, reader, year)
  const projectOf = ([id]: Shown) => (ownerOf(office, id) as { project: number }).project
  const expected = seesSharedFoldersOnly(reader.role) ? [] : cells.filter(([id]) => isExpected(id))
  const [names, projects] = [
    new Set(expected.map(([id]) => nameOf(office, id))),
    new Set(expected.map(projectOf)),
  ]
  const shown = cells.filter(
    (cell) => expected.length === 0 || (names.has(nameOf(office, cell[0])) && projects.has(projectOf(cell))),
  )
  return [...Map.groupBy(shown, projectOf)]
    .map(([project, own]): [number, ...Shown[]] => [project, ...own.sort(byFirst)])
    .sort(byFirst)
}

function everyCell(office: RandomOffice, reader: RandomPerson, year: number): Shown[] {
  return office.folders.flatMap(({ id, owner }): Shown[] => {
    if (!('project' in owner) || !seesProject(office, reader, owner.project)) return []
    if (!seesFolder(office, reader, id)) return []
    const files = office.files.filter(
      (file) => file.folder === id && yearOfFile(file.id) === year && seesFile(office, reader, file.id),
    )
    const drafts = files.filter(({ isHeldBack }) => isHeldBack).length
    const state = stateOf(isOffice(reader.role), id, year, files.length, drafts)
    if (state === null) return []
    const isOurs = isOffice(reader.role)
    const excuse = isOurs && isExcused(id, year) ? `Undtaget ${id}` : null
    return [[id, state, files.length, drafts, excuse, isOurs && isExpected(id) ? dueOn(year) : null]]
  })
}

function stateOf(
  isOurs: boolean,
  folder: number,
  year: number,
  files: number,
  drafts: number,
): string | null {
  if (files > drafts) return 'done'
  if (files > 0) return 'draft'
  if (!isExpected(folder)) return null
  if (isExcused(folder, year)) return 'excused'
  return !isOurs ? 'not-yet' : dueOn(year) < TODAY ? 'late' : 'missing'
}

const byFirst = ([a]: readonly [number, ...unknown[]], [b]: readonly [number, ...unknown[]]) => a - b
