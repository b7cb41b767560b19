import { sql } from 'kysely'
import type { Edit } from '../server/edits.ts'
import { namesOf, pickFields, wordsOf } from '../base/fields/field.ts'
import { emailKey } from '../base/text.ts'
import { addLogEntry, renamed, type Actor } from '../log/log.db.ts'
import { isAdministrator } from '../rights.ts'
import { transactional, isTaken, type Database, type Trx } from '../server/database/database.ts'
import { settle } from '../server/edits.ts'
import { invalid, notFound } from '../server/http/errors.ts'
import type { Jobs } from '../server/work/jobs.ts'
import { sendSecurityMail, type Mail } from '../server/mail.ts'
import { endCredentials } from './session/end-credentials.db.ts'
import { removeAllFactors } from './factor/factors.db.ts'
import { forgetFailedMails } from './mails/failed-mails.db.ts'
import { removeOtherSessions } from './session/sessions.db.ts'
import { lockPeople } from './users/lock-people.db.ts'
import { COLUMN_FIELDS, DETAIL_FIELDS, type ColumnValues, type SentUser } from './users/user.fields.ts'
import { addNumbers, EMAIL_TAKEN, updateUserSearch } from './users/users.db.ts'

type Now = ColumnValues & { has_way_in: boolean; deactivated_at: Date | null }

/** Returns the person, and locks them and the set of administrators until the transaction ends. */
async function lockUser(trx: Trx, actor: Actor, id: number): Promise<Now> {
  await lockPeople(trx, actor)
  const now = await trx
    .selectFrom('users')
    .select([...namesOf(COLUMN_FIELDS), 'deactivated_at'])
    .select(sql<boolean>`has_way_in(users)`.as('has_way_in'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!now) throw notFound('Personen findes ikke.')
  return now
}

/** Refuses to remove the last administrator who can sign in: only an administrator can add another. */
async function keepAnAdministrator(trx: Trx, leaving: number, field: string): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('deactivated_at', 'is', null)
    .where(sql<boolean>`has_way_in(users)`)
    .where('id', '<>', leaving)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw invalid({ [field]: ['Der skal være mindst én anden administrator, som kan logge ind.'] })
}

const WORDS = wordsOf(COLUMN_FIELDS)

/**
 * Saves and logs a person's changes. Refuses with both values where somebody else has changed the same field since the form
 * was opened; numbers are added and removed one by one. Returns the person before and after.
 */
export async function changeUser(
  trx: Trx,
  actor: Actor,
  id: number,
  form: SentUser,
  edit: Edit | null = null,
): Promise<{ before: Now; after: Now }> {
  const now = await lockUser(trx, actor, id)
  const values = settle(edit, WORDS, pickFields(COLUMN_FIELDS, form), pickFields(COLUMN_FIELDS, now))
  const { name, email, role } = values
  if (isAdministrator(now.role) && role !== now.role) await keepAnAdministrator(trx, id, 'role')
  const hasOtherNumbers = await setNumbers(trx, id, form.numbers, numbersIn(edit))
  try {
    await trx
      .updateTable('users')
      .set({ ...values, email_key: emailKey(email) })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw isTaken(error, 'users_email_key_key') ? invalid(EMAIL_TAKEN) : error
  }
  if (emailKey(email) !== emailKey(now.email)) {
    await endCredentials(trx, actor, 'email-changed', { userId: id })
    await forgetFailedMails(trx, id)
  }
  await updateUserSearch(trx, id)
  const changed = [
    ...namesOf(DETAIL_FIELDS).filter((field) => values[field] !== now[field]),
    ...(hasOtherNumbers ? ['numbers'] : []),
  ]
  if (changed.length > 0)
    await addLogEntry(trx, actor, 'user-changed', {
      userId: id,
      detail: changed.join(),
      names: renamed(now.name, name),
    })
  if (role !== now.role) {
    await addLogEntry(trx, actor, 'role-changed', { userId: id, detail: `${now.role}>${role}` })
    await endCredentials(trx, actor, 'role-changed', { userId: id })
  }
  return { before: now, after: { ...now, ...values } }
}

