import { sql } from 'kysely'
import type { HeldCause } from '../../src/files/versions/held.db.ts'
import { readTexts } from '../../src/reading/read-texts.db.ts'
import { HELD_PAPERS, SHOWN_AS } from '../../src/releases/held/held-papers.db.ts'
import type { Database } from '../../src/server/database/database.ts'
import type { Parts } from '../../src/server/parts.ts'
import { compareHeld } from '../../src/uploads/held/compare-held.db.ts'

/** Reads everything that waits to be read, and shows what is held only for that, as the background work does. */
export async function readHeld(parts: Parts): Promise<void> {
  const faults: unknown[] = []
  const complain = (about: object) => void faults.push(about)
  const how = { reading: { documents: true, scans: { pictures: false, pages: false } }, complain }
  while ((await compareHeld(parts.db, how)) > 0);
  await readTexts(parts, {
    signal: new AbortController().signal,
    complain,
    findScanner: () => Promise.resolve(null),
  })
  while ((await compareHeld(parts.db, how)) > 0);
  if (faults.length > 0) throw new Error('Something could not be read.', { cause: faults })
}

/** Returns held papers, for a cause or for all, as a page that is opened now shows them. */
export async function shownAs(
  db: Database,
  blobIds: number[],
  cause: HeldCause | null = null,
): Promise<string> {
  const { rows } = await sql<{ shown_as: string }>`
    select ${SHOWN_AS} as shown_as from ${HELD_PAPERS} join folders on folders.id = held.folder_id
    where held.blob_id = any (${blobIds}::bigint[]) and held.cause = coalesce(${cause}, held.cause) order by held.blob_id`.execute(
    db,
  )
  return rows.map((row) => row.shown_as).join(',')
}
