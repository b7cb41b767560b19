import { sql, type RawBuilder, type Selectable } from 'kysely'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { sendJoinedMail } from '../../office/joined-mails.db.ts'
import { findOffice } from '../../office/office.db.ts'
import type { Role, Scope } from '../../rights.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { Tables } from '../../server/database/tables.ts'
import { prepare } from '../../server/database/prepared.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { deviceName } from '../session/device-name.ts'
import { hashOfSecret, newSecret } from '../../server/http/secret.ts'
import { tokenAddedMail } from '../mails/mails.ts'
import {
  MOST_TOKENS,
  PREFIX_LETTERS,
  SCOPE_NAMES,
  SECRET_START,
  type OfficeToken,
  type Token,
} from './token.ts'

/** Condition on `tokens`: it works, if its person may do anything. */
const IS_ALIVE = sql<boolean>`tokens.revoked_at is null and tokens.expires_at > now()`

export type NewToken = {
  name: string
  scopes: Scope[]
  days: number
  /** The browser's own words. */
  device: string
  /** The session in which it is made; null on the server itself. */
  session: string | null
}

type Teller = Pick<Parts, 'jobs' | 'config'>

/** Makes a key, and tells its person by mail. Returns its secret, which is kept nowhere. */
export const addToken = transactional(
  async (trx: Trx, teller: Teller, actor: Actor, userId: number, wanted: NewToken): Promise<string> => {
    await lockPerson(trx, userId)
    const { name, scopes, days, device, session } = wanted
    const alive = await trx
      .selectFrom('tokens')
      .select('name')
      .where('user_id', '=', userId)
      .where(IS_ALIVE)
      .execute()
    if (alive.length >= MOST_TOKENS)
      throw invalid({ name: [`Du kan højst have ${MOST_TOKENS} API-nøgler. Spær en først.`] })
    // A form that is sent twice makes one key.
    if (alive.some((other) => other.name.toLowerCase() === name.toLowerCase()))
      throw invalid({ name: ['Du har allerede en API-nøgle med det navn.'] })
    const secret = SECRET_START + newSecret()
    const { id } = await trx
      .insertInto('tokens')
      .values({
        user_id: userId,
        name,
        hash: hashOfSecret(secret),
        prefix: secret.slice(0, PREFIX_LETTERS),
        scopes,
        device: device.slice(0, 300),
        is_strong: session === null ? false : isStrong(session),
        expires_at: sql<Date>`now() + make_interval(days => ${days})`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addLogEntry(trx, actor, 'token-added', { tokenId: id, detail: scopes.join() })
    await mailAboutToken(trx, teller, userId, wanted)
    return secret
  },
)

/** Mails somebody that an API key was made for them, so that nobody can make one unnoticed. */
async function mailAboutToken(
  trx: Trx,
  { jobs, config }: Teller,
  userId: number,
  { name, scopes, days, device }: NewToken,
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const can = scopes.map((scope) => SCOPE_NAMES[scope].toLowerCase())
  const about = { name, can, days, device: deviceName(device) }
  const office = await findOffice(trx)
  const notice = { to: user.email, cause: 'login:token', causer: userId }
  await sendJoinedMail(trx, jobs, notice, (times) =>
    tokenAddedMail(office, user, config.appUrl + urls.ownTokens, { ...about, times }),
  )
}

const isStrong = (session: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select is_strong from sessions where hash = ${hashOfSecret(session)}), false)`

/** Lets one change of a person's keys at a time through. */
async function lockPerson(trx: Trx, userId: number): Promise<void> {
  const { rows } = await sql`
    select from users where id = ${userId} and deactivated_at is null for no key update`.execute(trx)
  if (rows.length === 0) throw notFound('Personen findes ikke.')
}

/** The person of a key, and what becomes of a request that comes with it. */
export type TokenRow = {
  id: number
  name: string
  email: string
  role: Role
  image_key: string | null
  has_factor: boolean
  has_password: boolean
  token_id: number
  scopes: Scope[]
  is_revoked: boolean
  is_expired: boolean
  is_deactivated: boolean
  /** The person must have a second factor by now, and has none. */
  is_factor_due: boolean
  is_stale: boolean
}

const findToken = prepare<{ hash: Buffer }, TokenRow>(
  (slots) => sql`
    select users.id, users.name, users.email, users.role, users.image_key, users.has_factor,
      users.password_hash is not null as has_password, users.deactivated_at is not null as is_deactivated,
      tokens.id as token_id, tokens.scopes, tokens.revoked_at is not null as is_revoked,
      tokens.expires_at <= now() as is_expired, factor_demands.role is not null as is_factor_due,
      tokens.used_at is null or tokens.used_at not between now() - interval '1 minute' and now() + interval '1 minute'
        as is_stale
    from tokens
    join users on users.id = tokens.user_id
    left join factor_demands on factor_demands.role = users.role and factor_demands.starts_at <= now()
      and not users.has_factor and not tokens.is_strong
    where tokens.hash = ${slots.hash}`,
)

/** Finds a key by its secret, whatever has become of it. A hash is looked up, so that times tell nothing of a secret. */
export async function findBySecret(db: Database, secret: string): Promise<TokenRow | null> {
  const [row] = await findToken(db, { hash: hashOfSecret(secret) })
  return row ?? null
}

/** Remembers that a key is used; asked for once a minute at most, so that not every request costs a write. */
export async function noteUse(db: Database, id: number): Promise<void> {
  await sql`
    update tokens set used_at = now()
    where id = ${id} and (used_at is null or used_at not between now() - interval '1 minute' and now() + interval '1 minute')
    `.execute(db)
}

const COLUMNS = [
  'tokens.id',
  'tokens.name',
  'tokens.prefix',
  'tokens.scopes',
  'tokens.device',
  'tokens.created_at',
  'tokens.expires_at',
  'tokens.used_at',
  'tokens.revoked_at',
] as const

/** At most this many are listed. */
export const MOST_LISTED = 500

/** Lists a person's keys, also those that ended lately: working ones first, then the newest. */
export async function listOwnTokens(db: Database, userId: number): Promise<Token[]> {
  const rows = await db
    .selectFrom('tokens')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .where('hash', 'is not', null)
    .orderBy(IS_ALIVE, 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(tokenOf)
}

/** Lists everybody's keys for administrators: working ones first, then the last used. */
export async function listTokens(db: Database): Promise<OfficeToken[]> {
  const rows = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select(COLUMNS)
    .select(['users.id as user_id', 'users.name as user_name'])
    .where('tokens.hash', 'is not', null)
    .orderBy(IS_ALIVE, 'desc')
    .orderBy(sql`coalesce(tokens.used_at, tokens.created_at)`, 'desc')
    .orderBy('tokens.id', 'desc')
    .limit(MOST_LISTED)
    .execute()
  return rows.map((row) => ({ ...tokenOf(row), user: { id: row.user_id, name: row.user_name } }))
}

/** Returns the id of a person's key with this secret. */
export async function findOwnSecret(db: Database, userId: number, secret: string): Promise<number | null> {
  const row = await db
    .selectFrom('tokens')
    .select('id')
    .where('hash', '=', hashOfSecret(secret))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.id ?? null
}

type Row = Pick<Selectable<Tables['tokens']>, keyof Token>

function tokenOf(row: Row): Token {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    device: deviceName(row.device),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    used_at: row.used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}

/**
 * Ends a key at once: one of this person's, or anybody's if `ownerId` is null. Nothing happens to one that has been revoked.
 */
export const revokeToken = transactional(
  async (trx: Trx, actor: Actor, id: number, ownerId: number | null): Promise<void> => {
    const token = await trx
      .selectFrom('tokens')
      .select(['user_id', 'revoked_at'])
      .where('id', '=', id)
      .where('hash', 'is not', null)
      .$if(ownerId !== null, (query) => query.where('user_id', '=', ownerId))
      .forUpdate()
      .executeTakeFirst()
    if (!token) throw notFound('API-nøglen findes ikke.')
    if (token.revoked_at) return
    await trx
      .updateTable('tokens')
      .set({ revoked_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await addLogEntry(trx, actor, 'token-revoked', {
      tokenId: id,
      ...(token.user_id !== actor.userId && { userId: token.user_id }),
    })
  },
)

/** For how many days an ended key is listed, and its secret is answered with the reason. */
const REMEMBERED_DAYS = 30

/** Forgets the secrets and devices of keys that ended a while ago. Their names stay, because the log has them. */
export async function forgetTokens(db: Database): Promise<void> {
  await sql`
    update tokens set hash = null, device = ''
    where hash is not null
      and least(revoked_at, expires_at) < now() - make_interval(days => ${sql.lit(REMEMBERED_DAYS)})`.execute(
    db,
  )
}
