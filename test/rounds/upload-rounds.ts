import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { FileOwner } from '../../src/access/reader.ts'
import { addSession } from '../../src/accounts/session/sessions.db.ts'
import { readConfig } from '../../src/config.ts'
import { isDatabaseGone, type Database } from '../../src/server/database/database.ts'
import { serverProcesses } from '../../src/server/database/postgres-processes.ts'
import { startRingbind, type Ringbind } from '../../src/start.ts'
import { fileUrls } from '../../src/urls.ts'
import { keepHouse } from '../../src/work.ts'
import { chanceOf, type Chance } from '../chance.ts'
import { foldersByName, makeProject, makeUser } from '../make.ts'
import { killHard, startProcess, type RunningProcess } from '../start/processes.ts'
import {
  UploadWriter,
  type Counts as WriterCounts,
  type Form,
  type Kind,
  type Line,
  type Office,
} from './upload-writer.ts'

export type Counts = WriterCounts & {
  rounds: number
  kills: Record<Victim, number>
  startsInterrupted: number
  filesInspected: number
  served: number
  purged: number
  faults: string[]
}

type Victim = 'Node' | 'PostgreSQL' | 'both'
const VICTIMS: Victim[] = ['Node', 'both', 'Node', 'PostgreSQL']
const WRITERS = 5
const SECONDS_A_ROUND = 14

type Person = { userId: number; headers: Record<string, string> }

/** Kills the server while several people upload and save, then checks that everything acknowledged is whole and there once. */
export async function uploadRounds(dataDir: string, rounds: number, seed: number): Promise<Counts> {
  const chance = chanceOf(seed)
  const { office, people } = await furnish(dataDir)
  const line = new ServerLine()
  const start = (): RunningProcess => {
    const server = startProcess({ DATA_DIR: dataDir, REQUESTS_PER_MINUTE: '1000000', LOG_LEVEL: 'silent' })
    void server.url.then(
      (url) => line.moveTo(url),
      () => undefined,
    )
    return server
  }
  let server = start()
  await server.url
  const kill = async (victim: Victim) => {
    if (victim !== 'Node') serverProcesses(join(dataDir, 'postgres/cluster')).forEach(killHard)
    if (victim === 'PostgreSQL') return
    server.child.kill('SIGKILL')
    line.leave()
    await server.ended
  }

  let isOver = false
  const look = (form: Form) => lookFor(dataDir, form)
  const find = (form: Form, name: string) => findFile(dataDir, form, name)
  const writers = people.map(
    (person, index) => new UploadWriter({ ...person, line, office, look, find, seed: seed + index }),
  )
  const work = Promise.all(writers.map((writer) => writer.writeUntil(() => isOver)))
  const kills = { Node: 0, PostgreSQL: 0, both: 0 }
  let startsInterrupted = 0
  let round = 0
  for (
    const until = Date.now() + rounds * SECONDS_A_ROUND * 1000;
    round < rounds && Date.now() < until;
    round++
  ) {
    const isEarly = round % 5 === 4
    if (isEarly) {
      await kill('Node')
      server = start()
      await sleep(chance.number(600))
      startsInterrupted++
    } else await waitForCalls(line, chance)
    const victim = isEarly ? 'Node' : VICTIMS[round % VICTIMS.length]!
    await kill(victim)
    kills[victim]++
    if (victim !== 'PostgreSQL') server = start()
    await server.url
  }
  isOver = true
  await work
  await kill('both')

  const found = await inspect(dataDir, writers, people[0]!)
  return {
    ...sum(writers),
    rounds: round,
    kills,
    startsInterrupted,
    ...found,
    faults: [...writers.flatMap(({ faults }) => faults), ...found.faults],
  }
}

/** The address of the running server. While none is up, callers wait for the next one. */
class ServerLine implements Line {
  hear: Line['hear'] = () => undefined
  #up = Promise.withResolvers<string>()
  #isUp = false

