import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { receiveBlob, receiveSmallBlobs } from '../../server/storage/blobs.db.ts'
import type { Database } from '../../server/database/database.ts'
import { TooLarge } from '../../server/storage/measure.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import {
  addStored,
  findTwins,
  keepOutcomes,
  sameFileThere,
  type Outcome,
  type Ready,
  type DatedFile,
  type Storing,
} from './add-stored.db.ts'
import type { Import, ImportState } from './tree-imports.db.ts'
import { ChangedWhileRead, NoFile, Source } from './read-source.server.ts'
import { checkRoot, isOfFile, joinPath } from './walk.server.ts'

type Stores = { db: Database; storage: FileStorage }
type Options = Storing & {
  /** Whether the files have places in their folders, so that the last is stored first. */
  isExport: boolean
  mostBytes: number
  signal: AbortSignal
  heard: (files: number, bytes: number) => void
}

/** Larger files are streamed one by one; others are held in memory, so many at a time. */
const SMALL_BYTES = 1024 * 1024
const BATCH_FILES = 250
const BATCH_BYTES = 16 * 1024 * 1024
const READ_AT_ONCE = 8
/** While one batch waits for the disk, the next is read. */
const BATCHES_AT_ONCE = 4

/**
 * Stores every ready file, in one transaction for each batch: the file, its entry in the log and its outcome. Nothing
 * has to be remembered outside the database, so it continues after any crash.
 */
export async function storeReady(stores: Stores, of: Import, options: Options): Promise<void> {
  const underWay = new Set<number>()
  const running = new Set<Promise<void>>()
  let failed: { error: unknown } | null = null
  let turn: Promise<void> = Promise.resolve()
  for (;;) {
    if (failed) break
    if (options.signal.aborted) break
    const batch = await takeBatch(stores.db, of.id, underWay, options.isExport)
    if (batch.length === 0 && running.size === 0) break
    if (batch.length === 0 || running.size >= BATCHES_AT_ONCE) {
      await Promise.race(running)
      continue
    }
    for (const { id } of batch) underWay.add(id)
    const before = turn
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    const work = storeBatch(stores, of, batch, before, options)
      .catch((error: unknown) => void (failed ??= { error }))
      .finally(() => {
        resolve()
        running.delete(work)
        for (const { id } of batch) underWay.delete(id)
      })
    running.add(work)
  }
  await Promise.all(running)
  if (failed) throw (failed as { error: unknown }).error
  options.signal.throwIfAborted()
}

/** Returns the next files in the order in which they are stored: the oldest of a folder first. A large one comes alone. */
async function takeBatch(
  db: Database,
  importId: number,
  underWay: ReadonlySet<number>,
  isExport: boolean,
): Promise<Ready[]> {
  const { rows } = await sql<Ready>`
    select id, path, size, folder_id, person_id, name, place from import_files
    where import_id = ${importId} and state = 'ready' and id <> all (${[...underWay]}::bigint[])
    order by import_id, folder_id, person_id, ${isExport ? sql`place desc nulls first,` : sql``} year nulls first, name desc, id limit ${BATCH_FILES}`.execute(
    db,
  )
  if (rows[0] && rows[0].size > SMALL_BYTES) return [rows[0]]
  const large = rows.findIndex(({ size }) => size > SMALL_BYTES)
  let bytes = 0
  return rows.slice(0, large < 0 ? rows.length : large).filter(({ size }) => (bytes += size) <= BATCH_BYTES)
}

async function storeBatch(
  stores: Stores,
  of: Import,
  batch: Ready[],
  before: Promise<void>,
  options: Options,
): Promise<void> {
  const { db, storage } = stores
  const [first] = batch
  if (first && first.size > SMALL_BYTES) {
    await storeLarge(stores, of, first, before, options)
    return options.heard(1, first.size)
  }
  const outcomes: Outcome[] = []
  const read = await readSources(of, batch, outcomes, options)
  const fresh = await withoutTwins(db, read, outcomes)
  if (fresh.length > 0)
    await receiveSmallBlobs(
      db,
      storage,
      fresh.map(({ bytes }) => bytes),
      async (trx, blobs) => {
        await before
        await addStored(
          trx,
          of,
          options,
          fresh.map((file, index) => ({ ...file, blob: blobs[index]! })),
        )
      },
    )
  await keepOutcomes(db, outcomes)
  options.heard(
    batch.length,
    batch.reduce((sum, { size }) => sum + size, 0),
  )
}

