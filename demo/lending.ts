import { sql } from 'kysely'
import { isFileOfYear } from '../src/files/file/file-year.db.ts'
import type { Database } from '../src/server/database/database.ts'

const [LENT, SEEN, READ] = ['2026-02-02 19:12Z', '2026-07-15 18:00Z', '2026-03-03 08:20Z']

/** Lets an adviser see all that one investor sees and some of what another sees, and read some of it. */
export async function fillLending(
  db: Database,
  { all, some: lender }: { all: number; some: number },
  adviser: number,
): Promise<void> {
  await sql`
    insert into lendings (lender_id, adviser_id, is_everything, folder_names, with_own_files, gets_mails, created_at)
    values (${lender}, ${adviser}, false, array['Årsrapport', 'Skatteoplysninger'], true, true, ${LENT})`.execute(
    db,
  )
  await sql`
    insert into lendings (lender_id, adviser_id, is_everything, created_at)
    values (${all}, ${adviser}, true, ${LENT})`.execute(db)
  await sql`
    insert into lent_seen (adviser_id, project_id, seen_at)
    select ${adviser}, project_id, ${SEEN} from project_members where user_id in (${lender}, ${all})`.execute(
    db,
  )
  await sql`
    insert into lent_seen (adviser_id, lender_id, seen_at)
    values (${adviser}, ${lender}, ${SEEN}), (${adviser}, ${all}, ${SEEN})`.execute(db)
  await sql`
    insert into log (at, act, user_id, address, subject_user_id)
    values (${LENT}, 'access-lent', ${all}, ${`203.0.113.${all}`}, ${adviser}),
      (${LENT}, 'access-lent', ${lender}, ${`203.0.113.${lender}`}, ${adviser})`.execute(db)
  await sql`
    insert into log (at, act, user_id, address, project_id, folder_id, file_id, for_user_id)
    select ${READ}::timestamptz + make_interval(mins => row_number() over (order by files.id)::integer), 'file-opened', ${adviser},
      ${`203.0.113.${adviser}`}, folders.project_id, folders.id, files.id, ${lender}
    from files join folders on folders.id = files.folder_id
    join project_members on project_members.project_id = folders.project_id and project_members.user_id = ${lender}
    where folders.name = 'Årsrapport' and folders.visible_to_investors and files.created_at < ${READ}
      and files.deleted_at is null and not files.is_held_back and ${isFileOfYear(2024)}`.execute(db)
  await sql`
    insert into file_reads (user_id, file_id, at)
    select user_id, file_id, at from log where user_id = ${adviser} and act = 'file-opened'`.execute(db)
}
