import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openThrowAway } from '../../demo/throw-away.ts'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'
import { descendants, memoryOf, type MemoryKind } from '../measure/memory.ts'
import { median, type Result } from '../measure/result.ts'
import { startServer, type ServerProcess } from '../office/server-process.ts'

const WARM_UPS = 2
const ROUNDS = 9
const MOST_RATIO = 2
const IDLE_MS = 10_000
const MOST_MB = 150

/** Measures how fast Ringbind starts with existing data, and the memory that it takes when idle. */
export async function measure(): Promise<Result[]> {
  const directory = await openThrowAway('bench')
  try {
    const ringbind = () =>
      startServer('src/server.ts', { PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: directory.path })
    await timeStart(ringbind) // creates the database, and the build if it is missing
    return [await compareStarts(ringbind), ...(await measureIdleMemory(ringbind, directory.path))]
  } finally {
    directory.remove()
  }
}

type Start = () => Promise<ServerProcess>

async function compareStarts(ringbind: Start): Promise<Result> {
  const times: { ringbind: number[]; bare: number[] } = { ringbind: [], bare: [] }
  for (let round = 1; round <= WARM_UPS + ROUNDS; round++) {
    const [ours, bare] = [
      await timeStart(ringbind),
      await timeStart(() => startServer('bench/bare/bare-fastify.ts')),
    ]
    if (round <= WARM_UPS) continue
    times.ringbind.push(ours)
    times.bare.push(bare)
  }
  const [ours, bare] = [median(times.ringbind), median(times.bare)]
  return {
    what: 'start until the first answer, data already there',
    value: ours,
    unit: 'ms',
    limit: { what: 'bare Fastify', value: bare },
    aim: { times: MOST_RATIO },
  }
}

async function timeStart(start: Start): Promise<number> {
  await using server = await start()
  return server.untilAnswer
}

async function measureIdleMemory(ringbind: Start, dataDir: string): Promise<Result[]> {
  await using server = await ringbind()
  await sleep(IDLE_MS)
  const postgres = postgresOf(server.pid, dataDir)
  const idle = (what: string, node: MemoryKind, rest: MemoryKind) =>
    memoryResult(what, memoryOf([server.pid], node), memoryOf(postgres, rest))
  if (process.platform !== 'linux') return [idle('idle memory of Node and PostgreSQL (RSS)', 'RSS', 'RSS')]
  return [
    idle('idle memory of Node and PostgreSQL (PSS)', 'PSS', 'PSS'),
    // Every other Node that runs now, at least this one, shares the program's pages and lowers the figure above.
    idle('the same where no other Node runs (RSS, PSS)', 'RSS', 'PSS'),
  ]
}

function memoryResult(what: string, nodeBytes: number, postgresBytes: number): Result {
  const [node, postgres] = [nodeBytes / 1e6, postgresBytes / 1e6]
  return {
    what,
    value: node + postgres,
    unit: 'MB',
    note: `Node ${node.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)}`,
    aim: { value: MOST_MB },
  }
}

function postgresOf(pid: number, dataDir: string): number[] {
  const pids =
    process.platform === 'linux' ? serverProcesses(join(dataDir, 'postgres/cluster')) : descendants(pid)
  if (pids.length === 0) throw new Error('No PostgreSQL is running.')
  return pids
}
