import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signedOutText } from '../../base/signed-out.ts'
import { may, rights, type Right, type Role } from '../../rights.ts'
import { loginTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { networkOf } from './address.ts'
import { forbidden, Refusal } from './errors.ts'

/** The person who sends the request. */
export type SignedIn = {
  id: number
  name: string
  email: string
  role: Role
  /** The address of the person's image. */
  image: string | null
  /** When they must have a second factor, if they have none. Null if they need none. */
  factorDue: { at: string; isPast: boolean } | null
  /** Whether they have proved who they are within the last minutes: `requireFreshProof`. */
  isFresh: boolean
  /** Whether they have a second factor. */
  hasFactor: boolean
  hasPassword: boolean
  /** The administrator who sees Ringbind as this person, until a time; null for the person themselves. */
  viewedBy: { id: number; name: string; until: Date } | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route has one. */
    right?: Right
    /** Finds the person who asks in a way of the route's own, together with what it shows. Null means a stranger. */
    findUser?: FindUser
    /** Open to people who must add a second factor before they may do anything else. */
    isOpenWithoutFactor?: boolean
    /** Also for an administrator who sees Ringbind as somebody else: everything else that is no GET is refused then. */
    whileViewing?: boolean
  }
  interface FastifyRequest {
    user: SignedIn | null
  }
  interface FastifyInstance {
    /** All routes with their rights and limits, for tests. */
    routeRights: { method: string; url: string; right: Right; bodyLimit?: number; mostFields?: number }[]
  }
}

type FindUser = (request: FastifyRequest) => Promise<SignedIn | null>
type Options = {
  findUser: FindUser
  /** Refuses, before the right is asked for. */
  guard?: (request: FastifyRequest, reply: FastifyReply) => void
}

/** Makes every route require a right. The server does not start if a route names none. */
export function addPermits(app: FastifyInstance, { findUser, guard }: Options): void {
  // Fewer than the database's connections, so that one client's thousand requests do not keep others waiting.
  const asking = new FairQueue({ each: 4 })
  app.decorateRequest('user', null)
  app.decorate('routeRights', [])
  app.addHook('onRoute', ({ method, url, config, bodyLimit }) => {
    if (url.startsWith(urls.assets)) return
    if (!config?.right || !(config.right in rights))
      throw new Error(`The route ${String(method)} ${url} names no right.`)
    const { right, mostFields } = config
    const most = { ...(bodyLimit && { bodyLimit }), ...(mostFields && { mostFields }) }
    for (const each of [method].flat()) app.routeRights.push({ method: each, url, right, ...most })
  })
  app.addHook('onRequest', async (request, reply) => {
    const { right, quiet, isOpenWithoutFactor, findUser: findHere = findUser } = request.routeOptions.config
    if (quiet || request.url.startsWith(urls.assets)) return undefined
    request.user = await asking.run(networkOf(request.ip), () => findHere(request))
    const isPage = ['GET', 'HEAD'].includes(request.method) && !request.url.startsWith(urls.api)
    if (request.user?.factorDue?.isPast && right && right !== 'visit' && !isOpenWithoutFactor) {
      if (isPage) return reply.redirect(urls.factors, 303)
      throw forbidden('Kontoret kræver totrinslogin. Slå det til på Min profil.')
    }
    guard?.(request, reply)
    if (!right || may(request.user?.role ?? null, right)) return undefined // no right: the route does not exist
    if (request.user) throw forbidden()
    if (isPage) return reply.redirect(loginTo(request.url), 303)
    throw new Refusal(401, signedOutText())
  })
}

/** Returns the signed-in person, for routes whose right requires one. */
export function userOf(request: FastifyRequest): SignedIn {
  if (!request.user) throw new Refusal(401, signedOutText())
  return request.user
}