type Read = DatedFile & { bytes: Buffer; sha256: string }

async function readSources(
  of: Import,
  batch: Ready[],
  outcomes: Outcome[],
  options: Options,
): Promise<Read[]> {
  const read = new Map<number, Read>()
  const waiting = [...batch]
  const readSome = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      try {
        await using source = await Source.open(joinPath(of.root, row.path))
        const outcome = sizeFault(row, source.size, options.mostBytes)
        if (outcome) outcomes.push(outcome)
        else {
          const bytes = await source.readAll()
          read.set(row.id, { row, changedAt: source.changedAt, bytes, sha256: hash('sha256', bytes) })
        }
      } catch (error) {
        outcomes.push(await sourceFault(of, row, error))
      }
    }
  }
  await Promise.all(Array.from({ length: READ_AT_ONCE }, readSome))
  return batch.flatMap(({ id }) => read.get(id) ?? [])
}

async function storeLarge(
  { db, storage }: Stores,
  of: Import,
  row: Ready,
  before: Promise<void>,
  options: Options,
): Promise<void> {
  try {
    await using source = await Source.open(joinPath(of.root, row.path))
    const outcome = sizeFault(row, source.size, options.mostBytes)
    if (outcome) return await keepOutcomes(db, [outcome])
    const stream = source.stream()
    // Distinguishes faults of the drive from faults of the storage.
    let broken: unknown = null
    stream.on('error', (error) => (broken = error))
    try {
      await receiveBlob(db, storage, stream, options.mostBytes, async (trx, blob) => {
        await source.check()
        if (blob.size !== source.size) throw new ChangedWhileRead()
        await before
        await addStored(trx, of, options, [{ row, changedAt: source.changedAt, sha256: blob.sha256, blob }])
      })
    } catch (error) {
      if (broken !== null) throw new SourceBroke(broken)
      throw error
    }
  } catch (error) {
    const cause = error instanceof SourceBroke ? error.reason : error
    const isSources =
      error instanceof SourceBroke ||
      error instanceof ChangedWhileRead ||
      error instanceof NoFile ||
      error instanceof TooLarge ||
      (isOfFile(error) && error.syscall === 'open')
    if (!isSources) throw error
    await keepOutcomes(db, [await sourceFault(of, row, cause)])
  }
}

class SourceBroke extends Error {
  readonly reason: unknown
  constructor(reason: unknown) {
    super('The source could not be read.')
    this.reason = reason
  }
}

function sizeFault({ id }: Ready, size: number, mostBytes: number): Outcome | null {
  if (size === 0) return { id, state: 'left', why: 'Filen er tom.', file_id: null }
  if (size > mostBytes) return { id, state: 'left', why: 'Filen er blevet for stor.', file_id: null }
  return null
}

const AGAIN = 'Den prøves igen ved næste kørsel.'

/** Returns the outcome of a file that could not be read. If the whole drive is gone, stops the import instead. */
async function sourceFault({ root }: Import, { id }: Ready, error: unknown): Promise<Outcome> {
  const told = (state: ImportState, why: string) => ({ id, state, why, file_id: null })
  if (error instanceof ChangedWhileRead || error instanceof TooLarge)
    return told('found', `Filen blev ændret, mens den blev læst. ${AGAIN}`)
  if (error instanceof NoFile) return told('found', `Det er ikke længere en almindelig fil. ${AGAIN}`)
  if (!isOfFile(error)) throw error
  await checkRoot(root)
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return told('gone', 'Findes ikke længere på drevet.')
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return told('left', 'Kan ikke læses. Se efter, om der er adgang.')
  return told('found', `Filen kunne ikke læses (${error.code}). ${AGAIN}`)
}

/** Leaves out files whose folder already has the same bytes. */
async function withoutTwins(db: Database, files: Read[], outcomes: Outcome[]): Promise<Read[]> {
  const twins = await findTwins(db, files)
  for (const twin of twins.values()) outcomes.push(sameFileThere(twin))
  return files.filter(({ row }) => !twins.has(row.id))
}
