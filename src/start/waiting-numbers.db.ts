import { sql } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { IS_WAITING } from '../access/waiting-acts.db.ts'
import { filesOf } from '../files/versions/shown.db.ts'
import type { WaitingNumbers } from '../navigation.ts'
import { HELD_PAPERS } from '../releases/held/held-papers.db.ts'
import type { Database } from '../server/database/database.ts'
import { prepare } from '../server/database/prepared.ts'

/** The menu says '99+' beyond that, so no more rows are counted. */
const MOST = 100

const counted = (rows: ReturnType<typeof sql>) =>
  sql`(select count(*)::integer from (${rows} limit ${sql.lit(MOST)}) as counted)`

const findNumbers = prepare<
  { reader: number },
  { inbox: number; approvals: number; acts: number; held: number }
>(
  ({ reader }) => sql`
    select ${counted(sql`select from inbox where state = 'new'`)} as inbox,
      ${counted(sql`select from releases
        where state = 'waiting' and coalesce(asked_by, made_by) <> ${reader}::bigint
          and exists (select from ${filesOf(sql`releases.submission_id`)} where files.deleted_at is null)`)} as approvals,
      ${counted(sql`select from asked_acts where ${IS_WAITING} and asked_by <> ${reader}::bigint`)} as acts,
      ${counted(sql`select distinct held.blob_id from ${HELD_PAPERS}
        where held.cause in ('doubt', 'virus', 'unscanned') and held.deleted_at is null`)} as held`,
)

/** Counts what waits for somebody in the office: what nobody has taken, and what this person can say yes to. */
export async function readWaitingNumbers(db: Database, reader: Reader): Promise<WaitingNumbers> {
  const [row] = await findNumbers(db, { reader: reader.id })
  return { inbox: row!.inbox, releases: row!.approvals + row!.acts + row!.held }
}
