import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'
import { urls } from '../../src/urls.ts'
import { openFilesOffice, type FilesOffice, type Sizes } from '../office/files-office.ts'
import { descendants } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'

const OFFICE: Sizes = Array.from({ length: 10 }, () => Array.from({ length: 20 }, () => 5))
const CONNECTIONS = 16
const SECONDS = 4
const ROUNDS = 5
const LEAST_RATIO = 1.5

/** Compares the file list by one process with the file list by two workers. */
export async function measure(): Promise<Result[]> {
  await using one = await openFilesOffice(OFFICE)
  await using two = await openFilesOffice(OFFICE, { WORKERS: '2' })
  const rounds: { one: Load[]; two: Load[] } = { one: [], two: [] }
  for (let round = 0; round <= ROUNDS; round++) {
    const both = [await load(one), await load(two)] as const
    if (round === 0) continue // warming up
    rounds.one.push(both[0])
    rounds.two.push(both[1])
  }
  return tellOf(middleOf(rounds.one), middleOf(rounds.two))
}

/** Pages per second, and the milliseconds of a core that each part took for one page. */
type Load = { rate: number; node: number; postgres: number; asking: number }

function tellOf(one: Load, two: Load): Result[] {
  const parts = ({ node, postgres, asking }: Load) =>
    `Node ${node.toFixed(1)} + PostgreSQL ${postgres.toFixed(1)} + wrk ${asking.toFixed(1)} ms`
  const cores = availableParallelism()
  // The best rate that all of them together allow, on cores that nobody else uses.
  const most = ({ node, postgres, asking }: Load, workers: number) =>
    Math.min(workers / node, cores / (node + postgres + asking))
  const together = most(two, 2) / most(one, 1)
  const isCrowded = cores < 4
  return [
    {
      what: `the file list by two workers, ${cores} cores for all`,
      value: two.rate,
      unit: 'pages/s',
      isRate: true,
      note: `${together.toFixed(2)} times the rate of one process is possible`,
      limit: { what: 'one process', value: one.rate },
      ...(!isCrowded && { aim: { times: 1 / LEAST_RATIO } }),
    },
    {
      // If each worker has its own core, and so do the others, a page costs what its worker takes.
      what: 'the same where two cores are free for the workers',
      value: 2 / two.node,
      unit: 'pages/ms',
      isRate: true,
      note: `${parts(two)}; one process ${parts(one)}`,
      limit: { what: 'one process', value: 1 / one.node },
      aim: { times: 1 / LEAST_RATIO },
    },
  ]
}

function middleOf(loads: Load[]): Load {
  const of = (pick: (load: Load) => number) => median(loads.map(pick))
  return {
    rate: of(({ rate }) => rate),
    node: of(({ node }) => node),
    postgres: of(({ postgres }) => postgres),
    asking: of(({ asking }) => asking),
  }
}

/** Puts load on an office by wrk, which takes little itself. */
async function load({ url, headers, pid, dataDir, projectIds }: FilesOffice): Promise<Load> {
  const postgres = () => serverProcesses(join(dataDir, 'postgres/cluster'))
  const node = () => {
    const theirs = new Set(postgres())
    return [pid, ...descendants(pid).filter((each) => !theirs.has(each))]
  }
  const before = { node: cpuOf(node()), postgres: cpuOf(postgres()) }
  const said = await runWrk(url + urls.files(projectIds[0]!), headers.cookie)
  const after = { node: cpuOf(node()), postgres: cpuOf(postgres()) }
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(said.output)?.[1])
  const pages = Number(/(\d+) requests in/.exec(said.output)?.[1])
  if (!(rate > 0) || /Non-2xx/.test(said.output)) throw new Error(`wrk said:\n${said.output}`)
  return {
    rate,
    node: (after.node - before.node) / pages,
    postgres: (after.postgres - before.postgres) / pages,
    asking: said.cpu / pages,
  }
}

/** Returns the milliseconds of a core that processes have used so far, including children that have ended. */
function cpuOf(pids: number[]): number {
  const ticks = pids.flatMap((pid) => {
    const file = `/proc/${pid}/stat`
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8').split(') ')[1]!.split(' ').slice(11, 15).map(Number)
  })
  return ticks.reduce((sum, each) => sum + each, 0) * 10
}

async function runWrk(url: string, cookie: string): Promise<{ output: string; cpu: number }> {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '-H', `Cookie: ${cookie}`, url]
  const child = spawn(findWrk(), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let cpu = 0
  const watch = setInterval(() => {
    if (child.pid !== undefined && child.exitCode === null) cpu = Math.max(cpu, cpuOf([child.pid]))
  }, 100)
  const output = (await buffer(child.stdout)).toString()
  clearInterval(watch)
  return { output, cpu }
}

function findWrk(): string {
  const program = '/usr/bin/wrk'
  if (!existsSync(program) && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'wrk']])
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], { stdio: 'ignore', env })
  }
  if (!existsSync(program)) throw new Error('This measurement needs wrk: install it.')
  return program
}
