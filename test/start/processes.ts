import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export type RunningProcess = {
  child: ChildProcess
  /** The address; rejects if the process ends before it serves. */
  url: Promise<string>
  ended: Promise<number | NodeJS.Signals>
  output: () => string
}

/** Lets programs that run from source share what Node compiles of it: that is half the processor time of their start. */
export const shareCompiled = () => ({ NODE_COMPILE_CACHE: join(inject('shared'), 'compiled') })

/** Starts Ringbind in its own process, on a free port. Kills it after the test. */
export function startProcess(
  env: Record<string, string>,
  {
    args = ['src/server.ts'],
    command = process.execPath,
    ...options
  }: SpawnOptions & { args?: string[]; command?: string } = {},
): RunningProcess {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...shareCompiled(),
      PORT: '0',
      LOG_LEVEL: 'warn',
      THUMBNAILS: 'false', // each runs in a separate process, while the tests need the processor
      READ_DOCUMENTS: 'false',
      ...env,
    },
  })
  let output = ''
  const ended = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal!)),
  )
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (text: Buffer) => {
        output += text.toString()
        const address = /is running at (http:\S+)/.exec(output)
        if (address) resolve(address[1]!)
      })
    }
    void ended.then((code) => reject(new Error(`ended with ${code}: ${output}`)))
  })
  url.catch(() => undefined) // some tests only wait for the end
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended // before its directory is removed
  })
  return { child, url, ended, output: () => output }
}

/** Lists the built-in PostgreSQL's processes for a data directory. Kills them after the test. */
export function postgresOf(dataDir: string): () => number[] {
  const list = () => serverProcesses(`${dataDir}/postgres/cluster`)
  onTestFinished(() => {
    list().forEach(killHard)
  })
  return list
}

export async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url)).status
  } catch {
    return 0
  }
}

export function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended already
  }
}
