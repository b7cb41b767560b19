import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { connect, type Database } from '../../src/server/database/database.ts'
import { listMigrations } from '../../src/server/database/migrate.ts'
import { urls } from '../../src/urls.ts'
import { Caller } from '../load/caller.ts'
import { freshDirectory } from '../directory.ts'
import { makeExternalPostgres, type ExternalPostgres } from '../neighbours/external-postgres.ts'
import { freePort } from '../neighbours/free-port.ts'
import { fileFaults, servingFaults, sessionFaults, totalOf } from '../load/ledger.ts'
import { LoadClient } from '../load/instance-load.ts'
import { PASSWORD, passwordHash } from '../make.ts'
import { NAME, startNginx, type Nginx } from '../neighbours/nginx.ts'
import { ROOT, startProcess, type RunningProcess } from '../start/processes.ts'
import { startRadosgw, type Radosgw } from '../neighbours/radosgw.ts'
import { makeNextTree, makeReleasedTree } from '../release/release-tree.ts'
import { listenUntil, publishUntil, readUntil, type Telling } from '../load/upgrade-load.ts'

const SEED = Number(process.env.UPGRADE_SEED ?? Date.now() % 1_000_000_000)
const WRITERS = 3
/** How long the load runs between two changes, and how long two versions run side by side. */
const WHILE_MS = 4_000

let postgres: ExternalPostgres
let db: Database
let rgw: Radosgw
beforeAll(async () => {
  rgw = await startRadosgw()
  await rgw.makeBucket('papers')
  postgres = await makeExternalPostgres()
  db = connect({ connection: { connectionString: postgres.url }, onError: () => undefined })
}, 300_000)
afterAll(async () => {
  await db.destroy()
  await postgres.stop()
  await rgw.stop()
})

type Which = 0 | 1

/** Two instances, each in the directory of some version. */
class Instances {
  ports: [number, number]
  env: Record<string, string>
  times: string[] = []
  #directories: [string, string]
  #running: (RunningProcess | undefined)[] = []

  constructor(ports: [number, number], directories: [string, string], env: Record<string, string>) {
    this.ports = ports
    this.#directories = directories
    this.env = env
  }

  static async make(): Promise<Instances> {
    const env = {
      ...rgw.env('papers'),
      DATABASE_URL: postgres.url,
      APP_URL: `https://${NAME}`,
      TRUST_PROXY: '127.0.0.1',
      REQUESTS_PER_MINUTE: '1000000',
    }
    const ports: [number, number] = [await freePort(), await freePort()]
    return new Instances(ports, [await freshDirectory(), await freshDirectory()], env)
  }

