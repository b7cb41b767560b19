import { sql } from 'kysely'
import type { Edit } from '../../server/edits.ts'
import { addLogEntry, renamed, type Actor } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { settle } from '../../server/edits.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendSecurityMail, type Mail } from '../../server/mail.ts'
import { MAIL_RATE_NAMES, type MailRate } from '../users/mail-rate.ts'
import { endCredentials } from '../session/end-credentials.db.ts'
import { removeOtherSessions, removeOwnSession } from '../session/sessions.db.ts'
import { updateUserSearch } from '../users/users.db.ts'

/** Logs nothing if the name is the same. */
export const changeName = transactional(changeNameWithin)

/** Returns the name that was saved. */
async function changeNameWithin(
  trx: Trx,
  actor: Actor,
  userId: number,
  wanted: string,
  edit: Edit | null,
): Promise<string> {
  const { name: before } = await trx
    .selectFrom('users')
    .select('name')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { name } = settle(edit, { name: 'Navn' }, { name: wanted }, { name: before })
  if (before === name) return name
  await trx.updateTable('users').set({ name }).where('id', '=', userId).execute()
  await updateUserSearch(trx, userId)
  await addLogEntry(trx, actor, 'profile-changed', { names: renamed(before, name) })
  return name
}

/** Which warnings an administrator gets by mail. */
export type Warnings = {
  /** Somebody guesses a person's password. */
  ofGuessing: boolean
  /** Something is wrong with the installation. */
  ofTroubles: boolean
}

const onOrOff = (isOn: boolean) => (isOn ? 'til' : 'fra')

/** Returns what a person has chosen for themselves. */
export async function findChoices(
  db: Database,
  userId: number,
): Promise<{ mailRate: MailRate; warnings: Warnings; hasFactor: boolean; hasTokens: boolean }> {
  const row = await db
    .selectFrom('users')
    .select(['mail_rate', 'told_of_guessing', 'told_of_troubles', 'has_factor'])
    .select(sql<boolean>`exists (select from tokens where tokens.user_id = users.id)`.as('has_tokens'))
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const warnings = { ofGuessing: row.told_of_guessing, ofTroubles: row.told_of_troubles }
  return { mailRate: row.mail_rate, warnings, hasFactor: row.has_factor, hasTokens: row.has_tokens }
}

/** Logs nothing if it is the same. */
export const changeWarnings = transactional(
  async (trx: Trx, actor: Actor, userId: number, { ofGuessing, ofTroubles }: Warnings): Promise<void> => {
    const was = await trx
      .selectFrom('users')
      .select(['told_of_guessing', 'told_of_troubles'])
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('users')
      .set({ told_of_guessing: ofGuessing, told_of_troubles: ofTroubles })
      .where('id', '=', userId)
      .execute()
    if (was.told_of_guessing !== ofGuessing)
      await addLogEntry(trx, actor, 'warnings-changed', { detail: onOrOff(ofGuessing) })
    if (was.told_of_troubles !== ofTroubles)
      await addLogEntry(trx, actor, 'status-mails-changed', { detail: onOrOff(ofTroubles) })
  },
)

/** Logs nothing if it is the same. Returns false if there is no such person. */
export const changeMailRate = transactional(
  async (trx: Trx, actor: Actor, userId: number, rate: MailRate): Promise<boolean> => {
    const user = await trx
      .selectFrom('users')
      .select('mail_rate')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirst()
    if (!user) return false
    if (user.mail_rate === rate) return true
    await trx.updateTable('users').set({ mail_rate: rate }).where('id', '=', userId).execute()
    await addLogEntry(trx, actor, 'mail-rate-changed', { detail: MAIL_RATE_NAMES[rate] })
    return true
  },
)

/**
 * Ends all other sessions and removes all links. Returns false if the password changed since `hash.old` was read,
 * or the person was deactivated.
 */
export const changePassword = transactional(changePasswordWithin)

async function changePasswordWithin(
  trx: Trx,
  jobs: Jobs,
  actor: Actor,
  userId: number,
  hash: { old: string | null; new: string },
  token: string,
  mail: Mail,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ password_hash: hash.new })
    .where('id', '=', userId)
    .where('password_hash', '=', hash.old)
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await endCredentials(trx, actor, 'password-changed', { userId, present: token })
  await addLogEntry(trx, actor, 'password-changed')
  await sendSecurityMail(trx, jobs, mail)
  return true
}

/** Ends one of a person's sessions, but not the one with `token`. False when there is no such session. */
export const endSession = transactional(
  async (trx: Trx, actor: Actor, userId: number, id: number, token: string): Promise<boolean> => {
    if (!(await removeOwnSession(trx, userId, id, token))) return false
    await addLogEntry(trx, actor, 'session-ended')
    return true
  },
)

export const endOtherSessions = transactional(
  async (trx: Trx, actor: Actor, userId: number, token: string): Promise<void> => {
    const ended = await removeOtherSessions(trx, userId, token)
    if (ended > 0) await addLogEntry(trx, actor, 'other-sessions-ended')
  },
)
