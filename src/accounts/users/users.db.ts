import { sql } from 'kysely'
import { namesWith, newValues } from '../../base/fields/field.ts'
import { emailKey } from '../../base/text.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { isLentTo, rolesThat } from '../../rights.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { invalid } from '../../server/http/errors.ts'
import { COLUMN_FIELDS, type SentUser } from './user.fields.ts'
import type { User } from './user.ts'

export type NewUser = Omit<SentUser, 'numbers'> & { numbers?: string[]; passwordHash?: string | null }

export async function addUser(trx: Trx, actor: Actor, user: NewUser): Promise<User> {
  const { numbers = [], passwordHash = null, ...values } = user
  const { name, email, role } = values
  const added = await trx
    .insertInto('users')
    .values({
      ...newValues(COLUMN_FIELDS, values),
      email_key: emailKey(email),
      password_hash: passwordHash,
      deactivated_at: null,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw invalid(EMAIL_TAKEN)
  await addNumbers(trx, added.id, numbers)
  await updateUserSearch(trx, added.id)
  await addLogEntry(trx, actor, 'user-added', { userId: added.id })
  return { id: added.id, name, email, role }
}

export const EMAIL_TAKEN = { email: ['Der er allerede en person med den e-mail.'] }

export async function addNumbers(trx: Trx, userId: number, numbers: string[]): Promise<void> {
  if (numbers.length === 0) return
  const added = await trx
    .insertInto('user_numbers')
    .values(numbers.map((number) => ({ number, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const count = added.reduce((sum, { numInsertedOrUpdatedRows: rows }) => sum + Number(rows ?? 0), 0)
  if (count < numbers.length)
    throw invalid({ 'numbers.0': ['Et af numrene er lige blevet givet til en anden person.'] })
}

const SEARCHED = sql.join(namesWith(COLUMN_FIELDS, 'searchedAs').map((name) => sql.ref(`users.${name}`)))

/** Updates the columns by which people are found, and sorted by their numbers. */
export async function updateUserSearch(trx: Trx, users: number | number[]): Promise<void> {
  await sql`
    update users set
      first_number = numbers.first,
      search = search_key(concat_ws(E'\n', ${SEARCHED}, numbers.every))
    from (
      select changed.id, min(number collate danish) as first, string_agg(number, E'\n') as every
      from unnest(${[users].flat()}::bigint[]) as changed (id) left join user_numbers on user_id = changed.id
      group by changed.id
    ) as numbers
    where users.id = numbers.id`.execute(trx)
}

/** Finds an account with its password hash, for signing in. Includes deactivated people. */
export async function findAccount(db: Database | Trx, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role', 'password_hash', 'deactivated_at', 'has_factor'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst()
}

export async function findPasswordHash(db: Database | Trx, userId: number): Promise<string | null> {
  const user = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return user.password_hash
}

/** Returns the account if it is active and still has this password hash. Locks it until the transaction ends. */
export async function findStillRight(
  trx: Trx,
  userId: number,
  passwordHash: string | null,
): Promise<{ has_factor: boolean } | null> {
  const now = await trx
    .selectFrom('users')
    .select(['password_hash', 'deactivated_at', 'has_factor'])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirstOrThrow()
  return now.deactivated_at === null && now.password_hash === passwordHash ? now : null
}

/** Whether the person has an app or a passkey. */
export async function hasFactor(trx: Trx, userId: number): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('has_factor')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return user.has_factor
}

/** Whether the person is active. Locks them until the transaction ends. */
export async function lockActive(trx: Trx, userId: number): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('deactivated_at')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return user !== undefined && user.deactivated_at === null
}

/**
 * Condition on `users`: a stranger to whom an investor has lent access. The investor typed the name, so a mail with it
 * could carry the investor's own words in the office's name.
 */
export const HAS_TYPED_NAME = sql<boolean>`(users.role = any (${rolesThat(isLentTo)}) and not has_way_in(users))`

/** Whether the person has accepted their invitation: with a password, or with a login at a provider. */
export async function hasWayIn(db: Database | Trx, userId: number): Promise<boolean> {
  const { rows } = await sql<{ has_way_in: boolean }>`
    select has_way_in(users) from users where id = ${userId}`.execute(db)
  return rows[0]?.has_way_in ?? false
}

export async function findUserName(db: Database | Trx, id: number): Promise<string | null> {
  const user = await db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst()
  return user?.name ?? null
}

export async function hasUsers(db: Database | Trx): Promise<boolean> {
  return Boolean(await db.selectFrom('users').select('id').limit(1).executeTakeFirst())
}
