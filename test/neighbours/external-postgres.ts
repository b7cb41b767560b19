import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'
import {
  installPostgres,
  POSTGRES_ENV,
  runPostgresProgram,
} from '../../src/server/database/postgres-runtime.ts'
import { chooseServerUser, type ServerUser } from '../../src/server/database/postgres-user.ts'
import { freshDirectory } from '../directory.ts'
import { freePort } from './free-port.ts'

export type ExternalPostgres = {
  url: string
  version: string
  /** Makes one more database and returns its address. */
  makeDatabase: (name: string) => Promise<string>
  start: () => Promise<void>
  stop: () => Promise<void>
  /** The server's processes. */
  pids: () => number[]
  port: number
}

/**
 * Makes a PostgreSQL that Ringbind does not run itself: the computer's own if there is one (installs Debian's where it may),
 * else our programs with other settings. Over TCP, with a password, in another locale.
 */
export async function makeExternalPostgres(env: Record<string, string> = {}): Promise<ExternalPostgres> {
  const base = await freshDirectory()
  chmodSync(base, 0o711)
  const user = chooseServerUser(base, null, console.log)
  const programs = findPrograms() ?? installPostgres(base, user)
  const cluster = makeCluster(base, programs, user)
  const port = await freePort()
  const run = () =>
    spawn(
      join(programs, 'postgres'),
      [
        '-D',
        cluster,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        `unix_socket_directories=`,
      ],
      {
        ...user,
        env: { ...POSTGRES_ENV, ...env },
        cwd: '/',
        stdio: 'ignore',
      },
    )
  let server = run()
  const url = (database: string) => `postgres://kontor:hemmelig@127.0.0.1:${port}/${database}`
  await untilReady(url('postgres'))
  await execute(url('postgres'), 'create database kontor')
  return {
    url: url('kontor'),
    version: execFileSync(join(programs, 'postgres'), ['--version'], { encoding: 'utf8' }).trim(),
    async makeDatabase(name) {
      await execute(url('postgres'), `create database ${name}`)
      return url(name)
    },
    async start() {
      server = run()
      // Leftovers of a killed server may keep the next from starting for a moment.
      const again = setInterval(() => server.exitCode !== null && (server = run()), 200)
      await untilReady(url('kontor')).finally(() => clearInterval(again))
    },
    async stop() {
      server.kill('SIGINT')
      if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    },
    pids: () => serverProcesses(cluster),
    port,
  }
}

function findPrograms(): string | null {
  const find = () =>
    globSync([
      '/usr/lib/postgresql/*/bin',
      '/opt/homebrew/opt/postgresql*/bin',
      '/usr/local/opt/postgresql*/bin',
    ])
      .filter((directory) => existsSync(join(directory, 'initdb')))
      .sort()
      .at(0)
  if (!find() && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s PostgreSQL for the tests …')
    const apt = (...args: string[]) =>
      spawnSync('apt-get', args, {
        stdio: 'ignore',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      })
    apt('update')
    apt('install', '-y', '--no-install-recommends', 'postgresql')
  }
  return find() ?? null
}

function makeCluster(base: string, programs: string, user: ServerUser): string {
  const cluster = join(base, 'external')
  const password = join(base, 'password')
  mkdirSync(cluster, { mode: 0o700 })
  writeFileSync(password, 'hemmelig')
  if (user) chownSync(cluster, user.uid, user.gid)
  const args = [
    '-D',
    cluster,
    '--username=kontor',
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  ]
  runPostgresProgram(join(programs, 'initdb'), args, user, 'initdb')
  return cluster
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      return await execute(url, 'select 1')
    } catch {
      await sleep(100)
    }
  }
  throw new Error('The external PostgreSQL did not start.')
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}