/** Returns the numbers that the form was opened with. */
function numbersIn(edit: Edit | null): string[] | undefined {
  const { numbers } = edit?.was ?? {}
  if (!edit) return undefined
  return Array.isArray(numbers) ? numbers.filter((number) => typeof number === 'string') : []
}

/** Returns whether the numbers changed. */
async function setNumbers(
  trx: Trx,
  userId: number,
  wanted: string[],
  was: string[] | undefined,
): Promise<boolean> {
  const rows = await trx.selectFrom('user_numbers').select('number').where('user_id', '=', userId).execute()
  const now = rows.map(({ number }) => number)
  const gone = now.filter((number) => !wanted.includes(number) && (was?.includes(number) ?? true))
  const added = wanted.filter((number) => !now.includes(number) && !was?.includes(number))
  if (gone.length > 0)
    await trx.deleteFrom('user_numbers').where('user_id', '=', userId).where('number', 'in', gone).execute()
  await addNumbers(trx, userId, added)
  return gone.length + added.length > 0
}

/** Also ends everything with which somebody acts or sees as the person, or through them. */
export const deactivateUser = transactional(deactivateUserWithin)

async function deactivateUserWithin(trx: Trx, actor: Actor, id: number): Promise<void> {
  const now = await lockUser(trx, actor, id)
  if (now.deactivated_at) return
  if (isAdministrator(now.role)) await keepAnAdministrator(trx, id, 'active')
  await trx
    .updateTable('users')
    .set({ deactivated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await forgetFailedMails(trx, id)
  await addLogEntry(trx, actor, 'user-deactivated', { userId: id })
  await endCredentials(trx, actor, 'deactivated', { userId: id })
}

/** Ends all sessions of a person. An administrator who ends their own sessions keeps the present one. */
export const endSessions = transactional(
  async (trx: Trx, actor: Actor, id: number, present: string): Promise<void> => {
    await lockUser(trx, actor, id)
    const ended = await removeOtherSessions(trx, id, present)
    if (ended > 0) await addLogEntry(trx, actor, 'user-sessions-ended', { userId: id })
  },
)

/** Removes the second factor of a person who has lost it, ends their sessions, API keys and calendar address, and tells them. Does nothing if they have none. */
export const resetFactors = transactional(
  async (trx: Trx, jobs: Jobs, actor: Actor, id: number, mail: Mail): Promise<void> => {
    await lockUser(trx, actor, id)
    if (!(await removeAllFactors(trx, id))) return
    await endCredentials(trx, actor, 'factors-reset', { userId: id })
    await addLogEntry(trx, actor, 'factors-reset', { userId: id })
    await sendSecurityMail(trx, jobs, mail)
  },
)

/**
 * The person keeps their role and projects, and is invited again, because the old password or login at a provider may
 * have been the reason for the deactivation.
 */
export const reactivateUser = transactional(reactivateUserWithin)

async function reactivateUserWithin(trx: Trx, actor: Actor, id: number): Promise<void> {
  const now = await lockUser(trx, actor, id)
  if (!now.deactivated_at) return
  await trx.updateTable('users').set({ deactivated_at: null }).where('id', '=', id).execute()
  await endCredentials(trx, actor, 'reactivated', { userId: id })
  await addLogEntry(trx, actor, 'user-reactivated', { userId: id })
}

/** Returns which of these belong to another person now. Saving checks again, because somebody may take one meanwhile. */
export async function findTaken(
  db: Database,
  { email, numbers }: { email: string; numbers: string[] },
  id: number | null,
): Promise<{ isEmailTaken: boolean; numbers: Map<string, string> }> {
  const same = await db
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
  const { rows } = await sql<{ number: string; name: string }>`
    select user_numbers.number, users.name from user_numbers join users on users.id = user_numbers.user_id
    where user_numbers.number = any (${numbers}) and users.id is distinct from ${id}`.execute(db)
  return {
    isEmailTaken: same !== undefined && same.id !== id,
    numbers: new Map(rows.map(({ number, name }) => [number, name])),
  }
}
