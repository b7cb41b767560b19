import { findCellFaults } from '../office/cell-faults.ts'
import { chanceOf, type Chance } from '../chance.ts'
import { generateKeyBetween } from 'fractional-indexing'
import { sql } from 'kysely'
import type { Page } from '../../src/base/pagination.ts'
import { movedBetween } from '../../src/files/change/order.ts'
import type { StoredFile } from '../../src/files/file/stored-file.ts'
import type { Database } from '../../src/server/database/database.ts'
import { fileUrls, urls } from '../../src/urls.ts'

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

const KINDS = [
  ...(['up', 'down', 'sort', 'move', 'delete', 'restore', 'remove', 'rename'] as const),
  ...(['sortFolder', 'moveMany', 'deleteMany', 'restoreMany', 'placeMany', 'undo'] as const),
] as const
type Kind = (typeof KINDS)[number]

type Ask =
  | { kind: 'up' | 'down' | 'delete' | 'restore' | 'remove'; file: number }
  | { kind: 'move'; file: number; folder: number }
  | { kind: 'rename'; file: number; name: string }
  | { kind: 'sort'; folder: number; order: number[] }
  | { kind: 'sortFolder'; folder: number; direction: 'asc' | 'desc' }
  | { kind: 'moveMany'; files: number[]; folder: number }
  | { kind: 'deleteMany' | 'restoreMany'; files: number[] }
  | { kind: 'placeMany'; files: number[]; to: 'top' | 'bottom' }
  /** Undoes an act at an address. */
  | { kind: 'undo'; undo: string; of: string }

type AskResult = {
  ask: Ask
  /** The client's address. Each request has its own, so that log entries can be matched to requests. */
  address: string
  userId: number
  status: number
  success: boolean
  undo: string | null
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

/** Only ends a hang. The time of requests is reported, and no fault, since it depends on the machine's other work. */
const PATIENCE_MS = 240_000
const ACTS = {
  up: 'file-sorted',
  down: 'file-sorted',
  sort: 'file-sorted',
  sortFolder: 'file-sorted',
  placeMany: 'file-sorted',
  move: 'file-moved',
  moveMany: 'file-moved',
  delete: 'file-deleted',
  deleteMany: 'file-deleted',
  restore: 'file-restored',
  restoreMany: 'file-restored',
  rename: 'file-renamed',
  remove: 'file-removed',
} as const
type LoggedAct = (typeof ACTS)[keyof typeof ACTS]
/** The log's acts for an undone act. */
const UNDONE: Partial<Record<LoggedAct, LoggedAct>> = {
  'file-deleted': 'file-restored',
  'file-restored': 'file-deleted',
}
/** Kinds of request that may succeed without changing anything. */
const MAY_CHANGE_NOTHING: ReadonlySet<Kind> = new Set(['sort', 'move', 'sortFolder', 'moveMany', 'placeMany'])

/** Lets everybody change the same files at once, then checks that replaying the log one by one gives the same result. */
export async function stressFiles(options: Options): Promise<Counts> {
  const { db, folders } = options
  await addWitness(db)
  const before = await readShelves(db, folders)
  const { done, faults } = await ask(options, [...before.values()].flat())
  const log = await readLog(db, options.project)
  const answered = answerFaults(done)
  const replayed = replay(before, done, log, await readWitness(db))
  const found = await inspect(options, replayed, done)
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
    names: 0,
    faults: [],
  }
  const all = await Promise.all(
    clients.map((client, index) => askOn(run, client, index, chanceOf(seed + index))),
  )
  return { done: all.flat(), faults: run.faults }
}

type Run = Options & {
  /** All files except those reported as gone. */
  files: number[]
  /** The share of the time that has passed, from 0 to 1. */
  passed: () => number
  /** The kinds of acts that have been done. */
  seen: Set<Kind>
  removals: number
  /** How many new names have been given. */
  names: number
  /** Faults found in lists. */
  faults: string[]
}

