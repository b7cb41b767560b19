import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown, isFolderSeen, isOwnedBy } from '../../access/seen.db.ts'
import { isOffice } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import type { YearSum } from './year-sum.ts'
import { isWithin, YEAR, type ZipScope } from './zip-files.db.ts'

/** How many files are added up while a page waits. */
const MOST_ADDED_UP = 3000

type Options = {
  /** The first and the last year. */
  between?: { from: number; to: number }
  /** How many years, the newest first. */
  most?: number
  /** Adds up all files, however many: for a page that shows nothing else. */
  isWhole?: boolean
}

type SumRow = { year: number; files: number; bytes: number; total: number }

/** Lists the years of the files that the reader sees, newest first, with their number and size. */
export async function listYearSums(
  db: Database,
  reader: Reader,
  scope: ZipScope,
  { between, most, isWhole = false }: Options = {},
): Promise<YearSum[]> {
  const isBetween = between && sql<boolean>`${YEAR} between ${between.from} and ${between.to}`
  const limit = isWhole ? null : MOST_ADDED_UP + 1
  const { rows } = await yearSums(reader, isWithin(scope, reader), { isBetween, limit }).execute(db)
  return sumsOf(rows, isWhole).slice(0, most)
}

/** The same for the page of a project, which most requests ask for. */
export async function listProjectYears(
  db: Database,
  reader: Reader,
  project: number,
  most: number,
): Promise<YearSum[]> {
  if (!isOffice(reader.role)) return listYearSums(db, reader, { project }, { most })
  return sumsOf(await officeYears(db, { project }), false).slice(0, most)
}

/** The office sees all files: one prepared query serves everybody there. */
const officeYears = prepare<{ project: number }, SumRow>(({ project }) =>
  yearSums({ id: 0, role: 'employee' }, isOwnedBy({ project: sql`${project}::bigint` }), {
    limit: MOST_ADDED_UP + 1,
  }),
)

function yearSums(
  reader: Reader,
  isWanted: RawBuilder<boolean>,
  { isBetween, limit }: { isBetween?: RawBuilder<boolean> | undefined; limit: number | null },
): RawBuilder<SumRow> {
  return sql<SumRow>`
    select year, count(*) as files, sum(size)::bigint as bytes, sum(count(*)) over ()::integer as total from (
      select inside.year, inside.blob_id
      from (
        select folders.id from folders where ${isWanted} and ${isFolderSeen(reader)}
      ) as folders
      -- Folder by folder, however large the office is; their bytes all at once.
      cross join lateral (
        select ${YEAR} as year, files.blob_id from files
        where files.folder_id = folders.id and ${isFileShown(reader)}
          and ${isBetween ?? sql<boolean>`${YEAR} is not null`}
        offset 0
      ) as inside
      limit ${limit}
    ) as seen join blobs on blobs.id = seen.blob_id group by year order by year desc`
}

const sumsOf = (rows: SumRow[], isWhole: boolean): YearSum[] =>
  rows.map(({ year, files, bytes, total }) => ({
    year,
    sum: isWhole || total <= MOST_ADDED_UP ? { files, bytes } : null,
  }))
