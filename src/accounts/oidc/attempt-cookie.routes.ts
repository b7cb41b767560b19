import type { FastifyReply, FastifyRequest } from 'fastify'
import { ATTEMPT_MINUTES } from './attempts.db.ts'

/** The browser's own part of an attempt: its secret, and the invitation that it accepts, which is stored nowhere. */
export type AttemptCookie = { secret: string; invitation: string | null }

/** The prefix makes the browser bind the cookie to this host and to https. */
const nameOf = (https: boolean) => (https ? '__Host-provider' : 'provider')

export function setAttemptCookie(
  reply: FastifyReply,
  { secret, invitation }: AttemptCookie,
  https: boolean,
): void {
  void reply.setCookie(nameOf(https), invitation === null ? secret : `${secret}.${invitation}`, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax', // the provider's page leads back to us
    secure: https,
    maxAge: ATTEMPT_MINUTES * 60,
  })
}

/** Reads the cookie, which works once. */
export function takeAttemptCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  https: boolean,
): AttemptCookie | null {
  const text = request.cookies[nameOf(https)]
  if (text === undefined) return null
  void reply.clearCookie(nameOf(https), { path: '/', secure: https })
  const [, secret, invitation = null] = /^([\w-]{43})(?:\.([\w-]{1,100}))?$/.exec(text) ?? []
  return secret === undefined ? null : { secret, invitation }
}
