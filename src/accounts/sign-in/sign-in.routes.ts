import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { addressOf } from '../../server/http/address.ts'
import { addLoneLogEntry } from '../../log/log.db.ts'
import { invalid } from '../../server/http/errors.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { isPassword } from '../passwords/password-hash.server.ts'
import { submit, type Refused } from '../../server/http/forms/submit.ts'
import { line, password, validate } from '../../server/http/validate.ts'
import { safeNext, secondStepTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { relyingPartyOf } from '../factor/relying-party.ts'
import { countTry, NOT_TOLD } from '../throttle/count-try.db.ts'
import { browserOf, enter, tellIfNew } from '../session/enter.routes.ts'
import { knownDevice } from '../session/known-device.routes.ts'
import { problemIn } from '../oidc/problem.routes.ts'
import { buttonsOf } from '../oidc/provider.ts'
import { clearSessionCookie, clearViewCookie, sessionToken } from '../session/session-cookie.routes.ts'
import { signIn, signOut } from './sign-in.db.ts'
import { findAccount, hasUsers } from '../users/users.db.ts'

const Form = z.object({ email: line('E-mail', 254), password })
const WRONG = 'E-mail eller adgangskode er forkert.'

export function addSignIn(app: FastifyInstance, parts: Parts): void {
  const { db, https } = parts
  const { providers } = parts.config

  const show = async (request: FastifyRequest, reply: FastifyReply, next: string, refused?: Refused) =>
    reply.page(
      'login',
      {
        next,
        isNew: !(await hasUsers(db)),
        takesPasskeys: relyingPartyOf(parts.config.appUrl) !== null,
        providers: buttonsOf(providers),
        problem: refused ? null : problemIn(request, providers),
        ...(refused && { refused }),
      },
      'Log ind',
    )

  app.get<{ Querystring: { next?: unknown } }>(
    urls.login,
    { config: { right: 'visit' } },
    async (request, reply) => {
      const next = safeNext(request.query.next)
      return request.user ? reply.redirect(next, 303) : show(request, reply, next)
    },
  )

  app.post(urls.login, { config: { right: 'visit' } }, async (request, reply) => {
    const next = safeNext((request.body as { next?: unknown } | undefined)?.next)
    return submit(
      request,
      reply,
      async () => ((await answer(request, reply)) === 'in' ? next : secondStepTo(next)),
      (refused) => show(request, reply, next, refused),
    )
  })

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<'in' | 'second-step'> {
    const form = validate(Form, request.body)
    const account = await findAccount(db, form.email)
    const device = account ? knownDevice(request, account, parts) : null
    const attempt = { email: form.email, address: request.ip, device }
    const target = account?.deactivated_at === null ? account.id : null
    await countTry(parts, attempt, target, (err) => request.log.error({ err }, NOT_TOLD))
    const stored = account?.deactivated_at ? null : account?.password_hash
    const isRight = await isPassword(form.password, stored, clientOf(request))
    if (!account || !isRight) {
      const actor = { userId: null, address: addressOf(request) }
      await addLoneLogEntry(db, actor, 'sign-in-failed', account && { userId: account.id })
      throw invalid({ password: [WRONG] })
    }
    const browser = browserOf(request, https)
    const tell = tellIfNew(request, parts, account.id)
    const session = await signIn(db, browser, account, attempt, tell)
    if (!session) throw invalid({ password: [WRONG] })
    return enter(reply, session, account, parts)
  }

  app.post(urls.logout, { config: { right: 'visit', whileViewing: true } }, async (request, reply) => {
    const token = sessionToken(request, https)
    const { user } = request
    if (token) await signOut(db, token, user?.viewedBy?.id ?? user?.id ?? null, addressOf(request))
    clearSessionCookie(reply, https)
    clearViewCookie(reply, https)
    // The next person at this computer must find nothing by going back.
    void reply.header('clear-site-data', '"cache"')
    return submit(request, reply, () => Promise.resolve(urls.login))
  })
}
