import { spawn } from 'node:child_process'
import { readdirSync, readlinkSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { descendants, memoryOf } from '../../bench/measure/memory.ts'
import { fileFaults, releaseFaults, servingFaults, sessionFaults } from '../load/ledger.ts'
import { directly } from '../neighbours/nginx.ts'
import { ROOT } from '../start/processes.ts'
import type { Fault } from './faults.ts'
import type { Office } from './office.ts'
import type { Place } from './place.ts'
import type { Row, Use } from './report.ts'

const WARM_MS = 4000
const STEADY_MS = 3000
/** Recovery must be soon: nobody waits longer before they call for help. */
const BACK_SECONDS = 120
const LIVE_SECONDS = 60
const NORMAL_SECONDS = 60

/** Tries one fault under load, and compares everything with what was acknowledged. */
export async function tryFault(place: Place, office: Office, fault: Fault, usual: Use | null): Promise<Row> {
  const faults: string[] = []
  const before = office.clients.flatMap(({ kept }) => kept).reduce((most, { id }) => Math.max(most, id), 0)
  office.start()
  await sleep(WARM_MS)
  office.meter.begin()
  await fault.apply(place, office).catch((error: Error) => faults.push(`not applied: ${error.message}`))
  const lifted = performance.now()
  const backMs = await untilBack(office, lifted)
  if (backMs === null) faults.push(`not back within ${BACK_SECONDS} s`)
  faults.push(...(await liveFaults(office)))
  await sleep(STEADY_MS)
  await office.stop()
  const { calls, failed, longestMs, complaints, reasons } = office.meter
  const lost = backMs === null ? ['not looked at'] : await lostOf(place, office, before)
  faults.push(...complaints, ...((await fault.afterwards?.(place, office)) ?? []))
  for (const client of office.clients) faults.push(...client.faults.splice(0))
  const use = await settledUse(place, usual)
  faults.push(...useFaults(use, usual))
  return {
    name: fault.name,
    says: fault.says,
    on: fault.on,
    backMs,
    calls,
    failed,
    longestMs,
    reasons: Object.fromEntries(reasons),
    lost,
    faults,
    use,
  }
}

async function untilBack(office: Office, since: number): Promise<number | null> {
  while (performance.now() - since < BACK_SECONDS * 1000) {
    if (await office.probe()) return performance.now() - since
    await sleep(50)
  }
  return null
}

/** Checks that every open page hears of changes again. */
async function liveFaults({ streams }: Office): Promise<string[]> {
  const before = streams.map(({ events }) => events)
  const deaf = () => streams.filter(({ events }, index) => events === before[index])
  const until = performance.now() + LIVE_SECONDS * 1000
  while (deaf().length > 0 && performance.now() < until) await sleep(100)
  const left = deaf().length
  return left === 0
    ? []
    : [`${left} of ${streams.length} open pages hear of no change within ${LIVE_SECONDS} s`]
}

async function lostOf(place: Place, office: Office, before: number): Promise<string[]> {
  const { db } = place
  return [
    ...(await fileFaults(db, office.clients)),
    ...(await releaseFaults(db, office.clients)),
    ...(await servingFaults(db, office.inspector, office.clients, before)),
    ...(await sessionFaults(directly(place.port), office.clients)),
    ...(await verifyFaults(place)),
  ]
}

/** Runs `npm run verify`, which reads every byte and every link of the log. */
async function verifyFaults({ env }: Place): Promise<string[]> {
  const child = spawn(process.execPath, ['scripts/verify.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return (await code) === 0 ? [] : [`verify: ${(said + complaint).trim().slice(-500)}`]
}

// Reads the resources of the processes.

function useOf({ app }: Place): Use {
  const pids = [app.pid, ...descendants(app.pid).filter(isNode)]
  return {
    descriptors: pids.reduce((sum, pid) => sum + descriptorsOf(pid), 0),
    megabytes: Math.round(memoryOf(pids, 'PSS') / 1e6),
  }
}

function isNode(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).endsWith('/node')
  } catch {
    return false
  }
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}

const normalMegabytes = (usual: Use) => usual.megabytes * 1.5 + 60
const normalDescriptors = (usual: Use) => usual.descriptors + 20

/** Waits until connections that nobody uses any more are closed. */
async function settledUse(place: Place, usual: Use | null): Promise<Use> {
  const until = performance.now() + NORMAL_SECONDS * 1000
  for (;;) {
    const use = useOf(place)
    const isNormal = usual === null || useFaults(use, usual).length === 0
    if (isNormal || performance.now() > until) return use
    await sleep(500)
  }
}

function useFaults(use: Use, usual: Use | null): string[] {
  if (!usual) return []
  return [
    ...(use.megabytes > normalMegabytes(usual) ? [`${use.megabytes} MB instead of ${usual.megabytes}`] : []),
    ...(use.descriptors > normalDescriptors(usual)
      ? [`${use.descriptors} descriptors instead of ${usual.descriptors}`]
      : []),
  ]
}
