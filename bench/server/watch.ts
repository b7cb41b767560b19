import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { urls } from '../../src/urls.ts'
import { openFilesOffice, type FilesOffice } from '../office/files-office.ts'
import { measureCost } from '../measure/processor.ts'
import { median, type Result } from '../measure/result.ts'
import { call } from '../office/send.ts'

const TOKEN = 'bench-'.repeat(8)
const [PAGES, ROUNDS] = [300, 7]
const ASKED = 30

/**
 * Measures what watching costs: requests that are counted, the answer to Prometheus, the status page and the doctor.
 */
export async function measure(): Promise<Result[]> {
  const sizes = Array.from({ length: 20 }, () => [5, 5, 5])
  await using plain = await openFilesOffice(sizes)
  await using watched = await openFilesOffice(sizes, { METRICS_TOKEN: TOKEN })
  // Only administrators see the status page.
  await watched.sql.query(`update users set role = 'administrator'`)
  return [
    await compareCounting(plain, watched),
    await time(watched, 'the answer to Prometheus', urls.metrics, { authorization: `Bearer ${TOKEN}` }, 100),
    await time(watched, 'the status page', urls.status, { cookie: watched.headers.cookie }, 200),
    await examine(watched),
  ]
}

async function compareCounting(plain: FilesOffice, watched: FilesOffice): Promise<Result> {
  const cost = async ({ url, pid, headers: { cookie } }: FilesOffice) => {
    const { node, postgres } = await measureCost([pid], PAGES, async () => {
      for (let page = 0; page < PAGES; page++) await call(url + urls.listProjects, 'GET', { cookie })
    })
    return node + postgres
  }
  const costs: { plain: number[]; watched: number[] } = { plain: [], watched: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const both = { plain: await cost(plain), watched: await cost(watched) }
    if (round === 0) continue // warming up
    costs.plain.push(both.plain)
    costs.watched.push(both.watched)
  }
  return {
    what: 'a page of projects, counted for Prometheus',
    value: median(costs.watched),
    unit: 'ms of processor',
    limit: { what: 'not counted', value: median(costs.plain) },
    aim: { times: 1.1 },
  }
}

async function time(
  { url }: FilesOffice,
  what: string,
  path: string,
  headers: Record<string, string>,
  mostMs: number,
): Promise<Result> {
  const times: number[] = []
  for (let round = 0; round < ASKED; round++) {
    const began = performance.now()
    await call(url + path, 'GET', headers)
    times.push(performance.now() - began)
  }
  return { what, value: median(times), unit: 'ms', aim: { value: mostMs } }
}

async function examine({ dataDir }: FilesOffice): Promise<Result> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const began = performance.now()
    const child = spawn(process.execPath, ['scripts/doctor.ts'], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (text: Buffer) => (said += text.toString()))
    const [code] = (await once(child, 'close')) as [number]
    // 2 says that something is wrong in this office, such as that it has no copy.
    if (code !== 0 && code !== 2) throw new Error(`The doctor ended with ${code}: ${said}`)
    times.push((performance.now() - began) / 1000)
  }
  return {
    what: 'npm run doctor',
    value: median(times),
    unit: 's',
    note: 'start included',
    aim: { value: 5 },
  }
}
