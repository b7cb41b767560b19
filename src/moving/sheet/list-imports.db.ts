import { sql } from 'kysely'
import { lockPeople, waitForPeople } from '../../accounts/users/lock-people.db.ts'
import { inviteUsers } from '../../accounts/links/link-mail.db.ts'
import { LINK_HOURS } from '../../accounts/links/link-tokens.db.ts'
import type { Visit } from '../../access/reader.ts'
import {
  askForMails,
  listMailings,
  regretMails,
  type QueueMails,
} from '../../releases/mailings/mailings.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { conflict, notFound } from '../../server/http/errors.ts'
import { UNDO_DAYS, type Invitations, type SheetImport } from './import.ts'
import { inParts } from '../../server/database/in-parts.ts'

/** How many imports are listed. */
const MOST_LISTED = 20

/** Lists the newest imports, with the progress of their invitations. */
export async function listImports(db: Database, regretMinutes: number): Promise<SheetImport[]> {
  const { rows } = await sql<
    Omit<SheetImport, 'made_at' | 'undone_at' | 'mailings' | 'invitations'> & {
      made_at: Date
      undone_at: Date | null
    }
  >`
    select imports.id, imports.name, made_at, maker.name as made_by, counts, undone_at, undoer.name as undone_by,
      made_at > now() - make_interval(days => ${UNDO_DAYS}) as "isOpen", rest is not null as "hasRest"
    from sheet_imports as imports join users as maker on maker.id = imports.user_id
    left join users as undoer on undoer.id = imports.undone_by
    order by imports.id desc limit ${MOST_LISTED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const invitations = await countInvitations(db, ids)
  const mailings = await Promise.all(ids.map((id) => listMailings(db, { import: id }, regretMinutes)))
  return rows.map((row, index) => ({
    ...row,
    mailings: mailings[index]!,
    made_at: row.made_at.toISOString(),
    undone_at: row.undone_at?.toISOString() ?? null,
    invitations: invitations.get(row.id) ?? { open: 0, asked: 0, sent: 0, failed: 0 },
  }))
}

/** A new person who can be invited, and has not been yet. */
const IS_OPEN = sql<boolean>`changes.invited_at is null and users.deactivated_at is null and not has_way_in(users)
  and not exists (select from log where subject_user_id = users.id and act = 'user-invited')`

/** A link is made when its mail leaves, is removed if the mail fails, and ends by itself or by being used. */
const IS_SENT = sql<boolean>`changes.invited_at is not null and (has_way_in(users)
  or changes.invited_at < now() - make_interval(hours => ${sql.lit(LINK_HOURS.invitation)})
  or exists (select from link_tokens where user_id = users.id and kind = 'invitation'
    and link_tokens.created_at >= changes.invited_at))`

async function countInvitations(db: Database, imports: number[]): Promise<Map<number, Invitations>> {
  const { rows } = await sql<Invitations & { id: number }>`
    select id, count(*) filter (where is_open) as open, count(*) filter (where is_asked) as asked,
      count(*) filter (where is_sent) as sent, count(*) filter (where is_asked and not is_sent and has_failed) as failed
    from (
      select import_id as id, ${IS_OPEN} as is_open, changes.invited_at is not null as is_asked, ${IS_SENT} as is_sent,
        exists (select from failed_mails where user_id = users.id and is_final) as has_failed
      from sheet_changes as changes join users on users.id = changes.user_id
      where changes.import_id = any (${imports}) and what = 'user-added'
    ) as people group by id`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Lists all projects: a sheet may add members to any. */
export async function listAllProjects(trx: Trx): Promise<number[]> {
  const rows = await trx.selectFrom('projects').select('id').execute()
  return rows.map(({ id }) => id)
}

export async function listOtherThanInvestors(trx: Trx): Promise<number[]> {
  const rows = await trx.selectFrom('users').select('id').where('role', '<>', 'investor').execute()
  return rows.map(({ id }) => id)
}

/** Requests invitations to the new people of an import who are not invited yet. Requesting again adds none. */
export const inviteAll = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  await lockImport(trx, visit, id)
  const { rows } = await sql<{ id: number }>`
    select users.id from sheet_changes as changes join users on users.id = changes.user_id
    where changes.import_id = ${id} and what = 'user-added' and ${IS_OPEN}
      and not exists (select from mailings where import_id = ${id} and left_at is null and regretted_at is null)
    order by users.id`.execute(trx)
  const people = rows.map((row) => row.id)
  if (people.length > 0) await askForMails(trx, visit, 'invitations', { import: id }, people)
})

/** Cancels the invitations of an import that have not left. */
export const cancelInvitations = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  await lockImport(trx, visit, id)
  if ((await regretMails(trx, visit.actor, { import: id })) === 0)
    throw conflict('Invitationerne er sendt, eller en kollega har fortrudt dem.')
})

async function lockImport(trx: Trx, { actor }: Visit, id: number): Promise<void> {
  await lockPeople(trx, actor)
  const found = await trx.selectFrom('sheet_imports').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('Importen findes ikke.')
}

/** Queues the invitations of a mailing, to people who are still not invited. */
export const queueInvitations: QueueMails = async (trx, jobs, { about, userIds, actor }) => {
  await waitForPeople(trx)
  const { rows } = await sql<{ id: number; email: string }>`
    update sheet_changes as changes set invited_at = now()
    from users
    where users.id = changes.user_id and changes.import_id = ${about} and what = 'user-added' and ${IS_OPEN}
      and users.id = any (${userIds})
    returning users.id, users.email`.execute(trx)
  for (const part of inParts(rows)) await inviteUsers(trx, jobs, actor, part)
  return rows.length
}
