import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Parts } from '../../server/parts.ts'
import { addressOf } from '../../server/http/address.ts'
import { addLogEntry } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { invalid, tooMany } from '../../server/http/errors.ts'
import { clientOf } from '../../server/http/answer-turns.ts'
import { isPassword } from '../password-hash.server.ts'
import { submit, type Refused } from '../../server/http/submit.ts'
import { line, password, validate } from '../../server/http/validate.ts'
import { safeNext, urls } from '../../urls.ts'
import { knownDevice, rememberDevice } from './known-device.routes.ts'
import { findPasswordHash } from '../profile/profile.db.ts'
import { clearSessionCookie, sessionToken, setSessionCookie } from './session-cookie.routes.ts'
import { addSession, removeSession } from '../sessions.db.ts'
import { beginAttempt, forgetFailures } from './sign-in-throttle.db.ts'
import { findAccount, hasUsers, isStillRight } from '../users.db.ts'

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
        await signIn(request, reply)
        return next
      },
      (refused) => show(reply, next, refused),
    )
  })

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
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
      await db
        .transaction()
        .execute((trx) =>
          addLogEntry(
            trx,
            { userId: null, address: addressOf(request) },
            'sign-in-failed',
            account && { userId: account.id },
          ),
        )
      throw invalid({ password: [WRONG] })
    }
    await db.transaction().execute(async (trx) => {
      // A new password or a deactivation during the comparison must win.
      if (!(await isStillRight(trx, account.id, account.password_hash))) throw invalid({ password: [WRONG] })
      await forgetFailures(trx, attempt)
      await addLogEntry(trx, { userId: account.id, address: addressOf(request) }, 'sign-in')
      await openSession(trx, parts, request, reply, account.id)
    })
  }

  app.post(urls.logout, { config: { right: 'visit' } }, async (request, reply) => {
    const token = sessionToken(request, https)
    const { user } = request
    if (token && user) {
      await db.transaction().execute(async (trx) => {
        await removeSession(trx, token)
        await addLogEntry(trx, { userId: user.id, address: addressOf(request) }, 'sign-out')
      })
    }
    clearSessionCookie(reply, https)
    // The next person at this computer must find nothing by going back.
    void reply.header('clear-site-data', '"cache"')
    return submit(request, reply, () => Promise.resolve(urls.login))
  })
}

/** Opens a new session for each sign-in, and ends the browser's previous one, no matter whose it was. */
export async function openSession(
  trx: Trx,
  { https, secret, config }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  userId: number,
): Promise<void> {
  const before = sessionToken(request, https)
  if (before) await removeSession(trx, before)
  const token = await addSession(trx, userId, request.headers['user-agent'] ?? '')
  setSessionCookie(reply, token, { https, maxDays: config.sessionMaxDays })
  const account = { id: userId, password_hash: await findPasswordHash(trx, userId) }
  rememberDevice(reply, account, { https, secret })
}
