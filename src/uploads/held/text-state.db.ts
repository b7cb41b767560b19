import { sql, type RawBuilder } from 'kysely'
import type { Scans } from '../../reading/eager-reader.db.ts'
import { GONE_SECONDS, MOST_TRIES } from '../../reading/read-texts.db.ts'
import { FIRST_PAGES } from '../../reading/scan-pages.db.ts'

/** Whether a paper can be compared with its place: not yet, yes, or never by a machine. */
export type TextState = 'waiting' | 'read' | 'unreadable'

/** Whether documents and scans are read here. */
export type Reading = { documents: boolean; scans: Scans }

export const READS_ALL: Reading = { documents: true, scans: { pictures: true, pages: true } }

/** Condition on `texts`: one of the pages that tell what a paper is has to be read as a picture. */
const IS_SCAN_AWAITED = sql<boolean>`texts.is_scan_wanted and exists (
  select from generate_series(texts.scanned_to + 1, least(texts.pages, ${FIRST_PAGES}::integer)) as first (page)
  where not exists (
    select from page_texts where page_texts.text_id = texts.id and page_texts.page = first.page))`

/** The state of bytes in `blobs`, left joined with `texts`. What nothing will read any more is unreadable. */
export function textState(
  name: RawBuilder<unknown>,
  { documents, scans: { pictures, pages } }: Reading,
): RawBuilder<TextState> {
  const waiting = documents ? sql.lit('waiting') : sql.lit('unreadable')
  return sql`case
    when texts.id is null then case when text_kind(blobs.type, ${name}) is null then 'unreadable' else ${waiting} end
    when texts.state = 'failed' then 'unreadable'
    when texts.state = 'wanted' then case
      when texts.tries >= ${MOST_TRIES}::integer and coalesce(texts.tried_at, '-infinity')
        < now() - make_interval(secs => ${GONE_SECONDS}::double precision) then 'unreadable'
      else ${waiting} end
    when ${documents}::boolean and case texts.kind when 'picture' then ${pictures}::boolean else ${pages}::boolean end
      and ${IS_SCAN_AWAITED} then 'waiting'
    when texts.is_scan_failed then 'unreadable'
    when exists (select from page_texts where page_texts.text_id = texts.id) then 'read'
    else 'unreadable' end`
}
