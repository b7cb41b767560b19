import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { PoolConfig } from 'pg'
import type { FastifyInstance } from 'fastify'
import { afterwards } from '../clean-up.ts'

export type Usage = { longest: number } & NodeJS.MemoryUsage

export type WatchedApp = {
  port: number
  pid: number
  routes: FastifyInstance['routeRights']
  /** Returns the longest time in ms that it was busy without a pause since the last call, and its memory in bytes. */
  look: () => Promise<Usage>
}

const UNIT = readFileSync(new URL('../../docs/ringbind.service', import.meta.url), 'utf8')

/** The memory settings of an installation. */
const NODE_FLAGS = /^ExecStart=\S+ (.*) src\/server\.ts$/m.exec(UNIT)![1]!.split(' ')
const MEMORY = Object.fromEntries(
  [...UNIT.matchAll(/(MALLOC_\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
)

/** Starts `watched-app.ts` on a database and a data directory. */
export async function watchApp(
  connection: PoolConfig,
  env: Record<string, string> & { DATA_DIR: string },
): Promise<WatchedApp> {
  const child = fork(new URL('watched-app.ts', import.meta.url), {
    env: {
      ...process.env,
      LOG_LEVEL: 'silent',
      ...MEMORY,
      ...env,
      WATCHED_CONNECTION: JSON.stringify(connection),
    },
    execArgv: ['--no-warnings', ...NODE_FLAGS],
  })
  const gone = once(child, 'exit')
  afterwards(async () => {
    child.kill()
    await gone
  })
  const told = async <Message>() => (await once(child, 'message'))[0] as Message
  const started = await told<Pick<WatchedApp, 'port' | 'routes'>>()
  const look = () => {
    child.send('look')
    return told<Usage>()
  }
  return { ...started, pid: child.pid!, look }
}
