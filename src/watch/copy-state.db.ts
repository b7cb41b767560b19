import { sql } from 'kysely'
import { SecondPlaceFailed } from '../copies/second-place.server.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { COPY_FAULTS, type CopyFault, type PlaceFault } from './facts.ts'

/** Remembers since when copies are to be made; forgets it if none are. */
export async function setCopiesWanted(db: Database, areWanted: boolean): Promise<void> {
  if (areWanted) await sql`insert into copy_state default values on conflict do nothing`.execute(db)
  else await db.deleteFrom('copy_state').execute()
}

/** Remembers how a scheduled copy ended; a null fault means that it is good. */
export async function saveCopyEnd(db: Database, fault: CopyFault | null): Promise<void> {
  const failedAt = fault === null ? sql<null>`null` : sql<Date>`now()`
  await sql`
    insert into copy_state (failed_at, reason) values (${failedAt}, ${fault})
    on conflict (is_only) do update set failed_at = excluded.failed_at, reason = excluded.reason`.execute(db)
}

type CopyState = { since: Date; failed: { at: Date; reason: CopyFault } | null }

export async function findCopyState(db: Database | Trx): Promise<CopyState | null> {
  const row = await db.selectFrom('copy_state').select(['since', 'failed_at', 'reason']).executeTakeFirst()
  if (!row) return null
  const { since, failed_at: at, reason: kept } = row
  // A newer version may know more reasons.
  const reason = COPY_FAULTS.find((fault) => fault === kept) ?? 'other'
  return { since, failed: at && { at, reason } }
}

/** Remembers that the second place has the last copy; whatever else has failed since stays. */
export async function saveSecondEnd(db: Database, fault: CopyFault | null): Promise<void> {
  const failedAt = fault === null ? sql<null>`null` : sql`failed_at`
  await sql`
    update copy_state set failed_at = ${failedAt}, reason = ${fault} where reason like 'second-%'`.execute(db)
}

const FAULTS_OF_CODES: Record<string, PlaceFault> = {
  ENOSPC: 'no-room',
  EDQUOT: 'no-room',
  ENOENT: 'no-directory',
  ENOTDIR: 'no-directory',
  EACCES: 'not-allowed',
  EPERM: 'not-allowed',
  EROFS: 'not-allowed',
}

/** Tells from the error why a copy failed. */
export function copyFaultOf(error: unknown): CopyFault {
  return error instanceof SecondPlaceFailed ? `second-${placeFaultOf(error.cause)}` : placeFaultOf(error)
}

function placeFaultOf(error: unknown): PlaceFault {
  if (error instanceof DiskLow) return 'no-room'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return FAULTS_OF_CODES[code] ?? 'other'
}
