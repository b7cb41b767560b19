import { sql } from 'kysely'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import { findProgram } from '../server/process/find-program.ts'
import {
  MOST_SOURCE_BYTES,
  readPages,
  type DocumentKind,
  type ReadPages,
} from '../server/reading/read-pages.ts'
import type { Scanner } from '../server/reading/read-scan.ts'
import { Unreadable, type ReadingFault } from '../server/reading/reading-fault.ts'
import { MissingBytes, type FileStorage } from '../server/storage/storage.ts'
import { addPageTexts } from './page-texts.db.ts'
import { areScansWanted, scanNext } from './scan-pages.db.ts'
import { ITS_BYTES } from './texts.db.ts'

/** How often a document is tried. A try that was killed counts. */
export const MOST_TRIES = 2
/** After this long, whoever began has gone: it takes at most five minutes. */
export const GONE_SECONDS = 600

export type Place = { db: Database; storage: FileStorage }

type Options = {
  signal: AbortSignal
  complain: (about: Record<string, unknown>, message: string) => void
  /** Finds what reads scans here; null if nothing does. It is asked only when all else is read. */
  findScanner: () => Promise<Scanner | null>
  /** Resolves when there is nothing better to do. */
  rest?: () => Promise<void>
  /** How long a document may take, if that is not the usual time. */
  seconds?: number
}

/**
 * Reads the documents whose text is wanted, one at a time and the newest first, and then scanned pages. Returns how many it
 * read. The next call takes up what this one leaves.
 */
export async function readTexts(
  place: Place,
  { signal, complain, findScanner, rest, ...limits }: Options,
): Promise<number> {
  const pdfReader = await findProgram('pdftotext')
  let scanner: Scanner | null | undefined
  for (let read = 0; ;) {
    if (signal.aborted) return read
    await rest?.()
    const next = await claimNext(place.db)
    try {
      if (next) {
        if (await readOne(place, next, { pdfReader, signal, ...limits })) read++
      } else if (await areScansWanted(place.db)) {
        scanner ??= await findScanner()
        if (!scanner || !(await scanNext(place, scanner, signal))) return read
      } else return read
    } catch (err) {
      if (next) await giveBack(place.db, next.id, signal).catch(() => undefined)
      if (signal.aborted) return read
      complain({ err, text: next?.id }, 'a document could not be read now')
      return read
    }
  }
}

type Claimed = { id: number; kind: DocumentKind; tries: number; key: string; size: number }

/** Takes the next one, for this process alone; or only a certain one, which then is taken from who seems to have gone. */
export async function claimNext(
  db: Database,
  only?: { id: number; goneSeconds: number },
): Promise<Claimed | undefined> {
  const gone = only?.goneSeconds ?? GONE_SECONDS
  const { rows } = await sql<Claimed>`
    update texts set tries = texts.tries + 1, tried_at = now()
    from (
      select texts.id, bytes.key, bytes.size from texts join ${ITS_BYTES} on true
      where texts.state = 'wanted' and texts.tries < ${sql.lit(MOST_TRIES)}
        and (texts.tried_at is null or texts.tried_at < now() - make_interval(secs => ${gone}))
        ${only ? sql`and texts.id = ${only.id}` : sql``}
      order by texts.tries, texts.id desc limit 1 for update of texts skip locked
    ) as next
    where texts.id = next.id
    returning texts.id, texts.kind, texts.tries, next.key, next.size`.execute(db)
  return rows[0]
}

export type How = { pdfReader: string | null; signal: AbortSignal; seconds?: number; isUrgent?: boolean }

/** Returns whether it was read. Throws if the store cannot be asked: that says nothing about the document. */
export async function readOne({ db, storage }: Place, text: Claimed, how: How): Promise<boolean> {
  try {
    if (text.size > MOST_SOURCE_BYTES[text.kind]) throw new Unreadable('large')
    await savePages(db, text, await readPages(await storage.open(text.key), text.kind, how))
    return true
  } catch (error) {
    const unreadable = error instanceof MissingBytes ? new Unreadable('missing', error) : error
    if (!(unreadable instanceof Unreadable)) throw error
    const isOver = text.tries >= MOST_TRIES || WILL_FAIL_AGAIN.has(unreadable.fault)
    await sql`
      update texts set state = ${isOver ? 'failed' : 'wanted'}, tried_at = ${isOver ? sql`now()` : null},
        reason = ${isOver ? unreadable.message : null}
      where id = ${text.id} and state = 'wanted'`.execute(db)
    return false
  }
}

const WILL_FAIL_AGAIN = new Set<ReadingFault>(['large', 'locked', 'bomb', 'notText'])

/** Writes all pages, or none. The row goes with the last of its bytes; if it is gone by now, nothing is written. */
const savePages = transactional(
  async (trx: Trx, { id, kind }: Claimed, { pages, reason }: ReadPages): Promise<void> => {
    const { numAffectedRows } = await sql`
      update texts set state = 'read', pages = ${pages.length}, reason = ${reason}, tries = 0, tried_at = null,
        is_scan_wanted = ${kind === 'pdf' && pages.includes('')}
      where id = ${id} and state = 'wanted'`.execute(trx)
    if (numAffectedRows !== 1n) return
    await addPageTexts(
      trx,
      id,
      pages.map((text, index) => ({ page: index + 1, text })),
    )
  },
)

/** It is not tried again at once, unless we only stop. */
export async function giveBack(db: Database, id: number, { aborted }: AbortSignal): Promise<void> {
  await sql`
    update texts set tries = tries - 1, tried_at = ${aborted ? null : sql`now()`}
    where id = ${id} and state = 'wanted' and tries > 0`.execute(db)
}
