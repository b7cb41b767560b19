import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'
import { newSecret } from '../secret.ts'
import { readSigned, sameText, sign } from '../signed.ts'

const COOKIE = 'XSRF-TOKEN'
const HEADER = 'x-xsrf-token'
const FIELD = '_token'

type Options = {
  secret: Buffer
  https: boolean
  appUrl: string
  boundTo: (request: FastifyRequest) => string
}

declare module 'fastify' {
  interface FastifyReply {
    /** Returns the token that a form on this page must carry, and sets its cookie. */
    csrfToken(): string
  }
  interface FastifyContextConfig {
    /** The address itself is the proof, because it is signed: no page of ours sends the request. */
    takesPostsOfMachines?: boolean
  }
}

/**
 * Refuses a change that another site's page may have caused: by its origin, before the body is read, and by a token that
 * only our own pages know. The token is signed for the session, so a cookie planted by a neighbouring host is worth
 * nothing.
 */
export function addCsrfProtection(app: FastifyInstance, { secret, https, appUrl, boundTo }: Options): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isChange(request) && comesFromElsewhere(request, appUrl)) return done(refused())
    // Without the header, the token must be a field of the form, which has not been read yet.
    if (
      isChange(request) &&
      request.headers[HEADER] !== undefined &&
      !isRight(request, request.headers[HEADER])
    ) {
      return done(refused())
    }
    done()
  })

  // After the body has been read and before the route runs.
  app.addHook('preHandler', (request, _reply, done) => {
    const { body } = request as { body?: Record<string, unknown> }
    const isFine =
      !isChange(request) || request.headers[HEADER] !== undefined || isRight(request, body?.[FIELD])
    done(isFine ? undefined : refused())
  })

  // Hashed, since a browser may send any text as its session.
  const aboutOf = (request: FastifyRequest) => `csrf ${hash('sha256', boundTo(request))}`

  const isRight = (request: FastifyRequest, given: unknown) => {
    const cookie = request.cookies[COOKIE]
    return (
      typeof given === 'string' &&
      cookie !== undefined &&
      sameText(given, cookie) &&
      readSigned(secret, cookie, aboutOf(request)) !== null
    )
  }

  app.decorateReply('csrfToken', function csrfToken(this: FastifyReply) {
    const { request } = this
    const known = request.cookies[COOKIE]
    if (known && readSigned(secret, known, aboutOf(request))) return known
    const token = sign(secret, newSecret(16), aboutOf(request))
    void this.setCookie(COOKIE, token, { path: '/', sameSite: 'lax', secure: https })
    return token
  })
}

const refused = () =>
  Object.assign(forbidden('Siden er udløbet. Genindlæs den, og prøv igen.'), {
    isExpired: true,
    more: { expired: true },
  })

/**
 * A route that does not exist changes nothing, and one for machines has its own proof. A program's API key is one too: no other
 * site's page can make a browser send it, and cookies count for nothing beside it.
 */
function isChange({ method, is404, token, routeOptions }: FastifyRequest): boolean {
  if (is404 || token || routeOptions.config.takesPostsOfMachines) return false
  return !['GET', 'HEAD', 'OPTIONS'].includes(method)
}

function comesFromElsewhere({ headers }: FastifyRequest, appUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return true
  // The request's own host: forwarded hosts are not trusted.
  const { origin, host } = headers
  if (origin === undefined) return false
  return origin !== appUrl && !(URL.canParse(origin) && new URL(origin).host === host)
}
