import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSigned, sign } from '../../server/http/signed.ts'
import type { Parts } from '../../server/parts.ts'
import { PASSKEY_MINUTES } from './passkey.server.ts'

type Key = Pick<Parts, 'secret' | 'https'>

/** The reason for asking for a passkey: a sign-in, or a proof of who one is. */
export const SIGNING_IN = 'sign-in'
export const PROVING = 'proof'

const nameOf = (https: boolean) => (https ? '__Host-challenge' : 'challenge')

/** Keeps the challenge for a passkey in the browser that asked for it. `about` says what the answer is for. */
export function keepChallenge(
  reply: FastifyReply,
  { secret, https }: Key,
  challenge: string,
  about: string,
): void {
  const value = `${challenge}~${Date.now() + PASSKEY_MINUTES * 60_000}`
  void reply.setCookie(nameOf(https), sign(secret, value, `passkey ${about}`), {
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: https,
    maxAge: PASSKEY_MINUTES * 60,
  })
}

/** Returns the challenge of this browser, until it expires. */
export function takeChallenge(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, https }: Key,
  about: string,
): string | null {
  const cookie = request.cookies[nameOf(https)]
  if (cookie === undefined || cookie.length > 300) return null
  void reply.clearCookie(nameOf(https), { path: '/', secure: https })
  const [challenge, ends, ...more] = readSigned(secret, cookie, `passkey ${about}`)?.split('~') ?? []
  return challenge && more.length === 0 && Number(ends) > Date.now() ? challenge : null
}
