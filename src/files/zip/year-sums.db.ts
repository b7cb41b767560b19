import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown, isFolderSeen, isOwnedBy } from '../../access/seen.db.ts'
import { isOffice } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import type { YearSum } from './year-sum.ts'
import { FILE_YEAR, yearOf } from '../file/file-year.db.ts'
import { isWithin, type ZipScope } from './zip-files.db.ts'

/** How many files are added up while a page waits. */
const MOST_ADDED_UP = 1000

type SumRow = { year: number; files: number; bytes: number }

/** Lists the years of the files that the reader sees, newest first, with their number and size; at most `most` years. */
export async function listYearSums(
  db: Database,
  reader: Reader,
  scope: ZipScope,
  { most }: { most?: number } = {},
): Promise<YearSum[]> {
  const isWanted = isWithin(scope, reader)
  const counted = await countYears(db, reader, isWanted)
  if (isTooMany(counted)) return counted.map(withoutSum).slice(0, most)
  const { rows } = await yearSums(reader, isWanted).execute(db)
  return rows.map(toYearSum).slice(0, most)
}

/** The same for the page of a project, which most requests ask for. */
export async function listProjectYears(
  db: Database,
  reader: Reader,
  project: number,
  most: number,
): Promise<YearSum[]> {
  if (!isOffice(reader.role)) return listYearSums(db, reader, { project }, { most })
  const [size] = await findSize(db, { project })
  const years =
    size && size.files_count > MOST_ADDED_UP
      ? (await countYears(db, reader, isOwnedBy({ project }))).map(withoutSum)
      : (await officeYears(db, { project })).map(toYearSum)
  return years.slice(0, most)
}

const findSize = prepare<{ project: number }, { files_count: number }>(
  ({ project }) => sql`select files_count from projects where id = ${project}::bigint`,
)

type YearCount = { year: number; files: number }

const isTooMany = (years: YearCount[]) => years.reduce((sum, { files }) => sum + files, 0) > MOST_ADDED_UP

/** Counts the files of each year without looking at them: those of projects are counted by period already. */
async function countYears(db: Database, reader: Reader, isWanted: RawBuilder<boolean>): Promise<YearCount[]> {
  const count = isOffice(reader.role) ? sql`year_cells.files_count` : sql`year_cells.shown_count`
  const { rows } = await sql<YearCount>`
    with seen as materialized (
      select folders.id, folders.user_id from folders where ${isWanted} and ${isFolderSeen(reader)}
    )
    select ${yearOf(sql`period`)} as year, sum(count)::integer as files from (
      select year_cells.period, ${count} as count
      from seen join year_cells on year_cells.folder_id = seen.id where ${count} > 0
      union all
      select files.period, 1 from seen join files on files.folder_id = seen.id
      where seen.user_id is not null and ${isFileShown(reader)} and files.period is not null
    ) as counted group by year order by year desc`.execute(db)
  return rows
}

/** The office sees all files: one prepared query serves everybody there. */
const officeYears = prepare<{ project: number }, SumRow>(({ project }) =>
  yearSums({ id: 0, role: 'employee' }, isOwnedBy({ project: sql`${project}::bigint` })),
)

function yearSums(reader: Reader, isWanted: RawBuilder<boolean>): RawBuilder<SumRow> {
  return sql<SumRow>`
    select year, count(*) as files, sum(size)::bigint as bytes from (
      select inside.year, inside.blob_id
      from (
        select folders.id from folders where ${isWanted} and ${isFolderSeen(reader)}
      ) as folders
      -- Folder by folder, however large the office is; their bytes all at once.
      cross join lateral (
        select ${FILE_YEAR} as year, files.blob_id from files
        where files.folder_id = folders.id and ${isFileShown(reader)}
          and files.period is not null
        offset 0
      ) as inside
    ) as seen join blobs on blobs.id = seen.blob_id group by year order by year desc`
}

const toYearSum = ({ year, files, bytes }: SumRow): YearSum => ({ year, sum: { files, bytes } })
const withoutSum = ({ year }: YearCount): YearSum => ({ year, sum: null })
