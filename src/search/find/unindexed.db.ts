import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen } from '../../access/seen.db.ts'
import { FILE_YEAR } from '../../files/file/file-year.db.ts'
import type { Database } from '../../server/database/database.ts'
import { isFound } from '../../server/database/search.db.ts'
import { filterConditions, type Candidate, type Filters } from './candidates.db.ts'
import type { Unit } from './question.ts'

/** Only this many of the newest are searched: more wait only after an upgrade. */
const MOST_WAITING = 500
const ABOVE_OTHERS = 100

/** Finds files by their names that were added or renamed in this moment, whose words are not written down yet. */
export async function findUnindexed(
  db: Database,
  reader: Reader,
  units: Unit[],
  filters: Filters,
): Promise<Candidate[]> {
  if (units.length === 0 || filters.type !== null) return []
  const { rows } = await sql<Candidate>`
    select files.id, files.folder_id, folders.name as folder, folders.project_id, ${FILE_YEAR} as year, ${ABOVE_OTHERS}::integer as rank
    from (select file_id from unindexed_files order by file_id desc limit ${MOST_WAITING}) as waiting
    join files on files.id = waiting.file_id join folders on folders.id = files.folder_id
    join blobs on blobs.id = files.blob_id and blobs.state = 'stored'
    where ${isFound(sql<string>`files.search`, units.map(({ text }) => text).join(' '))} and ${isFileSeen(reader)}
      ${sql.join(
        filterConditions(reader, filters).map((condition) => sql`and ${condition}`),
        sql` `,
      )}
    order by files.id desc`.execute(db)
  return rows
}
