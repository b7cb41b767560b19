import type { FastifyInstance } from 'fastify'
import { urls } from '../urls.ts'
import type { Database } from './database.ts'
import { pingDatabase } from './health.db.ts'
import type { Storage } from './storage.ts'

export function addHealth(app: FastifyInstance, { db, storage }: { db: Database; storage: Storage }): void {
  const config = { quiet: true, rateLimit: false as const }

  app.get(urls.health, { config }, () => ({ status: 'ok' }))

  app.get(urls.ready, { config }, async (request, reply) => {
    const [database, files] = await Promise.allSettled([pingDatabase(db), storage.check()])
    for (const check of [database, files]) {
      if (check.status === 'rejected') request.log.warn({ err: check.reason }, 'not ready')
    }
    const ready = database.status === 'fulfilled' && files.status === 'fulfilled'
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      database: database.status === 'fulfilled',
      storage: files.status === 'fulfilled',
    })
  })
}
