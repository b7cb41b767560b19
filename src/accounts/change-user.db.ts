import { sql } from 'kysely'
import { emailKey } from '../base/text.ts'
import { addLogEntry, renamed, type Actor } from '../log/log.db.ts'
import { isAdministrator, type Role, rolesThat } from '../rights.ts'
import { isTaken, type Database, type Trx } from '../server/database/database.ts'
import { forbidden, invalid, notFound } from '../server/http/errors.ts'
import { forgetFailedMails } from './failed-mails.db.ts'
import { addNumbers, EMAIL_TAKEN, keepFindable } from './users.db.ts'

export type UserFields = { name: string; email: string; role: Role; numbers: string[] }

type Now = Omit<UserFields, 'numbers'> & { password_hash: string | null; deactivated_at: Date | null }

/**
 * One at a time decides who may what. Whoever had to wait for it may have lost the right to: then they are refused.
 */
export async function lockPeople(trx: Trx, actor: Actor): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('administrators', 0))`.execute(trx)
  if (actor.userId === null) return
  const { rows } = await sql`
    select from users
    where id = ${actor.userId} and role = any (${rolesThat(isAdministrator)}) and deactivated_at is null`.execute(
    trx,
  )
  if (rows.length === 0) throw forbidden()
}

/** A person as they are; nobody else changes them, or who is an administrator, until the transaction ends. */
async function lockUser(trx: Trx, actor: Actor, id: number): Promise<Now> {
  await lockPeople(trx, actor)
  const now = await trx
    .selectFrom('users')
    .select(['name', 'email', 'role', 'password_hash', 'deactivated_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!now) throw notFound('Brugeren findes ikke.')
  return now
}

/** Without one who can sign in nobody could ever make another. */
async function keepAnAdministrator(trx: Trx, leaving: number, field: string): Promise<void> {
  const other = await trx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'administrator')
    .where('deactivated_at', 'is', null)
    .where('password_hash', 'is not', null)
    .where('id', '<>', leaving)
    .limit(1)
    .executeTakeFirst()
  if (!other) throw invalid({ [field]: ['Der skal være mindst én anden administrator, som kan logge ind.'] })
}

/**
 * Writes, and writes down, only what is different from what the form was made of (`was`), so that a form that lay open
 * undoes nothing of what others did meanwhile. Answers how they were, and how they are.
 */
export async function changeUser(
  trx: Trx,
  actor: Actor,
  id: number,
  form: UserFields,
  was?: UserFields,
): Promise<{ before: Now; after: Now }> {
  const now = await lockUser(trx, actor, id)
  const name = form.name === was?.name ? now.name : form.name
  const email = form.email === was?.email ? now.email : form.email
  const role = form.role === was?.role ? now.role : form.role
  if (isAdministrator(now.role) && role !== now.role) await keepAnAdministrator(trx, id, 'role')
  const hasOtherNumbers = await setNumbers(trx, id, form.numbers, was?.numbers)
  try {
    await trx
      .updateTable('users')
      .set({ name, email, email_key: emailKey(email), role })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw isTaken(error, 'users_email_key_key') ? invalid(EMAIL_TAKEN) : error
  }
  // Links have been sent to the old address.
  if (emailKey(email) !== emailKey(now.email)) {
    await trx.deleteFrom('link_tokens').where('user_id', '=', id).execute()
    await forgetFailedMails(trx, id)
  }
  await keepFindable(trx, id)
  const changed = [
    name !== now.name && 'name',
    email !== now.email && 'email',
    hasOtherNumbers && 'numbers',
  ].filter(Boolean)
  if (changed.length > 0)
    await addLogEntry(trx, actor, 'user-changed', {
      userId: id,
      detail: changed.join(),
      names: renamed(now.name, name),
    })
  if (role !== now.role)
    await addLogEntry(trx, actor, 'role-changed', { userId: id, detail: `${now.role}>${role}` })
  return { before: now, after: { ...now, name, email, role } }
}

/** Whether that made a difference. */
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

/** Ends every session at once, and closes every link. */
export async function deactivateUser(trx: Trx, actor: Actor, id: number): Promise<void> {
  const now = await lockUser(trx, actor, id)
  if (now.deactivated_at) return
  if (isAdministrator(now.role)) await keepAnAdministrator(trx, id, 'active')
  await trx
    .updateTable('users')
    .set({ deactivated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('sessions').where('user_id', '=', id).execute()
  await trx.deleteFrom('link_tokens').where('user_id', '=', id).execute()
  await forgetFailedMails(trx, id)
  await addLogEntry(trx, actor, 'user-deactivated', { userId: id })
}

/** With the role, the projects and the password that they had. */
export async function reactivateUser(trx: Trx, actor: Actor, id: number): Promise<void> {
  const now = await lockUser(trx, actor, id)
  if (!now.deactivated_at) return
  await trx.updateTable('users').set({ deactivated_at: null }).where('id', '=', id).execute()
  await addLogEntry(trx, actor, 'user-reactivated', { userId: id })
}

/** Which of these is somebody else's, as things stand; whoever takes them is told for sure. */
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
