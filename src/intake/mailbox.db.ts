import { sql } from 'kysely'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import { putInInbox } from './intake.db.ts'

/** How far a mailbox has been read. */
export type MailboxState = { id: number; uidValidity: number; lastUid: number; sinceUid: number }

/** The numbers that a mailbox gives when it is opened. */
type Opened = { uidValidity: number; uidNext: number }

/**
 * Returns how far a mailbox has been read. A new mailbox, or one that has renumbered its mails, is read from the
 * beginning; of the mails that are there already only the unread ones are taken.
 */
export async function openState(
  db: Database,
  name: string,
  { uidValidity, uidNext }: Opened,
): Promise<MailboxState> {
  const { rows } = await sql<{ id: number; uid_validity: number; last_uid: number; since_uid: number }>`
    insert into intake_mailboxes (name, uid_validity, last_uid, since_uid)
    values (${name}, ${uidValidity}, 0, ${uidNext})
    on conflict (name) do update set
      last_uid = case when intake_mailboxes.uid_validity = excluded.uid_validity then intake_mailboxes.last_uid else 0 end,
      since_uid = case when intake_mailboxes.uid_validity = excluded.uid_validity then intake_mailboxes.since_uid
        else excluded.since_uid end,
      uid_validity = excluded.uid_validity
    returning id, uid_validity, last_uid, since_uid`.execute(db)
  const row = rows[0]!
  return { id: row.id, uidValidity: row.uid_validity, lastUid: row.last_uid, sinceUid: row.since_uid }
}

/** Records that all mails up to this one have been looked at. */
export async function readUpTo(
  db: Database | Trx,
  { id, uidValidity }: MailboxState,
  uid: number,
): Promise<void> {
  await sql`
    update intake_mailboxes set last_uid = ${uid}
    where id = ${id} and uid_validity = ${uidValidity} and last_uid < ${uid}`.execute(db)
}

/** Counts a try before it is made. Returns how many there were before, or null if the mail is already taken. */
export async function countTry(db: Database, mailbox: MailboxState, uid: number): Promise<number | null> {
  const { rows } = await sql<{ tries: number; is_taken: boolean }>`
    insert into intake_mails (mailbox_id, uid_validity, uid, tries)
    values (${mailbox.id}, ${mailbox.uidValidity}, ${uid}, 1)
    on conflict (mailbox_id, uid_validity, uid) do update set tries = intake_mails.tries + 1
    returning tries, taken_at is not null as is_taken`.execute(db)
  const { tries, is_taken: isTaken } = rows[0]!
  return isTaken ? null : tries - 1
}

/**
 * Records the fingerprint of a mail. Returns false if it was taken before the mailbox renumbered its mails: then it
 * counts as taken, and keeps its read mark, which may be a person's.
 */
export const isNewMail = transactional(
  async (trx: Trx, mailbox: MailboxState, uid: number, fingerprint: string): Promise<boolean> => {
    const { id, uidValidity } = mailbox
    const { rows: known } = await sql`
      select from intake_mails where fingerprint = ${fingerprint} and taken_at is not null
        and (mailbox_id, uid_validity) <> (${id}, ${uidValidity}) limit 1`.execute(trx)
    await sql`
      update intake_mails set fingerprint = ${fingerprint}, is_marked = ${known.length > 0}
      where mailbox_id = ${id} and uid_validity = ${uidValidity} and uid = ${uid}`.execute(trx)
    if (known.length > 0) await endMail(trx, mailbox, uid, null)
    return known.length === 0
  },
)

/** Uncounts a try that failed for another reason than the mail. */
export async function uncountTry(
  db: Database,
  { id, uidValidity }: MailboxState,
  uid: number,
): Promise<void> {
  await sql`
    update intake_mails set tries = greatest(0, tries - 1)
    where mailbox_id = ${id} and uid_validity = ${uidValidity} and uid = ${uid}`.execute(db)
}

/** Puts the mail into the inbox, and records that it is taken. With null it is only recorded. */
export const endMail = transactional(
  async (trx: Trx, mailbox: MailboxState, uid: number, intake: number | null): Promise<void> => {
    if (intake !== null) await putInInbox(trx, [intake])
    await sql`
      update intake_mails set taken_at = now(), submission_id = ${intake}
      where mailbox_id = ${mailbox.id} and uid_validity = ${mailbox.uidValidity} and uid = ${uid}`.execute(
      trx,
    )
    await readUpTo(trx, mailbox, uid)
  },
)

/** Lists some mails that are taken, but not yet marked as read in the mailbox. */
export async function listUnmarked(
  db: Database,
  { id, uidValidity }: MailboxState,
  most: number,
): Promise<number[]> {
  const { rows } = await sql<{ uid: number }>`
    select uid from intake_mails
    where mailbox_id = ${id} and uid_validity = ${uidValidity} and taken_at is not null and not is_marked
    order by uid limit ${most}`.execute(db)
  return rows.map(({ uid }) => uid)
}

export async function setMarked(
  db: Database,
  { id, uidValidity }: MailboxState,
  uids: number[],
): Promise<void> {
  await sql`
    update intake_mails set is_marked = true
    where mailbox_id = ${id} and uid_validity = ${uidValidity} and uid = any (${uids})`.execute(db)
}
