import { sql } from 'kysely'
import type { Ringbind } from '../../src/start.ts'
import { compare, openOffice, type Office } from './lists.ts'
import { median, type Result } from '../measure/result.ts'

const SMALL = 10
const LARGE = 1000
const MOST_MS = 200
const ROUNDS = 20

const ADDRESSES = ['/year?year=2025', '/year?year=2025&page=2', '/year/list']

/** The small office finds next to nothing with these. */
const FILTERS = [
  '/year?year=2025&state=late',
  '/year?year=2025&state=done',
  '/year?year=2025&rule=Kvartalsrapport',
]

/** Compares the overview and the duties of 10 projects with those of 1,000, each with 13 folders and the papers of ten years. */
export async function measure(): Promise<Result[]> {
  await using small = await openOffice((db) => fill(db, SMALL))
  await using large = await openOffice((db) => fill(db, LARGE))
  const results: Result[] = []
  for (const path of ADDRESSES) {
    const compared = await compare(path, small, large)
    results.push(compared, await within(path, large))
  }
  for (const path of FILTERS) results.push(await compare(path, small, large, MOST_MS))
  return [...results, await tell('/year/excel?year=2025', large)]
}

async function timeOf(path: string, office: Office): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) times.push(await office.get(path))
  return median(times)
}

async function within(path: string, office: Office): Promise<Result> {
  const time = await timeOf(path, office)
  return { what: `${path}, alone`, value: time, unit: 'ms', aim: { value: MOST_MS } }
}

/** The whole year as a spreadsheet, which nobody waits for often. */
async function tell(path: string, office: Office): Promise<Result> {
  const time = await timeOf(path, office)
  return { what: path, value: time, unit: 'ms' }
}

const YEAR = 2025
/** This many projects get their files at a time: each file is counted, indexed and reported like any upload. */
const AT_A_TIME = 50

/**
 * Five folders expect papers: four each year, one each quarter. The others have papers that nobody expects. Nine of ten
 * are there, some as drafts. The measured year has files, from which its counts come; the other years have only counts.
 */
async function fill(db: Ringbind['db'], projects: number): Promise<void> {
  await sql`
    with made as (
      insert into projects (number, name)
      select n::text, 'K/S Nordhavn ' || n from generate_series(1, ${projects}::integer) as n returning id
    )
    insert into folders (project_id, name, visible_to_investors, place, expects)
    select made.id, folders.name, folders.visible_to_investors, folders.place,
      case when name = 'Kvartalsrapport' then 'quarter'
        when name in ('Årsrapport', 'Budget', 'Generalforsamling', 'Skatteoplysninger') then 'year' else 'none' end
    from made cross join folders where folders.project_id is null and folders.user_id is null`.execute(db)
  const periods = sql`(
      select folders.id as folder_id, project_id, year, part, expects, row_number() over () % 10 as n
      from folders cross join generate_series(2017, 2026) as year cross join lateral ${PARTS} as part
      where project_id is not null
    ) as wanted`
  await sql`
    insert into duties (folder_id, project_id, period, starts_on, ends_on, due_on)
    select folder_id, project_id, year || part, make_date(year, 1, 1), make_date(year, 12, 31), make_date(year + 1, 6, 30)
    from ${periods} where expects <> 'none'`.execute(db)
  await sql`
    insert into year_cells (folder_id, project_id, period, files_count, shown_count)
    select folder_id, project_id, year || part, 1, 1 from ${periods} where year <> ${YEAR} and n > 0`.execute(
    db,
  )
  const { rows } = await sql<{ id: number }>`select id from projects order by id`.execute(db)
  for (let at = 0; at < rows.length; at += AT_A_TIME)
    await addFiles(
      db,
      rows.slice(at, at + AT_A_TIME).map(({ id }) => id),
    )
  await addDuties(db)
}

/** Three duties for each project, their last days spread over a year. */
async function addDuties(db: Ringbind['db']): Promise<void> {
  await sql`
    with rule as (
      insert into obligations (title, due_rule, reach)
      select 'Pligt ' || n, 'months', 'chosen' from generate_series(1, 3) as n returning id
    )
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on)
    select rule.id, projects.id, '2025', '2025-01-01', '2025-12-31', current_date + ((projects.id * 7) % 365)::integer
    from projects cross join rule`.execute(db)
}

const PARTS = sql`unnest(case expects when 'quarter' then array['-Q1', '-Q2', '-Q3', '-Q4'] else array[''] end)`

async function addFiles(db: Ringbind['db'], projects: number[]): Promise<void> {
  await sql`
    with wanted as materialized (
      select folders.id as folder_id, part, folders.id * 4 + coalesce(nullif(right(part, 1), '')::integer, 1) as n
      from folders cross join lateral ${PARTS} as part where project_id = any (${projects})
    ), bytes as (
      insert into blobs (key, state, size, sha256, type)
      select md5('blob' || n), 'stored', 12345, md5(n::text) || md5(n::text), 'application/pdf' from wanted where n % 10 > 0
      returning id, key
    )
    insert into files (folder_id, blob_id, name, key, position, period, is_held_back)
    select wanted.folder_id, bytes.id, 'Papir ' || ${YEAR}::text || part || '.pdf', md5('file' || n),
      'a' || lpad(n::text, 9, '0'), ${YEAR}::text || part, n % 50 = 1
    from wanted join bytes on bytes.key = md5('blob' || n)`.execute(db)
}
