import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { urls } from '../urls.ts'
import type { Database } from './database.ts'
import { pingDatabase } from './health.db.ts'
import { checkPlace } from './installation.db.ts'
import type { Storage } from './storage.ts'
import { checkStores } from './stores.db.ts'

type Parts = { db: Database; storage: Storage; config: Config }

export function addHealth(app: FastifyInstance, { db, storage, config: settings }: Parts): void {
  const config = { quiet: true, rateLimit: false, right: 'visit' } as const

  app.get(urls.health, { config }, () => ({ status: 'ok' }))

  app.get(urls.ready, { config }, async (request, reply) => {
    const checks = await Promise.allSettled([
      soon(pingDatabase(db)),
      soon(storage.check()),
      // Another instance may have a bucket since, which this one does not know.
      soon(checkStores(db, settings)),
      // Another disk may be mounted there since, or none.
      soon(checkPlace(db, { config: settings, dataDir: settings.dataDir, bucket: null })),
    ])
    for (const check of checks) {
      if (check.status === 'rejected') request.log.warn({ err: check.reason }, 'not ready')
    }
    const [database, storesAnswer, knowsAll, isOurs] = checks.map(({ status }) => status === 'fulfilled')
    const hasFiles = storesAnswer && ((knowsAll && isOurs) || !database)
    const ready = database && hasFiles
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      database,
      storage: hasFiles,
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
