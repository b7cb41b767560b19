import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notFound, Refusal } from '../server/http/errors.ts'
import { hashOfSecret } from '../server/http/secret.ts'
import type { Parts } from '../server/parts.ts'
import { workerNumber } from '../server/process/primary-line.ts'
import { urls } from '../urls.ts'
import { openMetrics, writeMetrics } from './metrics.server.ts'
import { listSharedMetrics } from './shared-metrics.db.ts'

/** Adds the address that Prometheus reads, and counts requests for it. Without a token there is no such address. */
export async function addMetrics(app: FastifyInstance, { db, config, survey }: Parts): Promise<void> {
  const { metricsToken: token } = config
  const route = { config: { quiet: true, right: 'visit' } } as const
  if (token === null) {
    app.get(urls.metrics, route, () => {
      throw notFound()
    })
    return
  }
  const worker = workerNumber()
  const metrics = await openMetrics(db, worker === null ? 'main' : `worker-${worker}`)
  survey?.answer(metrics.tell)
  app.addHook('onResponse', (request, reply, done) => {
    const { url, config: settings } = request.routeOptions
    const seconds = settings.staysOpen ? null : reply.elapsedTime / 1000
    metrics.count({ method: request.method, route: url ?? 'none', status: reply.statusCode, seconds })
    done()
  })
  app.get(urls.metrics, route, async (request, reply) => {
    if (!hasToken(request, token)) throw new Refusal(401, 'Nøglen er forkert eller mangler.')
    const told = survey ? await survey.ask() : [await metrics.tell()]
    const { type, text } = await writeMetrics(told, await listSharedMetrics(db))
    return reply.headers({ 'content-type': type, 'cache-control': 'no-store' }).send(text)
  })
}

/** Takes the same time for every wrong token. */
function hasToken(request: FastifyRequest, token: string): boolean {
  const [, sent = ''] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return timingSafeEqual(hashOfSecret(sent), hashOfSecret(token))
}
