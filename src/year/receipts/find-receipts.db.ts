import { sql } from 'kysely'
import { listPageTexts } from '../../reading/page-texts.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { SHIPPED_LAYOUTS, type Layout } from './layout.ts'
import { isLikeReceipt, readReceipt, RECEIPT_PAGES } from './read-receipt.ts'

/** How many texts are looked at in one transaction. */
const AT_ONCE = 50

/** Looks for receipts in the texts that have been read since. */
export async function findReceipts(db: Database, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await findSome(db)) === AT_ONCE);
}

const findSome = transactional(async (trx: Trx): Promise<number> => {
  // In the order of their ids, as whoever else locks several.
  const { rows: texts } = await sql<{ id: number; sha256: string }>`
    with taken as (
      delete from unjudged_texts where text_id = any (array(
        select text_id from unjudged_texts order by text_id desc limit ${AT_ONCE} for update skip locked))
      returning text_id
    )
    select texts.id, texts.sha256 from taken join texts on texts.id = taken.text_id order by texts.id`.execute(
    trx,
  )
  if (texts.length > 0) await judgeTexts(trx, texts)
  return texts.length
})

/** Reads what some texts say as receipts. */
export async function judgeTexts(trx: Trx, texts: { id: number; sha256: string }[]): Promise<void> {
  const layouts = await readLayouts(trx)
  const pages = await listPageTexts(
    trx,
    texts.map(({ id }) => id),
    RECEIPT_PAGES,
  )
  for (const { id, sha256 } of texts) {
    const first = (pages.get(id) ?? []).filter(({ page }) => page <= RECEIPT_PAGES).map(({ text }) => text)
    await judge(trx, sha256, first, layouts)
  }
}

/** Keeps what a paper says, if it is a receipt or looks like one. What the office has decided of it stays. */
async function judge(trx: Trx, sha256: string, pages: string[], layouts: Layout[]): Promise<void> {
  const read = readReceipt(pages, layouts)
  if (!read && !isLikeReceipt(pages)) return
  const { layout, ...fields } = read ?? { layout: null, ...UNKNOWN }
  await sql`
    insert into receipts (sha256, layout, authority, codes, obligation_id, cvr, starts_on, ends_on, received_on, number, fault)
    values (${sha256}, ${layout?.code ?? null}, ${layout?.authority ?? ''}, ${layout?.codes ?? []}, ${layout?.obligation ?? null},
      ${fields.cvr}, ${fields.starts_on}, ${fields.ends_on}, ${fields.received_on}, ${fields.number ?? ''}, ${fields.fault})
    on conflict (sha256) do update set layout = excluded.layout, authority = excluded.authority, codes = excluded.codes,
      obligation_id = excluded.obligation_id, cvr = excluded.cvr, starts_on = excluded.starts_on, ends_on = excluded.ends_on,
      received_on = excluded.received_on, number = excluded.number, fault = excluded.fault
    where receipts.duty_id is null and not receipts.is_refused`.execute(trx)
}

const UNKNOWN = { cvr: null, starts_on: null, ends_on: null, received_on: null, number: null, fault: null }

type OwnRow = { id: number; title: string; labels: Layout['labels']; obligation: number; code: string | null }

/** Reads all layouts: the office's own, which are asked first, and those that come with Ringbind. */
export async function readLayouts(trx: Trx): Promise<Layout[]> {
  const { rows } = await sql<OwnRow>`
    select receipt_layouts.id, receipt_layouts.title, labels, obligation_id as obligation, obligations.code
    from receipt_layouts join obligations on obligations.id = obligation_id order by receipt_layouts.id desc`.execute(
    trx,
  )
  const own = rows.map(({ id, title, labels, obligation, code }) => ({
    code: `own-${id}`,
    authority: title,
    codes: code === null ? [] : [code],
    obligation,
    titles: [title],
    words: [],
    labels,
    isRunning: false,
  }))
  return [...own, ...SHIPPED_LAYOUTS]
}
