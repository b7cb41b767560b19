import { sql } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { hashOfSecret, newSecret } from '../../server/http/secret.ts'
import { listOpen } from '../due/due.db.ts'
import type { Duty } from '../obligations/duty.ts'
import { IS_COLLEAGUE } from '../obligations/duty-state.db.ts'
import type { CalendarFeed } from './calendar-feed.ts'

/** 192 random bits, as 32 letters of an address. */
const SECRET_BYTES = 24

export async function findFeed(db: Database, userId: number): Promise<CalendarFeed | null> {
  const feed = await db
    .selectFrom('calendar_feeds')
    .select(['shows_all', 'created_at', 'read_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return feed
    ? { ...feed, created_at: feed.created_at.toISOString(), read_at: feed.read_at?.toISOString() ?? null }
    : null
}

/** Makes a person's address, or another one, which ends the old one. Returns its secret, which is kept nowhere. */
export const makeFeed = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    showsAll: boolean,
    secret: string = newSecret(SECRET_BYTES),
  ): Promise<string> => {
    await sql`
      insert into calendar_feeds (user_id, hash, shows_all) values (${reader.id}, ${hashOfSecret(secret)}, ${showsAll})
      on conflict (user_id) do update set hash = excluded.hash, shows_all = excluded.shows_all, created_at = now(), read_at = null`.execute(
      trx,
    )
    await addLogEntry(trx, actor, 'calendar-made')
    return secret
  },
)

/** Ends a person's address. Nothing happens if there is none. */
export const endFeed = transactional(async (trx: Trx, { actor, reader }: Visit): Promise<void> => {
  const { numDeletedRows } = await trx
    .deleteFrom('calendar_feeds')
    .where('user_id', '=', reader.id)
    .executeTakeFirst()
  if (numDeletedRows > 0) await addLogEntry(trx, actor, 'calendar-ended')
})

type FeedReader = Reader & { shows_all: boolean }

/** Finds whose address it is: one of the office's people who is still active. Notes that it was read. */
export async function findFeedReader(db: Database, secret: string): Promise<FeedReader | null> {
  const { rows } = await sql<FeedReader>`
    update calendar_feeds set read_at = now() from users
    where calendar_feeds.hash = ${hashOfSecret(secret)} and users.id = calendar_feeds.user_id and ${IS_COLLEAGUE}
    returning users.id, users.role, calendar_feeds.shows_all`.execute(db)
  return rows[0] ?? null
}

/** A calendar with more is of no use to anybody. */
const MOST_EVENTS = 2000

/** Lists what a person is responsible for, or all that is open, as *Frister* does. */
export const listFeed = (db: Database, reader: FeedReader, today: string): Promise<Duty[]> =>
  listOpen(db, reader, reader.shows_all ? null : reader.id, { today, most: MOST_EVENTS })
