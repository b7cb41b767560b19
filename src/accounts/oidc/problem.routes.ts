import type { FastifyRequest } from 'fastify'
import type { Provider } from '../../config.ts'
import { problemText } from './provider.ts'

/** Returns what the page says of a sign-in at a provider that came to nothing. The address names it: `withProblem`. */
export function problemIn(request: FastifyRequest, providers: Provider[]): string | null {
  const { problem, with: key } = request.query as { problem?: unknown; with?: unknown }
  const provider = providers.find((each) => each.key === key)
  return provider && typeof problem === 'string' ? problemText(problem, provider.name) : null
}
