import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../base/field-errors.ts'
import { Refusal } from './errors.ts'
import { wantsJson } from './wants-json.ts'

/** A form as it is shown again: what was typed, and what was wrong with it. */
export type Refused = ErrorBody & { values: Record<string, string> }

/**
 * Does what a form asks and goes on to the address that `work` answers. A scripted form gets JSON; any other is
 * sent on, or shown again with its faults.
 */
export async function submit(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<string>,
  showAgain?: (refused: Refused) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    const redirect = await work()
    return wantsJson(request) ? reply.send({ redirect }) : reply.redirect(redirect, 303)
  } catch (error) {
    const isFault = error instanceof Refusal && [410, 422, 429].includes(error.status)
    if (!isFault || !showAgain || wantsJson(request)) throw error
    void reply.code(error.status)
    if (error.retryAfter) void reply.header('retry-after', error.retryAfter)
    return showAgain({ message: error.message, errors: error.errors ?? {}, values: valuesOf(request.body) })
  }
}

/** What may be shown again: texts, but no secret. */
function valuesOf(body: unknown): Record<string, string> {
  const entries = Object.entries((body ?? {}) as Record<string, unknown>)
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return Object.fromEntries(texts.filter(([name]) => name !== '_token' && !name.includes('password')))
}
