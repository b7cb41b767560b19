import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ticket } from './sessions.db.ts'

type CookieOptions = { https: boolean; maxDays: number }

/** The prefix makes the browser bind the cookie to this host and to https. */
const nameOf = (https: boolean) => (https ? '__Host-session' : 'session')

export function sessionToken(request: FastifyRequest, https: boolean): string | undefined {
  return request.cookies[nameOf(https)]
}

const viewNameOf = (https: boolean) => (https ? '__Host-view' : 'view')

/** Returns the secret of a view as somebody else. It is worthless without the session that began it. */
export function viewToken(request: FastifyRequest, https: boolean): string | null {
  return request.cookies[viewNameOf(https)] ?? null
}

/** Returns the session and view that the browser's cookies name, or null without a session. */
export function ticketOf(request: FastifyRequest, https: boolean): Ticket | null {
  const session = sessionToken(request, https)
  return session === undefined ? null : { session, view: viewToken(request, https) }
}

/**
 * The cookie ends with the browser. The server ends the view earlier, and must see the cookie to say that the view is
 * over.
 */
export function setViewCookie(reply: FastifyReply, token: string, https: boolean): void {
  void reply.setCookie(viewNameOf(https), token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: https,
  })
}

export function clearViewCookie(reply: FastifyReply, https: boolean): void {
  void reply.clearCookie(viewNameOf(https), { path: '/', secure: https })
  delete reply.request.cookies[viewNameOf(https)]
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
