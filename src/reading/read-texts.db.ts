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
import { isRoomLeft } from '../server/storage/disk-room.ts'
import { MissingBytes, type FileStorage } from '../server/storage/storage.ts'
import { boundText } from './bound-text.ts'
import { addPageTexts } from './page-texts.db.ts'
import { areScansWanted, scanNext } from './scan-pages.db.ts'
import { ITS_BYTES, ITS_SENDER } from './texts.db.ts'

/** How often a document is tried. A try that was killed counts. */
export const MOST_TRIES = 2
/** After this long the reader has died: it takes at most five minutes. */
export const GONE_SECONDS = 600

export type Place = { db: Database; storage: FileStorage }

type Options = {
  signal: AbortSignal
  complain: (about: Record<string, unknown>, message: string) => void
  /** Finds what reads scans here; null if nothing does. It is asked only when there are some. */
  findScanner: () => Promise<Scanner | null>
  /** Resolves when there is nothing better to do. */
  rest?: () => Promise<void>
  /** How long a document may take, if that is not the usual time. */
  seconds?: number
}

/** A first try is short; what takes longer waits for the lane of slow ones. */
const QUICK = { seconds: 6, clockSeconds: 40 }

/**
 * First tries, which are short; second tries, of slow or failed texts; and scans, which take long. None waits for
 * another.
 */
const READING_LANES = ['first', 'second', 'scans'] as const
export type LaneName = (typeof READING_LANES)[number]

/**
 * Reads the documents whose text is wanted, and scanned pages. In each lane senders take turns, and the newest of a
 * sender comes first. Returns how many it read. The next call continues with the rest.
 */
export async function readTexts(place: Place, options: Options, only?: LaneName): Promise<number> {
  let read = 0
  for (const lane of only ? [only] : READING_LANES)
    if (lane === 'scans') await readScans(place, options)
    else read += await readLane(place, new Lane(lane === 'first' ? 0 : 1), options)
  return read
}

/** Documents with the same number of tries, and which senders have had a turn in this round. */
class Lane {
  tries: number
  served = new Set<number>()
  constructor(tries: number) {
    this.tries = tries
  }
}

async function readLane(
  place: Place,
  lane: Lane,
  { signal, complain, rest, seconds }: Options,
): Promise<number> {
  const pdfReader = await findProgram('pdftotext')
  const isHurried = lane.tries === 0
  const limits = seconds ? { seconds } : isHurried ? QUICK : {}
  for (let read = 0; ;) {
    if (signal.aborted || !(await isRoomLeft(place.storage))) return read
    await rest?.()
    const next = await claimInTurn(place.db, lane)
    if (!next) return read
    try {
      if (await readOne(place, next, { pdfReader, signal, isHurried, ...limits })) read++
    } catch (err) {
      await giveBack(place.db, next.id, signal).catch(() => undefined)
      if (!signal.aborted) complain({ err, text: next.id }, 'a document could not be read now')
      return read
    }
  }
}

/** Reads scanned pages in their own lane: they take long, and must not wait for all texts. */
async function readScans(place: Place, { signal, complain, findScanner, rest }: Options): Promise<void> {
  try {
    if (signal.aborted || !(await areScansWanted(place.db))) return
    const scanner = await findScanner()
    if (!scanner) return
    const served = new Set<number>()
    while (!signal.aborted && (await isRoomLeft(place.storage))) {
      await rest?.()
      if (!(await scanNext(place, scanner, signal, { served }))) return
    }
  } catch (err) {
    if (!signal.aborted) complain({ err }, 'a document could not be read now')
  }
}

/** Takes the next document of a sender who has had no turn in this round. */
async function claimInTurn(db: Database, { tries, served }: Lane): Promise<Claimed | undefined> {
  const next = (await claimNext(db, { tries, served })) ?? (served.size > 0 && (await newRound()))
  if (next) served.add(next.sender)
  return next || undefined

  function newRound() {
    served.clear()
    return claimNext(db, { tries, served })
  }
}

type Claimed = {
  id: number
  kind: DocumentKind
  tries: number
  key: string
  size: number
  sender: number
}

type Which = { id: number; goneSeconds: number } | { tries: number; served: ReadonlySet<number> }

/**
 * Takes the next text of a lane, for this process alone; or only a certain one, which is then taken from a reader that
 * seems dead.
 */
export async function claimNext(db: Database, which: Which): Promise<Claimed | undefined> {
  const gone = 'id' in which ? which.goneSeconds : GONE_SECONDS
  const isIt =
    'id' in which
      ? sql`texts.id = ${which.id} and texts.tries < ${sql.lit(MOST_TRIES)}`
      : sql`texts.tries = ${sql.lit(which.tries)} and not sender.id = any (${[...which.served]}::bigint[])`
  const { rows } = await sql<Claimed>`
    update texts set tries = texts.tries + 1, tried_at = now()
    from (
      select texts.id, bytes.key, bytes.size, sender.id as sender
      from texts join ${ITS_BYTES} on true cross join ${ITS_SENDER}
      where texts.state = 'wanted' and texts.tries < ${sql.lit(MOST_TRIES)}
        and (texts.tried_at is null or texts.tried_at < now() - make_interval(secs => ${gone}))
        and ${isIt}
      order by texts.id desc limit 1 for update of texts skip locked
    ) as next
    where texts.id = next.id
    returning texts.id, texts.kind, texts.tries, next.key, next.size, next.sender`.execute(db)
  return rows[0]
}

type How = {
  pdfReader: string | null
  signal: AbortSignal
  seconds?: number
  clockSeconds?: number
  isUrgent?: boolean
  /** Leaves a slow text to a later, longer try. */
  isHurried?: boolean
}

/** Returns whether it was read. Throws if the store cannot be asked: that says nothing about the document. */
export async function readOne({ db, storage }: Place, text: Claimed, how: How): Promise<boolean> {
  try {
    if (text.size > MOST_SOURCE_BYTES[text.kind]) throw new Unreadable('large')
    const read = await readPages(await storage.open(text.key), text.kind, how)
    await savePages(db, text, boundText(read, text.size))
    return true
  } catch (error) {
    const unreadable = error instanceof MissingBytes ? new Unreadable('missing', error) : error
    if (!(unreadable instanceof Unreadable)) throw error
    const isLeft = unreadable.fault === 'slow' && how.isHurried === true
    const isOver = !isLeft && (text.tries >= MOST_TRIES || WILL_FAIL_AGAIN.has(unreadable.fault))
    await sql`
      update texts set state = ${isOver ? 'failed' : 'wanted'}, tried_at = ${isOver ? sql`now()` : null},
        tries = ${isLeft ? 1 : text.tries},
        reason = ${isOver ? unreadable.message : null}
      where id = ${text.id} and state = 'wanted'`.execute(db)
    return false
  }
}

const WILL_FAIL_AGAIN = new Set<ReadingFault>(['large', 'locked', 'bomb', 'notText', 'slow'])

/** Writes all pages, or none. The row is deleted with the last of its bytes; then nothing is written. */
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

/** Not retried at once, unless this process is only stopping. */
export async function giveBack(db: Database, id: number, { aborted }: AbortSignal): Promise<void> {
  await sql`
    update texts set tries = tries - 1, tried_at = ${aborted ? null : sql`now()`}
    where id = ${id} and state = 'wanted' and tries > 0`.execute(db)
}
