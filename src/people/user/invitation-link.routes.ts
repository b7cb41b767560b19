import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import type { GivenLink } from './invitation-link.tsx'

const COOKIE = 'invitation'
/** How long the cookie lives: long enough to load the next page. */
const SECONDS = 60

const optionsFor = (userId: number, https: boolean) =>
  ({ path: urls.user(userId), httpOnly: true, sameSite: 'strict', secure: https }) as const

const ADDRESSES = { invitation: urls.invitation, reset: urls.resetPassword }

/**
 * If no mail can be sent, the inviter gets the link to pass on: in a cookie, which the next page reads and clears, so that
 * the link is in no address, no log and no queue.
 */
export function keepInvitationLink(
  reply: FastifyReply,
  { https }: Parts,
  userId: number,
  token: string | null,
  kind: GivenLink['kind'] = 'invitation',
): void {
  if (token !== null)
    void reply.setCookie(COOKIE, `${kind}.${token}`, { ...optionsFor(userId, https), maxAge: SECONDS })
}

/** Returns the link that was just made in this browser, once. */
export function takeInvitationLink(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, https }: Parts,
  userId: number,
): GivenLink | null {
  const [, kind, token] = /^(invitation|reset)\.([\w-]{20,64})$/.exec(request.cookies[COOKIE] ?? '') ?? []
  // Not during a view, since the viewed person has not made it.
  if ((kind !== 'invitation' && kind !== 'reset') || !token || request.user?.viewedBy) return null
  void reply.clearCookie(COOKIE, optionsFor(userId, https))
  return { kind, link: config.appUrl + ADDRESSES[kind](token) }
}
