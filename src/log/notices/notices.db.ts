import { sql } from 'kysely'
import type { Role } from '../../rights.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { NOTICES, type Notice, type NoticeDetail, type NoticeKind } from './notice.ts'

/** Tells the office that something is wrong. Repeating it keeps the first time and costs little. */
export async function raiseNotice<Kind extends NoticeKind>(
  db: Database | Trx,
  kind: Kind,
  detail: NoticeDetail<Kind>,
): Promise<void> {
  await sql`
    insert into notices (kind, detail) values (${kind}, ${JSON.stringify(detail)}::jsonb)
    on conflict (kind) do update set detail = excluded.detail, seen_at = now()
    where notices.detail <> excluded.detail or notices.seen_at < now() - interval '1 minute'`.execute(db)
}

/**
 * Ends a notice when its cause is gone. With a detail, ends it only if it has that detail: another instance's
 * stays.
 */
export async function endNotice<Kind extends NoticeKind>(
  db: Database | Trx,
  kind: Kind,
  detail: Partial<NoticeDetail<Kind>> = {},
): Promise<void> {
  await db
    .deleteFrom('notices')
    .where('kind', '=', kind)
    .where(sql<boolean>`detail @> ${JSON.stringify(detail)}::jsonb`)
    .execute()
}

/** Ends a notice that was not raised again for this many days. */
export async function endOldNotice(db: Database, kind: NoticeKind, days: number): Promise<void> {
  await db
    .deleteFrom('notices')
    .where('kind', '=', kind)
    .where('seen_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
}

/** Returns the notices for a role, oldest first. */
export async function listNotices(db: Database, role: Role): Promise<Notice[]> {
  const { rows } = await sql<{ kind: string; detail: unknown; since: Date }>`
    select kind, detail, since from notices
    union all
    select 'account-guessed', jsonb_build_object('names', jsonb_agg(users.name order by since desc, users.id)), min(since)
    from guessed_accounts join users on users.id = user_id
    where seen_at > now() - interval '1 day' and users.deactivated_at is null
    having count(*) > 0
    order by since`.execute(db)
  return rows.flatMap(({ kind, detail, since }) => {
    if (!isKnown(kind)) return [] // raised by a newer version running beside this one
    const { readers, text } = NOTICES[kind]
    if (!(readers as readonly Role[]).includes(role)) return []
    return [{ kind, text: text(detail as never), since: since.toISOString() }]
  })
}

const isKnown = (kind: string): kind is NoticeKind => kind in NOTICES
