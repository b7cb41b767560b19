import type { FastifyInstance } from 'fastify'
import { ErrorAnswer } from '../src/programs/describe.server.ts'

/**
 * Compares every answer to a call that programs may make with what the API's description says of it, in every test that
 * makes one. A field that the description lacks is a fault as well.
 */
export function checkAnswers(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload) => {
    const { program } = request.routeOptions.config
    if (!program) return payload
    const isRefused = reply.statusCode >= 400
    if (!isRefused && reply.statusCode !== (program.status ?? 200))
      throw new Error(`${program.id} answered ${reply.statusCode}, which its description does not say.`)
    const schema = isRefused ? ErrorAnswer : program.answer
    if (typeof schema === 'string') throw new Error(`${program.id} answered JSON.`)
    // As sent: without undefined fields, and with texts for dates.
    const { error } = schema.safeParse(JSON.parse(JSON.stringify(payload)))
    if (error) throw new Error(`${program.id} answered something else than it says: ${error.message}`)
    return payload
  })
}
