import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readSigned, sign } from '../server/signed.ts'

const DEVICE = 'device'
const YEAR = 365 * 24 * 3600

export type CookieOptions = { https: boolean; maxDays: number; secret: Buffer }

/** With https the browser itself holds the cookie to this host, over https alone. */
const nameOf = (https: boolean) => (https ? '__Host-session' : 'session')

export function sessionToken(request: FastifyRequest, https: boolean): string | undefined {
  return request.cookies[nameOf(https)]
}

/** Signs the browser in, and remembers that this person has used it. */
export function setSessionCookie(
  reply: FastifyReply,
  token: string,
  userId: number,
  options: CookieOptions,
): void {
  const { https, maxDays, secret } = options
  const common = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const
  void reply.setCookie(nameOf(https), token, { ...common, maxAge: maxDays * 24 * 3600 })
  if (!knownDevice(reply.request, userId, secret)) {
    const device = sign(secret, randomBytes(16).toString('base64url'), aboutDevice(userId))
    void reply.setCookie(DEVICE, device, { ...common, maxAge: YEAR })
  }
}

export function clearSessionCookie(reply: FastifyReply, https: boolean): void {
  void reply.clearCookie(nameOf(https), { path: '/', secure: https })
}

/** The browser's own mark, when this person has signed in from it before. */
export function knownDevice(request: FastifyRequest, userId: number, secret: Buffer): string | null {
  return readSigned(secret, request.cookies[DEVICE], aboutDevice(userId))
}

const aboutDevice = (userId: number) => `device of user ${userId}`
