import { sql } from 'kysely'
import { JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isFileShown, isFolderSeen } from '../../access/seen.db.ts'
import { IS_OF_SHOWN } from '../../projects/news/news.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { cellColumns, cellsOf, isCellSeen, toCell, type CellRow } from './cells.db.ts'
import type { Paper, PaperFile } from './paper.ts'

/** A folder's period. */
export type PaperKey = { folder: number; period: string }

const NO_PAPER = 'Det papir findes ikke og forventes ikke.'
const MOST_FILES = 50

/** Reads one cell, with its files and who has opened them. Throws not-found if it is nothing. */
export async function getPaper(
  db: Database,
  reader: Reader,
  { folder, period }: PaperKey,
  today: string,
): Promise<Paper> {
  type Row = CellRow & { number: string; project: string; excused_by: string | null; excused_at: Date | null }
  const { rows } = await sql<Row>`
    select ${cellColumns(reader, today)}, null as file, projects.number, projects.name as project,
      users.name as excused_by, duties.excused_at
    from ${cellsOf(reader, (each) => sql<boolean>`(folder_id = ${folder} and ${each} = ${period})`)}
    left join users on users.id = duties.excused_by
    where ${isCellSeen(reader)}`.execute(db)
  const [row] = rows
  if (!row || row.state === null) throw notFound(NO_PAPER)
  return {
    project: { id: row.project_id, number: row.number, name: row.project },
    cell: toCell(row),
    excused: row.excused_at && { by: row.excused_by, at: row.excused_at.toISOString() },
    files: row.files === 0 ? [] : await listFiles(db, reader, { folder, period }),
  }
}

async function listFiles(db: Database, reader: Reader, { folder, period }: PaperKey): Promise<PaperFile[]> {
  const { rows } = await sql<Omit<PaperFile, 'shown_at'> & { shown_at: Date }>`
    with reached as materialized (
      select distinct users.id from folders ${JOIN_OUTSIDE_READERS} where folders.id = ${folder}
    )
    select files.id, files.name, files.key || '/' || files.name as path, files.shown_at, files.is_held_back,
      case when files.is_held_back then 0 else (select count(*)::integer from reached) end as reached,
      (
        select count(*)::integer from reached join file_reads on file_reads.user_id = reached.id
        where file_reads.file_id = files.id and ${IS_OF_SHOWN}
      ) as opened
    from files join folders on folders.id = files.folder_id
    where files.folder_id = ${folder} and files.period = ${period} and ${isFileShown(reader)} and ${isFolderSeen(reader)}
    order by files.is_held_back, files.position limit ${MOST_FILES}`.execute(db)
  return rows.map((row) => ({ ...row, shown_at: row.shown_at.toISOString() }))
}