  get url(): Promise<string> {
    return this.#up.promise
  }
  moveTo(url: string): void {
    this.#isUp = true
    this.#up.resolve(url)
  }
  leave(): void {
    if (this.#isUp) this.#up = Promise.withResolvers()
    this.#isUp = false
  }
}

/** Waits for some calls, mostly until one of a certain kind begins. It counts calls because a busy computer is slow. */
async function waitForCalls(line: Line, chance: Chance): Promise<void> {
  const wanted = chance.of<Kind | null>([
    'submit',
    'submit',
    'submit',
    'piece',
    'piece',
    'upload',
    'keep',
    null,
  ])
  let before = chance.number(60)
  const { promise: heard, resolve } = Promise.withResolvers<void>()
  line.hear = (kind) => {
    if (before-- <= 0 && (!wanted || kind === wanted)) resolve()
  }
  await Promise.race([heard, sleep(6000, undefined, { ref: false })])
  line.hear = () => undefined
  await sleep(chance.number(chance.of([4, 30, 120])))
}

function sum(writers: UploadWriter[]): WriterCounts {
  const all = writers.map(({ counts }) => counts)
  const of = (pick: (counts: WriterCounts) => number) =>
    all.reduce((total, counts) => total + pick(counts), 0)
  return {
    uploads: of(({ uploads }) => uploads),
    largeUploads: of(({ largeUploads }) => largeUploads),
    resumed: of(({ resumed }) => resumed),
    resumedInAPiece: of(({ resumedInAPiece }) => resumedInAPiece),
    bytes: of(({ bytes }) => bytes),
    kept: of(({ kept }) => kept),
    acknowledged: of(({ acknowledged }) => acknowledged),
    repeated: of(({ repeated }) => repeated),
    replaced: of(({ replaced }) => replaced),
    unanswered: {
      whole: of(({ unanswered }) => unanswered.whole),
      absent: of(({ unanswered }) => unanswered.absent),
    },
  }
}

const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })

async function furnish(dataDir: string): Promise<{ office: Office; people: Person[] }> {
  await using ringbind = await startRingbind(configOf(dataDir))
  const { db } = ringbind
  const projects: Office['projects'] = []
  for (let count = 0; count < 3; count++) {
    const { id, number } = await makeProject(db)
    projects.push({ id, number, folders: await foldersByName(db, id) })
  }
  const investors: Office['people'] = []
  for (const number of ['7001', '7002', '7003']) {
    const { id } = await makeUser(db, { numbers: [number] })
    investors.push({ id, number })
  }
  const people: Person[] = []
  while (people.length < WRITERS) people.push(await enter(ringbind))
  return { office: { projects, people: investors }, people }
}

async function enter({ db, url }: Ringbind): Promise<Person> {
  const { id } = await makeUser(db, { role: 'employee' })
  const session = await db.transaction().execute((trx) => addSession(trx, id, 'test'))
  const page = await fetch(`${url}/findes-ikke`, { headers: { cookie: `session=${session}` } })
  const token = /XSRF-TOKEN=([^;]+)/.exec(page.headers.getSetCookie().join())![1]!
  return {
    userId: id,
    headers: {
      accept: 'application/json',
      cookie: `session=${session}; XSRF-TOKEN=${token}`,
      'x-requested-with': 'XMLHttpRequest',
      'x-xsrf-token': decodeURIComponent(token),
    },
  }
}

/** Looks for a form directly in the database, because the server may not be up yet. */
async function lookFor(
  dataDir: string,
  { key, userId, files }: Form,
): Promise<{ stored: number; waiting: number }> {
  const row = await ask<{ stored: string; waiting: string }>(
    dataDir,
    `select
      (select count(*) from (select submission_id from files union all select submission_id from file_versions) as bytes
        join submissions on submissions.id = submission_id
        where submissions.key = $1 and submissions.user_id = $2) as stored,
      (select count(*) from temporary_files where hash_name = any ($3)) as waiting`,
    [key, userId, files.map(({ hashName }) => hashName)],
  )
  return { stored: Number(row.stored), waiting: Number(row.waiting) }
}

async function findFile(
  dataDir: string,
  { key, userId }: Form,
  name: string,
): Promise<{ id: number; owner: FileOwner }> {
  const row = await ask<{ id: string; project_id: string | null; user_id: string | null }>(
    dataDir,
    `select files.id, folders.project_id, folders.user_id from files join folders on folders.id = files.folder_id
    join submissions on submissions.id = files.submission_id
    where submissions.key = $1 and submissions.user_id = $2 and files.name = $3`,
    [key, userId, name],
  )
  const owner = row.project_id === null ? { user: Number(row.user_id) } : { project: Number(row.project_id) }
  return { id: Number(row.id), owner }
}

