import { sql } from 'kysely'
import { GETS_MAILS_ABOUT, JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import { IS_INVITED } from '../../accounts/users/invited.db.ts'
import { lendingsTo } from '../../access/lent.db.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import { needsApproval } from '../../office/office.db.ts'
import { hasOwnFiles, isLentTo, rolesThat } from '../../rights.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { MOST_NAMES, type Reach } from './release.ts'

/** Finds whom files in these folders, and in these people's own, reach outside the office. */
export async function findReach(
  db: Database,
  folderIds: number[],
  userIds: number[],
  sendsMail: boolean,
): Promise<Reach> {
  const { rows } = await sql<Omit<Reach, 'needs_approval' | 'sends_mail'>>`
    with reached as (
      select id, bool_or(is_told) as is_told from (
        select users.id, ${GETS_MAILS_ABOUT} as is_told from folders ${JOIN_OUTSIDE_READERS}
        where folders.id = any (${folderIds})
        union all
        select id, true from users
        where id = any (${userIds}) and deactivated_at is null and role = any (${rolesThat(hasOwnFiles)})
        union all
        -- The people may have no folder yet.
        select users.id, lent.gets_mails from users cross join lateral (
          select lendings.gets_mails from ${lendingsTo({ id: sql<number>`users.id` })}
          where lender.id = any (${userIds}) and (lendings.is_everything or lendings.with_own_files)
        ) as lent
        where users.deactivated_at is null and users.role = any (${rolesThat(isLentTo)})
          and users.id in (select adviser_id from lendings where lender_id = any (${userIds}))
      ) as ways group by id
    ), people as (
      select users.id, users.name, not has_way_in(users) as is_never_in,
        ${IS_INVITED} as is_invited, case when reached.is_told then users.mail_rate else 'never' end as mail_rate
      from reached join users using (id)
    )
    select count(*)::integer as people, count(*) filter (where is_never_in)::integer as never_in,
      count(*) filter (where not is_invited)::integer as uninvited,
      count(*) filter (where is_invited and mail_rate = 'never')::integer as no_mail,
      count(*) filter (where is_invited and mail_rate in ('daily', 'weekly'))::integer as later,
      coalesce((
        select json_agg(name) from (
          select name from people order by name collate danish, id limit ${MOST_NAMES}) as first
      ), '[]') as names
    from people`.execute(db)
  const reach = rows[0]!
  return { ...reach, sends_mail: sendsMail, needs_approval: reach.people > 0 && (await needsApproval(db)) }
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
