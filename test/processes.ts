import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { serverProcesses } from '../src/server/database/postgres-processes.ts'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

export type Running = {
  child: ChildProcess
  /** Where it serves; broken when it ends before that. */
  url: Promise<string>
  ended: Promise<number | NodeJS.Signals>
  output: () => string
}

/** Ringbind as a process of its own, on a free port; killed when the test is over. */
export function startProcess(
  env: Record<string, string>,
  {
    args = ['src/server.ts'],
    command = process.execPath,
    ...options
  }: SpawnOptions & { args?: string[]; command?: string } = {},
): Running {
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', LOG_LEVEL: 'warn', ...env },
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
  url.catch(() => undefined) // some tests wait for the end alone
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended // before its directory is removed
  })
  return { child, url, ended, output: () => output }
}

/** The built-in PostgreSQL's processes for a data directory; ended when the test is over. */
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
    // gone already
  }
}
