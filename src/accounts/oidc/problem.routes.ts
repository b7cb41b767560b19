import type { FastifyRequest } from 'fastify'
import type { Provider } from '../../config.ts'
import { problemText } from './provider.ts'

/** Returns the text about a failed sign-in at a provider. The address names the problem: see `withProblem`. */
export function problemIn(request: FastifyRequest, providers: Provider[]): string | null {
  const { problem, with: key } = request.query as { problem?: unknown; with?: unknown }
  const provider = providers.find((each) => each.key === key)
  return provider && typeof problem === 'string' ? problemText(problem, provider.name) : null
}
