import { sql } from 'kysely'

/** Wishes that nobody answers lapse: what they would show may be another thing by then. */
export const LAPSE_DAYS = 30

/** Condition on `asked_acts`: a colleague can still answer it. */
export const IS_WAITING = sql<boolean>`(asked_acts.state = 'waiting'
  and asked_acts.asked_at > now() - make_interval(days => ${sql.lit(LAPSE_DAYS)}))`

/** Condition on `files`: something that waits for a colleague is about it. Found once for all rows of a list. */
export const IS_ASKED = sql<boolean>`files.id in (
  select unnest(asked_acts.files) from asked_acts where ${IS_WAITING})`
