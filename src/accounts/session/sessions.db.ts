import { sql, type RawBuilder } from 'kysely'
import type { Database, Trx } from '../../server/database/database.ts'
import { prepare, type Slots } from '../../server/database/prepared.ts'
import { hashOfSecret, newSecret } from '../../server/http/secret.ts'
import { deviceName } from './device-name.ts'
import { isAdministrator, isOffice, rolesThat, type Role } from '../../rights.ts'
import { imageAddress } from '../users/image-address.ts'
import type { Session } from './session.ts'
import { expiryForRole, type Expiry } from './session-expiry.ts'
import type { User } from '../users/user.ts'

/** Returns the secret for the cookie; only its hash is stored. */
export async function addSession(
  trx: Trx,
  userId: number,
  device: string,
  isStrong = false,
): Promise<string> {
  const token = newSecret()
  await trx
    .insertInto('sessions')
    .values({ hash: hashOfSecret(token), user_id: userId, device: device.slice(0, 300), is_strong: isStrong })
    .execute()
  return token
}

/** The person whose session a cookie names. */
export type SessionUser = User & {
  image: string | null
  /** When they must have a second factor, if they have none. Null if they need none. */
  factorDue: { at: string; isPast: boolean } | null
  /** Whether they have proved themselves in the last minutes. */
  isFresh: boolean
  hasFactor: boolean
  hasPassword: boolean
  viewedBy: Viewer | null
}

type Row = User & {
  image_key: string | null
  is_stale: boolean
  factor_due: Date | null
  is_factor_due: boolean
  is_fresh: boolean
  has_factor: boolean
  has_password: boolean
}

/** The administrator who sees Ringbind as somebody else, and until when. */
type Viewer = { id: number; name: string; until: Date }

/** A browser's cookies name a session, and in it a view as somebody else. */
export type Ticket = { session: string; view: string | null }

/** How long a view as somebody else lasts. `db/0038_guessing_and_views.sql` knows it too. */
const VIEW_LENGTH = sql`interval '30 minutes'`

const listed = (isSo: (role: Role) => boolean) => sql.join(rolesThat(isSo).map((role) => sql.lit(role)))
const ADMINISTRATORS = listed(isAdministrator)

/** The minutes for which a proof counts. Signing in is a proof too. */
const FRESH_MINUTES = 15

// A proof from the future, by a clock that was ahead, does not count.
const IS_FRESH = sql<boolean>`sessions.proved_at between now() - make_interval(mins => ${sql.lit(FRESH_MINUTES)}) and now() + interval '1 minute'`

type Limits = { idle_hours: number; max_days: number; office_idle_hours: number; office_max_days: number }
type Key = Limits & { hash: Buffer }
type Viewing = { viewer_id: number; viewer_name: string; view_until: Date }

/** Reads more about the session's person (`users`) in the same query: columns with other names, of a joined table. */
type More<Given> = (slots: Slots<Given>) => { columns: RawBuilder<unknown>; join: RawBuilder<unknown> }

/** Prepares the query for the cookie's person, while the session lasts and the person is active. */
export function prepareSessionQuery<Given extends object, Columns>(
  more: More<Given>,
): (
  db: Database,
  ticket: Ticket,
  expiry: Expiry,
  given: Given,
  isUse?: boolean,
) => Promise<{ user: SessionUser; row: Columns } | null> {
  const find = prepare<Given & Key, Row & Columns>((slots) => {
    const { columns, join } = more(slots)
    return sql`
      select users.id, users.name, users.email, users.role, users.image_key, users.has_factor,
        users.password_hash is not null as has_password, sessions.used_at < now() - interval '1 minute' as is_stale,
        factor_demands.starts_at as factor_due, factor_demands.starts_at <= now() as is_factor_due,
        ${IS_FRESH} as is_fresh ${columns}
      from sessions
      join users on users.id = sessions.user_id
      left join factor_demands on factor_demands.role = users.role
        and not users.has_factor and not sessions.is_strong ${join}
      where sessions.hash = ${slots.hash} and users.deactivated_at is null
        and ${isAlive(slots)}`
  })
  // In a view, the person of the query is the viewed one, and the session is the administrator's.
  const findSeen = prepare<Given & Key & { view: Buffer }, Row & Viewing & Columns>((slots) => {
    const { columns, join } = more(slots)
    return sql`
      select users.id, users.name, users.email, users.role, users.image_key, users.has_factor, false as is_stale,
        users.password_hash is not null as has_password,
        null as factor_due, false as is_factor_due, ${IS_FRESH} as is_fresh,
        viewers.id as viewer_id, viewers.name as viewer_name, views.started_at + ${VIEW_LENGTH} as view_until ${columns}
      from sessions
      join users as viewers on viewers.id = sessions.user_id
      join views on views.session_id = sessions.id and views.hash = ${slots.view}
      join users on users.id = views.user_id ${join}
      where sessions.hash = ${slots.hash} and viewers.deactivated_at is null and users.deactivated_at is null
        and viewers.role in (${ADMINISTRATORS}) and users.role not in (${ADMINISTRATORS})
        and views.started_at between now() - ${VIEW_LENGTH} and now() + interval '1 minute'
        and ${isAlive(slots, sql`viewers.role`)}`
  })
  return async (db, { session, view }, expiry, given, isUse = true) => {
    const key = hashOfSecret(session)
    if (view !== null) {
      const [seen] = await findSeen(db, {
        ...given,
        hash: key,
        view: hashOfSecret(view),
        ...limitsOf(expiry),
      })
      if (seen) return { user: userIn(seen, seen), row: seen }
    }
    const [row] = await find(db, { ...given, hash: key, ...limitsOf(expiry) })
    if (!row) return null
    // Writes once a minute at most, so that not every page costs a write.
    if (row.is_stale && isUse)
      await db
        .updateTable('sessions')
        .set({ used_at: sql`now()` })
        .where('hash', '=', key)
        .execute()
    return { user: userIn(row), row }
  }
}

