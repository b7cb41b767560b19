import type { FastifyInstance } from 'fastify'
import type { Parts } from '../app.ts'
import { pingDatabase } from '../server/health.db.ts'
import { urls } from '../urls.ts'

export function addWelcome(app: FastifyInstance, { db, storage, version }: Parts): void {
  app.get(urls.start, async (_request, reply) => {
    await Promise.all([pingDatabase(db), storage.check()])
    return reply.page('welcome', { version }, 'Ringbind')
  })
}