async function ask<Row extends object>(dataDir: string, query: string, values: unknown[]): Promise<Row> {
  for (let attempt = 1; ; attempt++) {
    const admin = new Client({ host: join(dataDir, 'postgres/run'), user: 'postgres', database: 'ringbind' })
    admin.on('error', () => undefined)
    try {
      await admin.connect()
      const { rows } = await admin.query<Row>(query, values)
      return rows[0]!
    } catch (error) {
      if (attempt === 300 || !isDatabaseGone(error)) throw error
      await sleep(100)
    } finally {
      await admin.end().catch(() => undefined)
    }
  }
}

// Inspecting

type Inspection = Pick<Counts, 'filesInspected' | 'served' | 'purged' | 'faults'>

async function inspect(dataDir: string, writers: UploadWriter[], reader: Person): Promise<Inspection> {
  await using ringbind = await startRingbind(configOf(dataDir))
  const { db } = ringbind
  const files = await readFiles(db)
  const onDisk = () => globSync('??/*', { cwd: join(dataDir, 'files') }).map((path) => path.replace('/', ''))
  const served = files.filter(({ is_shown: isShown }, index) => isShown && index % 8 === 0)
  const before = [
    ...formFaults(writers, files),
    ...(await leftFaults(db, writers)),
    ...(await keptFaults(db, writers)),
    ...(await byteFaults(ringbind)),
    ...(await servingFaults(ringbind, served, reader)),
    ...(await countFaults(db)),
    ...(await versionFaults(db)),
    ...(await strayFaults(db, onDisk())),
  ]
  await sql`update temporary_files set created_at = now() - interval '25 hours'`.execute(db)
  await sql`update blobs set created_at = now() - interval '49 hours' where state = 'pending'`.execute(db)
  let purged = 0
  try {
    purged = (await keepHouse(ringbind)).blobs
  } catch (error) {
    before.push(`the purge: ${String(error)}`)
  }
  const after = [
    ...(await ownerFaults(db)),
    ...(await keptFaults(db, [])),
    ...(await strayFaults(db, onDisk())),
    ...(await byteFaults(ringbind)),
    ...formFaults(writers, await readFiles(db)),
  ]
  return {
    filesInspected: files.length,
    served: served.length,
    purged,
    faults: [...before, ...after.map((fault) => `after the purge: ${fault}`)],
  }
}

type FileRow = {
  form: string | null
  path: string
  name: string
  folder_id: number
  project_id: number | null
  owner_id: number | null
  sha256: string | null
  /** The file shows this version. */
  is_shown: boolean
  entries: number
}

