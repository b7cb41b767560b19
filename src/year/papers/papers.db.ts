import { sql, type RawBuilder } from 'kysely'
import { folderLenders, isFolderOfClient, isProjectOfClient } from '../../access/lenders.db.ts'
import type { Reader } from '../../access/reader.ts'
import { contentsSeen, isFileSeen, isFileShown, isFolderSeen, isProjectSeen } from '../../access/seen.db.ts'
import { fileFields, type FileRow } from '../../files/file/file-fields.db.ts'
import { FILE_YEAR, isBetweenYears, isFileOfYear, yearOf } from '../../files/file/file-year.db.ts'
import { isWithin } from '../../files/zip/zip-files.db.ts'
import { readAccountingYears } from '../../projects/expected/accounting-years.db.ts'
import { isFollowed } from '../../projects/expected/followed.db.ts'
import { periodName } from '../../projects/expected/period-name.ts'
import type { Database } from '../../server/database/database.ts'
import { isFound } from '../../server/database/search.db.ts'
import { ownFiles, paperTitle, shortProjectName } from './paper-title.ts'
import type { PapersQuery } from './papers-query.ts'
import type { Paper, PaperProject, PaperYear } from './papers.ts'

/** How many years are open where none is chosen, and how many papers each of them shows. */
const OPEN_YEARS = 3
const MOST_OF_OPEN = 25
/** How many papers of a chosen year are shown at a time. */
const MOST_OF_CHOSEN = 50
/** How many of the papers that have not come are named in each year. */
const MOST_AWAITED = 100

export type FoundPapers = {
  /** All years that have something, newest first; last null, for papers without a year. */
  years: (number | null)[]
  open: PaperYear[]
}

/** Finds the papers that a reader sees: of one year, or the newest of the newest years. */
export async function findPapers(db: Database, reader: Reader, asked: PapersQuery): Promise<FoundPapers> {
  const counted = await countYears(db, reader, asked)
  const open = counted.filter(isOpen(asked, counted))
  const years = open.map(({ year }) => year)
  const [rows, cells] = await Promise.all([
    readPapers(db, reader, asked, years),
    readAwaited(db, reader, asked, years),
  ])
  const projects = new Set([...rows, ...cells].flatMap(({ project_id: id }) => id ?? []))
  const accounting = await readAccountingYears(db, [...projects])
  const titleOf = (row: Place & { period: string | null; name: string }) =>
    paperTitle({
      folder: row.project_id === null ? null : row.folder,
      period: periodName(row.period, accounting.get(row.project_id ?? 0) ?? null),
      name: row.name,
      whose: row.project === null ? ownFiles(reader.role) : shortProjectName(row.project),
    })
  const most = mostOf(asked)
  return {
    years: counted.map(({ year }) => year),
    open: open.map(({ year, files, awaited }) => {
      const found = rows.filter((row) => row.of_year === year)
      const shown = found.slice(0, most)
      return {
        year,
        total: files,
        papers: shown.map((row) => toPaper(row, titleOf({ ...row, period: row.paper_period }))),
        next: found.length > most ? shown.at(-1)!.key : null,
        awaited: cells
          .filter((cell) => yearOfKey(cell.period) === year)
          .map((cell) => ({ title: titleOf({ ...cell, name: '' }), is_excused: cell.is_excused })),
        awaited_total: asked.after === null ? awaited : 0,
      }
    }),
  }
}

const yearOfKey = (period: string) => Number(period.slice(0, 4))
const mostOf = ({ year }: PapersQuery) => (year === null ? MOST_OF_OPEN : MOST_OF_CHOSEN)

/** The year that was chosen; without a choice the newest years with papers, and what is newer still. */
function isOpen({ year: chosen }: PapersQuery, counted: readonly YearCount[]) {
  const filled = counted.filter(({ files }) => files > 0)
  const last = counted.indexOf(filled[OPEN_YEARS - 1] ?? counted.at(-1)!)
  return ({ year }: YearCount, index: number) =>
    chosen === null ? index <= last : (year ?? 'none') === chosen
}

