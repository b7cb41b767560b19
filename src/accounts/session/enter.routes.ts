import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Trx } from '../../server/database/database.ts'
import { addressOf } from '../../server/http/address.ts'
import type { Parts } from '../../server/parts.ts'
import { isOwnBrowser, rememberDevice } from './known-device.routes.ts'
import { mailAboutNewDevice } from './new-device.db.ts'
import type { Browser, NewSession } from './open-session.db.ts'
import { sessionToken, setSessionCookie } from './session-cookie.routes.ts'
import { keepFirstStep } from './step-cookie.routes.ts'

export const browserOf = (request: FastifyRequest, https: boolean): Browser => ({
  address: addressOf(request),
  device: request.headers['user-agent'] ?? '',
  oldToken: sessionToken(request, https),
})

/** Returns the function that mails the person about the sign-in, or nothing if they have used this browser before. */
export function tellIfNew(
  request: FastifyRequest,
  parts: Parts,
  userId: number,
): ((trx: Trx) => Promise<void>) | undefined {
  if (isOwnBrowser(request, userId, parts)) return undefined
  return (trx) => mailAboutNewDevice(trx, parts, userId, request.headers['user-agent'] ?? '')
}

/** Gives the browser the cookies of its new session, or lets it take the second step. */
export function enter(
  reply: FastifyReply,
  session: NewSession | 'second-step',
  account: NewSession['account'],
  parts: Parts,
): 'in' | 'second-step' {
  if (session === 'second-step') {
    keepFirstStep(reply, account, parts)
    return session
  }
  letIn(reply, session, parts)
  return 'in'
}

/** Gives the browser the cookies of its new session. */
export function letIn(reply: FastifyReply, { token, account }: NewSession, parts: Parts): void {
  const { https, config } = parts
  // The server ends it earlier; a role may change meanwhile.
  const maxDays = Math.max(config.sessionMaxDays, config.sessionOfficeMaxDays)
  setSessionCookie(reply, token, { https, maxDays })
  rememberDevice(reply, account, parts)
}
