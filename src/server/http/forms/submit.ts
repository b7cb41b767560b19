import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../../base/field-errors.ts'
import { Refusal, type Clash } from '../errors.ts'
import { textsOf } from './form-texts.ts'
import { wantsJson } from '../wants-json.ts'

/** A form that is shown again, with the typed values and the faults. */
export type Refused = ErrorBody & {
  values: Record<string, string>
  /** Changes by somebody else since the form was opened. */
  clash?: Clash
}

/**
 * Runs a form's `work` and leads on to the address that it returns. A scripted form gets JSON with everything that `work`
 * returns; a plain form is redirected, or shown again with its faults.
 */
export async function submit(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<string | ({ redirect: string } & Record<string, unknown>)>,
  showAgain?: (refused: Refused) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    const done = await work()
    const answer = typeof done === 'string' ? { redirect: done } : done
    return wantsJson(request) ? reply.send(answer) : reply.redirect(answer.redirect, 303)
  } catch (error) {
    const isFault =
      error instanceof Refusal && (error.clash || [410, 413, 422, 429, 507].includes(error.status))
    if (!isFault || !showAgain || wantsJson(request)) throw error
    void reply.code(error.status)
    if (error.retryAfter) void reply.header('retry-after', error.retryAfter)
    return showAgain({
      message: error.message,
      errors: error.errors ?? {},
      values: valuesOf(request.body),
      ...(error.clash && { clash: error.clash }),
    })
  }
}

// No form of ours has more fields, so a made-up body is not shown again.
const MOST_VALUES = 200
const MOST_LETTERS = 2000

/** Collects the values that may be shown again: texts and lists of texts, but no secrets. */
function valuesOf(body: unknown): Record<string, string> {
  const texts = textsOf(body ?? {})
    .slice(0, MOST_VALUES)
    .map(([name, text]) => [name, name === 'was' ? text : text.slice(0, MOST_LETTERS)] as const)
  return Object.fromEntries(texts.filter(([name]) => name !== '_token' && !name.includes('password')))
}
