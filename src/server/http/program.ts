import type { FastifyRequest } from 'fastify'
import type { Scope } from '../../rights.ts'
import type { ProgramCall } from './program-call.ts'

/** The API key that a request came with. */
export type UsedToken = { id: number; scopes: readonly Scope[] }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Programs may call the route with an API key, as this says. A route without it refuses them. */
    program?: ProgramCall
  }
  interface FastifyRequest {
    /** The API key with which the request was permitted; null for browsers. */
    token: UsedToken | null
  }
}

/**
 * Returns what comes after `Authorization: Bearer`, or null if there is no such header. A request that has one is a program's:
 * its cookies count for nothing.
 */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const [scheme = '', secret = ''] = (headers.authorization ?? '').trim().split(/ +/, 2)
  return scheme.toLowerCase() === 'bearer' ? secret : null
}
