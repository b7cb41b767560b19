import { sql } from 'kysely'
import { emailKey } from '../../base/text.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { hashOfSecret, newSecret } from '../../server/http/secret.ts'
import type { User } from '../users/user.ts'

type Kind = 'setup' | 'reset' | 'invitation'

/** How long the page of a dead link can send a new one. */
const DEAD_LINK_DAYS = 90

export const LINK_HOURS: Record<Kind, number> = { setup: 24, reset: 2, invitation: 14 * 24 }

/** A link to a new password that the office sends: the person has not asked for it and reads it later. */
export const SENT_LINK_HOURS = 24

/** Returns the secret for the link; only its hash is stored. */
export async function addLinkToken(
  trx: Database | Trx,
  kind: Kind,
  userId: number | null,
  hours = LINK_HOURS[kind],
  removesFactors = false,
): Promise<string> {
  const token = newSecret(24)
  await trx
    .insertInto('link_tokens')
    .values({
      hash: hashOfSecret(token),
      kind,
      user_id: userId,
      expires_at: sql`now() + make_interval(hours => ${sql.lit(hours)})`,
      removes_factors: removesFactors,
    })
    .execute()
  return token
}

/**
 * Adds a token if the person still has this address and is active. Returns null if not, or if they were sent `most`
 * links in the last two hours.
 */
export async function addLinkTokenFor(
  db: Database,
  kind: 'reset' | 'invitation',
  userId: number,
  email: string,
  most: number,
  hours = LINK_HOURS[kind],
): Promise<string | null> {
  const token = newSecret(24)
  return db.transaction().execute(async (trx) => {
    // Several mails are sent at the same time, and each must count the others.
    await sql`select pg_advisory_xact_lock(hashtextextended('links of ' || ${userId}::text, 0))`.execute(trx)
    if ((await countNewLinks(trx, userId)) >= most) return null
    return (await insertFor(trx, { kind, userId, email, token, hours })) ? token : null
  })
}

type NewToken = {
  kind: 'reset' | 'invitation'
  userId: number
  email: string
  token: string
  hours: number
}

async function insertFor(trx: Trx, { kind, userId, email, token, hours }: NewToken): Promise<boolean> {
  // `for share` waits for a change of the person in progress, so that no link outlives a deactivation or a new
  // address.
  const { rows } = await sql`
    insert into link_tokens (hash, kind, user_id, expires_at)
    select ${hashOfSecret(token)}, ${kind}, id, now() + make_interval(hours => ${sql.lit(hours)})
    from (
      select id from users where id = ${userId} and email_key = ${emailKey(email)} and deactivated_at is null for share
    ) as still returning hash`.execute(trx)
  return rows.length > 0
}

/** Returns the link's person while the link works. */
export async function findLinkUser(
  db: Database,
  kind: 'reset' | 'invitation',
  token: string,
): Promise<User | null> {
  const user = await db
    .selectFrom('link_tokens')
    .innerJoin('users', 'users.id', 'link_tokens.user_id')
    .select(['users.id', 'users.name', 'users.email', 'users.role'])
    .where('hash', '=', hashOfSecret(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('users.deactivated_at', 'is', null)
    .executeTakeFirst()
  return user ?? null
}

/** Returns whose a link is or was, whether it works or not. */
export async function findOwnerOfLink(
  db: Database | Trx,
  token: string,
): Promise<{ id: number; email: string } | null> {
  const { rows } = await sql<{ id: number; email: string }>`
    select users.id, users.email from users where users.id in (
      select user_id from dead_links where hash = ${hashOfSecret(token)}
      union all select user_id from link_tokens where hash = ${hashOfSecret(token)})`.execute(db)
  return rows[0] ?? null
}

export async function isSetupToken(db: Database | Trx, token: string): Promise<boolean> {
  const found = await db
    .selectFrom('link_tokens')
    .select('hash')
    .where('hash', '=', hashOfSecret(token))
    .where('kind', '=', 'setup')
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return Boolean(found)
}

/** Uses up a link. Returns null if somebody else just did, or if it is not this person's. */
export async function takeLinkToken(
  trx: Trx,
  kind: Kind,
  token: string,
  userId: number | null,
): Promise<{ removes_factors: boolean } | null> {
  const taken = await trx
    .deleteFrom('link_tokens')
    .where('hash', '=', hashOfSecret(token))
    .where('kind', '=', kind)
    .where('user_id', 'is not distinct from', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('removes_factors')
    .executeTakeFirst()
  return taken ?? null
}

/** Counts the links a person was sent in the last two hours. */
async function countNewLinks(db: Database | Trx, userId: number): Promise<number> {
  const { links } = await db
    .selectFrom('link_tokens')
    .select(({ fn }) => fn.countAll<number>().as('links'))
    .where('user_id', '=', userId)
    .where('created_at', '>', sql<Date>`now() - interval '2 hours'`)
    .where('created_at', '<', sql<Date>`now() + interval '1 minute'`) // skips rows left by a clock that was ahead
    .executeTakeFirstOrThrow()
  return links
}

export async function removeLinkToken(db: Database, token: string): Promise<void> {
  await db.deleteFrom('link_tokens').where('hash', '=', hashOfSecret(token)).execute()
}

export async function purgeLinkTokens(db: Database): Promise<void> {
  await db
    .deleteFrom('link_tokens')
    .where('expires_at', '<', sql<Date>`now()`)
    .execute()
  await sql`
    delete from dead_links where died_at < now() - make_interval(days => ${sql.lit(DEAD_LINK_DAYS)})`.execute(
    db,
  )
}
