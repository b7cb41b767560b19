import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { urls } from '../urls.ts'
import type { Database } from './database.ts'
import { pingDatabase } from './health.db.ts'
import type { Storage } from './storage.ts'

export function addHealth(app: FastifyInstance, { db, storage }: { db: Database; storage: Storage }): void {
  const config = { quiet: true, rateLimit: false, right: 'visit' } as const

  app.get(urls.health, { config }, () => ({ status: 'ok' }))

  app.get(urls.ready, { config }, async (request, reply) => {
    const [database, files] = await Promise.allSettled([soon(pingDatabase(db)), soon(storage.check())])
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

/** Not to know within three seconds is not to be ready. */
function soon(check: Promise<void>): Promise<void> {
  return Promise.race([
    check,
    sleep(3_000, undefined, { ref: false }).then(() => {
      throw new Error('no answer within 3 seconds')
    }),
  ])
}
