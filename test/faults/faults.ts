import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { directly } from '../neighbours/nginx.ts'
import { killHard } from '../start/processes.ts'
import { runAsRoot } from '../neighbours/small-disk.ts'
import type { Office } from './office.ts'
import type { Place } from './place.ts'
import { RudeClients } from './rude-clients.ts'

export type Fault = {
  /** The word by which `npm run faults` runs it alone. */
  name: string
  /** The description in the table. */
  says: string
  on: string
  needsRoot?: true
  /** Begins the fault and ends it. A person, or a supervisor, does nothing more. */
  apply: (place: Place, office: Office) => Promise<void>
  /** Checks the outcome of this fault; returns what is wrong. */
  afterwards?: (place: Place, office: Office) => Promise<string[]>
}

const TEN_SECONDS = 10_000

/** The load alone, to compare the others with. */
const calm = (on: string): Fault => ({ name: 'calm', says: 'nothing', on, apply: () => sleep(TEN_SECONDS) })

// Kills

const killApp: Fault['apply'] = async ({ app }) => app.kill()
const killDatabase: Fault['apply'] = async ({ postgres, restartPostgres }) => {
  postgres().forEach(killHard)
  await restartPostgres()
}
const killBoth: Fault['apply'] = async (place, office) => {
  place.app.kill()
  await killDatabase(place, office)
}

/** Stops processes for ten seconds, as a hypervisor or a full memory does. */
const stop =
  (pids: (place: Place) => number[]): Fault['apply'] =>
  async (place) => {
    const stopped = pids(place)
    try {
      for (const pid of stopped) send(pid, 'SIGSTOP')
      await sleep(TEN_SECONDS)
    } finally {
      for (const pid of stopped) send(pid, 'SIGCONT')
    }
  }

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // a backend that has ended
  }
}

// Disks

const fillDisk: Fault['apply'] = async ({ disk }) => {
  const ballast = join(disk!.disk, 'ballast')
  try {
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}.first`, 'bs=1M', 'count=1'])
    // All at once, then the remainder, so that PostgreSQL finds no room either.
    spawnSync('sh', ['-c', `fallocate -l "$(df --output=avail -B1 '${disk!.disk}' | tail -1)" '${ballast}'`])
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}.rest`, 'bs=4k'])
    await sleep(TEN_SECONDS)
  } finally {
    for (const name of [ballast, `${ballast}.first`, `${ballast}.rest`]) rmSync(name, { force: true })
  }
}

const makeFilesReadOnly: Fault['apply'] = async ({ disk }) => {
  const remount = (how: 'ro' | 'rw') => runAsRoot('mount', '-o', `remount,bind,${how}`, disk!.files)
  try {
    // It is refused while somebody writes.
    for (let tries = 0; remount('ro') !== null; tries++) {
      if (tries === 2000) throw new Error('The files could not be made read-only.')
      await sleep(5)
    }
    await sleep(TEN_SECONDS)
  } finally {
    remount('rw')
  }
}

/** A disk that fails is made read-only by the kernel, until the machine is started again. */
const abortDisk: Fault['apply'] = async ({ disk, app, postgres }) => {
  const must = (complaint: string | null) => {
    if (complaint) throw new Error(complaint)
  }
  must(runAsRoot('mount', '-o', 'remount,abort', disk!.disk))
  await sleep(TEN_SECONDS)
  await app.hold()
  postgres().forEach(killHard)
  while (postgres().length > 0) await sleep(50)
  must(runAsRoot('umount', disk!.files))
  must(runAsRoot('umount', disk!.disk))
  spawnSync('e2fsck', ['-fy', disk!.image]) // says 1 when it has repaired something
  must(runAsRoot('mount', '-o', 'loop', disk!.image, disk!.disk))
  must(runAsRoot('mount', '--bind', disk!.files, disk!.files))
  app.letGo()
}

const freezeDisk: Fault['apply'] = async ({ disk }) => {
  try {
    runAsRoot('fsfreeze', '--freeze', disk!.disk)
    await sleep(TEN_SECONDS)
  } finally {
    runAsRoot('fsfreeze', '--unfreeze', disk!.disk)
  }
}

// Networks

const away =
  (weather: 'refuses' | 'silent'): Fault['apply'] =>
  async ({ databaseNetwork }) => {
    await databaseNetwork!.turn(weather)
    await sleep(TEN_SECONDS)
    await databaseNetwork!.turn('fine')
  }

const spoilStore =
  (fault: 'status 500' | 'silent'): Fault['apply'] =>
  async ({ store }) => {
    store!.fault = () => fault
    await sleep(15_000)
    store!.fault = () => null
  }

const endMails: Fault['apply'] = async ({ mails }) => {
  await mails.network.turn('refuses')
  await sleep(15_000)
  await mails.network.turn('fine')
}

const MAIL_SECONDS = 150

