import { sql } from 'kysely'
import { JOIN_OUTSIDE_READERS } from '../access/outside-readers.db.ts'
import { filesOf } from '../files/versions/shown.db.ts'
import { needsApproval } from '../office/office.db.ts'
import { hasOwnFiles, rolesThat } from '../rights.ts'
import type { Database, Trx } from '../server/database/database.ts'
import { MOST_NAMES, type Reach } from './release.ts'

/** Finds whom files in these folders, and in these people's own, reach outside the office. */
export async function findReach(db: Database, folderIds: number[], userIds: number[]): Promise<Reach> {
  const { rows } = await sql<Omit<Reach, 'needs_approval'>>`
    with reached as (
      select distinct users.id, users.name, users.password_hash is null as is_never_in, users.mail_rate
      from folders ${JOIN_OUTSIDE_READERS}
      where folders.id = any (${folderIds})
      union
      select id, name, password_hash is null, mail_rate from users
      where id = any (${userIds}) and deactivated_at is null and role = any (${rolesThat(hasOwnFiles)})
    )
    select count(*)::integer as people, count(*) filter (where is_never_in)::integer as never_in,
      count(*) filter (where mail_rate = 'never')::integer as no_mail,
      count(*) filter (where mail_rate in ('daily', 'weekly'))::integer as later,
      coalesce((
        select json_agg(name) from (
          select name from reached order by name collate danish, id limit ${MOST_NAMES}) as first
      ), '[]') as names
    from reached`.execute(db)
  const reach = rows[0]!
  return { ...reach, needs_approval: reach.people > 0 && (await needsApproval(db)) }
}

/** Counts the people outside the office who see these folders. */
export async function countReachedIn(trx: Trx, folderIds: number[]): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct users.id)::integer as people from folders ${JOIN_OUTSIDE_READERS}
    where folders.id = any (${folderIds})`.execute(trx)
  return rows[0]!.people
}

/** Counts the people outside the office who see the folders of a submission's files, or could if those in the trash were back. */
export async function countReached(
  trx: Database | Trx,
  submissionId: number,
  { withTrash = false } = {},
): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct users.id)::integer as people from folders ${JOIN_OUTSIDE_READERS}
    where folders.id in (
      select folder_id from ${filesOf(submissionId)} where deleted_at is null or ${withTrash}::boolean)`.execute(
    trx,
  )
  return rows[0]!.people
}
