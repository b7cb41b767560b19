import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'
import { listPageTexts } from '../../reading/page-texts.db.ts'
import { EAGER_GONE_SECONDS } from '../../reading/eager-reader.db.ts'
import { MOST_TRIES } from '../../reading/read-texts.db.ts'
import { isYoung } from '../transport/temporary.db.ts'
import { unreadableText, type UnreadBytes } from './unreadable.ts'
import type { WhoseLine } from './whose-pages.ts'

/** How far the reading of a temporary file is. */
export type TemporaryText = {
  hash_name: string
  state: 'waiting' | 'read' | 'unreadable'
  /** Null if it is nothing that is read, or has not arrived yet. */
  text_id: number | null
  /** How many pages have text now. */
  pages: number
  /** Facts found on them before, if they are still the same. */
  known: { cpr_page: number | null; later: WhoseLine[] } | null
  /** Why no machine can read it; null if one can, or if nothing is read here. */
  unreadable: string | null
}

type Row = UnreadBytes & {
  hash_name: string
  is_stored: boolean
  text_id: number | null
  state: 'wanted' | 'read' | 'failed' | null
  is_given_up: boolean
  is_scan_awaited: boolean
  pages: number
  known_pages: number | null
  cpr_page: number | null
  /** Null if an earlier release kept it. */
  later: WhoseLine[] | null
}

/** Finds a person's own temporary files, and has their text read. Leaves out others' and deleted ones. */
export async function findTemporaryTexts(
  db: Database,
  userId: number,
  hashNames: string[],
  { reads, canScan }: { reads: boolean; canScan: boolean },
): Promise<TemporaryText[]> {
  const isMine = sql`temporary_files.user_id = ${userId} and temporary_files.hash_name = any (${hashNames})
    and ${isYoung('temporary_files.created_at')}`
  if (reads)
    await sql`
      select want_texts(array_agg(blobs.id), array_agg(temporary_files.name::text))
      from temporary_files join blobs on blobs.id = temporary_files.blob_id and blobs.state = 'stored'
      where ${isMine} and not exists (select from texts where texts.sha256 = blobs.sha256)
      having count(*) > 0`.execute(db)
  const { rows } = await sql<Row>`
    select temporary_files.hash_name, temporary_files.name, blobs.type, texts.reason,
      text_kind(blobs.type, temporary_files.name) as kind, blobs.state = 'stored' as is_stored, texts.id as text_id, texts.state,
      coalesce(texts.tries >= ${MOST_TRIES} and (texts.tried_at is null
        or texts.tried_at < now() - make_interval(secs => ${EAGER_GONE_SECONDS})), false) as is_given_up,
      coalesce(texts.is_scan_wanted and texts.scanned_to = 0, false) as is_scan_awaited,
      (select count(*) from page_texts where text_id = texts.id) as pages,
      paper_facts.pages as known_pages, paper_facts.cpr_page,
      paper_facts.facts -> 'later' as later
    from temporary_files join blobs on blobs.id = temporary_files.blob_id
    left join texts on texts.sha256 = blobs.sha256 and blobs.state = 'stored'
    left join paper_facts on paper_facts.text_id = texts.id
    where ${isMine}`.execute(db)
  return rows.map((row) => {
    const state = stateOf(row, reads, canScan)
    return {
      hash_name: row.hash_name,
      state,
      text_id: row.text_id,
      pages: row.pages,
      known: row.known_pages === row.pages && row.later ? { cpr_page: row.cpr_page, later: row.later } : null,
      unreadable: reads && state === 'unreadable' ? unreadableText(row) : null,
    }
  })
}

function stateOf(row: Row, reads: boolean, canScan: boolean): TemporaryText['state'] {
  if (row.state === 'read' && row.pages > 0) return 'read'
  if (!reads) return 'unreadable'
  if (!row.is_stored) return 'waiting'
  if (row.text_id === null || row.state === 'failed' || row.is_given_up) return 'unreadable'
  if (row.state === 'wanted') return 'waiting'
  return row.is_scan_awaited && canScan ? 'waiting' : 'unreadable'
}

/** The pages on which a paper says what it is. */
const FIRST_PAGES = 4
/** Letters of a page; the rest is not needed to recognise a paper. */
export const FIRST_LETTERS = 20_000

/** Reads the first pages of texts, those without text as ''. */
export async function readFirstPages(db: Database, textIds: number[]): Promise<Map<number, string[]>> {
  const read = await listPageTexts(db, textIds, FIRST_PAGES)
  const pages = new Map<number, string[]>(textIds.map((id) => [id, []]))
  for (const [id, some] of read)
    for (const { page, text } of some.filter((each) => each.page <= FIRST_PAGES)) {
      const own = pages.get(id)!
      while (own.length < page - 1) own.push('')
      own.push(text.slice(0, FIRST_LETTERS).toWellFormed())
    }
  return pages
}
