import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown, isFolderSeen } from '../../access/seen.db.ts'
import type { Database } from '../../server/database/database.ts'
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

/** Lists the years of the files that the reader sees, newest first, with their number and size. */
export async function listYearSums(
  db: Database,
  reader: Reader,
  scope: ZipScope,
  { between, most, isWhole = false }: Options = {},
): Promise<YearSum[]> {
  const { rows } = await sql<{ year: number; files: number; bytes: number; total: number }>`
    select year, count(*) as files, sum(size)::bigint as bytes, sum(count(*)) over ()::integer as total from (
      select inside.year, inside.size
      from (
        select folders.id from folders where ${isWithin(scope, reader)} and ${isFolderSeen(reader)}
      ) as folders
      -- Folder by folder, however large the office is.
      cross join lateral (
        select ${YEAR} as year, blobs.size from files join blobs on blobs.id = files.blob_id
        where files.folder_id = folders.id and ${isFileShown(reader)} and ${
          between ? sql`${YEAR} between ${between.from} and ${between.to}` : sql`${YEAR} is not null`
        }
        offset 0
      ) as inside
      limit ${isWhole ? null : MOST_ADDED_UP + 1}
    ) as seen group by year order by year desc`.execute(db)
  return rows.slice(0, most).map(({ year, files, bytes, total }) => ({
    year,
    sum: isWhole || total <= MOST_ADDED_UP ? { files, bytes } : null,
  }))
}
