import type { Counter, Histogram, Registry } from 'prom-client'
import { poolOf, type Database } from '../server/database/database.ts'

/** A request that was answered. All labels have few values: the route's pattern, never the address. */
type Answered = { method: string; route: string; status: number; seconds: number | null }

/** Counts what this process does, for Prometheus. */
type Metrics = {
  count: (answered: Answered) => void
  /** Returns everything as JSON, to be put together with that of other processes. */
  tell: () => Promise<string>
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** Opens the metrics of a process, such as 'main' or 'worker-1'. The library is loaded only where it is wanted. */
export async function openMetrics(db: Database, processName: string): Promise<Metrics> {
  const prometheus = await import('prom-client')
  const registry = new prometheus.Registry()
  registry.setDefaultLabels({ process: processName })
  prometheus.collectDefaultMetrics({ register: registry })
  const requests = new prometheus.Counter({
    name: 'ringbind_http_requests_total',
    help: 'Answered requests, by route and class of status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new prometheus.Histogram({
    name: 'ringbind_http_request_duration_seconds',
    help: 'How long answers took, by route.',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers: [registry],
  })
  const connections = new prometheus.Gauge({
    name: 'ringbind_database_pool_connections',
    help: 'Connections of this process to the database, and requests that wait for one.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { totalCount = 0, idleCount = 0, waitingCount = 0 } = poolOf(db) ?? {}
      this.set({ state: 'total' }, totalCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waiting' }, waitingCount)
    },
  })
  registry.registerMetric(connections)
  return { count: counterOf(requests, durations), tell: () => tellOf(registry) }
}

type Child = { inc: () => void; observe: (seconds: number) => void }

/** Keeps what belongs to each route, since finding it costs more than counting. */
function counterOf(
  requests: Counter<'method' | 'route' | 'status'>,
  durations: Histogram<'method' | 'route'>,
): Metrics['count'] {
  const children = new Map<string, Child>()
  return ({ method: asked, route, status, seconds }) => {
    const method = METHODS.has(asked) ? asked : 'other'
    const key = `${method} ${Math.floor(status / 100)} ${route}`
    let child = children.get(key)
    if (!child) {
      const counter = requests.labels({ method, route, status: `${Math.floor(status / 100)}xx` })
      const histogram = durations.labels({ method, route })
      child = { inc: () => counter.inc(), observe: (value) => histogram.observe(value) }
      children.set(key, child)
    }
    child.inc()
    if (seconds !== null) child.observe(seconds)
  }
}

/** Each process has its own label, so that joining them adds nothing up. */
async function tellOf(registry: Registry): Promise<string> {
  const metrics = await registry.getMetricsAsJSON()
  return JSON.stringify(metrics.map((metric) => ({ ...metric, aggregator: 'first' })))
}

/** Numbers that are the same for all processes, such as the jobs that wait, by the value of one label. */
export type Shared = { name: string; help: string; label: string; values: Record<string, number> }

/** Writes the metrics of all processes, and the shared ones, in the format of Prometheus. */
export async function writeMetrics(
  told: string[],
  shared: Shared[],
): Promise<{ type: string; text: string }> {
  const { AggregatorRegistry, Gauge, Registry: RegistryOf } = await import('prom-client')
  const ours = new RegistryOf()
  for (const { name, help, label, values } of shared) {
    const gauge = new Gauge({ name, help, labelNames: [label], registers: [ours] })
    for (const [text, value] of Object.entries(values)) gauge.set({ [label]: text }, value)
  }
  const all = AggregatorRegistry.aggregate(told.map((text) => parse(text)))
  return { type: ours.contentType, text: `${await all.metrics()}\n${await ours.metrics()}` }
}

/** Parses the metrics of another of our processes. */
function parse(text: string): object[] {
  const metrics: unknown = JSON.parse(text)
  return Array.isArray(metrics)
    ? metrics.filter((metric) => typeof metric === 'object' && metric !== null)
    : []
}
