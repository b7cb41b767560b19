import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from '../../config.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { addLoneLogEntry } from '../../log/log.db.ts'
import { addressOf } from '../../server/http/address.ts'
import { forbidden, notFound, Refusal, tooMany } from '../../server/http/errors.ts'
import { requireFreshProof } from '../../server/http/fresh-proof.ts'
import { userOf } from '../../server/http/permit.ts'
import { sameText } from '../../server/http/signed.ts'
import { submit } from '../../server/http/forms/submit.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import type { Parts } from '../../server/parts.ts'
import { FairQueue } from '../../server/process/fair-queue.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { loginTo, ownPath, proveTo, safeNext, withProblem } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { knownPerson } from '../session/known-device.routes.ts'
import { findLinkUser } from '../links/link-tokens.db.ts'
import { sessionToken } from '../session/session-cookie.routes.ts'
import { browserOf, letIn, tellIfNew } from '../session/enter.routes.ts'
import { countProviderSignIn, type SignInOrigin } from '../throttle/sign-in-throttle.db.ts'
import { setAttemptCookie, takeAttemptCookie, type AttemptCookie } from './attempt-cookie.routes.ts'
import { addAttempt, ATTEMPT_MINUTES, takeAttempt, type Attempt, type Purpose } from './attempts.db.ts'
import {
  acceptByIdentity,
  linkIdentity,
  proveByIdentity,
  signInByIdentity,
  type Proof,
} from './identities.db.ts'
import type { Problem } from './provider.ts'
import { ProviderFault, Providers, secretsOf } from './providers.server.ts'

type ByProvider = { Params: { provider: string } }

/** The settings and the providers that the routes need. */
type Desk = {
  parts: Parts
  providers: Providers
  /** Asks a provider when it is the client's turn. */
  inTurn: <Result>(
    request: FastifyRequest,
    provider: Provider,
    work: () => Promise<Result>,
  ) => Promise<Result>
}