  envOf(which: Which): Record<string, string> {
    return { ...this.env, DATA_DIR: this.#directories[which], PORT: String(this.ports[which]) }
  }

  async start(which: Which, tree: string): Promise<void> {
    this.#running[which] = startProcess(this.envOf(which), { cwd: tree })
    await this.#running[which].url
  }

  /** Stops an instance as systemd does, and starts another version in its place. */
  async replace(which: Which, tree: string, what: string): Promise<void> {
    const began = performance.now()
    const old = this.#running[which]!
    old.child.kill('SIGTERM')
    const status = await old.ended
    if (status !== 0) throw new Error(`It ended with ${status}: ${old.output()}`)
    const stopped = performance.now()
    await this.start(which, tree)
    const [stopMs, startMs] = [stopped - began, performance.now() - stopped].map(Math.round)
    this.times.push(`${what}: stopped in ${stopMs} ms, the next one serves after ${startMs} ms`)
  }

  async stop(): Promise<void> {
    for (const one of this.#running) one?.child.kill('SIGTERM')
    for (const one of this.#running) await one?.ended
  }
}

/** Adds a person without this version's code, which knows more than the old schema has. */
async function addPerson(email: string, role: string): Promise<void> {
  await sql`
    insert into users (name, email, email_key, role, password_hash)
    values (${email}, ${email}, ${email}, ${role}, ${await passwordHash(PASSWORD)})`.execute(db)
}

type Project = { id: number; folders: number[] }

async function addProject(caller: Caller, number: string): Promise<Project> {
  const { status, body } = await caller.json(urls.newProject, { number, name: `K/S ${number}` })
  expect([status, body.toString()]).toEqual([200, expect.stringContaining('redirect')])
  const { rows } = await sql<{ id: number; folder: number }>`
    select projects.id, folders.id as folder from projects join folders on folders.project_id = projects.id
    where number = ${number}`.execute(db)
  return { id: rows[0]!.id, folders: rows.map(({ folder }) => folder) }
}

async function enter(nginx: Nginx, email: string, role = 'employee'): Promise<Caller> {
  await addPerson(email, role)
  const agent = nginx.agent()
  onTestFinished(() => agent.destroy())
  const caller = new Caller((method, path, sending) => nginx.call(method, path, sending, agent))
  expect((await caller.signIn(email)).status).toBe(200)
  return caller
}

async function idsOf(submission: string): Promise<{ id: number; name: string }[]> {
  const { rows } = await sql<{ id: number; name: string }>`
    select files.id, files.name from files join submissions on submissions.id = submission_id
    where submissions.key = ${submission}`.execute(db)
  return rows
}

async function findRelease(submission: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select releases.id from releases join submissions on submissions.id = submission_id
    where submissions.key = ${submission}`.execute(db)
  return rows[0]!.id
}

async function startLoad(nginx: Nginx) {
  const telling: Telling = { faults: [], repeated: [] }
  const admin = await enter(nginx, 'chef@example.dk', 'administrator')
  const writers: LoadClient[] = []
  for (let number = 0; number < WRITERS; number++) {
    const email = `skriver${number}@example.dk`
    const { id: project, folders } = await addProject(admin, `S${number}`)
    const caller = await enter(nginx, email)
    writers.push(
      new LoadClient({ caller, email, project, folders, seed: SEED + number, idsOf, invitees: null }),
    )
  }
  const publisher = await enter(nginx, 'udsender@example.dk')
  const { id: project, folders } = await addProject(admin, 'U1')
  const reader = await enter(nginx, 'laeser@example.dk', 'administrator')
  const listener = await enter(nginx, 'lytter@example.dk')
  let isOver = false
  const over = () => isOver
  const paths = ['/', '/projects', urls.files(project), '/releases', '/log', '/users', '/profile']
  const agent = nginx.agent()
  onTestFinished(() => agent.destroy())
  const work = Promise.all([
    readUntil(over, reader, paths, telling),
    publishUntil(over, { caller: publisher, project, folder: folders[0]! }, findRelease, telling),
    listenUntil(over, { caller: listener, project, port: nginx.ports.https, agent }, telling),
    ...writers.map((writer) => writer.workUntil(over)),
  ] as const)
  return {
    telling,
    writers,
    reader,
    stop: async () => {
      isOver = true
      const [read, published, heard] = await work
      return { read, published, heard }
    },
  }
}

it(
  'the last release is replaced by this one, and this one by the next and back, while people work',
  { timeout: 900_000 },
  async () => {
    console.log(`rolling upgrade: UPGRADE_SEED=${SEED}`)
    const began = performance.now()
    const { path: oldTree, released } = await makeReleasedTree()
    const next = 'create table next (id int); alter table log add next text; alter table files add next text;'
    const nextTree = await makeNextTree(next)
    const builtMs = Math.round(performance.now() - began)

    const instances = await Instances.make()
    for (const which of [0, 1] as const) await instances.start(which, oldTree)
    const nginx = await startNginx(instances.ports)
    const load = await startLoad(nginx)
    await sleep(WHILE_MS)
    await instances.replace(0, ROOT, `${released.version} to this one`)
    await sleep(WHILE_MS) // both versions, side by side
    await instances.replace(1, ROOT, `${released.version} to this one`)
    await sleep(WHILE_MS / 2)
    await instances.replace(0, nextTree, 'this one to the next')
    await sleep(WHILE_MS / 2)
    await instances.replace(1, ROOT, 'this one, where the next one has changed the schema')
    await instances.replace(0, ROOT, 'the next one back to this one')
    await sleep(WHILE_MS / 2)
    const { read, published, heard } = await load.stop()

    const { rows: states } = await sql<{ state: string }>`
      select distinct state from releases where id = any (${published})`.execute(db)
    const { rows: migrations } = await sql<{ name: string }>`select name from migrations`.execute(db)
    const writers = totalOf(load.writers.map(({ counts }) => counts))
    console.log('rolling upgrade:', {
      buildSeconds: builtMs / 1000,
      seconds: Math.round((performance.now() - began) / 1000),
      times: instances.times,
      ...writers,
      kept: load.writers.flatMap(({ kept }) => kept).length,
      pages: read.pages,
      assets: read.assets.size,
      pagesOpenedAgain: read.openedAgain,
      published: published.length,
      streams: heard,
      repeated: Object.groupBy(
        [...load.telling.repeated, ...load.writers.flatMap(({ reasons }) => reasons)],
        String,
      ),
    })
    const faults = [
      ...load.telling.faults,
      ...load.writers.flatMap((writer) => writer.faults),
      ...(await fileFaults(db, load.writers)),
      ...(await servingFaults(db, load.reader, load.writers)),
      ...(await sessionFaults(nginx.call, load.writers)),
    ]
    expect(faults).toEqual([])
    expect(states).toEqual([{ state: 'published' }])
    expect(migrations).toHaveLength((await listMigrations()).length + 1)
    // Only when the last instance of a version stopped.
    expect(read.openedAgain).toBeLessThan(4)
    expect(heard.closed).toBeGreaterThan(0)
    expect(heard.events).toBeGreaterThan(heard.opened)
    const many = [read.pages, published.length, writers.uploads, writers.moves, writers.pieces]
    for (const count of many) expect(count).toBeGreaterThan(3)

    await instances.stop()
    const env = { ...instances.envOf(0), PATH: process.env.PATH, HOME: process.env.HOME }
    const { stderr } = await promisify(execFile)(process.execPath, ['scripts/verify.ts'], { cwd: ROOT, env })
    expect(stderr).toContain('all is well')
  },
)
