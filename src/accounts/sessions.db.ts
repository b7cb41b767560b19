import { hash, randomBytes } from 'node:crypto'
import { sql, type Generated, type RawBuilder } from 'kysely'
import type { Database, Trx } from '../server/database/database.ts'
import { prepare, type Slots } from '../server/database/prepared.ts'
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

/** The person whose session a cookie names. */
export type SessionUser = User & { image: string | null }

type Key = { hash: Buffer; idle_hours: number; max_days: number }
type Row = User & { image_key: string | null; is_stale: boolean }

/** Reads more for the person of a session (`users`) in the same query: columns with other names, of a joined table. */
type More<Given> = (slots: Slots<Given>) => { columns: RawBuilder<unknown>; join: RawBuilder<unknown> }

/** Prepares the query for the cookie's person, while the session lasts and the person is active. */
export function prepareSessionQuery<Given extends object, Columns>(
  more: More<Given>,
): (
  db: Database,
  token: string,
  expiry: Expiry,
  given: Given,
  isUse?: boolean,
) => Promise<{ user: SessionUser; row: Columns } | null> {
  const find = prepare<Given & Key, Row & Columns>((slots) => {
    const { columns, join } = more(slots)
    return sql`
      select users.id, users.name, users.email, users.role, users.image_key,
        sessions.used_at < now() - interval '1 minute' as is_stale ${columns}
      from sessions
      join users on users.id = sessions.user_id ${join}
      where sessions.hash = ${slots.hash} and users.deactivated_at is null
        and ${isAlive({ idleHours: slots.idle_hours, maxDays: slots.max_days })}`
  })
  return async (db, token, { idleHours, maxDays }, given, isUse = true) => {
    const key = hashOf(token)
    const [row] = await find(db, { ...given, hash: key, idle_hours: idleHours, max_days: maxDays })
    if (!row) return null
    // Writes once a minute at most, so that not every page costs a write.
    if (row.is_stale && isUse)
      await db
        .updateTable('sessions')
        .set({ used_at: sql`now()` })
        .where('hash', '=', key)
        .execute()
    const { id, name, email, role } = row
    return { user: { id, name, email, role, image: imageAddress(id, row.image_key) }, row }
  }
}

const findUser = prepareSessionQuery<object, object>(() => ({ columns: sql``, join: sql`` }))

/**
 * Returns the cookie's person while the session lasts and the person is active. What a page asks for by itself is no use of
 * the session: a page that is left open must not keep it alive.
 */
export async function findSessionUser(
  db: Database,
  token: string,
  expiry: Expiry,
  isUse = true,
): Promise<SessionUser | null> {
  return (await findUser(db, token, expiry, {}, isUse))?.user ?? null
}

const findTimes = prepareSessionQuery<object, { used_at: Date; created_at: Date }>(() => ({
  columns: sql`, sessions.used_at, sessions.created_at`,
  join: sql``,
}))

/** Returns the same person, and when the session ends if it is not used until then. It is no use of the session. */
export async function findSession(
  db: Database,
  token: string,
  expiry: Expiry,
): Promise<{ user: SessionUser; endsAt: Date } | null> {
  const found = await findTimes(db, token, expiry, {}, false)
  if (!found) return null
  const { used_at: used, created_at: created } = found.row
  const idleEnd = used.getTime() + expiry.idleHours * 3_600_000
  const lastEnd = created.getTime() + expiry.maxDays * 86_400_000
  return { user: found.user, endsAt: new Date(Math.min(idleEnd, lastEnd)) }
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

type Limits = { [Name in keyof Expiry]: Expiry[Name] | RawBuilder<number> }

function isAlive({ idleHours, maxDays }: Limits) {
  return sql<boolean>`sessions.used_at > now() - make_interval(hours => ${idleHours})
    and sessions.created_at > now() - make_interval(days => ${maxDays})`
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
