import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PROOF_PREFIX, PROVE_TITLE } from '../../base/prove.ts'
import { signedOutText } from '../../base/signed-out.ts'
import { actorOf } from '../../log/actor.routes.ts'
import { addLoneLogEntry } from '../../log/log.db.ts'
import { carriedFields } from '../../server/http/forms/carried-fields.ts'
import { invalid, Refusal } from '../../server/http/errors.ts'
import { userOf } from '../../server/http/permit.ts'
import { wantsJson } from '../../server/http/wants-json.ts'
import type { Parts } from '../../server/parts.ts'
import { ownPath, proveTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { findPasswordHash } from '../users/users.db.ts'
import { countTry, NOT_TOLD } from '../throttle/count-try.db.ts'
import { problemIn } from '../oidc/problem.routes.ts'
import { knownDevice } from '../session/known-device.routes.ts'
import { sessionToken } from '../session/session-cookie.routes.ts'
import { noteProof } from './prove.db.ts'
import { wayOf } from './ways.routes.ts'

/** Adds the question that asks signed-in people for a fresh proof: see `requireFreshProof`. */
export function addProving(app: FastifyInstance, parts: Parts): void {
  const { db, https } = parts
  const enter = { config: { right: 'enter', isOpenWithoutFactor: true } } as const
  // Beside its own fields it may carry those of the largest form that asks.
  const prove = { config: { ...enter.config, mostFields: 1300 }, bodyLimit: 300_000 } as const

  app.get<{ Querystring: { to?: unknown; done?: unknown } }>(urls.prove, enter, (request, reply) => {
    const { to, done } = request.query
    const isProved = done !== undefined && userOf(request).isFresh
    const problem = problemIn(request, parts.config.providers)
    return reply.page('prove', { to: ownPath(to), fields: null, isProved, problem }, PROVE_TITLE)
  })

  app.post(urls.prove, prove, async (request, reply) => {
    try {
      await proveIn(request, reply)
    } catch (error) {
      const isFault = error instanceof Refusal && [422, 429].includes(error.status)
      if (!isFault || wantsJson(request)) throw error
      return showAgain(request, reply, error)
    }
    if (wantsJson(request)) return { proved: true }
    const { to, isForm } = targetOf(request)
    // 307 makes the browser send the form that it carries on, as if it had come straight from its own page.
    return isForm ? reply.redirect(to, 307) : reply.redirect(`${proveTo(to)}&done`, 303)
  })

  /** Throttled like the sign-in: somebody who finds an open browser could try passwords here. */
  async function proveIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { id, hasFactor } = userOf(request)
    const account = { id, password_hash: await findPasswordHash(db, id), has_factor: hasFactor }
    // A counter of its own: signing in with the right password must not set it back.
    const attempt = {
      email: `proof ${id}`,
      address: request.ip,
      device: knownDevice(request, account, parts),
    }
    await countTry(parts, attempt, id, (err) => request.log.error({ err }, NOT_TOLD))
    const way = wayOf(account, request.body)
    const faults = await way.check({ parts, account, request, reply })
    if (faults) {
      await addLoneLogEntry(db, actorOf(request), 'proof-failed')
      throw invalid(faults)
    }
    if (!(await noteProof(db, account, sessionToken(request, https) ?? '', attempt, way.isStrong)))
      throw new Refusal(401, signedOutText())
  }

  function showAgain(request: FastifyRequest, reply: FastifyReply, refusal: Refusal) {
    const { to, isForm } = targetOf(request)
    const { status, message, errors = {}, retryAfter } = refusal
    if (retryAfter) void reply.header('retry-after', retryAfter)
    const fields = isForm ? carriedFields(request.body) : null
    return reply
      .code(status)
      .page('prove', { to, fields, refused: { message, errors, values: {} } }, PROVE_TITLE)
  }
}

/** Returns where the person was going, and whether they had sent a form there. */
function targetOf({ body }: FastifyRequest): { to: string; isForm: boolean } {
  const { [`${PROOF_PREFIX}to`]: to, [`${PROOF_PREFIX}form`]: form } = (body ?? {}) as Record<string, unknown>
  return { to: ownPath(to), isForm: form === '1' }
}