function userIn(row: Row, viewing?: Viewing): SessionUser {
  const { id, name, email, role, is_fresh: isFresh, has_factor: hasFactor, has_password: hasPassword } = row
  const factorDue = row.factor_due && { at: row.factor_due.toISOString(), isPast: row.is_factor_due }
  const viewedBy = viewing
    ? { id: viewing.viewer_id, name: viewing.viewer_name, until: viewing.view_until }
    : null
  const image = imageAddress(id, row.image_key)
  return { id, name, email, role, image, factorDue, isFresh, hasFactor, hasPassword, viewedBy }
}

const findUser = prepareSessionQuery<object, object>(() => ({ columns: sql``, join: sql`` }))

/**
 * Returns the cookie's person while the session lasts and the person is active. Requests that a page makes by itself do
 * not count as use, because an open page must not keep its session alive.
 */
export async function findSessionUser(
  db: Database,
  ticket: Ticket,
  expiry: Expiry,
  isUse = true,
): Promise<SessionUser | null> {
  return (await findUser(db, ticket, expiry, {}, isUse))?.user ?? null
}

const findTimes = prepareSessionQuery<object, { used_at: Date; created_at: Date }>(() => ({
  columns: sql`, sessions.used_at, sessions.created_at`,
  join: sql``,
}))

/** Returns the same person, and when the unused session ends. Does not count as use of the session. */
export async function findSession(
  db: Database,
  ticket: Ticket,
  expiry: Expiry,
): Promise<{ user: SessionUser; endsAt: Date } | null> {
  const found = await findTimes(db, ticket, expiry, {}, false)
  if (!found) return null
  const { used_at: used, created_at: created } = found.row
  const { role, viewedBy } = found.user
  const { idleHours, maxDays } = expiryForRole(viewedBy ? 'administrator' : role, expiry)
  const idleEnd = used.getTime() + idleHours * 3_600_000
  const lastEnd = created.getTime() + maxDays * 86_400_000
  const viewEnd = viewedBy?.until.getTime() ?? Infinity
  return { user: found.user, endsAt: new Date(Math.min(idleEnd, lastEnd, viewEnd)) }
}

/** Remembers that the session's person has just proved who they are. Returns false if the session has ended. */
export async function setProved(
  trx: Trx,
  userId: number,
  token: string,
  isStrong: boolean,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('sessions')
    .set({ proved_at: sql`now()`, ...(isStrong && { is_strong: true }) })
    .where('hash', '=', hashOfSecret(token))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function removeSession(db: Database | Trx, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hashOfSecret(token)).execute()
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
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'sessions.device', 'sessions.created_at', 'sessions.used_at'])
    .select(sql<boolean>`sessions.hash = ${hashOfSecret(token)}`.as('is_present'))
    .where('sessions.user_id', '=', userId)
    .where(isAlive(limitsOf(expiry)))
    .orderBy('is_present', 'desc')
    .orderBy('sessions.used_at', 'desc')
    .orderBy('sessions.id', 'desc')
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
    .where('hash', '<>', hashOfSecret(token))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all the person's sessions except the present one. Returns how many ended. */
export async function removeOtherSessions(trx: Trx, userId: number, token: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('hash', '<>', hashOfSecret(token))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function purgeSessions(db: Database, expiry: Expiry): Promise<void> {
  await sql`
    delete from sessions using users
    where users.id = sessions.user_id and not (${isAlive(limitsOf(expiry))})`.execute(db)
}

const limitsOf = ({ office, others }: Expiry): Limits => ({
  idle_hours: others.idleHours,
  max_days: others.maxDays,
  office_idle_hours: office.idleHours,
  office_max_days: office.maxDays,
})

/** Condition on `sessions` joined with `users`, or with whoever's role is given. */
function isAlive(
  limits: { [Name in keyof Limits]: Limits[Name] | RawBuilder<number> },
  role = sql`users.role`,
): RawBuilder<boolean> {
  return sql<boolean>`case when ${role} in (${listed(isOffice)})
    then sessions.used_at > now() - make_interval(hours => ${limits.office_idle_hours})
      and sessions.created_at > now() - make_interval(days => ${limits.office_max_days})
    else sessions.used_at > now() - make_interval(hours => ${limits.idle_hours})
      and sessions.created_at > now() - make_interval(days => ${limits.max_days}) end`
}
