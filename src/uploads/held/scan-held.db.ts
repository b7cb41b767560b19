import { sql } from 'kysely'
import { endNotice, raiseNotice } from '../../log/notices/notices.db.ts'
import type { HeldCause } from '../../files/versions/held.db.ts'
import { clearPapers, lockPapers } from '../../releases/held/clear-papers.db.ts'
import type { Found } from '../../releases/held/held.ts'
import { HELD_PAPERS } from '../../releases/held/held-papers.db.ts'
import { NotScanned, scanBytes, ScannerAway, type ClamdAddress } from '../../server/process/clamd.ts'
import type { Database } from '../../server/database/database.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import type { Complain } from './compare-held.db.ts'

/** How many papers one round scans, since comparing waits for it. */
const AT_ONCE = 20

type Waiting = { blob_id: number; key: string; held_by: number | null; submission_id: number | null }
type Place = { db: Database; storage: FileStorage }

/**
 * Scans held papers for viruses, oldest first. Clean papers are no longer held for this; infected ones stay the
 * office's for good, and those that ClamAV cannot scan wait to be accepted. If ClamAV does not answer, all wait.
 * Without ClamAV, papers that waited for it are no longer held.
 */
export async function scanHeld(
  { db, storage }: Place,
  clamd: ClamdAddress | null,
  complain: Complain,
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await sql<Waiting>`
    select distinct on (waiting.held_at, waiting.blob_id) waiting.blob_id, blobs.key, held.held_by, held.submission_id
    from (
      select blob_id, held_at from held_papers where cause = 'scan' order by held_at, blob_id limit ${AT_ONCE}
    ) as waiting
    join blobs on blobs.id = waiting.blob_id
    join ${HELD_PAPERS} on held.blob_id = waiting.blob_id and held.cause = 'scan'
    order by waiting.held_at, waiting.blob_id`.execute(db)
  for (const paper of rows) {
    if (signal.aborted) return
    try {
      const found = clamd === null ? null : await scanBytes(clamd, await storage.open(paper.key))
      if (found === null) await clear(db, paper)
      else await keep(db, paper.blob_id, 'virus', virusText(found))
    } catch (err) {
      complain({ err, paper: paper.blob_id }, 'a held paper could not be scanned')
      if (err instanceof ScannerAway) return // the others would have to wait as well
      if (err instanceof NotScanned) await keep(db, paper.blob_id, 'unscanned', NOT_SCANNED)
      else await putLast(db, paper.blob_id)
    }
  }
  await tell(db)
}

const clear = (db: Database, { blob_id: id, submission_id: submission, held_by: by }: Waiting) =>
  db.transaction().execute(async (trx) => {
    const locked = await lockPapers(trx, submission, [id])
    const papers = locked.papers.filter(({ cause }) => cause === 'scan')
    await clearPapers(trx, { userId: by, address: null }, submission, { ...locked, papers })
  })

const virusText = (virus: string) =>
  `Virusscanneren fandt ”${virus.slice(0, 100)}” i filen. Den kan ikke udgives. Slet den.`

const NOT_SCANNED =
  'Virusscanneren kunne ikke scanne filen, måske fordi den er for stor. Udgiv den kun, hvis du ved, hvor den kommer fra.'

async function keep(
  db: Database,
  id: number,
  cause: Extract<HeldCause, 'virus' | 'unscanned'>,
  text: string,
): Promise<void> {
  const found: Found[] = [{ kind: cause, text }]
  await sql`
    update held_papers set cause = ${cause}, found = ${JSON.stringify(found)}::jsonb
    where blob_id = ${id} and cause = 'scan'`.execute(db)
}

/** Moves a paper whose bytes cannot be read now to the end, so that others are scanned first. */
async function putLast(db: Database, id: number): Promise<void> {
  await sql`update held_papers set held_at = now() where blob_id = ${id} and cause = 'scan'`.execute(db)
}

/** Shows a notice on the office's start page until the last of them is deleted. */
async function tell(db: Database): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${HELD_PAPERS} where held.cause = 'virus' and held.deleted_at is null`.execute(
    db,
  )
  const { count } = rows[0]!
  if (count > 0) await raiseNotice(db, 'virus-found', { count })
  else await endNotice(db, 'virus-found')
}
