import { sql, type RawBuilder } from 'kysely'
import { FIRST_PAGES } from '../../reading/eager-reader.db.ts'
import { GONE_SECONDS, MOST_TRIES } from '../../reading/read-texts.db.ts'

/** Whether a paper can be compared with its place: not yet, yes, or never by a machine. */
export type TextState = 'waiting' | 'read' | 'unreadable'

/** Condition on `texts`: one of the pages that tell what a paper is has to be read as a picture. */
const IS_SCAN_AWAITED = sql<boolean>`texts.is_scan_wanted and exists (
  select from generate_series(texts.scanned_to + 1, least(texts.pages, ${FIRST_PAGES}::integer)) as first (page)
  where not exists (
    select from page_texts where page_texts.text_id = texts.id and page_texts.page = first.page))`

/** The state of bytes in `blobs`, left joined with `texts`. `canScan`: pictures of letters are read here. */
export function textState(name: RawBuilder<unknown>, canScan: boolean): RawBuilder<TextState> {
  return sql`case
    when texts.id is null then case when text_kind(blobs.type, ${name}) is null then 'unreadable' else 'waiting' end
    when texts.state = 'failed' then 'unreadable'
    when texts.state = 'wanted' then case
      when texts.tries >= ${MOST_TRIES}::integer and coalesce(texts.tried_at, '-infinity')
        < now() - make_interval(secs => ${GONE_SECONDS}::double precision) then 'unreadable'
      else 'waiting' end
    when ${canScan}::boolean and ${IS_SCAN_AWAITED} then 'waiting'
    when exists (select from page_texts where page_texts.text_id = texts.id) then 'read'
    else 'unreadable' end`
}
