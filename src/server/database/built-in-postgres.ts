import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { endLeftovers, postmasterFile } from './postgres-processes.ts'
import { installPostgres, POSTGRES_ENV, removeStartingWith, runPostgresProgram } from './postgres-runtime.ts'
import { PORT, settingsFor } from './postgres-settings.ts'
import { chooseServerUser, type ServerUser } from './postgres-user.ts'
import { hasEnded, SupervisedProcess } from '../process/supervised-process.ts'

const INITDB = [
  '--username=postgres',
  '--auth=trust', // only the server's user can enter the socket's directory
  '--encoding=UTF8',
  '--text-search-config=danish',
  // Indexes use code point order, which never changes; our own collation gives the Danish order.
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  // With C, pg_trgm drops æ, ø and å.
  `--lc-ctype=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
]

type BuiltInPostgres = {
  /** The connection for the app, whose role is not a superuser and cannot change the log. */
  connection: ClientConfig
  /** The connection for migrations. */
  owner: ClientConfig
  pid: () => number | undefined
  stop: () => Promise<void>
}

type Options = {
  /** Whether a new database may be created. It may not if files exist: their database is lost. */
  mayCreate: () => boolean | Promise<boolean>
  /** How many connections the server must accept. */
  connections?: number
  /** False for data that is thrown away: a power cut may then cost it, and everything is written faster. */
  isDurable?: boolean
  say: (message: string) => void
}

/**
 * Runs Ringbind's own PostgreSQL in a directory of the data directory. The caller must hold its lock.
 *
 *     runtime-<version>  the programs
 *     cluster            the database
 *     run                the socket (elsewhere if the path is too long)
 *     postgres.log       the server's log
 *
 * Restarts the server when it dies, until `stop`.
 */
export async function startBuiltInPostgres(
  directory: string,
  { mayCreate, connections = 0, isDurable = true, say }: Options,
): Promise<BuiltInPostgres> {
  if (process.platform === 'win32')
    throw new Error('There is no built-in PostgreSQL on Windows: set DATABASE_URL.')
  if (/["$`\\\n]/.test(directory)) {
    throw new Error(
      `DATA_DIR takes a path without " $ \` \\ for the built-in PostgreSQL; it is '${directory}'.`,
    )
  }
  if (mkdirSync(directory, { recursive: true, mode: 0o755 })) chmodSync(directory, 0o755) // mkdir applies the umask
  const cluster = join(directory, 'cluster')
  const there = exists(cluster)
  const made = there ? readVersion(cluster) : null
  const user = chooseServerUser(directory, there ? cluster : null, say)
  await endLeftovers(cluster, say) // must run before its programs are replaced
  const programs = installPostgres(directory, user)
  if (made) checkVersion(cluster, made, programs)
  else if (await mayCreate()) createCluster(programs, directory, cluster, user)
  else {
    throw new Error(
      `There are files in the data directory, but no database in ${cluster}: put it back, or restore a backup.`,
    )
  }
  const socket = makeSocketDirectory(directory, user)
  const settings = settingsFor(connections, isDurable)
  const log = join(directory, 'postgres.log')
  const server = new SupervisedProcess(
    'PostgreSQL',
    () => spawnServer({ programs, cluster, socket, settings, log, user }),
    () => endLeftovers(cluster, say),
    say,
  )
  await server.start()
  try {
    await createDatabase(socket)
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    connection: connectionTo(socket),
    owner: connectionTo(socket, OWNER),
    pid: () => server.child?.pid,
    async stop() {
      await server.stop()
      rmSync(socket, { recursive: true, force: true })
    },
  }
}

const OWNER = 'ringbind_owner'

const connectionTo = (socket: string, user = 'ringbind'): ClientConfig => ({
  host: socket,
  port: PORT,
  user,
  database: 'ringbind',
  // Otherwise a schema with the role's name comes first, and the role could make one with other tables.
  options: '-c timezone=UTC -c search_path=public',
})

/** Returns the connection to a server that another process runs in this directory, or null if there is none. */
export function findBuiltInPostgres(directory: string): ClientConfig | null {
  const lines = postmasterFile(join(directory, 'cluster'))
  const socket = lines[4] // read from the file, because our temporary directory may be another one
  return socket && lines[7]?.trim() === 'ready' ? connectionTo(socket) : null
}

export const hasBuiltInPostgres = (directory: string): boolean => exists(join(directory, 'cluster'))

