import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileSeen, isPersonSeen } from '../../access/seen.db.ts'
import { isFileOfYear } from '../../files/file/file-year.db.ts'
import type { Database } from '../../server/database/database.ts'

/** A person's own file of a year. */
export type OwnPaper = { id: number; name: string; path: string; owner: { id: number; name: string } }

const MOST_PAPERS = 100

/** Lists the own files of a year that a reader sees: an investor's own, for an adviser those that are lent to them. */
export async function listOwnPapers(
  db: Database,
  reader: Reader,
  { year, client }: { year: number; client: number | null },
): Promise<{ papers: OwnPaper[]; total: number }> {
  const { rows } = await sql<Omit<OwnPaper, 'owner'> & { owner_id: number; owner: string; total: number }>`
    select files.id, files.name, files.key || '/' || files.name as path, users.id as owner_id, users.name as owner,
      count(*) over ()::integer as total
    from folders join files on files.folder_id = folders.id join users on users.id = folders.user_id
    where ${isPersonSeen(reader)} and ${isFileSeen(reader)} ${client === null ? sql`` : sql`and users.id = ${client}`}
      and ${isFileOfYear(year)}
    order by users.name, users.id, files.position limit ${MOST_PAPERS}`.execute(db)
  return {
    papers: rows.map(({ id, name, path, owner_id: ownerId, owner }) => ({
      id,
      name,
      path,
      owner: { id: ownerId, name: owner },
    })),
    total: rows[0]?.total ?? 0,
  }
}
