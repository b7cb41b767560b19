import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { addressOf } from '../../server/http/address.ts'
import { addLoneLogEntry } from '../../log/log.db.ts'
import { invalid, tooMany } from '../../server/http/errors.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { isPassword } from '../password-hash.server.ts'
import { submit, type Refused } from '../../server/http/submit.ts'
import { line, password, validate } from '../../server/http/validate.ts'
import { safeNext, urls } from '../../urls.ts'
import { knownDevice, rememberDevice } from './known-device.routes.ts'
import { clearSessionCookie, sessionToken, setSessionCookie } from './session-cookie.routes.ts'
import { signIn, signOut, type Browser, type NewSession } from './sign-in.db.ts'
import { beginAttempt } from './sign-in-throttle.db.ts'
import { findAccount, hasUsers } from '../users.db.ts'

const Form = z.object({ email: line('E-mail', 254), password })
const WRONG = 'E-mail eller adgangskode er forkert.'

export function addSignIn(app: FastifyInstance, parts: Parts): void {
  const { db, https } = parts

  const show = async (reply: FastifyReply, next: string, refused?: Refused) =>
    reply.page('login', { next, isNew: !(await hasUsers(db)), ...(refused && { refused }) }, 'Log ind')

  app.get<{ Querystring: { next?: unknown } }>(
    urls.login,
    { config: { right: 'visit' } },
    async (request, reply) => {
      const next = safeNext(request.query.next)
      return request.user ? reply.redirect(next, 303) : show(reply, next)
    },
  )

  app.post(urls.login, { config: { right: 'visit' } }, async (request, reply) => {
    const next = safeNext((request.body as { next?: unknown } | undefined)?.next)
    return submit(
      request,
      reply,
      async () => {
        await answer(request, reply)
        return next
      },
      (refused) => show(reply, next, refused),
    )
  })

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const form = validate(Form, request.body)
    const account = await findAccount(db, form.email)
    const device = account ? knownDevice(request, account, parts) : null
    const attempt = { email: form.email, address: request.ip, device }
    const wait = await beginAttempt(db, attempt)
    if (wait > 0)
      throw tooMany(
        wait,
        `Der har været for mange forsøg. Prøv igen om ${wait} ${wait === 1 ? 'sekund' : 'sekunder'}.`,
      )
    const stored = account?.deactivated_at ? null : account?.password_hash
    const isRight = await isPassword(form.password, stored, clientOf(request))
    if (!account || !isRight) {
      const actor = { userId: null, address: addressOf(request) }
      await addLoneLogEntry(db, actor, 'sign-in-failed', account && { userId: account.id })
      throw invalid({ password: [WRONG] })
    }
    const session = await signIn(db, browserOf(request, https), account, attempt)
    if (!session) throw invalid({ password: [WRONG] })
    letIn(reply, session, parts)
  }

  app.post(urls.logout, { config: { right: 'visit' } }, async (request, reply) => {
    const token = sessionToken(request, https)
    const { user } = request
    if (token && user) {
      await signOut(db, token, user.id, addressOf(request))
    }
    clearSessionCookie(reply, https)
    // The next person at this computer must find nothing by going back.
    void reply.header('clear-site-data', '"cache"')
    return submit(request, reply, () => Promise.resolve(urls.login))
  })
}

export const browserOf = (request: FastifyRequest, https: boolean): Browser => ({
  address: addressOf(request),
  device: request.headers['user-agent'] ?? '',
  oldToken: sessionToken(request, https),
})

/** Gives the browser the cookies of its new session. */
export function letIn(reply: FastifyReply, { token, account }: NewSession, parts: Parts): void {
  const { https, config } = parts
  setSessionCookie(reply, token, { https, maxDays: config.sessionMaxDays })
  rememberDevice(reply, account, parts)
}
