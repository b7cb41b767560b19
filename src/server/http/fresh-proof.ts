import type { FastifyRequest } from 'fastify'
import { forbidden } from './errors.ts'
import { userOf } from './permit.ts'

/**
 * Asks somebody whose last proof is old to prove again who they are, before an act that a stranger at an open computer
 * must not do. The browser asks and repeats the request; without JavaScript a page does.
 */
export function requireFreshProof(request: FastifyRequest): void {
  if (userOf(request).isFresh) return
  throw Object.assign(forbidden('Bekræft, at det er dig, for at fortsætte.'), {
    asksForProof: true,
    more: { prove: true },
  })
}