type YearCount = { year: number | null; files: number; awaited: number }

/** Counts the papers of each year, and what is awaited. Files are looked at only for a search; else their counts are kept. */
async function countYears(db: Database, reader: Reader, asked: PapersQuery): Promise<YearCount[]> {
  const isOwn = sql`select ${FILE_YEAR}, 1, 0 from seen join files on files.folder_id = seen.id
    where ${isFileShown(reader)}`
  const files =
    asked.q === ''
      ? sql`
        select ${yearOf(sql`year_cells.period`)}, year_cells.shown_count, 0
        from seen join year_cells on year_cells.folder_id = seen.id
        union all
        select null, seen.files_count - coalesce((
          select sum(shown_count) from year_cells where folder_id = seen.id), 0)::integer, 0
        from seen where seen.user_id is null
        union all ${isOwn} and seen.user_id is not null`
      : sql`${isOwn} and ${isFound(FILE_WORDS, asked.q)}`
  const { rows } = await sql<YearCount>`
    with seen as materialized (${foldersSeen(reader, asked)})
    select year, sum(files)::integer as files, sum(awaited)::integer as awaited from (
      select null::integer as year, 0 as files, 0 as awaited where false
      union all ${files}
      union all select ${yearOf(sql`duties.period`)}, 0, 1 from ${AWAITED} where ${isAwaited(asked)}
    ) as counted group by year having sum(files) + sum(awaited) > 0 order by year desc nulls last`.execute(db)
  return rows
}

/** Query: the folders that the reader sees of those that are asked for, each with the words by which it is found. */
function foldersSeen(reader: Reader, { project, client }: PapersQuery): RawBuilder<unknown> {
  const scope = typeof project === 'number' ? { project } : 'everything'
  return sql`
    select folders.id, folders.name as folder, folders.place, folders.project_id, folders.user_id,
      ${contentsSeen(reader).filesCount} as files_count, projects.name as project,
      search_key(concat_ws(' ', case when folders.user_id is null then folders.name end, projects.number, projects.name, users.name)) as words
    from folders left join projects on projects.id = folders.project_id left join users on users.id = folders.user_id
    where ${isWithin(scope, reader)} and ${isFolderSeen(reader)}
      ${project === 'own' ? sql`and folders.user_id is not null` : sql``}
      ${client === null ? sql`` : sql`and ${isFolderOfClient(reader, client)}`}`
}

/** A period in the words that stand on the page: '2025', '3. kvartal 2025'. */
const wordsOf = (period: RawBuilder<unknown>) => sql`folded(concat_ws(' ',
  case substr(${period}, 6, 1) when 'Q' then right(${period}, 1) || '. kvartal' when 'H' then right(${period}, 1) || '. halvår'
    when 'O' then 'omlægning' end, left(${period}, 4)))`

const FILE_WORDS = sql<string>`((seen.words || E'\n' || files.search || E'\n' || ${wordsOf(sql`files.period`)}) collate "C")`

/** What is expected in folders that are seen, and followed or excused. Others than the office are not told of what is late. */
const AWAITED = sql`seen join duties on duties.folder_id = seen.id join projects on projects.id = duties.project_id`
const isAwaited = ({ q }: PapersQuery) => sql<boolean>`(duties.done_at is null
  and (duties.excuse is not null or ${isFollowed(sql`duties.due_on`)})
  and ${isFound(sql<string>`((seen.words || E'\n' || ${wordsOf(sql`duties.period`)}) collate "C")`, q)})`

/** Where a paper is, and whose it is. */
type Place = {
  folder: string
  project_id: number | null
  project: string | null
  user_id: number | null
}

type Row = FileRow &
  Place & {
    of_year: number | null
    paper_period: string | null
    key: string
    shown_at: Date
    lent_by: string[]
  }

