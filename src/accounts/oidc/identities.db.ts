import { sql } from 'kysely'
import type { Provider } from '../../config.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendSecurityMail } from '../../server/mail.ts'
import { forgetFailedMails } from '../mails/failed-mails.db.ts'
import { identityLinkedMail, identityUnlinkedMail } from '../mails/mails.ts'
import { lockPeople } from '../users/lock-people.db.ts'
import { removeOtherSessions, setProved } from '../session/sessions.db.ts'
import { takeLinkToken } from '../links/link-tokens.db.ts'
import { openSession, type Browser, type NewSession } from '../session/open-session.db.ts'
import { uncountProviderSignIn, type SignInOrigin } from '../throttle/sign-in-throttle.db.ts'
import type { User } from '../users/user.ts'
import { lockActive } from '../users/users.db.ts'
import { MOST_IDENTITIES, type Identity, type Problem } from './provider.ts'
import type { ProvenIdentity } from './providers.server.ts'

/** An identity that a provider has proved, and the provider. */
export type Proof = ProvenIdentity & { provider: Provider }

type Outcome = { session: NewSession } | { problem: Problem; userId?: number }

/** Signs in the person whom the identity belongs to. Never adds a person, nor finds one by anything else. */
export const signInByIdentity = transactional(
  async (
    trx: Trx,
    browser: Browser,
    proof: Proof,
    from: SignInOrigin,
    /** Tells the person, if the browser is new to them. */
    tellOfDevice: (trx: Trx, userId: number) => Promise<void>,
  ): Promise<Outcome> => {
    const { issuer, subject, provider } = proof
    const known = await findOwner(trx, { issuer, subject })
    if (!known) return { problem: 'unknown' }
    if (!(await lockActive(trx, known.userId))) return { problem: 'closed', userId: known.userId }
    const used = await trx
      .updateTable('identities')
      .set({ used_at: sql<Date>`now()` })
      .where('id', '=', known.id)
      .executeTakeFirst()
    // It was removed while we waited for the person.
    if (used.numUpdatedRows === 0n) return { problem: 'unknown' }
    await uncountProviderSignIn(trx, from)
    await tellOfDevice(trx, known.userId)
    const actor = { userId: known.userId, address: browser.address }
    await addLogEntry(trx, actor, 'sign-in', { detail: provider.key })
    return { session: await openSession(trx, browser, known.userId, true) }
  },
)

/** Records that a signed-in person has proved at the provider who they are. Returns the problem, if any. */
export const proveByIdentity = transactional(
  async (trx: Trx, userId: number, session: string, proof: Proof): Promise<Problem | null> => {
    if (!(await lockActive(trx, userId))) return 'closed'
    const owner = await findOwner(trx, proof)
    if (owner?.userId !== userId) return owner ? 'taken' : 'unknown'
    await trx
      .updateTable('identities')
      .set({ used_at: sql<Date>`now()` })
      .where('id', '=', owner.id)
      .execute()
    return (await setProved(trx, userId, session, true)) ? null : 'other-session'
  },
)

type Tools = { jobs: Jobs; appUrl: string }

/** Links the identity to a signed-in person. Linking it again changes nothing. Returns the problem, if any. */
export const linkIdentity = transactional(
  async (trx: Trx, tools: Tools, actor: Actor, user: User, proof: Proof): Promise<Problem | null> => {
    if (!(await lockActive(trx, user.id))) return 'closed'
    const owner = await findOwner(trx, proof)
    if (owner) return owner.userId === user.id ? null : 'taken'
    if ((await countIdentities(trx, user.id)) >= MOST_IDENTITIES) return 'full'
    if (!(await addIdentity(trx, user.id, proof))) return 'taken'
    await addLogEntry(trx, actor, 'identity-linked', { detail: proof.provider.key })
    await tell(trx, tools, identityLinkedMail, user, proof.provider.name)
    return null
  },
)