function createCluster(programs: string, directory: string, cluster: string, user: ServerUser): void {
  removeStartingWith(directory, 'cluster-new-')
  const fresh = mkdtempSync(`${cluster}-new-`) // renamed when complete, so that a half-made one is never used
  if (user) chownSync(fresh, user.uid, user.gid)
  runPostgresProgram(
    join(programs, 'initdb'),
    ['-D', fresh, ...INITDB],
    user,
    'The database could not be made',
  )
  renameSync(fresh, cluster)
  // Without this, a power cut could bring the old name back, and the next start would take it for half-made.
  const parent = openSync(directory, 'r')
  fsyncSync(parent)
  closeSync(parent)
}

function readVersion(cluster: string): string {
  const file = join(cluster, 'PG_VERSION')
  if (!exists(file))
    throw new Error(`${cluster} is there but holds no PostgreSQL database: put it back, or move it away.`)
  return readFileSync(file, 'utf8').trim()
}

function checkVersion(cluster: string, made: string, programs: string): void {
  const have = /runtime-(\d+)/.exec(programs)![1]!
  if (made !== have) {
    throw new Error(
      `The database in ${cluster} was made by PostgreSQL ${made}; this Ringbind has ${have} and leaves it alone.`,
    )
  }
}

/** Returns false only for "no such file": a path that we may not read may still exist. */
function exists(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Makes a private directory with a short path: a socket's path takes at most 103 bytes on macOS, 107 on Linux. */
export function makeSocketDirectory(directory: string, user: ServerUser): string {
  const name = `ringbind-${hash('sha256', directory).slice(0, 16)}`
  const socket = [join(directory, 'run'), join(tmpdir(), name), join('/tmp', name)].find(
    (path) => Buffer.byteLength(`${path}/.s.PGSQL.${PORT}`) <= 103,
  )!
  rmSync(socket, { recursive: true, force: true })
  mkdirSync(socket, { mode: 0o700 }) // fails if another process has just made it
  if (user) chownSync(socket, user.uid, user.gid)
  return socket
}

type Spawn = {
  programs: string
  cluster: string
  socket: string
  settings: Record<string, string | number>
  log: string
  user: ServerUser
}

/** Starts the server. `ready` resolves when it accepts connections and rejects if it ends before that. */
function spawnServer({ programs, cluster, socket, settings, log, user }: Spawn) {
  if (exists(log) && statSync(log).size > 5_000_000) renameSync(log, `${log}.1`)
  const output = openSync(log, 'a', 0o600) // inherited, so the server's user need not own it
  const before = fstatSync(output).size
  const all = Object.entries({ ...settings, unix_socket_directories: `"${socket}"` })
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // detached: Ctrl-C goes to Ringbind alone, which then stops the server in order
    { ...user, env: POSTGRES_ENV, cwd: '/', stdio: ['ignore', output, output], detached: true },
  )
  closeSync(output)
  const untilReady = async () => {
    await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    while (!hasEnded(child)) {
      const lines = postmasterFile(cluster)
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
      await sleep(10) // no limit: recovery after a crash may take long
    }
    const said = readFileSync(log).subarray(before).toString().trim().split('\n').slice(-6).join('\n')
    throw new Error(`PostgreSQL did not start (see ${log}):\n${said}`)
  }
  return { child, ready: untilReady() }
}

/**
 * Makes the database and its roles: `ringbind` serves, `ringbind_log` owns the log, and `ringbind_owner` migrates. A database from
 * before the latter two has `ringbind` for its owner.
 */
async function createDatabase(socket: string): Promise<void> {
  await using admin = await connectAsSuperuser(socket, 'postgres')
  const finds = async (sql: string) => (await admin.query(sql)).rowCount !== 0
  for (const [name, kind] of ROLES)
    if (!(await finds(`select from pg_roles where rolname = '${name}'`)))
      await admin.query(`create role ${name} ${kind}`)
  if (!(await finds(`select from pg_database where datname = 'ringbind'`)))
    await admin.query('create database ringbind owner ringbind')
  const isDone = `datdba = '${OWNER}'::regrole and has_database_privilege('ringbind', oid, 'create')`
  if (await finds(`select from pg_database where datname = 'ringbind' and ${isDone}`)) return
  await admin.query(`grant ringbind to ${OWNER}`)
  await admin.query(`grant ringbind_log to ${OWNER} with admin option`)
  await using inside = await connectAsSuperuser(socket, 'ringbind')
  await inside.query('grant usage, create on schema public to ringbind, ringbind_log')
  await admin.query(`alter database ringbind owner to ${OWNER}`)
  await admin.query('grant create on database ringbind to ringbind') // the former owner's own rights went with it
}

const ROLES = [
  ['ringbind', 'login'],
  ['ringbind_log', 'nologin'],
  [OWNER, 'login'],
] as const

async function connectAsSuperuser(socket: string, database: string): Promise<Client & AsyncDisposable> {
  const client = new Client({
    host: socket,
    port: PORT,
    user: 'postgres',
    database,
    options: '-c search_path=pg_catalog',
  })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