/** Reads the newest papers of some years, and one more of each, newest first. */
async function readPapers(
  db: Database,
  reader: Reader,
  asked: PapersQuery,
  years: (number | null)[],
): Promise<Row[]> {
  if (years.length === 0) return []
  const [micros, id] = asked.after?.split('.').map(Number) ?? []
  const isAfter =
    micros === undefined
      ? sql`true`
      : sql`(files.shown_at, files.id) < ('epoch'::timestamptz + ${micros} * interval '1 microsecond', ${id}::bigint)`
  const most = mostOf(asked) + 1
  // Folder by folder, whose newest files an index has, however many there are.
  const newest = (year: number | null) => sql`(
    select found.id from seen cross join lateral (
      select files.id, files.shown_at from files
      where files.folder_id = seen.id and ${year === null ? sql`files.period is null` : isFileOfYear(year)}
        and ${isFileShown(reader)} and ${isFound(FILE_WORDS, asked.q)} and ${isAfter}
      order by files.shown_at desc, files.id desc limit ${most}
    ) as found
    order by found.shown_at desc, found.id desc limit ${most})`
  const { rows } = await sql<Row>`
    with seen as materialized (${foldersSeen(reader, asked)})
    select ${fileFields(reader)}, files.period as paper_period, ${FILE_YEAR} as of_year, files.shown_at,
      (extract(epoch from files.shown_at) * 1000000)::bigint || '.' || files.id as key,
      seen.folder, seen.project_id, seen.project, seen.user_id, ${folderLenders(reader)} as lent_by
    from (${sql.join(years.map(newest), sql` union all `)}) as newest
    join files on files.id = newest.id join blobs on blobs.id = files.blob_id
    join seen on seen.id = files.folder_id join folders on folders.id = seen.id
    where ${isFileSeen(reader)}
    order by files.shown_at desc, files.id desc`.execute(db)
  return rows
}

function toPaper(row: Row, title: string): Paper {
  const { id, name, path, mime, is_new, is_version, from_investor, held, waiting, lent_by } = row
  return {
    id,
    name,
    path,
    mime,
    is_new,
    is_version,
    from_investor,
    held,
    waiting,
    lent_by,
    title,
    owner: row.project_id === null ? { user: row.user_id! } : { project: row.project_id },
    at: row.shown_at.toISOString(),
  }
}

type AwaitedRow = Place & { period: string; is_excused: boolean }

/** Reads what has not come of some years. Follows the first page of a year alone. */
async function readAwaited(
  db: Database,
  reader: Reader,
  asked: PapersQuery,
  years: (number | null)[],
): Promise<AwaitedRow[]> {
  const dated = years.filter((year) => year !== null)
  if (dated.length === 0 || asked.after !== null) return []
  const isMeant = dated.map((year) => isBetweenYears(sql`duties.period`, year, year))
  const { rows } = await sql<AwaitedRow>`
    with seen as materialized (${foldersSeen(reader, asked)}), awaited as (
      select seen.folder, seen.project_id, seen.project, seen.user_id, duties.period,
        duties.excuse is not null as is_excused, row_number() over (
        partition by ${yearOf(sql`duties.period`)}
        order by seen.project, seen.project_id, seen.place, duties.period) as nth
      from ${AWAITED} where ${isAwaited(asked)} and (${sql.join(isMeant, sql` or `)})
    )
    select folder, project_id, project, user_id, period, is_excused from awaited where nth <= ${MOST_AWAITED}
    order by nth`.execute(db)
  return rows
}

/** Lists the projects that a reader can choose among, by name. */
export async function listPaperProjects(
  db: Database,
  reader: Reader,
  client: number | null,
): Promise<PaperProject[]> {
  const { rows } = await sql<PaperProject>`
    select projects.id, projects.name from projects
    where ${isProjectSeen(reader)} ${client === null ? sql`` : sql`and ${isProjectOfClient(reader, client)}`}
    order by projects.name, projects.number, projects.id`.execute(db)
  return rows
}
