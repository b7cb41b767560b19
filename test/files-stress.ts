import { chanceOf, type Chance } from './chance.ts'
import { generateKeyBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import type { Page } from '../src/base/pagination.ts'
import { movedBetween } from '../src/files/change/order.ts'
import type { StoredFile } from '../src/files/stored-file.ts'
import type { Database } from '../src/server/database/database.ts'
import { fileUrls, urls } from '../src/urls.ts'

/** A person who is signed in and does one thing after the other. */
export type Worker = { userId: number; mayRemove: boolean; headers: Record<string, string> }

type Options = {
  db: Database
  /** The server's address. The server must trust a proxy's word about the client's address. */
  url: string
  project: number
  folders: number[]
  clients: Worker[]
  seconds: number
  seed: number
}

const KINDS = ['up', 'down', 'sort', 'move', 'delete', 'restore', 'remove'] as const
type Kind = (typeof KINDS)[number]

type Ask =
  | { kind: Exclude<Kind, 'sort' | 'move'>; file: number }
  | { kind: 'move'; file: number; folder: number }
  | { kind: 'sort'; folder: number; order: number[] }

type AskResult = {
  ask: Ask
  /** The client's address. Each request has its own, so that log entries can be matched to requests. */
  address: string
  userId: number
  status: number
  success: boolean
  message: string
  ms: number
}

type Tally = Record<'done' | 'notDone' | '404' | '409', number>

export type Counts = {
  acts: Record<Kind, Tally>
  /** Pairs that waited for each other, where PostgreSQL aborted one. */
  deadlocks: number
  logged: number
  slowestMs: number
  faults: string[]
}

const PATIENCE_MS = 20_000
const ACTS = {
  up: 'file-sorted',
  down: 'file-sorted',
  sort: 'file-sorted',
  move: 'file-moved',
  delete: 'file-deleted',
  restore: 'file-restored',
  remove: 'file-removed',
} as const
/** Kinds of request that may succeed without changing anything. */
const MAY_CHANGE_NOTHING: ReadonlySet<Kind> = new Set(['sort', 'move'])

/** Lets everybody change the same files at once, then checks that replaying the log one by one gives the same result. */
export async function stressFiles(options: Options): Promise<Counts> {
  const { db, folders } = options
  const before = await readShelves(db, folders)
  const { done, faults } = await ask(options, [...before.values()].flat())
  const log = await readLog(db, options.project)
  const answered = answerFaults(done)
  const replayed = replay(before, done, log)
  const found = await inspect(options, replayed.shelves, done)
  return {
    acts: tally(done),
    deadlocks: done.filter(isDeadlock).length,
    logged: log.length,
    slowestMs: Math.round(Math.max(...done.map(({ ms }) => ms))),
    faults: [...faults, ...answered, ...replayed.faults, ...found],
  }
}

// Sending requests

async function ask(options: Options, files: Place[]): Promise<{ done: AskResult[]; faults: string[] }> {
  const { clients, seconds, seed } = options
  const began = performance.now()
  const run: Run = {
    ...options,
    files: files.map(({ id }) => id),
    passed: () => (performance.now() - began) / 1000 / seconds,
    seen: new Set(),
    removals: 0,
    faults: [],
  }
  const all = await Promise.all(
    clients.map((client, index) => askOn(run, client, index, chanceOf(seed + index))),
  )
  return { done: all.flat(), faults: run.faults }
}

type Run = Options & {
  /** All files except those that an answer said are gone. */
  files: number[]
  /** The share of the time that has passed, from 0 to 1. */
  passed: () => number
  /** The kinds of acts that have been done. */
  seen: Set<Kind>
  removals: number
  /** Faults found in lists. */
  faults: string[]
}

async function askOn(run: Run, client: Worker, index: number, chance: Chance): Promise<AskResult[]> {
  const done: AskResult[] = []
  // A busy machine takes longer to do one of each.
  while (run.passed() < 1 || run.seen.size < KINDS.length) {
    const next = await choose(run, client, chance)
    if (!next) continue
    const number = done.length
    const address = `10.${index + 1}.${number >> 8}.${number & 255}`
    const answer = await send(run, client, next, address)
    if (next.kind === 'remove' && answer.success) run.files = run.files.filter((id) => id !== next.file)
    if (answer.success) run.seen.add(next.kind)
    done.push({ ask: next, address, userId: client.userId, ...answer })
  }
  return done
}

async function choose(run: Run, client: Worker, chance: Chance): Promise<Ask | null> {
  const kind = chance.of<Kind>([
    ...(['up', 'up', 'down', 'down', 'sort', 'sort', 'sort', 'move', 'move', 'move'] as const),
    ...(['delete', 'delete', 'restore', 'restore', 'remove'] as const),
  ])
  if (kind === 'sort') return chooseOrder(run, client, chance)
  if (kind === 'restore' || kind === 'remove') return chooseDeleted(run, client, chance, kind)
  // Half of the requests are for the same few files.
  const file = chance.of(chance.number(2) === 0 ? run.files.slice(0, 6) : run.files)
  return kind === 'move' ? { kind, file, folder: chance.of(run.folders) } : { kind, file }
}

async function chooseDeleted(
  run: Run,
  client: Worker,
  chance: Chance,
  kind: 'restore' | 'remove',
): Promise<Ask | null> {
  // Removes files gradually, until half of them are left.
  const mayRemove = client.mayRemove && run.removals < (run.passed() * run.files.length) / 2
  if (kind === 'remove' && !mayRemove) return null
  const files = await list(run, client, fileUrls.trash({ project: run.project }))
  if (files.length === 0) return null
  if (kind === 'remove') run.removals++
  return { kind, file: chance.of(files.slice(0, 6)).id }
}

/** Takes a part of a folder's list and moves one file, shuffles all, or leaves the order. */
async function chooseOrder(run: Run, client: Worker, chance: Chance): Promise<Ask | null> {
  const folder = chance.of(run.folders)
  const files = await list(run, client, fileUrls.list({ project: run.project }, folder))
  if (files.length < 2) return null
  const size = 2 + chance.number(Math.min(files.length, 12) - 1)
  const start = chance.number(files.length - size + 1)
  const part = files.slice(start, start + size).map(({ id }) => id)
  const way = chance.number(8)
  if (way === 0) return { kind: 'sort', folder, order: part }
  if (way === 1)
    return { kind: 'sort', folder, order: part.toSorted((a, b) => ((a * 7919) % 101) - ((b * 7919) % 101)) }
  const [from, to] = [chance.number(size), chance.number(size)]
  return { kind: 'sort', folder, order: part.toSpliced(from, 1).toSpliced(to, 0, part[from]!) }
}

/** Fetches the first page of a list. */
async function list({ url, faults }: Run, { headers }: Worker, path: string): Promise<StoredFile[]> {
  const reply = await fetch(url + path, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })
  if (reply.ok) return ((await reply.json()) as Page<StoredFile>).data
  faults.push(`${path} answered ${reply.status} ${await reply.text()}`)
  return []
}

