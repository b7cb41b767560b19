import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import type { Database, Trx } from '../server/database/database.ts'

/** The text of a page. */
type PageText = { page: number; text: string }

/** PostgreSQL hardly packs texts of a page's length; this halves them. */
export const packText = (text: string): Buffer => deflateRawSync(text)
export const unpackText = (packed: Buffer): string => inflateRawSync(packed).toString()

/** How many letters are written by one statement. */
const LETTERS_AT_ONCE = 500_000

/** Writes pages of a text. Those without text have no row. */
export async function addPageTexts(
  trx: Database | Trx,
  textId: number,
  pages: PageText[],
  isScanned = false,
): Promise<void> {
  for (let at = 0; at < pages.length;) {
    const some: PageText[] = []
    for (let letters = 0; at < pages.length && letters < LETTERS_AT_ONCE; at++) {
      const { text } = pages[at]!
      if (text !== '') some.push(pages[at]!)
      letters += text.length
    }
    await sql`
      insert into page_texts (text_id, page, packed, is_scanned)
      select ${textId}, page, packed, ${isScanned} from unnest(${some.map(({ page }) => page)}::integer[],
        ${some.map(({ text }) => packText(text))}::bytea[]) as read (page, packed)
      on conflict do nothing`.execute(trx)
  }
}

/** Some pages of a text, then others get a turn. */
const PAGES_AT_ONCE = 50

/** Reads the pages of a text, in their order. */
export async function* readPageTexts(
  db: Database,
  textId: number,
  from: { after: number } = { after: 0 },
): AsyncGenerator<PageText[]> {
  for (let { after } = from; ;) {
    const { rows } = await sql<{ page: number; packed: Buffer }>`
      select page, packed from page_texts where text_id = ${textId} and page > ${after}
      order by page limit ${PAGES_AT_ONCE}`.execute(db)
    yield rows.map(({ page, packed }) => ({ page, text: unpackText(packed) }))
    if (rows.length < PAGES_AT_ONCE) return
    after = rows.at(-1)!.page
  }
}

/** Reads the first pages of several texts, up to `most` of each; by the text's id. */
export async function listPageTexts(
  db: Database | Trx,
  textIds: number[],
  most: number,
): Promise<Map<number, PageText[]>> {
  const { rows } = await sql<{ text_id: number; page: number; packed: Buffer }>`
    select pages.* from unnest(${textIds}::bigint[]) as wanted (id)
    cross join lateral (
      select text_id, page, packed from page_texts where text_id = wanted.id order by page limit ${most}
    ) as pages`.execute(db)
  const pages = new Map<number, PageText[]>()
  for (const { text_id: id, page, packed } of rows)
    pages.set(id, [...(pages.get(id) ?? []), { page, text: unpackText(packed) }])
  return pages
}

/** A page as stored. */
export type PackedPage = { page: number; packed: Buffer }

/** Limits per text: this many pages, or fewer that take this many bytes. */
const PACKED_PAGES = 50
const PACKED_BYTES = 250_000

/** Reads the next stored pages of several texts, some of each, and whether each has more; by the text's id. */
export async function listPackedPages(
  db: Database,
  texts: { id: number; after: number }[],
): Promise<Map<number, { pages: PackedPage[]; hasMore: boolean }>> {
  const { rows } = await sql<PackedPage & { text_id: number; last: number }>`
    select wanted.id as text_id, wanted.last, pages.page, pages.packed
    from (
      select id, after, (select max(page) from page_texts where text_id = id) as last
      from unnest(${texts.map(({ id }) => id)}::bigint[], ${texts.map(({ after }) => after)}::integer[]) as asked (id, after)
    ) as wanted
    cross join lateral (
      select page, packed, sum(octet_length(packed)) over (order by page) - octet_length(packed) as before
      from (
        select page, packed from page_texts where text_id = wanted.id and page > wanted.after
        order by page limit ${PACKED_PAGES}
      ) as next
    ) as pages
    where pages.before < ${PACKED_BYTES} order by wanted.id, pages.page`.execute(db)
  const found = new Map<number, { pages: PackedPage[]; hasMore: boolean }>()
  for (const { text_id: id, last, page, packed } of rows)
    found.set(id, { pages: [...(found.get(id)?.pages ?? []), { page, packed }], hasMore: page < last })
  return found
}
