import { availableParallelism } from 'node:os'
import { sql } from 'kysely'
import { findProgram } from '../server/process/find-program.ts'
import type { Scanner } from '../server/reading/read-scan.ts'
import { isRoomLeft } from '../server/storage/disk-room.ts'
import { claimNext, giveBack, MOST_TRIES, readOne, type Place } from './read-texts.db.ts'
import { FIRST_PAGES, scanNext } from './scan-pages.db.ts'

/** A paper that somebody waits for may take this long. What takes longer is left to who reads with more patience. */
const SECONDS = 15
/** After this long the reader has died. */
export const EAGER_GONE_SECONDS = 60

/** Which pictures of letters are read. */
export type Scans = { pictures: boolean; pages: boolean }

type Options = {
  complain: (about: Record<string, unknown>, message: string) => void
  /** Finds what reads scans here; null if nothing does. */
  findScanner: () => Promise<Scanner | null>
  /** How many are read at once; as many as there are cores. */
  atOnce?: number
}

/**
 * Reads documents that somebody waits for, several at once and in the order they are asked for, and the first page of
 * scans. The table of texts remembers what is read, so after a crash the waiting page asks again.
 */
export class EagerReader {
  #place: Place
  #options: Options
  #waiting = new Set<number>()
  /** Scans whose first page is read: their next pages wait until all first pages are. */
  #later = new Set<number>()
  #running = new Set<number>()
  #gaveUp = new Set<number>()
  #stopping = new AbortController()
  #tools: Promise<{ pdfReader: string | null; scanner: Scanner | null }> | undefined

  constructor(place: Place, options: Options) {
    this.#place = place
    this.#options = options
  }

  /** Asks for texts by their ids. Asking again does no harm. */
  want(ids: readonly number[]): void {
    for (const id of ids) if (!this.#running.has(id) && !this.#gaveUp.has(id)) this.#waiting.add(id)
    this.#go()
  }

  /** Whether a text takes longer than anybody waits. */
  hasGivenUp(id: number): boolean {
    return this.#gaveUp.has(id)
  }

  /** Whether scans are read here. */
  async canScan(): Promise<boolean> {
    return (await this.#findTools()).scanner !== null
  }

  /** Which scans are read here: pages of PDFs have to be drawn first. */
  async scans(): Promise<Scans> {
    const { scanner } = await this.#findTools()
    return { pictures: scanner !== null, pages: scanner !== null && scanner.pageDrawer !== null }
  }

  /** Stops the current reading. */
  stop(): void {
    this.#waiting.clear()
    this.#later.clear()
    this.#stopping.abort()
  }

  #go(): void {
    const atOnce = this.#options.atOnce ?? availableParallelism()
    for (const id of [...this.#waiting, ...this.#later]) {
      if (this.#running.size >= atOnce || this.#stopping.signal.aborted) return
      if (this.#running.has(id)) continue
      this.#running.add(id)
      const isFirst = this.#waiting.delete(id)
      this.#later.delete(id)
      void (isFirst ? this.#read(id) : this.#scan(id))
        .catch((err: unknown) => {
          if (!this.#stopping.signal.aborted)
            this.#options.complain({ err, text: id }, 'a paper could not be read now')
        })
        .finally(() => {
          this.#running.delete(id)
          this.#go()
        })
    }
  }

  async #read(id: number): Promise<void> {
    const { db, storage } = this.#place
    const { signal } = this.#stopping
    if (!(await isRoomLeft(storage))) return // the waiting page asks again
    const { pdfReader, scanner } = await this.#findTools()
    // A try that fails is followed by the last one at once: somebody waits.
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const claimed = await claimNext(db, { id, goneSeconds: EAGER_GONE_SECONDS })
      if (!claimed) break
      const began = performance.now()
      try {
        if (
          await readOne(this.#place, claimed, {
            pdfReader,
            signal,
            seconds: SECONDS,
            isUrgent: true,
            isHurried: true,
          })
        )
          break
      } catch (error) {
        await giveBack(db, id, signal).catch(() => undefined)
        throw error
      }
      if (performance.now() - began < SECONDS * 1000) continue
      await leaveToPatient(this.#place, id)
      this.#gaveUp.add(id)
      return
    }
    if (scanner) await this.#scan(id)
  }

  /** Reads the next page of a scan, if it is one of the first. */
  async #scan(id: number): Promise<void> {
    const { scanner } = await this.#findTools()
    if (!scanner || !(await isRoomLeft(this.#place.storage)) || !(await isScanAwaited(this.#place, id)))
      return
    if (await scanNext(this.#place, scanner, this.#stopping.signal, { only: id })) this.#later.add(id)
  }

  #findTools() {
    return (this.#tools ??= Promise.all([findProgram('pdftotext'), this.#options.findScanner()]).then(
      ([pdfReader, scanner]) => ({ pdfReader, scanner }),
    ))
  }
}

/** Our hurry does not count against a long document, but it has had its short try. */
async function leaveToPatient({ db }: Place, id: number): Promise<void> {
  await sql`update texts set tries = 1, tried_at = null where id = ${id} and state = 'wanted'`.execute(db)
}

/** Whether one of its first pages has to be read as a picture. */
async function isScanAwaited({ db }: Place, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from texts where id = ${id} and is_scan_wanted and scanned_to < ${FIRST_PAGES}
      and exists (
        select from generate_series(scanned_to + 1, least(pages, ${FIRST_PAGES})) as page
        where not exists (select from page_texts where text_id = texts.id and page_texts.page = page.page))`.execute(
    db,
  )
  return rows.length > 0
}
