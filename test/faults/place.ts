import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { findBuiltInPostgres } from '../../src/server/database/built-in-postgres.ts'
import { connect, type Database } from '../../src/server/database/database.ts'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'
import { afterwards } from '../clean-up.ts'
import { freshDirectory } from '../directory.ts'
import { makeExternalPostgres } from '../neighbours/external-postgres.ts'
import { startFaultyProxy, type FaultyProxy } from '../neighbours/faulty-proxy.ts'
import { freePort } from '../neighbours/free-port.ts'
import { startMailServer, type ReceivedMail } from '../neighbours/mail-server.ts'
import { NAME } from '../neighbours/nginx.ts'
import { killHard, postgresOf, startProcess, type RunningProcess } from '../start/processes.ts'
import { startRadosgw } from '../neighbours/radosgw.ts'
import { mountSmallDisk, runAsRoot, type SmallDisk } from '../neighbours/small-disk.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** An installation of Ringbind with everything around it, and what can be done to it. */
export type Place = {
  port: number
  /** The database, past every proxy. */
  db: Database
  env: Record<string, string>
  app: Supervised
  /** The processes of PostgreSQL. */
  postgres: () => number[]
  /** Starts PostgreSQL again, as systemd would. Ringbind's own is started by Ringbind. */
  restartPostgres: () => Promise<void>
  mails: { network: TcpProxy; received: ReceivedMail[] }
  disk: (SmallDisk & { files: string }) | null
  databaseNetwork: TcpProxy | null
  store: FaultyProxy | null
  setClock: ((seconds: number) => void) | null
}

/** As in docs/ringbind.service. */
const RESTART_MS = 2000

/** Runs Ringbind and starts it again whenever it ends, as systemd does. */
export class Supervised {
  restarts = 0
  #env: Record<string, string>
  #running: RunningProcess
  #isOver = false
  #isHeld = false

  constructor(env: Record<string, string>) {
    this.#env = env
    this.#running = this.#start()
    void this.#keep()
  }

  get pid(): number {
    return this.#running.child.pid!
  }

  get url(): Promise<string> {
    return this.#running.url
  }

  get output(): string {
    return this.#running.output()
  }

  kill(): void {
    killHard(this.pid)
  }

  /** Keeps it from being started, while the machine is down. */
  async hold(): Promise<void> {
    this.#isHeld = true
    this.kill()
    await this.#running.ended
  }

  letGo(): void {
    this.#isHeld = false
  }

  async stop(): Promise<void> {
    this.#isOver = true
    this.#running.child.kill('SIGTERM')
    await this.#running.ended
  }

  #start(): RunningProcess {
    return startProcess(this.#env, { args: ['--max-semi-space-size=8', 'src/server.ts'] })
  }

