import type { FastifyInstance, FastifyRequest } from 'fastify'
import { signedOutText } from '../../base/signed-out.ts'
import { may, rights, type Right, type Role } from '../../rights.ts'
import { loginTo, urls } from '../../urls.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { networkOf } from './address.ts'
import { forbidden, Refusal } from './errors.ts'

/** Who is asking. */
export type SignedIn = {
  id: number
  name: string
  email: string
  role: Role
  /** The address of their image. */
  image: string | null
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route names one. */
    right?: Right
  }
  interface FastifyRequest {
    user: SignedIn | null
  }
  interface FastifyInstance {
    /** Every route, its right and how much it takes; tests walk it. */
    routeRights: { method: string; url: string; right: Right; bodyLimit?: number; mostFields?: number }[]
  }
}

type Options = { findUser: (request: FastifyRequest) => Promise<SignedIn | null> }

/** No route without a right: the server does not start with one. No request goes on without having it. */
export function addPermits(app: FastifyInstance, { findUser }: Options): void {
  // The database has more connections than this: others are not kept waiting by who asks a thousand things at once.
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
    const { right, quiet } = request.routeOptions.config
    if (quiet || request.url.startsWith(urls.assets)) return undefined
    request.user = await asking.run(networkOf(request.ip), () => findUser(request))
    if (!right || may(request.user?.role ?? null, right)) return undefined // no right: there is no such route
    if (request.user) throw forbidden()
    if (['GET', 'HEAD'].includes(request.method) && !request.url.startsWith(urls.api))
      return reply.redirect(loginTo(request.url), 303)
    throw new Refusal(401, signedOutText())
  })
}

/** The person who is signed in; for routes whose right says that there is one. */
export function userOf(request: FastifyRequest): SignedIn {
  if (!request.user) throw new Refusal(401, signedOutText())
  return request.user
}
