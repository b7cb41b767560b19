import { sql } from 'kysely'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { sendJoinedMail } from '../../office/joined-mails.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import type { Mail } from '../../server/mail.ts'
import { removeOtherSessions } from '../session/sessions.db.ts'
import { stepOf } from './code-app.server.ts'
import type { FactorNews } from './factor-mail.ts'
import { MOST_PASSKEYS, type Factors } from './factor.ts'
import { openApp, sealApp } from './sealed-app.server.ts'
import type { Vault } from '../../server/process/vault.ts'
import { replaceRecoveryCodes, takeRecoveryCode } from './recovery-codes.db.ts'

export async function findFactors(db: Database, userId: number): Promise<Factors> {
  const [app, passkeys, codes] = await Promise.all([
    db.selectFrom('code_apps').select('added_at').where('user_id', '=', userId).executeTakeFirst(),
    db
      .selectFrom('passkeys')
      .select(['id', 'name', 'added_at', 'used_at'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow(),
  ])
  return {
    app: app?.added_at.toISOString() ?? null,
    passkeys: passkeys.map(({ id, name, added_at: added, used_at: used }) => ({
      id,
      name,
      added_at: added.toISOString(),
      used_at: used?.toISOString() ?? null,
    })),
    codesLeft: codes.left,
  }
}

/** How often a person's factors were changed: see `secretFor`. */
export async function countChanges(db: Database, userId: number): Promise<number> {
  const { factor_changes: changes } = await db
    .selectFrom('users')
    .select('factor_changes')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return changes
}

/** The kind of code that proved the second factor. */
type CodeKind = 'code' | 'recovery-code'

/** Uses up a code of the app or a recovery code. Returns null if it is wrong or was used before. */
export async function takeCode(
  trx: Trx,
  vault: Vault,
  userId: number,
  typed: string,
  at = Date.now(),
): Promise<CodeKind | null> {
  if (await takeRecoveryCode(trx, userId, typed)) return 'recovery-code'
  const app = await trx
    .selectFrom('code_apps')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  const secret = app && openApp(vault, userId, app.secret)
  const step = secret ? stepOf(secret, typed, at) : null
  if (!app || step === null || step <= app.last_step) return null
  await trx.updateTable('code_apps').set({ last_step: step }).where('user_id', '=', userId).execute()
  return 'code'
}

/** The same in a transaction of its own. */
export const takeCodeAlone = transactional(takeCode)

/** The person whose factors change, their session, and the mail about it. */
export type FactorChange = {
  actor: Actor
  userId: number
  session: string
  jobs: Jobs
  /** The mail about the change. Mails about repeated changes are joined. */
  news: { kind: FactorNews; to: string; compose: (times: number) => Mail }
}

const tellOfChange = (trx: Trx, { userId, jobs, news: { kind, to, compose } }: FactorChange) =>
  sendJoinedMail(trx, jobs, { to, cause: `login:${kind}`, causer: userId }, compose)

/** Adds the app, or replaces the one before. Returns recovery codes if it is the person's first factor. */
export const addCodeApp = transactional(
  async (
    trx: Trx,
    vault: Vault,
    change: FactorChange,
    secret: Buffer,
    step: number,
  ): Promise<string[] | null> => {
    const hadFactor = await lockFactors(trx, change.userId)
    const before = await trx
      .deleteFrom('code_apps')
      .where('user_id', '=', change.userId)
      .returning('last_step')
      .executeTakeFirst()
    if (before && step <= before.last_step) throw invalid({ code: ['Koden er brugt. Vent på den næste.'] })
    const sealed = sealApp(vault, change.userId, secret)
    await trx
      .insertInto('code_apps')
      .values({ user_id: change.userId, secret: sealed, last_step: step })
      .execute()
    return afterAdding(trx, change, hadFactor, 'app')
  },
)

type NewPasskey = {
  credential: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
  name: string
}

/** Returns recovery codes if it is the person's first factor. */
export const addPasskey = transactional(
  async (trx: Trx, change: FactorChange, passkey: NewPasskey): Promise<string[] | null> => {
    const hadFactor = await lockFactors(trx, change.userId)
    const { passkeys } = await trx
      .selectFrom('passkeys')
      .select(({ fn }) => fn.countAll<number>().as('passkeys'))
      .where('user_id', '=', change.userId)
      .executeTakeFirstOrThrow()
    if (passkeys >= MOST_PASSKEYS)
      throw invalid({ name: [`Du kan højst have ${MOST_PASSKEYS} adgangsnøgler. Fjern en først.`] })
    const { credential, publicKey, counter, transports, name } = passkey
    const added = await trx
      .insertInto('passkeys')
      .values({
        user_id: change.userId,
        credential,
        public_key: publicKey,
        counter,
        transports,
        name,
        used_at: null,
      })
      .onConflict((conflict) => conflict.column('credential').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) throw invalid({ name: ['Den adgangsnøgle er allerede tilføjet.'] })
    return afterAdding(trx, change, hadFactor, 'passkey')
  },
)

/** The first factor ends all other sessions, which were opened without one, and makes the present one strong. */
async function afterAdding(
  trx: Trx,
  change: FactorChange,
  hadFactor: boolean,
  detail: 'app' | 'passkey',
): Promise<string[] | null> {
  const { actor, userId, session } = change
  await addLogEntry(trx, actor, 'factor-added', { detail })
  await tellOfChange(trx, change)
  if (hadFactor) return null
  await removeOtherSessions(trx, userId, session)
  await trx.updateTable('sessions').set({ is_strong: true }).where('user_id', '=', userId).execute()
  return replaceRecoveryCodes(trx, userId)
}

export const removeCodeApp = transactional(async (trx: Trx, change: FactorChange): Promise<void> => {
  await lockFactors(trx, change.userId)
  const { numDeletedRows } = await trx
    .deleteFrom('code_apps')
    .where('user_id', '=', change.userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('Appen er allerede fjernet.')
  await afterRemoving(trx, change, 'app')
})

export const removePasskey = transactional(
  async (trx: Trx, change: FactorChange, id: number): Promise<void> => {
    await lockFactors(trx, change.userId)
    const { numDeletedRows } = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', change.userId)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('Adgangsnøglen er allerede fjernet.')
    await afterRemoving(trx, change, 'passkey')
  },
)

async function afterRemoving(trx: Trx, change: FactorChange, detail: 'app' | 'passkey'): Promise<void> {
  const { actor, userId } = change
  const { rows } = await sql<{ has_factor: boolean; is_demanded: boolean }>`
    select has_factor, exists (
      select from factor_demands where factor_demands.role = users.role and starts_at <= now()) as is_demanded
    from users where id = ${userId}`.execute(trx)
  const [now] = rows
  if (!now!.has_factor && now!.is_demanded)
    throw invalid({ factor: ['Kontoret kræver totrinslogin for din rolle. Tilføj en anden måde først.'] })
  if (!now!.has_factor) await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await addLogEntry(trx, actor, 'factor-removed', { detail })
  await tellOfChange(trx, change)
}

/** Returns new codes; the old ones no longer work. */
export const makeRecoveryCodes = transactional(async (trx: Trx, change: FactorChange): Promise<string[]> => {
  const { actor, userId } = change
  if (!(await lockFactors(trx, userId))) throw invalid({ factor: ['Slå totrinslogin til først.'] })
  await addLogEntry(trx, actor, 'recovery-codes-made')
  await tellOfChange(trx, change)
  return replaceRecoveryCodes(trx, userId)
})

/** Removes all factors of a person who has lost them. Returns whether there were any. */
export async function removeAllFactors(trx: Trx, userId: number): Promise<boolean> {
  const hadFactor = await lockFactors(trx, userId)
  await trx.deleteFrom('code_apps').where('user_id', '=', userId).execute()
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return hadFactor
}

/** Locks the person, so that two changes at once see each other. Returns whether they have a factor. */
async function lockFactors(trx: Trx, userId: number): Promise<boolean> {
  const user = await trx
    .selectFrom('users')
    .select('has_factor')
    .where('id', '=', userId)
    .where('deactivated_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!user) throw notFound('Personen findes ikke.')
  return user.has_factor
}
