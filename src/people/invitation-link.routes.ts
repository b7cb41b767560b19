import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'

const COOKIE = 'invitation'
/** Long enough for the page that it leads to. */
const SECONDS = 60

const optionsFor = (userId: number, https: boolean) =>
  ({ path: urls.user(userId), httpOnly: true, sameSite: 'strict', secure: https }) as const

/**
 * Where no mail leaves, whoever invites gets the link to hand over: in a cookie of their own browser, which the next page
 * takes, so that it is in no address, no log and no queue.
 */
export function keepInvitationLink(
  reply: FastifyReply,
  { https }: Parts,
  userId: number,
  token: string | null,
): void {
  if (token !== null) void reply.setCookie(COOKIE, token, { ...optionsFor(userId, https), maxAge: SECONDS })
}

/** The link of an invitation that was just made in this browser; only once. */
export function takeInvitationLink(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, https }: Parts,
  userId: number,
): string | null {
  const token = request.cookies[COOKIE]
  if (!token || !/^[\w-]{20,64}$/.test(token)) return null
  void reply.clearCookie(COOKIE, optionsFor(userId, https))
  return config.appUrl + urls.invitation(token)
}
