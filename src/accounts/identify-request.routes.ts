import type { FastifyReply, FastifyRequest } from 'fastify'
import { UNATTENDED } from '../base/own-headers.ts'
import { networkOf } from '../server/http/address.ts'
import type { SignedIn } from '../server/http/permit.ts'
import type { Parts } from '../server/parts.ts'
import { expiryOf } from './session/session-expiry.ts'
import { findSessionUser } from './session/sessions.db.ts'
import { knownPerson } from './session/known-device.routes.ts'
import { sessionToken, ticketOf, viewToken } from './session/session-cookie.routes.ts'
import { bearerFinder } from './tokens/find-bearer.routes.ts'
import { guardView } from './view/guard-view.routes.ts'

/** How the server finds out who sends a request. */
export function identifyRequest(parts: Parts) {
  const { https } = parts
  return {
    findUser: (request: FastifyRequest) => findUser(request, parts),
    findBearer: bearerFinder(parts),
    // A browser that is not signed in has only the token of its forms.
    sessionOf: (request: FastifyRequest) =>
      sessionToken(request, https) ?? request.cookies['XSRF-TOKEN'] ?? null,
    guard: (request: FastifyRequest, reply: FastifyReply) => guardView(request, reply, https),
  }
}

/** Binds the tokens of forms to the session. While an administrator views as somebody else, forms have other tokens. */
export const formsBoundTo = (request: FastifyRequest, https: boolean) =>
  `${sessionToken(request, https) ?? ''} ${viewToken(request, https) ?? ''}`

/**
 * Counts requests by address, and those of programs by their person, whichever API keys they have. Counts a known browser by
 * its person, so that a stranger at the same address cannot lock them out.
 */
export function countingKey(request: FastifyRequest, parts: Parts): string {
  if (request.token) return `programs of ${request.user!.id}`
  const person = knownPerson(request, parts)
  return person === null ? networkOf(request.ip) : `person ${person}`
}

async function findUser(request: FastifyRequest, { db, https, config }: Parts): Promise<SignedIn | null> {
  const ticket = ticketOf(request, https)
  if (!ticket) return null
  const expiry = expiryOf(config)
  // Requests that a page makes by itself do not keep the session alive.
  const isUse = !request.routeOptions.config.staysOpen && request.headers[UNATTENDED] === undefined
  return findSessionUser(db, ticket, expiry, isUse)
}
