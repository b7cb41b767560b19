import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../base/error-codes.ts'
import { signedOutText } from '../../base/signed-out.ts'
import { may, rights, type Right, type Role } from '../../rights.ts'
import { loginTo } from '../../next-urls.ts'
import { urls } from '../../urls.ts'
import { FairQueue } from '../process/fair-queue.ts'
import { networkOf } from './address.ts'
import { forbidden, Refusal } from './errors.ts'
import type { ProgramCall } from './program-call.ts'
import { bearerOf, type UsedToken } from './program.ts'
import { hashOfSecret } from './secret.ts'

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

/** Returns whose turns a person's requests take: an administrator in a view takes their own. */
export const personOf = ({ id, viewedBy }: Pick<SignedIn, 'id' | 'viewedBy'>) => `user ${viewedBy?.id ?? id}`

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route has one. */
    right?: Right
    /** Finds the person of the request in the route's own way, together with what it shows. Null means a stranger. */
    findUser?: FindUser
    /** Open to people who must add a second factor before they may do anything else. */
    isOpenWithoutFactor?: boolean
    /** Also allowed in a view as somebody else, in which every other request but GET is refused. */
    whileViewing?: boolean
  }
  interface FastifyRequest {
    user: SignedIn | null
    /** Tells the requests of one session or key from others. Nobody has checked it, and it is not the secret itself. */
    credential: string
  }
  interface FastifyInstance {
    /** All routes with their rights and limits, and their descriptions for programs. */
    routeRights: RouteRight[]
  }
}

type RouteRight = {
  method: string
  url: string
  right: Right
  /** For routes that programs may call. */
  program?: ProgramCall
  bodyLimit?: number
  mostFields?: number
}

type FindUser = (request: FastifyRequest) => Promise<SignedIn | null>

/** Finds the person of an API key, and throws if the key does not work. */
export type FindBearer = (
  request: FastifyRequest,
  secret: string,
) => Promise<{ user: SignedIn; token: UsedToken }>

type Options = {
  findUser: FindUser
  findBearer?: FindBearer
  /** Returns the session that a request names, whether or not it is one. */
  sessionOf?: (request: FastifyRequest) => string | null
  /** Refuses, before the right is asked for. */
  guard?: (request: FastifyRequest, reply: FastifyReply) => void
}

/** Makes every route require a right. The server does not start if a route names none. */
export function addPermits(
  app: FastifyInstance,
  { findUser, findBearer, sessionOf = () => null, guard }: Options,
): void {
  // Fewer than the database's connections, so that one client's thousand requests do not keep others waiting.
  const asking = new FairQueue({ each: 4 })
  const owners = new Owners()
  /** Asks who sends a request, in the turn of whom its session or key belonged to last time, or of its network. */
  async function ask<Found>(
    request: FastifyRequest,
    find: () => Promise<Found>,
    userIn: (found: Found) => SignedIn | null,
  ): Promise<Found> {
    const { credential } = request
    const who = owners.find(credential) ?? networkOf(request.ip)
    const found = await asking.run({ who, by: credential }, find).catch((error: unknown) => {
      owners.keep(credential, null)
      throw error
    })
    const user = userIn(found)
    owners.keep(credential, user && personOf(user))
    return found
  }
  app.decorateRequest('user', null)
  app.decorateRequest('token', null)
  app.decorateRequest('credential', '')
  app.decorate('routeRights', [])
  app.addHook('onRoute', ({ method, url, config, bodyLimit }) => {
    if (url.startsWith(urls.assets)) return
    if (!config?.right || !(config.right in rights))
      throw new Error(`The route ${String(method)} ${url} names no right.`)
    const { right, program, mostFields } = config
    const more = {
      ...(program && { program }),
      ...(bodyLimit && { bodyLimit }),
      ...(mostFields && { mostFields }),
    }
    for (const each of [method].flat()) app.routeRights.push({ method: each, url, right, ...more })
  })
  app.addHook('onRequest', async (request, reply) => {
    const { quiet, findUser: findHere = findUser } = request.routeOptions.config
    if (quiet || request.url.startsWith(urls.assets)) return undefined
    const secret = bearerOf(request)
    request.credential = credentialOf(secret ?? sessionOf(request))
    if (secret !== null && findBearer) {
      if (request.is404) return undefined
      const found = await ask(
        request,
        () => findBearer(request, secret),
        ({ user }) => user,
      )
      return permitProgram(request, found)
    }
    request.user = await ask(
      request,
      () => findHere(request),
      (user) => user,
    )
    return permitPerson(request, reply, guard)
  })
}

/** Lets a person do what their role may do. Sends them on if a page asks for more. */
function permitPerson(request: FastifyRequest, reply: FastifyReply, guard: Options['guard']) {
  const { method, url, user, routeOptions } = request
  const { right } = routeOptions.config
  const isPage = ['GET', 'HEAD'].includes(method) && !url.startsWith(urls.api)
  if (owesFactor(request)) {
    if (isPage) return reply.redirect(urls.factors, 303)
    throw forbidden('Kontoret kræver totrinslogin. Slå det til på Min profil.')
  }
  guard?.(request, reply)
  if (!right || may(user?.role ?? null, right)) return undefined // no right: the route does not exist
  if (user) throw forbidden()
  if (isPage) return reply.redirect(loginTo(url), 303)
  throw new Refusal(401, signedOutText())
}

/** Whether the person must add a second factor before they may do this. */
function owesFactor({ user, routeOptions }: FastifyRequest): boolean {
  const { right = 'visit', isOpenWithoutFactor = false } = routeOptions.config
  return user?.factorDue?.isPast === true && right !== 'visit' && !isOpenWithoutFactor
}

const credentialOf = (secret: string | null) =>
  secret === null ? '' : hashOfSecret(secret).toString('base64')

const MOST_OWNERS = 10_000

/**
 * Remembers whose a session or key was when it was last asked for, so that a person's requests do not wait for those of
 * strangers at the same address. It permits nothing: that is asked each time.
 */
class Owners {
  #known = new Map<string, string>()

  find(credential: string): string | undefined {
    return this.#known.get(credential)
  }

  keep(credential: string, who: string | null): void {
    this.#known.delete(credential)
    if (credential === '' || who === null) return
    if (this.#known.size >= MOST_OWNERS) this.#known.delete(this.#known.keys().next().value!)
    this.#known.set(credential, who)
  }
}

/** Lets a program do what its person may do, on routes for programs, within the scopes of its key. */
function permitProgram(
  request: FastifyRequest,
  { user, token }: { user: SignedIn; token: UsedToken },
): undefined {
  const { right, program } = request.routeOptions.config
  // Known from here on, so that the log of refusals names them.
  request.user = user
  request.token = token
  if (!program) throw withCode(forbidden('Den adresse er ikke for programmer.'), 'not_for_programs')
  if (program.scope !== 'any' && !token.scopes.includes(program.scope))
    throw withCode(forbidden('Det er API-nøglen ikke lavet til.'), 'wrong_scope')
  if (!right || !may(user.role, right)) throw forbidden()
}

const withCode = (refusal: Refusal, code: ErrorCode) => Object.assign(refusal, { code })

/** Returns the signed-in person, for routes whose right requires one. */
export function userOf(request: FastifyRequest): SignedIn {
  if (!request.user) throw new Refusal(401, signedOutText())
  return request.user
}
