import { sql } from 'kysely'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import { readScan, type Scanner } from '../server/reading/read-scan.ts'
import { MissingBytes, type FileStorage } from '../server/storage/storage.ts'
import { addPageTexts } from './page-texts.db.ts'
import { ITS_BYTES, ITS_SENDER } from './texts.db.ts'

/** How often a page is tried. A try that was killed counts. */
const MOST_TRIES = 2
/** After this long the reader has died: a page takes less than a quarter of an hour. */
const GONE_SECONDS = 1200
/** The pages that tell what a paper is. The others are read later, when nobody waits. */
export const FIRST_PAGES = 3

type Place = { db: Database; storage: FileStorage }
type Claimed = {
  id: number
  kind: 'pdf' | 'picture'
  tries: number
  key: string
  page: number
  sender: number
}

export async function areScansWanted(db: Database): Promise<boolean> {
  const { rows } = await sql`select from texts where is_scan_wanted limit 1`.execute(db)
  return rows.length > 0
}

/** Only a certain document; or one of a sender who has not had a turn in this round. */
type Which = { only?: number; served?: Set<number> }

/**
 * Reads one page without any words, of the newest document of the next sender, or of a certain one: all of them in order, up
 * to page 5000 (`MOST_PAGES` in `server/reading/piece-writer.ts`). Returns whether there was one.
 */
export async function scanNext(
  { db, storage }: Place,
  scanner: Scanner,
  signal: AbortSignal,
  which: Which = {},
): Promise<boolean> {
  const next = await claimInTurn(db, scanner.pageDrawer !== null, which)
  if (!next) return false
  if (next.tries > MOST_TRIES) {
    await savePage(db, next, null)
    return true
  }
  try {
    const page = next.kind === 'pdf' ? next.page : null
    await savePage(db, next, await readScan(await storage.open(next.key), page, scanner, signal))
  } catch (error) {
    if (error instanceof MissingBytes) await savePage(db, next, null)
    else {
      await giveBack(db, next.id, signal).catch(() => undefined)
      throw error
    }
  }
  return true
}

/** Condition on `page`: it has no text. */
const IS_EMPTY = sql`not exists (
  select from page_texts where page_texts.text_id = texts.id and page_texts.page = left_over.page)`

async function claimInTurn(db: Database, canDrawPages: boolean, which: Which): Promise<Claimed | undefined> {
  const { served } = which
  let next = await claimPage(db, canDrawPages, which)
  if (!next && served && served.size > 0) {
    served.clear()
    next = await claimPage(db, canDrawPages, which)
  }
  if (next) served?.add(next.sender)
  return next
}

/** Takes the next page, for this process alone. */
async function claimPage(
  db: Database,
  canDrawPages: boolean,
  { only, served }: Which,
): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update texts set tries = texts.tries + 1, tried_at = now()
    from (
      select texts.id, bytes.key, first.page, sender.id as sender from texts join ${ITS_BYTES} on true
      cross join ${ITS_SENDER}
      cross join lateral (
        select left_over.page from generate_series(texts.scanned_to + 1, texts.pages) as left_over (page)
        where ${IS_EMPTY} order by left_over.page limit 1
      ) as first
      where texts.is_scan_wanted ${canDrawPages ? sql`` : sql`and texts.kind = 'picture'`}
        and (texts.tried_at is null or texts.tried_at < now() - make_interval(secs => ${GONE_SECONDS}))
        ${only === undefined ? sql`` : sql`and texts.id = ${only}`}
        ${served ? sql`and not sender.id = any (${[...served]}::bigint[])` : sql``}
      order by texts.id desc limit 1 for update of texts skip locked
    ) as next
    where texts.id = next.id
    returning texts.id, texts.kind, texts.tries, next.key, next.page, next.sender`.execute(db)
  return rows[0]
}

/** Each page is stored separately, since a document of a thousand can take a day. `null`: it cannot be read. */
const savePage = transactional(
  async (trx: Trx, { id, page }: Claimed, text: string | null): Promise<void> => {
    const { numAffectedRows } = await sql`
    update texts set scanned_to = ${page}, tries = 0, tried_at = null,
      is_scan_failed = is_scan_failed or ${text === null && page <= FIRST_PAGES},
      is_scan_wanted = exists (
        select from generate_series(${page}::integer + 1, texts.pages) as left_over (page) where ${IS_EMPTY})
    where id = ${id} and is_scan_wanted`.execute(trx)
    if (numAffectedRows !== 1n || !text) return
    await addPageTexts(trx, id, [{ page, text }], true)
  },
)

/** Not retried at once, unless this process is only stopping. */
async function giveBack(db: Database, id: number, { aborted }: AbortSignal): Promise<void> {
  await sql`
    update texts set tries = tries - 1, tried_at = ${aborted ? null : sql`now()`}
    where id = ${id} and is_scan_wanted and tries > 0`.execute(db)
}
