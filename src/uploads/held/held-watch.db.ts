import { sql } from 'kysely'
import { EagerReader } from '../../reading/eager-reader.db.ts'
import { tellHolders } from '../../releases/held/tell-holder.db.ts'
import { findScanner } from '../../server/reading/read-scan.ts'
import type { Parts } from '../../server/parts.ts'
import { compareHeld } from './compare-held.db.ts'

/** How many papers that somebody waits for are asked for at once. */
const WANTED_AT_ONCE = 50

type Complain = (about: Record<string, unknown>, message: string) => void

/**
 * Has held papers read soon, compares those that are, and tells whoever saved what stays held. Its only state is in the
 * database: after a crash, or beside other instances, it goes on with what it finds.
 */
export class HeldWatch {
  readonly #parts: Parts
  readonly #reader: EagerReader

  constructor(parts: Parts, complain: Complain) {
    this.#parts = parts
    this.#reader = new EagerReader(parts, {
      complain,
      findScanner: parts.config.readScans ? findScanner : () => Promise.resolve(null),
      atOnce: 1, // whoever has dropped them has most of them read already
    })
  }

  async look(signal: AbortSignal): Promise<void> {
    const { db, jobs, config } = this.#parts
    if (config.readDocuments) this.#reader.want(await this.#listWanted())
    const canScan = config.readDocuments && (await this.#reader.canScan())
    while (!signal.aborted && (await compareHeld(db, { canScan })) > 0);
    await tellHolders(db, jobs, config.appUrl)
  }

  stop(): void {
    this.#reader.stop()
  }

  /** What came from a directory is read when nobody waits for anything else. */
  async #listWanted(): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select texts.id from held_papers join blobs on blobs.id = held_papers.blob_id
      join texts on texts.sha256 = blobs.sha256
      where held_papers.cause = 'reading' and held_papers.held_by is not null
        and (texts.state = 'wanted' or texts.is_scan_wanted)
      order by held_papers.held_at limit ${WANTED_AT_ONCE}`.execute(this.#parts.db)
    return rows.map(({ id }) => id)
  }
}