async function readFiles(db: Database): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    select submissions.user_id || ' ' || submissions.key as form, files.key || '/' || files.name as path, files.name,
      folder_id, folders.project_id, folders.user_id as owner_id, sha256, bytes.is_shown,
      (select count(*) from log where log.file_id = files.id and log.folder_id = folders.id
        and act = case bytes.number when 1 then 'file-added' else 'file-replaced' end
        and log.user_id = submissions.user_id) as entries
    from (
      select id as file_id, version as number, blob_id, submission_id, true as is_shown from files
      union all select file_id, number, blob_id, submission_id, false from file_versions
    ) as bytes
    join files on files.id = bytes.file_id join folders on folders.id = folder_id
      left join submissions on submissions.id = bytes.submission_id
      left join blobs on blobs.id = bytes.blob_id and state = 'stored'
    order by files.id, bytes.number`.execute(db)
  return rows
}

/** Checks that each form has its files, each in its place, once, and that there are no others. */
function formFaults(writers: UploadWriter[], files: FileRow[]): string[] {
  const faults: string[] = []
  const found = Map.groupBy(files, ({ form }) => form)
  for (const { key, userId, files: expected } of writers.flatMap(({ forms }) => forms)) {
    const form = `${userId} ${key}`
    const wanted = expected.map(({ name, where, sha256 }) => `${name} in ${JSON.stringify(where)}: ${sha256}`)
    const there = (found.get(form) ?? []).map(
      ({ name, folder_id: folder, owner_id: person, sha256 }) =>
        `${name} in ${JSON.stringify(person === null ? { folder } : { person })}: ${sha256}`,
    )
    if (wanted.toSorted().join('\n') !== there.toSorted().join('\n'))
      faults.push(`form ${form} has ${there.join(', ') || 'nothing'}, it should have ${wanted.join(', ')}`)
    found.delete(form)
  }
  for (const [form, more] of found) faults.push(`${more.length} files of form ${form}, which was never saved`)
  for (const { path, entries } of files)
    if (entries !== 1) faults.push(`the log has ${path} ${entries} times`)
  return faults
}

/** Checks that uploads that were acknowledged but not saved are waiting. */
async function leftFaults(db: Database, writers: UploadWriter[]): Promise<string[]> {
  const { rows } = await sql<{ hash_name: string; is_right: string }>`
    select hash_name, name || ' ' || sha256 as is_right
    from temporary_files join blobs on blobs.id = blob_id where state = 'stored'`.execute(db)
  const waiting = new Map(rows.map(({ hash_name: hash, is_right: text }) => [hash, text]))
  return writers
    .flatMap(({ left }) => left)
    .filter(({ hashName, name, sha256 }) => waiting.get(hashName) !== `${name} ${sha256}`)
    .map(({ name }) => `${name} is no longer waiting`)
}

/** Checks that exactly the unsaved files are stored for their person. */
async function keptFaults(db: Database, writers: UploadWriter[]): Promise<string[]> {
  const { rows } = await sql<{ file: string }>`
    select user_id || ' ' || hash_name || ' ' || name as file
    from kept_files join kept_piles on kept_piles.id = pile_id`.execute(db)
  const kept = new Set(rows.map(({ file }) => file))
  const wanted = new Set(
    writers.flatMap(({ userId, left }) => left.map(({ hashName, name }) => `${userId} ${hashName} ${name}`)),
  )
  return [
    ...[...wanted].filter((file) => !kept.has(file)).map((file) => `${file} is not kept`),
    ...[...kept].filter((file) => !wanted.has(file)).map((file) => `${file} is kept, and was saved`),
  ]
}

/** Checks the bytes of each blob against its row. */
async function byteFaults({ db, storage }: Ringbind): Promise<string[]> {
  const faults: string[] = []
  const blobs = await db.selectFrom('blobs').selectAll().where('state', '=', 'stored').execute()
  for (const { id, key, sha256 } of blobs) {
    const hash = createHash('sha256')
    try {
      for await (const chunk of await storage.open(key)) hash.update(chunk as Buffer)
      if (hash.digest('hex') !== sha256) faults.push(`blob ${id} has other bytes`)
    } catch (error) {
      faults.push(`blob ${id}: ${String(error)}`)
    }
  }
  return faults
}

async function servingFaults({ url }: Ringbind, files: FileRow[], { headers }: Person): Promise<string[]> {
  const faults: string[] = []
  for (const { project_id: project, owner_id: person, path, sha256 } of files) {
    const owner = project === null ? { user: person! } : { project }
    const reply = await fetch(url + fileUrls.download(owner, path), { headers })
    const hash = createHash('sha256').update(Buffer.from(await reply.arrayBuffer()))
    if (reply.status !== 200 || hash.digest('hex') !== sha256)
      faults.push(`${path} is served ${reply.status}`)
  }
  return faults
}

async function countFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string; kept: number; counted: number }>`
    select 'folder ' || id as name, files_count as kept,
      (select count(*) from files where folder_id = folders.id and deleted_at is null) as counted
    from folders
    union all
    select 'project ' || id, files_count, (
      select count(*) from files join folders on folders.id = folder_id
      where project_id = projects.id and deleted_at is null
    ) from projects`.execute(db)
  return rows
    .filter(({ kept, counted }) => kept !== counted)
    .map(({ name, kept, counted }) => `${name} says that it has ${kept} files, and has ${counted}`)
}

/** Checks that every file shows its newest version. */
async function versionFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select files.id from files join file_versions on file_versions.file_id = files.id
    where file_versions.is_held_back or file_versions.number >= files.version`.execute(db)
  return rows.map(({ id }) => `file ${id} does not show its newest version`)
}

async function strayFaults(db: Database, onDisk: string[]): Promise<string[]> {
  const blobs = await db.selectFrom('blobs').select('key').execute()
  const known = new Set(blobs.map(({ key }) => key))
  return onDisk.filter((key) => !known.has(key)).map((key) => `bytes without a row: ${key}`)
}

/** Checks that nothing is waiting any more, and that every blob belongs to a file. */
async function ownerFaults(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: number; state: string }>`
    select id, state from blobs
    where state <> 'stored' or not exists (select from files where blob_id = blobs.id)
      and not exists (select from file_versions where blob_id = blobs.id)`.execute(db)
  const waiting = await db.selectFrom('temporary_files').select('name').execute()
  return [
    ...rows.map(({ id, state }) => `blob ${id} is ${state} and nobody’s`),
    ...waiting.map(({ name }) => `${name} is still waiting`),
  ]
}