type Answer = Pick<AskResult, 'status' | 'success' | 'message' | 'ms'>

async function send(run: Run, { headers }: Worker, what: Ask, address: string): Promise<Answer> {
  const { method, path, body } = callOf(what, run.project)
  const began = performance.now()
  const answer = await fetch(run.url + path, {
    method,
    headers: { ...headers, 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body ?? {}),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
    .then(async (reply) => ({ status: reply.status, ...((await reply.json()) as { success?: boolean }) }))
    .catch((error: Error) => ({ status: 0, message: error.message }))
  return { success: false, message: '', ...answer, ms: performance.now() - began }
}

function callOf(what: Ask, project: number): { method: string; path: string; body?: object } {
  const owner = { project }
  if (what.kind === 'sort')
    return { method: 'POST', path: fileUrls.updateOrder(owner, what.folder), body: { newOrder: what.order } }
  if (what.kind === 'move') {
    const body = { file_id: what.file, folder_id: what.folder }
    return { method: 'POST', path: urls.moveFile(project), body }
  }
  const { file } = what
  return {
    up: { method: 'POST', path: fileUrls.moveUp(owner, file) },
    down: { method: 'POST', path: fileUrls.moveDown(owner, file) },
    delete: { method: 'DELETE', path: fileUrls.file(owner, file) },
    restore: { method: 'POST', path: fileUrls.restore(owner, file) },
    remove: { method: 'DELETE', path: fileUrls.deleted(owner, file) },
  }[what.kind]
}

const isDeadlock = ({ status, message }: AskResult) =>
  status === 409 && message.startsWith('En anden ændrede det samme')

/** Returns the answers that are wrong even when many people change the same files. */
function answerFaults(done: AskResult[]): string[] {
  return done.flatMap((each) => {
    const { status, success, ask: asked, message } = each
    const isFine =
      (status === 200 && (success || ['up', 'down'].includes(asked.kind))) || [404, 409].includes(status)
    return isFine ? [] : [`${nameOf(each)} answered ${status} ${message}`]
  })
}

function nameOf({ ask: asked, address }: AskResult): string {
  return `${asked.kind} ${'file' in asked ? asked.file : `in ${asked.folder}`} from ${address}`
}

function tally(done: AskResult[]): Counts['acts'] {
  const none = (): Tally => ({ done: 0, notDone: 0, '404': 0, '409': 0 })
  const acts = Object.fromEntries(KINDS.map((kind) => [kind, none()])) as Counts['acts']
  for (const { ask: asked, status, success } of done) {
    if (status === 200) acts[asked.kind][success ? 'done' : 'notDone']++
    else if (status === 404 || status === 409) acts[asked.kind][`${status}`]++
  }
  return acts
}

// Replaying, one by one

type Place = { id: number; isLive: boolean }
/** The files by folder, in order; deleted files keep their place. */
type Shelves = Map<number, Place[]>

type Entry = { act: string; user_id: number | null; address: string; folder_id: number; file_id: number }

/**
 * Replays acknowledged requests in the order of the log, and checks that the log has the entries that this makes.
 * The log's order is the order of events, because each entry is written while its folders are locked.
 */
function replay(before: Shelves, done: AskResult[], log: Entry[]): { shelves: Shelves; faults: string[] } {
  const shelves: Shelves = new Map([...before].map(([folder, places]) => [folder, structuredClone(places)]))
  const faults: string[] = []
  const entriesOf = Map.groupBy(log, ({ address }) => address)
  const doneAt = new Map(done.map((each) => [each.address, each]))
  for (const [address, entries] of entriesOf) {
    const each = doneAt.get(address)
    if (!each?.success) {
      faults.push(`in the log, but not acknowledged: ${each ? nameOf(each) : address}`)
      if (!each) continue
    }
    const expected = doAgain(shelves, each.ask)
    const act = ACTS[each.ask.kind]
    const isRight =
      entries.every((entry) => entry.act === act && entry.user_id === each.userId) &&
      isSame(
        entries.map((entry) => `${entry.file_id} in ${entry.folder_id}`),
        expected.map(({ file, folder }) => `${file} in ${folder}`),
      )
    if (!isRight)
      faults.push(
        `${nameOf(each)}: the log has ${JSON.stringify(entries)}, expected ${JSON.stringify(expected)}`,
      )
  }
  for (const each of done) {
    const mustBeThere = each.success && !MAY_CHANGE_NOTHING.has(each.ask.kind)
    if (mustBeThere && !entriesOf.has(each.address)) faults.push(`not in the log: ${nameOf(each)}`)
  }
  return { shelves, faults }
}

const isSame = (one: string[], other: string[]) => one.toSorted().join() === other.toSorted().join()

type Changes = { file: number; folder: number }[]

/** Returns what changes; nothing if the request cannot be done. */
function doAgain(shelves: Shelves, what: Ask): Changes {
  if (what.kind === 'sort') return sortAgain(shelves.get(what.folder)!, what.folder, what.order)
  const [folder, places] = [...shelves].find(([, each]) => each.some(({ id }) => id === what.file)) ?? []
  if (folder === undefined || !places) return []
  const at = places.findIndex(({ id }) => id === what.file)
  const place = places[at]!
  const wantsLive = what.kind !== 'restore' && what.kind !== 'remove'
  if (place.isLive !== wantsLive) return []
  switch (what.kind) {
    case 'up': {
      const neighbour = places.findLastIndex(({ isLive }, index) => isLive && index < at)
      if (neighbour < 0) return []
      places.splice(neighbour, 0, ...places.splice(at, 1))
      break
    }
    case 'down': {
      const neighbour = places.findIndex(({ isLive }, index) => isLive && index > at)
      if (neighbour < 0) return []
      places.splice(neighbour, 0, ...places.splice(at, 1))
      break
    }
    case 'move':
      if (folder === what.folder) return []
      shelves.get(what.folder)!.unshift(...places.splice(at, 1))
      return [{ file: what.file, folder: what.folder }]
    case 'delete':
      place.isLive = false
      break
    case 'restore':
      place.isLive = true
      break
    case 'remove':
      places.splice(at, 1)
      break
  }
  return [{ file: what.file, folder }]
}

/** Puts each file that moves right behind the one before it in the new order. */
function sortAgain(places: Place[], folder: number, order: number[]): Changes {
  const indexes = order.map((id) => places.findIndex((place) => place.id === id && place.isLive))
  const first = Math.min(...indexes)
  if (first < 0) return []
  const part = places.slice(first, Math.max(...indexes) + 1)
  const now = part.filter(({ isLive }) => isLive).map(({ id }) => id)
  if (now.length !== order.length) return []
  const moved = movedBetween(now, order)
  const staying = part.filter(({ id }) => !moved.has(id))
  order.forEach((id, index) => {
    if (!moved.has(id)) return
    const before = index === 0 ? -1 : staying.findIndex((place) => place.id === order[index - 1])
    staying.splice(before + 1, 0, { id, isLive: true })
  })
  places.splice(first, part.length, ...staying)
  return [...moved].map((file) => ({ file, folder }))
}

// Inspecting

type Row = { id: number; folder_id: number; position: string; is_live: boolean; blob: string | null }

async function readRows(db: Database, folders: number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select files.id, folder_id, position, deleted_at is null as is_live, blobs.state as blob
    from files left join blobs on blobs.id = files.blob_id
    where folder_id = any (${folders}) order by folder_id, position`.execute(db)
  return rows
}

async function readShelves(db: Database, folders: number[]): Promise<Shelves> {
  return shelvesOf(await readRows(db, folders), folders)
}

function shelvesOf(rows: Row[], folders: number[]): Shelves {
  const placesIn = (folder: number) =>
    rows.filter((row) => row.folder_id === folder).map(({ id, is_live: isLive }) => ({ id, isLive }))
  return new Map(folders.map((folder) => [folder, placesIn(folder)]))
}

async function readLog(db: Database, project: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select act, user_id, host(address) as address, folder_id, file_id from log
    where project_id = ${project} and act like 'file-%' and act <> 'file-added' order by id`.execute(db)
  return rows
}

async function inspect(options: Options, expected: Shelves, done: AskResult[]): Promise<string[]> {
  const { db, folders, project } = options
  const rows = await readRows(db, folders)
  const found = shelvesOf(rows, folders)
  const { rows: counts } = await sql<{ name: string; kept: number; counted: number }>`
    select 'folder ' || id as name, files_count as kept,
      (select count(*) from files where folder_id = folders.id and deleted_at is null) as counted
    from folders where project_id = ${project}
    union all
    select 'project', files_count, (
      select count(*) from files join folders on folders.id = files.folder_id
      where folders.project_id = ${project} and deleted_at is null
    ) from projects where id = ${project}`.execute(db)
  return [
    ...folders.flatMap((folder) => orderFaults(folder, expected.get(folder)!, found.get(folder)!)),
    ...placeFaults(rows),
    ...counts
      .filter(({ kept, counted }) => kept !== counted)
      .map(({ name, kept, counted }) => `${name} says that it has ${kept} files, and has ${counted}`),
    ...rows
      .filter(({ blob }) => blob !== 'stored')
      .map(({ id, blob }) => `file ${id}: its bytes are ${blob}`),
    ...(await listFaults(options, rows, done)),
  ]
}

function orderFaults(folder: number, expected: Place[], found: Place[]): string[] {
  const [wanted, there] = [expected, found].map((places) =>
    places.map(({ id, isLive }) => (isLive ? `${id}` : `(${id})`)).join(' '),
  )
  return wanted === there ? [] : [`folder ${folder} has ${there}, one by one it would have ${wanted}`]
}

/** Checks that each position differs from the next and leaves room between them. */
function placeFaults(rows: Row[]): string[] {
  return rows.flatMap(({ folder_id: folder, position }, index) => {
    const next = rows[index + 1]
    try {
      generateKeyBetween(position, next?.folder_id === folder ? next.position : null)
      return []
    } catch (error) {
      return [`folder ${folder}: ${(error as Error).message}`]
    }
  })
}

/** Checks that each file that was not removed for good is in one list or in the trash, once. */
async function listFaults(options: Options, rows: Row[], done: AskResult[]): Promise<string[]> {
  const { project, folders, clients, url } = options
  const owner = { project }
  const seen: number[] = []
  for (const path of [...folders.map((folder) => fileUrls.list(owner, folder)), fileUrls.trash(owner)]) {
    for (let page = 1, last = 1; page <= last; page++) {
      const reply = await fetch(`${url}${path}?page=${page}`, { headers: clients[0]!.headers })
      const { data, meta } = (await reply.json()) as Page<StoredFile>
      seen.push(...data.map(({ id }) => id))
      last = meta.last_page
    }
  }
  const removed = done.filter((each) => each.ask.kind === 'remove' && each.success)
  const left = (await leftOf(options, removed)).toSorted((a, b) => a - b)
  const inLists = seen.toSorted((a, b) => a - b).join()
  const inTable = rows.map(({ id }) => id).toSorted((a, b) => a - b)
  return [
    ...(inLists === left.join() ? [] : [`the lists show ${inLists}, there should be ${left.join()}`]),
    ...(inTable.join() === left.join()
      ? []
      : [`there are ${inTable.join()}, there should be ${left.join()}`]),
  ]
}

async function leftOf({ db, project }: Options, removed: AskResult[]): Promise<number[]> {
  const gone = new Set(removed.map(({ ask: asked }) => 'file' in asked && asked.file))
  const { rows } = await sql<{ file_id: number }>`
    select file_id from log where project_id = ${project} and act = 'file-added'`.execute(db)
  return rows.map(({ file_id: id }) => id).filter((id) => !gone.has(id))
}