  async #keep(): Promise<void> {
    for (;;) {
      await this.#running.ended
      if (this.#isOver) return
      await sleep(RESTART_MS)
      while (this.#isHeld) await sleep(50)
      if (this.#isOver) return
      this.restarts++
      this.#running = this.#start()
    }
  }
}

/** Mails and the address: the same at every place. */
async function makeSurroundings() {
  const port = await freePort()
  const received: ReceivedMail[] = []
  const mailServer = new URL(await startMailServer(received))
  const network = await startTcpProxy(Number(mailServer.port))
  const env = {
    PORT: String(port),
    APP_URL: `https://${NAME}`,
    TRUST_PROXY: '127.0.0.1',
    REQUESTS_PER_MINUTE: '1000000',
    SMTP_URL: `smtp://127.0.0.1:${network.port}`,
    MAIL_FROM: 'Ringbind <ringbind@example.dk>',
    RELEASE_REGRET_MINUTES: '0',
  }
  return { port, env, mails: { network, received } }
}

async function start(env: Record<string, string>): Promise<Supervised> {
  const app = new Supervised(env)
  onTestFinished(() => app.stop())
  await app.url
  return app
}

function open(connection: Parameters<typeof connect>[0]['connection']): Database {
  const db = connect({ connection, onError: () => undefined })
  onTestFinished(() => db.destroy())
  return db
}

const DISK_BYTES = 6_000_000_000

/** Ringbind as most run it: its own PostgreSQL, and files on the disk. For root, that is a separate small disk. */
export async function openDiskPlace(): Promise<Place> {
  const base = await freshDirectory()
  chmodSync(base, 0o711)
  const small = mountSmallDisk(base, DISK_BYTES)
  if (small.refusal) mkdirSync(small.disk, { recursive: true })
  const DATA_DIR = join(small.disk, 'data')
  const files = join(DATA_DIR, 'files')
  mkdirSync(files, { recursive: true, mode: 0o700 })
  chmodSync(DATA_DIR, 0o711)
  if (!small.refusal) {
    // A separate mount can be made read-only while PostgreSQL writes beside it.
    runAsRoot('mount', '--bind', files, files)
    afterwards(async () => void runAsRoot('umount', '--lazy', files))
  }
  const { env: around, ...surroundings } = await makeSurroundings()
  const env = { ...around, DATA_DIR }
  postgresOf(DATA_DIR)
  const app = await start(env)
  return {
    ...surroundings,
    env,
    app,
    db: open(findBuiltInPostgres(join(DATA_DIR, 'postgres'))!),
    postgres: () => serverProcesses(join(DATA_DIR, 'postgres/cluster')),
    restartPostgres: () => Promise.resolve(),
    disk: small.refusal ? null : { ...small, files },
    databaseNetwork: null,
    store: null,
    setClock: null,
  }
}

/** Ringbind with PostgreSQL and S3 elsewhere in the network, and two processes that answer. */
export async function openStorePlace(): Promise<Place> {
  const radosgw = await startRadosgw()
  onTestFinished(() => radosgw.stop())
  await radosgw.makeBucket('papers')
  const store = await startFaultyProxy(radosgw.endpoint)
  const postgres = await makeExternalPostgres()
  onTestFinished(() => postgres.stop())
  const databaseNetwork = await startTcpProxy(postgres.port)
  const { env: around, ...surroundings } = await makeSurroundings()
  const env = {
    ...around,
    ...radosgw.env('papers'),
    S3_ENDPOINT: store.endpoint,
    DATABASE_URL: postgres.url.replace(String(postgres.port), String(databaseNetwork.port)),
    DATA_DIR: await freshDirectory(),
    WORKERS: '2',
  }
  return {
    ...surroundings,
    env,
    app: await start(env),
    db: open({ connectionString: postgres.url }),
    postgres: postgres.pids,
    restartPostgres: postgres.start,
    disk: null,
    databaseNetwork,
    store,
    setClock: null,
  }
}

/** Ringbind and its PostgreSQL with a clock that can be set, by libfaketime. Time that passes is not changed by it. */
export async function openClockPlace(): Promise<Place> {
  const directory = await freshDirectory()
  chmodSync(directory, 0o755)
  const file = join(directory, 'clock')
  const setClock = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`)
  setClock(0)
  const clock = {
    LD_PRELOAD: findFakeTime()!,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const postgres = await makeExternalPostgres(clock)
  onTestFinished(() => postgres.stop())
  const { env: around, ...surroundings } = await makeSurroundings()
  const env = { ...around, DATABASE_URL: postgres.url, DATA_DIR: await freshDirectory() }
  return {
    ...surroundings,
    env,
    app: await start({ ...env, ...clock }),
    db: open({ connectionString: postgres.url }),
    postgres: postgres.pids,
    restartPostgres: postgres.start,
    disk: null,
    databaseNetwork: null,
    store: null,
    setClock,
  }
}

/** Finds libfaketime, and installs Debian's where it may. */
export function findFakeTime(): string | null {
  const find = () => globSync('/usr/lib/*/faketime/libfaketime.so.1').at(0) ?? null
  if (!find() && process.geteuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Debian’s faketime for the tests …')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'faketime']])
      spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...args], { stdio: 'ignore', env })
  }
  return find()
}
