import { sql } from 'kysely'

/** An act that nobody answers lapses, because by then it might show something else. */
export const LAPSE_DAYS = 30

/** Condition on `asked_acts`: a colleague can still answer it. */
export const IS_WAITING = sql<boolean>`(asked_acts.state = 'waiting'
  and asked_acts.asked_at > now() - make_interval(days => ${sql.lit(LAPSE_DAYS)}))`

/** Condition on `files`: an act that waits for a colleague is about it. Evaluated once for all rows of a list. */
export const IS_ASKED = sql<boolean>`files.id in (
  select unnest(asked_acts.files) from asked_acts where ${IS_WAITING})`
