import { z } from 'zod'
import { line, list, optionalLine } from '../../server/http/validate.ts'
import { HOOK_EVENTS } from './event.ts'
import { findTarget, TargetFault } from './target.server.ts'

const MOST_LETTERS = 1000

export const HookForm = z.object({
  name: line('Navnet', 100),
  url: line('Adressen', MOST_LETTERS),
  events: list(z.enum(HOOK_EVENTS, { error: 'Vælg hændelser fra listen.' }), HOOK_EVENTS.length)
    .transform((events) => HOOK_EVENTS.filter((event) => events.includes(event)))
    .refine((events) => events.length > 0, { error: 'Vælg mindst én hændelse.' }),
})

/** How long a name may take to be found while somebody waits for the form. */
const PATIENCE_MS = 5000

/** Returns the faults of an address, by field, so that they are shown together with the form's other faults. */
export async function faultsOfUrl(
  body: unknown,
  networks: readonly string[],
): Promise<Record<string, string[]>> {
  const text = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined
  const url = optionalLine('', MOST_LETTERS).safeParse(text)
  if (!url.success || url.data === '') return {} // the form says so itself
  const tooSlow = new Promise<never>((_resolve, reject) => {
    const refuse = () =>
      reject(
        new TargetFault('no-such-host', 'Navnet i adressen kunne ikke findes lige nu. Prøv igen om lidt.'),
      )
    setTimeout(refuse, PATIENCE_MS).unref()
  })
  try {
    await Promise.race([findTarget(url.data, { networks }), tooSlow])
    return {}
  } catch (error) {
    if (error instanceof TargetFault) return { url: [error.message] }
    throw error
  }
}
