import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { urls } from '../../urls.ts'
import type { Database } from '../database/database.ts'
import { probeDatabase } from '../database/health.db.ts'
import { checkPlace } from '../storage/installation.db.ts'
import type { FileStorage } from '../storage/storage.ts'
import { checkStores } from '../storage/stores.db.ts'

type Parts = { db: Database; storage: FileStorage; config: Config; leaving?: AbortSignal }

export function addHealth(app: FastifyInstance, { db, storage, config: settings, leaving }: Parts): void {
  const config = { quiet: true, rateLimit: false, right: 'visit' } as const

  app.get(urls.health, { config }, () => ({ status: 'ok' }))

  const look = atMostEvery(LOOKED_EVERY_MS, async (log) => {
    const checks = await Promise.allSettled([
      soon(probeDatabase(db)),
      soon(storage.check()),
      // Another instance may have started using a bucket that this one does not know.
      soon(checkStores(db, settings)),
      // Another disk may be mounted there since the start, or none.
      soon(checkPlace(db, { config: settings, dataDir: settings.dataDir, bucket: null })),
    ])
    for (const check of checks) {
      if (check.status === 'rejected') log.warn({ err: check.reason }, 'not ready')
    }
    const [database, storesAnswer, knowsAll, isOurs] = checks.map(({ status }) => status === 'fulfilled')
    return { database: database!, storage: storesAnswer! && ((knowsAll! && isOurs!) || !database) }
  })

  app.get(urls.ready, { config }, async (request, reply) => {
    if (leaving?.aborted) return reply.code(503).send({ status: 'stopping' })
    const found = await look(request.log)
    const ready = found.database && found.storage
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', ...found })
  })
}

const LOOKED_EVERY_MS = 1_000

type Found = { database: boolean; storage: boolean }

/** Shares one check among callers at the same time or soon after, because a check writes. */
function atMostEvery(ms: number, look: (log: FastifyBaseLogger) => Promise<Found>) {
  let last: { at: number; found: Promise<Found> } | undefined
  let isLooking = false
  return (log: FastifyBaseLogger): Promise<Found> => {
    if (!last || (!isLooking && performance.now() - last.at > ms)) {
      isLooking = true
      last = { at: performance.now(), found: look(log).finally(() => void (isLooking = false)) }
    }
    return last.found
  }
}

/** A check that takes longer than three seconds counts as not ready. */
function soon(check: Promise<void>): Promise<void> {
  return Promise.race([
    check,
    sleep(3_000, undefined, { ref: false }).then(() => {
      throw new Error('no answer within 3 seconds')
    }),
  ])
}