/** Adds signing in at other places by OpenID Connect: decision 53. */
export function addProviders(app: FastifyInstance, parts: Parts): void {
  const { db, config, https } = parts
  const providers = new Providers(config)
  // A slow provider keeps few requests waiting, few of one client's, and none of another provider's.
  const turns = new Map(config.providers.map(({ key }) => [key, new FairQueue({ atOnce: 20, each: 4 })]))
  const desk: Desk = {
    parts,
    providers,
    inTurn: (request, { key }, work) => turns.get(key)!.run(clientOf(request), work),
  }
  const visit = { config: { right: 'visit' } } as const

  const getProvider = (key: string): Provider => {
    const provider = providers.find(key)
    if (!provider) throw notFound()
    return provider
  }

  app.get<ByProvider & { Querystring: { next?: unknown } }>(
    urls.signInWith(':provider'),
    visit,
    (request, reply) => {
      const { key, name, button } = getProvider(request.params.provider)
      const next = safeNext(request.query.next)
      if (request.user) return reply.redirect(next, 303)
      const form = { action: urls.signInWith(key), next }
      return reply.page('go-on', { name, button, begin: form, address: null }, button)
    },
  )

  app.post<ByProvider>(urls.signInWith(':provider'), visit, (request, reply) => {
    const next = safeNext((request.body as { next?: unknown } | undefined)?.next).slice(0, 2000)
    const provider = getProvider(request.params.provider)
    return begin(desk, request, reply, provider, { purpose: 'sign-in', next }, null)
  })

  app.post<ByProvider>(
    urls.linkProvider(':provider'),
    { config: { right: 'haveProfile' } },
    (request, reply) => {
      requireFreshProof(request)
      const provider = getProvider(request.params.provider)
      const token = sessionToken(request, https) ?? ''
      const purpose = { purpose: 'link', userId: userOf(request).id, sessionToken: token } as const
      return begin(desk, request, reply, provider, purpose, null)
    },
  )

  app.post<ByProvider>(
    urls.proveWith(':provider'),
    { config: { right: 'enter', isOpenWithoutFactor: true } },
    (request, reply) => {
      const provider = getProvider(request.params.provider)
      const { id, hasFactor, hasPassword } = userOf(request)
      // A person with a password or factor of our own proves who they are with that.
      if (hasFactor || hasPassword) throw forbidden()
      const next = ownPath((request.body as { next?: unknown } | undefined)?.next).slice(0, 2000)
      const sessionHere = sessionToken(request, https) ?? ''
      const purpose = {
        purpose: 'proof',
        userId: id,
        sessionToken: sessionHere,
        next,
      } as const
      return begin(desk, request, reply, provider, purpose, null)
    },
  )

  app.post<{ Params: { token: string; provider: string } }>(
    urls.acceptWith(':token', ':provider'),
    visit,
    async (request, reply) => {
      const provider = getProvider(request.params.provider)
      const { token } = request.params
      const user = await findLinkUser(db, 'invitation', token)
      if (!user && wantsJson(request)) throw new Refusal(410, 'Linket virker ikke længere. Bed om et nyt.')
      // The invitation's own page says what to do.
      if (!user) return reply.redirect(urls.invitation(encodeURIComponent(token)), 303)
      return begin(desk, request, reply, provider, { purpose: 'invitation', userId: user.id }, token)
    },
  )

  app.get<ByProvider>(urls.providerAnswer(':provider'), visit, async (request, reply) => {
    const provider = getProvider(request.params.provider)
    const cookie = takeAttemptCookie(request, reply, https)
    const { state } = request.query as { state?: unknown }
    const isOurs =
      cookie !== null && typeof state === 'string' && sameText(state, secretsOf(cookie.secret).state)
    const attempt = isOurs ? await takeAttempt(db, provider.key, cookie.secret) : null
    if (!cookie || !attempt) {
      const page = request.user ? urls.profile : urls.login
      return reply.redirect(withProblem(page, 'expired', provider.key), 303)
    }
    return reply.redirect(await answer(desk, request, reply, provider, cookie, attempt), 303)
  })
}

/**
 * Sends the browser to the provider. A form may not be redirected to another site (the page's `form-action`), so a script
 * gets the address, and without one a page leads on by itself.
 */
async function begin(
  { parts, providers, inTurn }: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: Provider,
  purpose: Purpose,
  invitation: string | null,
): Promise<FastifyReply> {
  const { db, https } = parts
  const wait = await countProviderSignIn(db, fromOf(request, parts))
  if (wait > 0) throw tooMany(wait, 'Der har været for mange forsøg. Vent lidt, og prøv igen.')
  const secret = await addAttempt(db, provider.key, purpose)
  try {
    const asksAnew = purpose.purpose !== 'sign-in'
    const address = await inTurn(request, provider, () => providers.begin(provider, secret, { asksAnew }))
    setAttemptCookie(reply, { secret, invitation }, https)
    if (wantsJson(request)) return await reply.send({ redirect: address })
    const { name, button } = provider
    void reply.header('refresh', `0; url=${address}`)
    return await reply.page('go-on', { name, button, begin: null, address }, button)
  } catch (error) {
    const problem = problemOf(error, request, provider)
    await takeAttempt(db, provider.key, secret)
    const page = pageOf(purpose, invitation)
    return submit(request, reply, () => Promise.resolve(withProblem(page, problem, provider.key)))
  }
}