/** Accepts an invitation with the identity instead of a password, and uses the link up. Null if the link is dead. */
export const acceptByIdentity = transactional(
  async (
    trx: Trx,
    browser: Browser,
    { userId, token }: { userId: number; token: string },
    proof: Proof,
    from: SignInOrigin,
  ): Promise<Outcome | null> => {
    // Locks the person, then the links, as choosing a password does.
    if (!(await lockActive(trx, userId))) return null
    const owner = await findOwner(trx, proof)
    if (owner && owner.userId !== userId) return { problem: 'taken' }
    if (!(await takeLinkToken(trx, 'invitation', token, userId))) return null
    // Throws if somebody else has just linked it, so that the link is not used up.
    if (!owner && !(await addIdentity(trx, userId, proof)))
      throw invalid({ identity: ['Det login er lige blevet knyttet til en anden person.'] })
    await trx
      .updateTable('identities')
      .set({ used_at: sql<Date>`now()` })
      .where('issuer', '=', proof.issuer)
      .where('subject', '=', proof.subject)
      .execute()
    await trx.deleteFrom('link_tokens').where('user_id', '=', userId).execute()
    await forgetFailedMails(trx, userId)
    await uncountProviderSignIn(trx, from)
    const actor = { userId, address: browser.address }
    await addLogEntry(trx, actor, 'invitation-accepted', { detail: proof.provider.key })
    return { session: await openSession(trx, browser, userId, true) }
  },
)

/**
 * Removes one of the person's identities, unless it is their only way to sign in. An administrator may remove that one
 * too, which also ends the person's sessions.
 */
export const unlinkIdentity = transactional(
  async (
    trx: Trx,
    tools: Tools,
    actor: Actor,
    user: User,
    id: number,
    providers: Provider[],
  ): Promise<void> => {
    const isOwn = actor.userId === user.id
    if (!isOwn) await lockPeople(trx, actor)
    const { password_hash: passwordHash } = await trx
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', user.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const own = await trx
      .selectFrom('identities')
      .select(['id', 'issuer'])
      .where('user_id', '=', user.id)
      .execute()
    const removed = own.find((identity) => identity.id === id)
    if (!removed) throw notFound('Det login er allerede fjernet.')
    if (isOwn && own.length === 1 && passwordHash === null)
      throw invalid({
        identity: ['Uden det kan du ikke logge ind igen. Vælg en adgangskode først.'],
      })
    await trx.deleteFrom('identities').where('id', '=', id).execute()
    if (!isOwn) await removeOtherSessions(trx, user.id, '')
    const provider = findProvider(removed.issuer, providers)
    await addLogEntry(trx, actor, 'identity-unlinked', {
      ...(provider && { detail: provider.key }),
      ...(!isOwn && { userId: user.id }),
    })
    await tell(trx, tools, identityUnlinkedMail, user, nameOf(removed.issuer, providers))
  },
)

export async function listIdentities(
  db: Database,
  userId: number,
  providers: Provider[],
): Promise<Identity[]> {
  const rows = await db
    .selectFrom('identities')
    .select(['id', 'issuer', 'linked_at', 'used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ id, issuer, linked_at: linked, used_at: used }) => ({
    id,
    name: nameOf(issuer, providers),
    linked_at: linked.toISOString(),
    used_at: used?.toISOString() ?? null,
  }))
}

/** A provider that is no longer set up is named by its host. */
function nameOf(issuer: string, providers: Provider[]): string {
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer
  return findProvider(issuer, providers)?.name ?? host
}

/** The setting may have a slash more or less at its end. */
function findProvider(issuer: string, providers: Provider[]): Provider | undefined {
  const plain = (address: string) => address.replace(/\/$/, '')
  return providers.find((provider) => plain(provider.issuer) === plain(issuer))
}

async function findOwner(
  trx: Trx,
  { issuer, subject }: ProvenIdentity,
): Promise<{ id: number; userId: number } | undefined> {
  return trx
    .selectFrom('identities')
    .select(['id', 'user_id as userId'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

async function countIdentities(trx: Trx, userId: number): Promise<number> {
  const { identities } = await trx
    .selectFrom('identities')
    .select(({ fn }) => fn.countAll<number>().as('identities'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return identities
}

/** Returns false if somebody else has it. */
async function addIdentity(trx: Trx, userId: number, { issuer, subject }: ProvenIdentity): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added } = await trx
    .insertInto('identities')
    .values({ user_id: userId, issuer, subject, used_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added === 1n
}

type Words = typeof identityLinkedMail

async function tell(
  trx: Trx,
  { jobs, appUrl }: Tools,
  words: Words,
  user: User,
  name: string,
): Promise<void> {
  await sendSecurityMail(trx, jobs, words(await findOffice(trx), user, name, appUrl))
}
