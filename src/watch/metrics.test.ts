import { expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter } from '../../test/enter.ts'
import { urls } from '../urls.ts'
import { openMetrics, writeMetrics } from './metrics.server.ts'

const TOKEN = 'a-secret-for-prometheus'
const scrape = ({ app }: TestApp, authorization?: string) =>
  app.inject({ url: urls.metrics, ...(authorization && { headers: { authorization } }) })

/** The values of a label among the series of one name. */
function labelsOf(text: string, name: string, label: string): string[] {
  const found = text.matchAll(new RegExp(`^${name}\\{[^}]*\\b${label}="([^"]*)"`, 'gm'))
  return [...new Set([...found].map(([, value]) => value!))].toSorted()
}

it('there are no metrics without a token in the settings', async () => {
  const test = await freshApp({ hasJobs: false })
  expect((await scrape(test)).statusCode).toBe(404)
  expect((await scrape(test, 'Bearer ')).statusCode).toBe(404)
})

it('metrics need the token', async () => {
  const test = await freshApp({ hasJobs: false, env: { METRICS_TOKEN: TOKEN } })
  for (const wrong of [
    undefined,
    'Bearer',
    'Bearer x',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
  ])
    expect([wrong, (await scrape(test, wrong)).statusCode]).toEqual([wrong, 401])
  const { visitor } = await enter(test, 'administrator')
  expect((await visitor.get(urls.metrics)).statusCode).toBe(401)
  const { statusCode, headers, body } = await scrape(test, `Bearer ${TOKEN}`)
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(body).not.toContain(TOKEN)
  for (const name of [
    'ringbind_info',
    'ringbind_trouble',
    'ringbind_database_pool_connections',
    'ringbind_http_requests_total',
    'ringbind_http_request_duration_seconds_bucket',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])
    expect(body).toMatch(new RegExp(`^${name}\\{.*\\} [\\d.e+-]+$`, 'm'))
  expect(body).toContain('ringbind_trouble{kind="disk-low"} 0')
  expect(body).not.toMatch(/^ringbind_jobs_failed \d/m) // nothing without its label
})

it('counts requests by route pattern, so no label grows with what visitors ask for', async () => {
  const test = await freshApp({
    hasJobs: false,
    env: { METRICS_TOKEN: TOKEN, REQUESTS_PER_MINUTE: '100000' },
  })
  const { visitor, id } = await enter(test, 'administrator')
  for (let n = 1; n <= 20; n++) {
    await visitor.get(`/projects/${n}/uploads`)
    await visitor.get(`/findes-ikke/${n}`)
    await visitor.get(`/reset-password/hemmeligt-${n}`)
    await test.app.inject({ method: 'PROPFIND', url: `/users/${id}` })
  }
  const { body } = await scrape(test, `Bearer ${TOKEN}`)
  expect(body).toContain(
    'ringbind_http_requests_total{method="GET",route="/projects/:project/uploads",status="4xx",process="main"} 20',
  )
  expect(labelsOf(body, 'ringbind_http_requests_total', 'route')).toEqual([
    '/login',
    '/projects/:project/uploads',
    '/reset-password/:token',
    'none',
  ])
  expect(labelsOf(body, 'ringbind_http_requests_total', 'method')).toEqual(['GET', 'POST', 'other'])
  expect(body).not.toContain('hemmeligt')
  expect(body).toMatch(/ringbind_http_request_duration_seconds_count\{.*uploads.*\} 20/)
})

it('joins the metrics of several processes, each with its name', async () => {
  const { db } = await freshApp({ hasJobs: false })
  const [one, two] = [await openMetrics(db, 'worker-1'), await openMetrics(db, 'worker-2')]
  const answered = { method: 'GET', route: '/', status: 200, seconds: 0.2 }
  one.count(answered)
  one.count(answered)
  two.count({ ...answered, seconds: null }) // it stays open
  const { text } = await writeMetrics([await one.tell(), await two.tell()], [])
  const total = (name: string) =>
    `ringbind_http_requests_total{method="GET",route="/",status="2xx",process="${name}"}`
  expect(text).toContain(`${total('worker-1')} 2\n`)
  expect(text).toContain(`${total('worker-2')} 1\n`)
  expect(text).toContain(
    'ringbind_http_request_duration_seconds_bucket{le="0.1",method="GET",route="/",process="worker-1"} 0',
  )
  expect(text).toContain(
    'ringbind_http_request_duration_seconds_bucket{le="0.25",method="GET",route="/",process="worker-1"} 2',
  )
  expect(labelsOf(text, 'process_resident_memory_bytes', 'process')).toEqual(['worker-1', 'worker-2'])
  expect(text.match(/^# TYPE ringbind_http_requests_total /gm)).toHaveLength(1)
})
