import { createHash, randomBytes } from 'node:crypto'
import { sql, type Generated } from 'kysely'
import type { Database, Trx } from '../server/database/database.ts'
import { deviceName } from './device-name.ts'
import { imageAddress } from './profile/image-address.ts'
import type { Session } from './session.ts'
import type { User } from './user.ts'

declare module '../server/database/database.ts' {
  interface Tables {
    sessions: {
      id: Generated<number>
      hash: Buffer
      user_id: number
      created_at: Generated<Date>
      used_at: Generated<Date>
      device: string
    }
  }
}

export type Expiry = { idleHours: number; maxDays: number }

/** Returns the secret for the cookie; only its hash is stored. */
export async function addSession(trx: Trx, userId: number, device: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await trx
    .insertInto('sessions')
    .values({ hash: hashOf(token), user_id: userId, device: device.slice(0, 300) })
    .execute()
  return token
}

/** Returns the cookie's person while the session lasts and the person is active. */
export async function findSessionUser(
  db: Database,
  token: string,
  expiry: Expiry,
): Promise<(User & { image: string | null }) | null> {
  const found = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.name', 'users.email', 'users.role', 'users.image_key'])
    .select(sql<boolean>`sessions.used_at < now() - interval '1 minute'`.as('is_stale'))
    .where('hash', '=', hashOf(token))
    .where('users.deactivated_at', 'is', null)
    .where(isAlive(expiry))
    .executeTakeFirst()
  if (!found) return null
  const { is_stale: isStale, image_key: imageKey, ...user } = found
  // Writes once a minute at most, so that not every page costs a write.
  if (isStale)
    await db
      .updateTable('sessions')
      .set({ used_at: sql`now()` })
      .where('hash', '=', hashOf(token))
      .execute()
  return { ...user, image: imageAddress(user.id, imageKey) }
}

export async function removeSession(db: Database | Trx, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hashOf(token)).execute()
}

/** At most this many sessions are listed. The button to end the others ends all. */
const MOST_LISTED = 100

/** Lists a person's sessions: the present one first, then the last used. */
export async function listSessions(
  db: Database,
  userId: number,
  token: string,
  expiry: Expiry,
): Promise<Session[]> {
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'used_at'])
    .select(sql<boolean>`hash = ${hashOf(token)}`.as('is_present'))
    .where('user_id', '=', userId)
    .where(isAlive(expiry))
    .orderBy('is_present', 'desc')
    .orderBy('used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return sessions.map(({ id, device, created_at: created, used_at: used, is_present: isPresent }) => ({
    id,
    device: deviceName(device),
    created_at: created.toISOString(),
    used_at: used.toISOString(),
    is_present: isPresent,
  }))
}

/** Ends one of the person's other sessions. Returns false if there is no such session. */
export async function removeOwnSession(
  trx: Trx,
  userId: number,
  id: number,
  token: string,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('hash', '<>', hashOf(token))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all the person's sessions except the present one. Returns how many ended. */
export async function removeOtherSessions(trx: Trx, userId: number, token: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('hash', '<>', hashOf(token))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Everybody must sign in again. */
export async function removeAllSessions(db: Database): Promise<void> {
  await db.deleteFrom('sessions').execute()
}

export async function purgeSessions(db: Database, expiry: Expiry): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(sql<boolean>`not (${isAlive(expiry)})`)
    .execute()
}

function isAlive({ idleHours, maxDays }: Expiry) {
  return sql<boolean>`sessions.used_at > now() - make_interval(hours => ${sql.lit(idleHours)})
    and sessions.created_at > now() - make_interval(days => ${sql.lit(maxDays)})`
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