/** Does what the attempt was for. Returns where to go on. */
async function answer(
  { parts, providers, inTurn }: Desk,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: Provider,
  { secret, invitation }: AttemptCookie,
  attempt: Attempt,
): Promise<string> {
  const { db, jobs, config, https } = parts
  const back = (problem: Problem) => withProblem(pageOf(attempt, invitation), problem, provider.key)
  if (isOfOtherSession(request, attempt, https))
    return withProblem(request.user ? urls.profile : urls.login, 'other-session', provider.key)
  let proof: Proof
  try {
    const query = request.url.slice(request.url.indexOf('?'))
    const freshMinutes = attempt.purpose === 'proof' ? ATTEMPT_MINUTES : Infinity
    const finish = () => providers.finish(provider, query, secret, freshMinutes)
    proof = { ...(await inTurn(request, provider, finish)), provider }
  } catch (error) {
    const problem = problemOf(error, request, provider)
    if (!['cancelled', 'unavailable'].includes(problem)) await addFailure(parts, request, provider, attempt)
    return back(problem)
  }
  if (attempt.purpose === 'proof') {
    const problem = await proveByIdentity(db, attempt.userId, sessionToken(request, https) ?? '', proof)
    return problem ? back(problem) : `${proveTo(attempt.next)}&done`
  }
  if (attempt.purpose === 'link') {
    const tools = { jobs, appUrl: config.appUrl }
    const problem = await linkIdentity(db, tools, actorOf(request), userOf(request), proof)
    if (problem) await addFailure(parts, request, provider, attempt)
    return problem ? back(problem) : urls.profileAfter('identity-linked')
  }
  const outcome = await enter(parts, request, attempt, proof, invitation)
  // The invitation's own page says that it is dead.
  if (!outcome) return pageOf(attempt, invitation)
  if ('problem' in outcome) {
    await addFailure(parts, request, provider, attempt, outcome.userId)
    return back(outcome.problem)
  }
  letIn(reply, outcome.session, parts)
  return attempt.purpose === 'sign-in' ? attempt.next : urls.start
}

/** A link that was begun in one session cannot be finished in another. */
const isOfOtherSession = (request: FastifyRequest, attempt: Attempt, https: boolean) =>
  'isOf' in attempt && (request.user?.id !== attempt.userId || !attempt.isOf(sessionToken(request, https)))

/** Signs the person in, or lets them accept their invitation. */
function enter(
  parts: Parts,
  request: FastifyRequest,
  attempt: Attempt & { purpose: 'sign-in' | 'invitation' },
  proof: Proof,
  invitation: string | null,
) {
  const { db, https } = parts
  const browser = browserOf(request, https)
  const from = fromOf(request, parts)
  if (attempt.purpose === 'invitation')
    return acceptByIdentity(db, browser, { userId: attempt.userId, token: invitation ?? '' }, proof, from)
  return signInByIdentity(db, browser, proof, from, async (trx, userId) =>
    tellIfNew(request, parts, userId)?.(trx),
  )
}

function fromOf(request: FastifyRequest, key: Pick<Parts, 'secret' | 'https'>): SignInOrigin {
  return { address: request.ip, person: knownPerson(request, key) }
}

/** Logs a failed attempt. `userId` is the owner of the identity, if it has one. */
async function addFailure(
  { db }: Parts,
  request: FastifyRequest,
  { key }: Provider,
  attempt: Attempt,
  userId?: number,
): Promise<void> {
  if (attempt.purpose === 'link')
    return void (await addLoneLogEntry(db, actorOf(request), 'identity-link-failed', { detail: key }))
  const on = attempt.purpose === 'invitation' ? attempt.userId : userId
  const actor = { userId: null, address: addressOf(request) }
  await addLoneLogEntry(db, actor, 'sign-in-failed', { detail: key, ...(on && { userId: on }) })
}

function problemOf(error: unknown, request: FastifyRequest, { key }: Provider): Problem {
  if (!(error instanceof ProviderFault)) throw error
  if (error.problem !== 'cancelled')
    request.log.warn({ provider: key, reason: error.message }, 'a sign-in at a provider failed')
  return error.problem
}

/** Returns the page where the attempt began, which shows its outcome. */
function pageOf(attempt: Purpose | Attempt, invitation: string | null): string {
  if (attempt.purpose === 'link') return urls.profile
  if (attempt.purpose === 'proof') return proveTo(attempt.next)
  if (attempt.purpose === 'sign-in') return loginTo(attempt.next)
  return invitation === null ? urls.login : urls.invitation(invitation)
}
