import { sql } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { isFileSeen } from '../access/seen.db.ts'
import type { ReadingState } from '../office/reading-state.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { findProgram } from '../server/process/find-program.ts'
import { findScanner } from '../server/reading/read-scan.ts'

/** How many of those that could not be read are named. */
const NAMED = 5

type Settings = { readDocuments: boolean; readScans: boolean }
type Counts = { read: number; waiting: number; failed: number; scans: number }

/** Returns how many documents are read, wait, and could not be read. */
export async function findReadingState(
  db: Database,
  reader: Reader,
  { readDocuments, readScans }: Settings,
): Promise<ReadingState> {
  const { scans, ...counts } = await countTexts(db)
  const canScan = readScans && (await findScanner()) !== null
  return {
    isOn: readDocuments,
    ...counts,
    newestFailed: await listFailed(db, reader),
    hasPdfReader: (await findProgram('pdftotext')) !== null,
    scans: { state: canScan ? 'read' : readScans ? 'missing' : 'off', waiting: scans },
  }
}

/** Counts documents that are read, wait to be read, or could not be, and those with scanned pages that wait. */
export async function countTexts(db: Database | Trx): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where state = 'read' and (kind <> 'picture' or not is_scan_wanted)) as read,
      count(*) filter (where state = 'wanted') as waiting, count(*) filter (where state = 'failed') as failed,
      count(*) filter (where is_scan_wanted) as scans
    from texts`.execute(db)
  return rows[0]!
}

async function listFailed(db: Database, reader: Reader): Promise<ReadingState['newestFailed']> {
  const { rows } = await sql<ReadingState['newestFailed'][number]>`
    select files.id, files.name, texts.reason from texts
    join blobs on blobs.sha256 = texts.sha256 and blobs.state = 'stored'
    join files on files.blob_id = blobs.id join folders on folders.id = files.folder_id
    where texts.state = 'failed' and ${isFileSeen(reader)}
    order by texts.id desc, files.id desc limit ${NAMED}`.execute(db)
  return rows
}