/** Waits until everybody who was invited has their mail. */
export async function mailsLeave({ mails }: Place, { clients }: Office): Promise<string[]> {
  const began = performance.now()
  for (;;) {
    const got = new Set(mails.received.map(({ to }) => to))
    const missing = clients.flatMap(({ invited }) => invited).filter((email) => !got.has(email))
    const seconds = (performance.now() - began) / 1000
    if (missing.length === 0) return []
    if (seconds > MAIL_SECONDS)
      return [
        `${missing.length} mails had not left after ${MAIL_SECONDS} s: ${missing.slice(0, 3).join(', ')}`,
      ]
    await sleep(250)
  }
}

const beRude =
  (begin: (clients: RudeClients) => void): Fault['apply'] =>
  async ({ port }) => {
    const clients = new RudeClients(port)
    try {
      begin(clients)
      await sleep(30_000)
    } finally {
      clients.leave()
    }
  }

// Clocks

/** Sets the clock while mails wait for their next try, which has a time. */
const turnClock =
  (seconds: number): Fault['apply'] =>
  async ({ setClock, mails, db, port }, office) => {
    await mails.network.turn('refuses')
    await sleep(6000)
    setClock!(seconds)
    await sleep(3000)
    await mails.network.turn('fine')
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    const { headers } = await directly(port)('GET', '/healthz')
    for (const told of [rows[0]!.now, new Date(String(headers.date))])
      if (Math.abs(told.getTime() - Date.now() - seconds * 1000) > 60_000)
        throw new Error(`the clock shows ${told.toISOString()}`)
    // Sessions last used a day ago have ended, so people sign in again.
    await office.signInReaders()
  }

const DAY = 86_400

export const DISK_FAULTS: Fault[] = [
  calm('an office on a disk'),
  { name: 'kill-app', says: 'kill -9', on: 'app', apply: killApp },
  { name: 'kill-database', says: 'kill -9', on: 'database', apply: killDatabase },
  { name: 'kill-both', says: 'kill -9', on: 'app and database', apply: killBoth },
  { name: 'stop-app', says: 'stopped for 10 s', on: 'app', apply: stop(({ app }) => [app.pid]) },
  {
    name: 'stop-database',
    says: 'stopped for 10 s',
    on: 'database',
    apply: stop(({ postgres }) => postgres()),
  },
  {
    name: 'stop-both',
    says: 'stopped for 10 s',
    on: 'app and database',
    apply: stop(({ app, postgres }) => [app.pid, ...postgres()]),
  },
  { name: 'smtp-down', says: 'refuses for 15 s', on: 'SMTP', apply: endMails, afterwards: mailsLeave },
  { name: 'disk-full', says: 'full for 10 s', on: 'disk', needsRoot: true, apply: fillDisk },
  { name: 'disk-hangs', says: 'hangs for 10 s', on: 'disk', needsRoot: true, apply: freezeDisk },
  {
    name: 'files-read-only',
    says: 'read-only for 10 s',
    on: 'directory of files',
    needsRoot: true,
    apply: makeFilesReadOnly,
  },
  {
    name: 'disk-read-only',
    says: 'read-only for 10 s, then a restart of the machine',
    on: 'disk',
    needsRoot: true,
    apply: abortDisk,
  },
  {
    name: 'idle-connections',
    says: '2,000 idle for 30 s',
    on: 'connections',
    apply: beRude((clients) => clients.addIdle(2000)),
  },
  {
    name: 'slow-connections',
    says: '200 slow for 30 s: headers, bodies, readers',
    on: 'connections',
    apply: beRude((clients) => {
      clients.addSlowHeaders(70)
      clients.addSlowBodies(70)
      clients.addSlowReaders(60)
    }),
  },
]

export const STORE_FAULTS: Fault[] = [
  calm('an office on S3'),
  {
    name: 'database-refuses',
    says: 'away for 10 s, refuses',
    on: 'network of the database',
    apply: away('refuses'),
  },
  {
    name: 'database-silent',
    says: 'away for 10 s, silent',
    on: 'network of the database',
    apply: away('silent'),
  },
  { name: 'store-500', says: 'answers 500 for 15 s', on: 'S3 store', apply: spoilStore('status 500') },
  { name: 'store-hangs', says: 'hangs for 15 s', on: 'S3 store', apply: spoilStore('silent') },
  { name: 'kill-app', says: 'kill -9', on: 'app with two workers', apply: killApp },
  { name: 'kill-database', says: 'kill -9', on: 'external database', apply: killDatabase },
  { name: 'kill-both', says: 'kill -9', on: 'app with two workers, external database', apply: killBoth },
]

export const CLOCK_FAULTS: Fault[] = [
  calm('an office with a clock'),
  {
    name: 'clock-forward',
    says: 'a day forward',
    on: 'clock of app and database',
    apply: turnClock(DAY + 60),
    afterwards: mailsLeave,
  },
  {
    name: 'clock-returns',
    says: 'a day back, to the right time',
    on: 'clock of app and database',
    apply: turnClock(0),
    afterwards: mailsLeave,
  },
  {
    name: 'clock-back',
    says: 'an hour back',
    on: 'clock of app and database',
    apply: turnClock(-3600),
    afterwards: mailsLeave,
  },
]