async function askOn(run: Run, client: Worker, index: number, chance: Chance): Promise<AskResult[]> {
  const done: AskResult[] = []
  const undoable: { undo: string; of: string }[] = []
  // A busy machine takes longer to do one of each.
  while (run.passed() < 1 || run.seen.size < KINDS.length) {
    const next = await choose(run, client, chance, undoable)
    if (!next) continue
    const number = done.length
    const address = `10.${index + 1}.${number >> 8}.${number & 255}`
    const answer = await send(run, client, next, address)
    if (next.kind === 'remove' && answer.success) run.files = run.files.filter((id) => id !== next.file)
    if (answer.success) run.seen.add(next.kind)
    if (answer.undo) undoable.push({ undo: answer.undo, of: address })
    done.push({ ask: next, address, userId: client.userId, ...answer })
  }
  return done
}

async function choose(
  run: Run,
  client: Worker,
  chance: Chance,
  undoable: { undo: string; of: string }[],
): Promise<Ask | null> {
  const kind = chance.of<Kind>([
    ...(['up', 'up', 'down', 'down', 'sort', 'sort', 'sort', 'move', 'move', 'move'] as const),
    ...(['delete', 'delete', 'restore', 'restore', 'remove', 'rename', 'sortFolder'] as const),
    ...(['moveMany', 'moveMany', 'deleteMany', 'restoreMany', 'restoreMany', 'placeMany'] as const),
    ...(['undo', 'undo', 'undo', 'undo', 'undo', 'undo'] as const),
  ])
  if (kind === 'sort') return chooseOrder(run, client, chance)
  if (kind === 'restore' || kind === 'remove' || kind === 'restoreMany')
    return chooseDeleted(run, client, chance, kind)
  // Most often the latest act, which is most often still as it was left.
  if (kind === 'undo') return undoable.length === 0 ? null : { kind, ...chance.of(undoable.slice(-2)) }
  const folder = chance.of(run.folders)
  if (kind === 'sortFolder') return { kind, folder, direction: chance.of(['asc', 'desc']) }
  if (kind === 'moveMany' || kind === 'deleteMany' || kind === 'placeMany') {
    const files = await someOf(run, client, chance)
    if (files.length === 0) return null
    if (kind === 'moveMany') return { kind, files, folder }
    return kind === 'deleteMany' ? { kind, files } : { kind, files, to: chance.of(['top', 'bottom']) }
  }
  // Half of the requests are for the same few files.
  const file = chance.of(chance.number(2) === 0 ? run.files.slice(0, 6) : run.files)
  if (kind === 'rename')
    return { kind, file, name: `Fil ${++run.names} ${chance.of(['2024', 'Q3 2025', 'uden'])}.pdf` }
  return kind === 'move' ? { kind, file, folder } : { kind, file }
}

/** Takes some files of two folders, as a person picks them. */
async function someOf(run: Run, client: Worker, chance: Chance): Promise<number[]> {
  const owner = { project: run.project }
  const pages = [
    await list(run, client, fileUrls.list(owner, chance.of(run.folders))),
    await list(run, client, fileUrls.list(owner, chance.of(run.folders))),
  ]
  const ids = new Set(pages.flatMap((files) => files.map(({ id }) => id)))
  return [...ids].filter(() => chance.number(3) === 0).slice(0, 12)
}

async function chooseDeleted(
  run: Run,
  client: Worker,
  chance: Chance,
  kind: 'restore' | 'remove' | 'restoreMany',
): Promise<Ask | null> {
  // Removes files gradually, until half of them are left.
  const mayRemove = client.mayRemove && run.removals < (run.passed() * run.files.length) / 2
  if (kind === 'remove' && !mayRemove) return null
  const files = await list(run, client, fileUrls.trash({ project: run.project }))
  if (files.length === 0) return null
  if (kind === 'restoreMany')
    return { kind, files: files.slice(0, 1 + chance.number(12)).map(({ id }) => id) }
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

type Answer = Pick<AskResult, 'status' | 'success' | 'undo' | 'message' | 'ms'>

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
  return { success: false, undo: null, message: '', ...answer, ms: performance.now() - began }
}

