import { sql } from 'kysely'
import { EagerReader } from '../../reading/eager-reader.db.ts'
import { tellHolders } from '../../releases/held/tell-holder.db.ts'
import { findScanner } from '../../server/reading/read-scan.ts'
import type { Parts } from '../../server/parts.ts'
import { compareHeld, type Complain } from './compare-held.db.ts'
import { Passing } from './due-papers.db.ts'
import { scanHeld } from './scan-held.db.ts'

/** How many papers that somebody waits for are asked for at once. */
const WANTED_AT_ONCE = 50

/**
 * Has held papers read soon, compares them when they are, and tells the uploader of papers that stay held. Its only
 * state is in the database, so it continues after a crash, or beside other instances.
 */
export class HeldWatch {
  readonly #parts: Parts
  readonly #reader: EagerReader
  readonly #complain: Complain
  readonly #passing = new Passing()

  constructor(parts: Parts, complain: Complain) {
    this.#parts = parts
    this.#complain = complain
    this.#reader = new EagerReader(parts, {
      complain,
      findScanner: parts.config.readScans ? findScanner : () => Promise.resolve(null),
      atOnce: 1, // the page that sent them has had most of them read already
    })
  }

  async look(signal: AbortSignal): Promise<void> {
    const { db, jobs, config } = this.#parts
    if (config.readDocuments) this.#reader.want(await this.#listWanted())
    const reading = { documents: config.readDocuments, scans: await this.#reader.scans() }
    const how = { reading, complain: this.#complain }
    let others = await this.#passing.next(db)
    while (!signal.aborted && (await compareHeld(db, how, others)) > 0) others = []
    await scanHeld(this.#parts, config.clamd, this.#complain, signal)
    await tellHolders(db, jobs, config.appUrl)
  }

  stop(): void {
    this.#reader.stop()
  }

  /** Papers from a directory are read when nobody waits for anything else. */
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
