import type { FastifyReply, FastifyRequest } from 'fastify'

export type CookieOptions = { https: boolean; maxDays: number }

/** The prefix makes the browser bind the cookie to this host and to https. */
const nameOf = (https: boolean) => (https ? '__Host-session' : 'session')

export function sessionToken(request: FastifyRequest, https: boolean): string | undefined {
  return request.cookies[nameOf(https)]
}

export function setSessionCookie(
  reply: FastifyReply,
  token: string,
  { https, maxDays }: CookieOptions,
): void {
  const common = { path: '/', httpOnly: true, sameSite: 'lax', secure: https } as const
  void reply.setCookie(nameOf(https), token, { ...common, maxAge: maxDays * 24 * 3600 })
}

export function clearSessionCookie(reply: FastifyReply, https: boolean): void {
  void reply.clearCookie(nameOf(https), { path: '/', secure: https })
}
