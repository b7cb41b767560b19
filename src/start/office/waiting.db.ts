import { sql } from 'kysely'
import { OUTSIDE_ROLES } from '../../access/outside-readers.db.ts'
import type { Reader } from '../../access/reader.ts'
import { isPersonSeen } from '../../access/seen.db.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import { countInbox } from '../../inbox/inbox-list.db.ts'
import { IS_OF_SHOWN } from '../../projects/news/news.db.ts'
import { PASSES } from '../../people/user/people-filters.db.ts'
import { withName, type Unnamed } from '../../releases/release/release-name.ts'
import { NAMING } from '../../releases/release/release-name.db.ts'
import type { Database } from '../../server/database/database.ts'
import { MOST_COUNTED } from '../../year/due/due.ts'
import { countReceipts } from '../../year/receipts/receipts.db.ts'
import type { UnreadRelease, Waiting } from './office-day.ts'

// Every query has a limit, so that the page takes as long in a large office as in a small one.
const NEWEST_RELEASES = 500
const NEWEST_PEOPLE = 1000
const READ_RELEASES = 6
const READS = 1000

const OF_RELEASE = filesOf(sql`releases.submission_id`)

type Counts = { drafts: number; asked: number; never: number; failed: number; person: number | null }

/** Counts what waits for somebody in the office. */
export async function readWaiting(db: Database, reader: Reader): Promise<Waiting> {
  const [{ rows }, inbox, unread, receipts] = await Promise.all([
    sql<Counts>`
      select (
          select count(*)::integer from (
            select * from releases order by made_at desc, id desc limit ${NEWEST_RELEASES}
          ) as releases
          where state = 'draft' and exists (select from ${OF_RELEASE} where files.deleted_at is null)
        ) as drafts,
        (select count(*)::integer from releases where state = 'waiting' and made_by = ${reader.id}) as asked,
        (${countNever(reader)}) as never, failed.count as failed, failed.person
      from (
        select count(*)::integer as count, case when count(distinct user_id) = 1 then min(user_id) end as person
        from (select user_id from failed_mails limit ${MOST_COUNTED}) as newest
      ) as failed`.execute(db),
    countInbox(db, reader),
    listUnread(db),
    countReceipts(db, reader),
  ])
  const { drafts, asked, never, failed, person } = rows[0]!
  return { drafts, asked, never, inbox, receipts, failed_mails: { count: failed, person }, unread }
}

const MOST_UNREAD = 3

/** Lists the newest releases of the last month that somebody whom they reach has not opened. */
async function listUnread(db: Database): Promise<UnreadRelease[]> {
  const { rows } = await sql<Unnamed<UnreadRelease>>`
    select releases.id, ${NAMING} as naming, releases.published_at, releases.reached, least(seen.opened, releases.reached) as opened,
      seen.reads > ${READS} as is_least
    from (
      select * from releases order by made_at desc, id desc limit ${READ_RELEASES}
    ) as releases
    cross join lateral (
      select count(distinct reads.user_id)::integer as opened, count(*)::integer as reads from (
        select file_reads.user_id from ${OF_RELEASE} join file_reads on file_reads.file_id = files.id and ${IS_OF_SHOWN}
        join users on users.id = file_reads.user_id and users.role = any (${OUTSIDE_ROLES})
        where files.deleted_at is null limit ${READS + 1}
      ) as reads
    ) as seen
    where releases.state = 'published' and releases.reached > 0 and releases.published_at > now() - interval '30 days'
      and seen.opened < releases.reached
      and exists (select from ${OF_RELEASE} where files.deleted_at is null)
    order by releases.published_at desc, releases.id desc limit ${MOST_UNREAD}`.execute(db)
  return rows.map(withName<UnreadRelease>)
}

/** Counts the people whom the list of those who never signed in has. */
const countNever = (reader: Reader) => sql`
  select count(*)::integer from (select * from users order by id desc limit ${NEWEST_PEOPLE}) as users
  where ${PASSES.never} and ${isPersonSeen(reader)}`