function callOf(what: Ask, project: number): { method: string; path: string; body?: object } {
  const owner = { project }
  const post = (path: string, body: object = {}) => ({ method: 'POST', path, body })
  switch (what.kind) {
    case 'sort':
      return post(fileUrls.updateOrder(owner, what.folder), { newOrder: what.order })
    case 'sortFolder':
      return post(fileUrls.sort(owner, what.folder), { by: 'name', direction: what.direction })
    case 'move':
      return post(urls.moveFile(project), { file_id: what.file, folder_id: what.folder })
    case 'rename':
      return post(fileUrls.rename(owner, what.file), { name: what.name })
    case 'moveMany':
      return post(fileUrls.many(owner, 'move'), { files: what.files, folder_id: what.folder })
    case 'deleteMany':
      return post(fileUrls.many(owner, 'delete'), { files: what.files })
    case 'restoreMany':
      return post(fileUrls.many(owner, 'restore'), { files: what.files })
    case 'placeMany':
      return post(fileUrls.many(owner, 'place'), { files: what.files, to: what.to })
    case 'undo':
      return post(urls.undo(what.undo))
    case 'up':
      return post(fileUrls.moveUp(owner, what.file))
    case 'down':
      return post(fileUrls.moveDown(owner, what.file))
    case 'restore':
      return post(fileUrls.restore(owner, what.file))
    case 'delete':
      return { method: 'DELETE', path: fileUrls.file(owner, what.file) }
    default:
      return { method: 'DELETE', path: fileUrls.deleted(owner, what.file) }
  }
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
  return `${JSON.stringify(asked)} from ${address}`
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

type Place = { id: number; isLive: boolean; name: string }
/** The files by folder, in order; deleted files keep their place. */
type Shelves = Map<number, Place[]>

type Entry = {
  tx: string
  act: string
  user_id: number | null
  address: string
  folder_id: number
  file_id: number
}

/** A replayed act: everything before it, its changes, and the files it put into other places. */
type Replayed = {
  ask: Ask
  before: Shelves
  changes: Changes
  at: number
  /** When each file had got its place by then. */
  placedBefore: Map<number, number>
  /** The keys that the files got. */
  keys: Map<number, string>
}

type Model = {
  shelves: Shelves
  /** When each file got its place: at which act. A file that an act was taken back for has its old time again. */
  placed: Map<number, number>
  /** The key of each file's place, as the witness saw it. */
  keys: Map<number, string>
  replayed: Map<string, Replayed>
  faults: string[]
}

/**
 * Replays acknowledged requests in the order of the log, and checks that the log has the entries that this makes.
 * The log's order is the order of events, because each entry is written while its folders are locked.
 */
function replay(before: Shelves, done: AskResult[], log: Entry[], witness: Witness): Model {
  const model: Model = {
    shelves: copyOf(before),
    placed: new Map(),
    keys: new Map(),
    replayed: new Map(),
    faults: [],
  }
  const { faults } = model
  const entriesOf = Map.groupBy(log, ({ address }) => address)
  const doneAt = new Map(done.map((each) => [each.address, each]))
  let at = 0
  for (const [address, entries] of entriesOf) {
    at++
    const each = doneAt.get(address)
    if (!each?.success) {
      faults.push(`in the log, but not acknowledged: ${each ? nameOf(each) : address}`)
      if (!each) continue
    }
    const seen = witness.get(entries[0]!.tx) ?? []
    const { act, changes: expected } = replayOne(model, each, at, seen)
    for (const { file, key } of seen) model.keys.set(file, key)
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
  return model
}

const copyOf = (shelves: Shelves): Shelves =>
  new Map([...shelves].map(([folder, places]) => [folder, structuredClone(places)]))

const isSame = (one: string[], other: string[]) => one.toSorted().join() === other.toSorted().join()

const isPlacing = (act: string) => act === 'file-sorted' || act === 'file-moved'

function replayOne(
  model: Model,
  { ask: asked, address }: AskResult,
  at: number,
  seen: Seen[],
): { act: LoggedAct | null; changes: Changes } {
  if (asked.kind === 'undo') return undoAgain(model, asked.of, seen)
  const before = copyOf(model.shelves)
  const changes = doAgain(model.shelves, asked)
  const act = ACTS[asked.kind]
  const placedBefore = new Map(model.placed)
  if (isPlacing(act)) for (const { file } of changes) model.placed.set(file, at)
  const keys = new Map(seen.map(({ file, key }) => [file, key]))
  model.replayed.set(address, { ask: asked, before, changes, at, placedBefore, keys })
  return { act, changes }
}

type Changes = { file: number; folder: number }[]

function find(shelves: Shelves, file: number): { folder: number; places: Place[]; at: number } | null {
  for (const [folder, places] of shelves) {
    const at = places.findIndex(({ id }) => id === file)
    if (at >= 0) return { folder, places, at }
  }
  return null
}

const stateOf = (shelves: Shelves, file: number) => {
  const found = find(shelves, file)
  return found && { folder: found.folder, ...found.places[found.at]! }
}

/** It was moved away since, and by chance back to the very same place. */
const isInItsPlace = ({ keys }: Model, act: Replayed, file: number) =>
  keys.has(file) && keys.get(file) === act.keys.get(file)

/** Takes an act back, as far as the log says that it was done, and checks that it could be. */
function undoAgain(model: Model, of: string, seen: Seen[]): { act: LoggedAct | null; changes: Changes } {
  const { shelves, faults } = model
  const act = model.replayed.get(of)
  if (!act || act.ask.kind === 'undo') {
    faults.push(`taken back, but not in the log: ${of}`)
    return { act: null, changes: [] }
  }
  model.replayed.delete(of) // a second time is a fault
  const logged = ACTS[act.ask.kind]
  const changes: Changes = []
  for (const { file, folder: became } of act.changes) {
    const [was, now] = [stateOf(act.before, file)!, stateOf(shelves, file)]
    if (logged === 'file-sorted' && now?.folder !== became) continue // it has left, and stays away
    const isAsLeft =
      now?.folder === became &&
      (logged === 'file-sorted' || now.isLive === (logged !== 'file-deleted')) &&
      (!isPlacing(logged) || model.placed.get(file) === act.at || isInItsPlace(model, act, file))
    if (!isAsLeft)
      faults.push(`${JSON.stringify(act.ask)} was taken back, but file ${file} had changed since`)
    changes.push({ file, folder: was.folder })
    const place = now && find(shelves, file)!.places.find(({ id }) => id === file)
    if (place && logged === 'file-renamed') place.name = was.name
    if (place && (logged === 'file-deleted' || logged === 'file-restored')) place.isLive = was.isLive
  }
  if (isPlacing(logged)) putBack(model, act, changes, seen)
  return { act: UNDONE[logged] ?? logged, changes }
}

/**
 * Puts files back into their old places. Only the database knows where that is among files which came meanwhile, so the
 * witness tells; but among all others, their old order must be back.
 */
function putBack({ shelves, placed, faults }: Model, act: Replayed, changes: Changes, seen: Seen[]): void {
  const back = new Map<number, Place>()
  for (const { file } of changes) {
    const found = find(shelves, file)
    if (found) back.set(file, found.places.splice(found.at, 1)[0]!)
    placed.set(file, act.placedBefore.get(file) ?? 0)
  }
  const waiting = seen.filter(({ file }) => back.has(file))
  for (let tries = waiting.length; waiting.length > 0 && tries > 0; tries--) {
    const next = waiting.findIndex(
      ({ folder, behind }) => behind === null || shelves.get(folder)!.some(({ id }) => id === behind),
    )
    if (next < 0) break
    const [{ file, folder, behind }] = waiting.splice(next, 1) as [Seen]
    const places = shelves.get(folder)!
    places.splice(places.findIndex(({ id }) => id === behind) + 1, 0, back.get(file)!)
  }
  for (const folder of new Set(changes.map((change) => change.folder))) {
    const isOld = (id: number) => (placed.get(id) ?? 0) === (act.placedBefore.get(id) ?? 0)
    const [then, now] = [act.before.get(folder)!, shelves.get(folder)!].map((places) =>
      places.map(({ id }) => id),
    )
    const [wanted, there] = [
      then!.filter((id) => now!.includes(id) && isOld(id)),
      now!.filter((id) => then!.includes(id) && isOld(id)),
    ]
    if (wanted.join() !== there.join())
      faults.push(
        `${JSON.stringify(act.ask)} taken back: folder ${folder} has ${there.join(' ')}, had ${wanted.join(' ')}`,
      )
  }
}

const danish = new Intl.Collator('da', { numeric: true })

/** Returns what changes; nothing if the request cannot be done. */
function doAgain(shelves: Shelves, what: Exclude<Ask, { kind: 'undo' }>): Changes {
  if (what.kind === 'sort') return sortAgain(shelves.get(what.folder)!, what.folder, what.order)
  if (what.kind === 'sortFolder') {
    const places = shelves.get(what.folder)!
    const way = what.direction === 'asc' ? 1 : -1
    const order = places
      .filter(({ isLive }) => isLive)
      .toSorted((a, b) => way * danish.compare(a.name, b.name) || a.id - b.id)
    return sortAgain(
      places,
      what.folder,
      order.map(({ id }) => id),
      true,
    )
  }
  if ('files' in what) return doManyAgain(shelves, what)
  const { folder, places, at } = find(shelves, what.file) ?? {}
  if (folder === undefined || !places) return []
  const place = places[at!]!
  const wantsLive = what.kind !== 'restore' && what.kind !== 'remove'
  if (place.isLive !== wantsLive) return []
  switch (what.kind) {
    case 'up': {
      const neighbour = places.findLastIndex(({ isLive }, index) => isLive && index < at!)
      if (neighbour < 0) return []
      places.splice(neighbour, 0, ...places.splice(at!, 1))
      break
    }
    case 'down': {
      const neighbour = places.findIndex(({ isLive }, index) => isLive && index > at!)
      if (neighbour < 0) return []
      places.splice(neighbour, 0, ...places.splice(at!, 1))
      break
    }
    case 'move':
      if (folder === what.folder) return []
      shelves.get(what.folder)!.unshift(...places.splice(at!, 1))
      return [{ file: what.file, folder: what.folder }]
    case 'rename':
      place.name = what.name
      break
    case 'delete':
      place.isLive = false
      break
    case 'restore':
      place.isLive = true
      break
    default:
      places.splice(at!, 1)
      break
  }
  return [{ file: what.file, folder }]
}

function doManyAgain(shelves: Shelves, what: Extract<Ask, { files: number[] }>): Changes {
  const wanted = new Set(what.files)
  const chosen = [...shelves].map(([folder, places]) => ({
    folder,
    places,
    theirs: places.filter(({ id }) => wanted.has(id)),
  }))
  const all = chosen.flatMap(({ theirs }) => theirs)
  if (all.length < wanted.size || all.some(({ isLive }) => isLive === (what.kind === 'restoreMany')))
    return []
  const changes: Changes = []
  const takeOut = (places: Place[]) =>
    places.splice(0, places.length, ...places.filter(({ id }) => !wanted.has(id)))
  if (what.kind === 'moveMany') {
    const moved = chosen.filter(({ folder }) => folder !== what.folder)
    for (const { places } of moved) takeOut(places)
    const files = moved.flatMap(({ theirs }) => theirs)
    shelves.get(what.folder)!.unshift(...files)
    return files.map(({ id }) => ({ file: id, folder: what.folder }))
  }
  for (const { folder, places, theirs } of chosen) {
    if (theirs.length === 0) continue
    if (what.kind === 'placeMany') {
      const live = places.filter(({ isLive }) => isLive)
      const end = what.to === 'top' ? live.slice(0, theirs.length) : live.slice(-theirs.length)
      if (end.every(({ id }) => wanted.has(id))) continue
      takeOut(places)
      if (what.to === 'top') places.unshift(...theirs)
      else places.push(...theirs)
    } else for (const place of theirs) place.isLive = what.kind === 'restoreMany'
    changes.push(...theirs.map(({ id }) => ({ file: id, folder })))
  }
  return changes
}

/** Puts each file that moves right behind the one before it in the new order. */
function sortAgain(places: Place[], folder: number, order: number[], isWhole = false): Changes {
  const indexes = order.map((id) => places.findIndex((place) => place.id === id && place.isLive))
  const first = isWhole ? 0 : Math.min(...indexes)
  if (first < 0) return []
  const part = isWhole ? places.slice() : places.slice(first, Math.max(...indexes) + 1)
  const now = part.filter(({ isLive }) => isLive).map(({ id }) => id)
  if (now.length !== order.length) return []
  const moved = movedBetween(now, order)
  const staying = part.filter(({ id }) => !moved.has(id))
  order.forEach((id, index) => {
    if (!moved.has(id)) return
    const before = index === 0 ? -1 : staying.findIndex((place) => place.id === order[index - 1])
    staying.splice(
      before + 1,
      0,
      places.find((place) => place.id === id)!,
    )
  })
  places.splice(first, part.length, ...staying)
  return [...moved].map((file) => ({ file, folder }))
}

// Inspecting

type Row = {
  id: number
  folder_id: number
  position: string
  name: string
  is_live: boolean
  blob: string | null
}

/** Which file came to stand behind which one, by transaction. */
type Seen = { file: number; folder: number; behind: number | null; key: string }
type Witness = Map<string, Seen[]>

/** Has the database write down where files are put. */
async function addWitness(db: Database): Promise<void> {
  await sql`
    create table witness (
      number bigint generated always as identity, tx text, file_id bigint, folder_id bigint, behind bigint, key text)`.execute(
    db,
  )
  await sql`
    create function see_places() returns trigger language plpgsql as $$
    begin
      insert into witness (tx, file_id, folder_id, behind, key)
      select pg_current_xact_id()::text, became.id, became.folder_id, (
        select files.id from files where files.folder_id = became.folder_id and files.position < became.position
        order by files.position desc limit 1), became.position
      from became join was on was.id = became.id
      where (was.folder_id, was.position) is distinct from (became.folder_id, became.position);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger files_see_places after update on files
    referencing old table as was new table as became for each statement execute function see_places()`.execute(
    db,
  )
}

async function readWitness(db: Database): Promise<Witness> {
  const { rows } = await sql<Seen & { tx: string }>`
    select distinct on (tx, file_id) tx, file_id as file, folder_id as folder, behind, key
    from witness order by tx, file_id, number desc`.execute(db)
  return Map.groupBy(rows, ({ tx }) => tx)
}

async function readRows(db: Database, folders: number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select files.id, folder_id, position, name, deleted_at is null as is_live, blobs.state as blob
    from files left join blobs on blobs.id = files.blob_id
    where folder_id = any (${folders}) order by folder_id, position`.execute(db)
  return rows
}

async function readShelves(db: Database, folders: number[]): Promise<Shelves> {
  return shelvesOf(await readRows(db, folders), folders)
}

function shelvesOf(rows: Row[], folders: number[]): Shelves {
  const placesIn = (folder: number) =>
    rows
      .filter((row) => row.folder_id === folder)
      .map(({ id, name, is_live: isLive }) => ({ id, name, isLive }))
  return new Map(folders.map((folder) => [folder, placesIn(folder)]))
}

async function readLog(db: Database, project: number): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select xmin::text as tx, act, user_id, host(address) as address, folder_id, file_id from log
    where project_id = ${project} and act like 'file-%' and act <> 'file-added' order by id`.execute(db)
  return rows
}

async function inspect(options: Options, { shelves: expected }: Model, done: AskResult[]): Promise<string[]> {
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
    ...(await findCellFaults(db)),
  ]
}

function orderFaults(folder: number, expected: Place[], found: Place[]): string[] {
  const [wanted, there] = [expected, found].map((places) =>
    places.map(({ id, name, isLive }) => (isLive ? `${id} ${name}` : `(${id} ${name})`)).join(', '),
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
