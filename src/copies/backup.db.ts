import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { formatBytes } from '../base/bytes.ts'
import { inOrder } from '../base/in-order.ts'
import {
  asJson,
  FORMAT,
  HEAD,
  JOBS,
  nameOfBlob,
  nameOfRows,
  type Fault,
  type Head,
} from './archive.server.ts'
import { ArchiveWriter } from './archive-writer.server.ts'
import { checkArchive } from './check-archive.server.ts'
import { canOpen } from './encryption.server.ts'
import type { Database } from '../server/database/database.ts'
import { keepBytes } from '../server/storage/keep-bytes.db.ts'
import { hashBytes } from '../server/storage/measure.ts'
import { openBlob, readSmall } from '../server/storage/read-blob.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { listUnfinishedJobs } from '../server/database/unfinished-jobs.db.ts'
import { VERSION } from '../server/process/version.ts'
import { dependencyOrder, type Reference } from './dependency-order.ts'
import { readPieces } from './read-pieces.server.ts'
import { columnsOf, listTables, openSession, type Table } from './session.db.ts'
import { nameBlobs } from './used-by.db.ts'

export type Progress = {
  /** Called often; asks for the text only now and then. */
  progress?: (text: () => string) => void
  say?: (line: string) => void
  signal?: AbortSignal | undefined
}

type Options = Progress & {
  /** Encrypts the copy. */
  key?: string | null
  /** Returns the file's final name, which may depend on the faults. */
  renamed?: (faults: Fault[]) => string
  /** Runs while the copied snapshot is open. Others can share the snapshot by its id. */
  inSnapshot?: (id: string) => Promise<unknown>
}

type Copied = { blobs: number; bytes: number; rows: number; faults: Fault[] }

type BlobRow = { id: number; key: string; size: number; sha256: string }

/** The approximate size of an entry with rows. */
const ROWS_BYTES = 4 * 1024 * 1024
const READ_AT_ONCE = 8
const FETCHED = 500

/**
 * Writes one consistent copy of the database and its files to a new file, while the office works; only the removal
 * of bytes waits. Notes a blob whose bytes are missing or damaged, and continues.
 */
export async function backUp(
  { db, storage }: { db: Database; storage: FileStorage },
  file: string,
  {
    progress = () => undefined,
    say = () => undefined,
    signal,
    inSnapshot,
    key = null,
    renamed = () => file,
  }: Options = {},
): Promise<Copied> {
  await using writer = await ArchiveWriter.create(file, new Date(), key)
  await using client = await openSession(db, signal)
  await keepBytes(client, () => say('Waiting for another copy, or for a removal, to end …'))
  await client.query('begin isolation level repeatable read read only')
  const tables = await orderTables(client)
  await writer.addWhole(HEAD, asJson(await describe(client, tables)))
  let rows = 0
  for (const table of tables) {
    progress(() => `Copying the table ${table.name} …`)
    rows += await copyRows(client, writer, table, signal)
  }
  await writer.addWhole(JOBS, asJson(await listUnfinishedJobs(client)))
  const total = await declareBlobs(client)
  if (total.blobs > 0 && (await storage.isEmpty()))
    throw new Error('The database knows of files, but the store is empty: is it the right one?')
  if (inSnapshot) await inSnapshot(await exportSnapshot(client))
  await client.query('commit') // the cursor stays open; without a transaction, a long backup keeps no old rows alive

  const bad: { blob: BlobRow; kind: Fault['kind'] }[] = []
  const done = { blobs: 0, bytes: 0 }
  const tell = () =>
    `Copying files: ${done.blobs} of ${total.blobs}, ${formatBytes(done.bytes)} of ${formatBytes(total.bytes)}`
  const read = async (blob: BlobRow) => ({ blob, bytes: await readSmall(storage, blob) })
  for await (const { blob, bytes } of inOrder(fetchBlobs(client), READ_AT_ONCE, read)) {
    signal?.throwIfAborted()
    const kind = await addBlob(writer, storage, blob, bytes, signal, (count) => {
      done.bytes += count
      progress(tell)
    })
    if (kind) bad.push({ blob, kind })
    done.blobs++
    progress(tell)
  }
  const faults = await nameFaults(db, bad)
  for (const fault of faults) writer.note(fault)
  await client.query('select') // the connection lasted, so no bytes were removed meanwhile
  signal?.throwIfAborted()
  progress(() => 'Writing it to the disk …')
  await writer.finish(renamed(faults), async (made, sha256) => {
    progress(() => 'Reading the copy again …')
    await checkMade(made, sha256, key, signal)
  })
  return { ...done, rows, faults }
}

/** Reads a copy back. Compares it byte by byte if this server cannot open it. */
async function checkMade(
  file: string,
  sha256: string,
  key: string | null,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (key === null || canOpen(key)) {
    const { damages } = await checkArchive(file, { signal, key })
    if (damages.length > 0) throw new Error(`The copy is not what was written:\n${damages.join('\n')}`)
  } else if ((await hashBytes(readPieces(file, signal))) !== sha256)
    throw new Error('The copy is not what was written: its bytes are others.')
}

/** Returns the approximate size of a copy. */
export async function countStoredBytes(db: Database): Promise<number> {
  const { bytes } = await db
    .selectFrom('blobs')
    .select(sql<number>`coalesce(sum(size), 0)::bigint`.as('bytes'))
    .where('state', '=', 'stored')
    .executeTakeFirstOrThrow()
  return bytes
}

async function orderTables(client: Client): Promise<Table[]> {
  const tables = await listTables(client)
  const { rows: references } = await client.query<Reference>(`
    select source.relname as from, target.relname as to from pg_constraint
    join pg_class as source on source.oid = conrelid join pg_class as target on target.oid = confrelid
    where contype = 'f'`)
  const byName = new Map(tables.map((table) => [table.name, table]))
  return dependencyOrder([...byName.keys()], references).map((name) => byName.get(name)!)
}

async function describe(client: Client, tables: Table[]): Promise<Head> {
  const { rows } = await client.query<
    Omit<Head, 'format' | 'version' | 'installation' | 'log' | 'tables'> & { secret: string }
  >(
    `select current_setting('server_version') as postgres, to_json(now()) #>> '{}' as at,
      (select encode(value, 'hex') from secrets where name = 'signing') as secret,
      (select json_agg(name order by name) from migrations) as migrations,
      (select coalesce(json_agg(json_build_object('table', relname, 'column', attname,
          'last', pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), attname)::regclass)::text)
          order by relname, attname), '[]')
        from pg_class join pg_attribute on attrelid = pg_class.oid
        where relnamespace = current_schema()::text::regnamespace and attidentity <> '' and relname = any ($1)) as sequences`,
    [tables.map(({ name }) => name)],
  )
  const { secret, ...found } = rows[0]!
  const log = await findLogHead(client, tables)
  return { format: FORMAT, version: VERSION, installation: installationOf(secret), ...found, log, tables }
}

/** Returns the end of the log's chain, which an unfinished version may not have. */
async function findLogHead(client: Client, tables: Table[]): Promise<Head['log']> {
  if (!tables.some(({ name }) => name === 'log_chain')) return null
  const { rows } = await client.query<NonNullable<Head['log']>>(
    `select position, encode(hash, 'hex') as hash from log_chain order by position desc limit 1`,
  )
  return rows[0] ?? null
}

/**
 * Returns an id that tells offices apart if they keep their copies in one place. The secret cannot be derived from
 * it.
 */
export const installationOf = (secret: string | null): string =>
  hash('sha256', `installation ${secret ?? ''}`).slice(0, 16)

async function copyRows(
  client: Client,
  writer: ArchiveWriter,
  table: Table,
  signal: AbortSignal | undefined,
): Promise<number> {
  let number = 0
  let waiting: Buffer[] = []
  let size = 0
  const add = async (lines: Buffer) => {
    if (lines.length > 0) await writer.addWhole(nameOfRows(table.name, ++number), lines)
  }
  const stream = client.query(copyTo(`copy ${columnsOf(table)} to stdout`))
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    signal?.throwIfAborted()
    waiting.push(chunk)
    size += chunk.length
    if (size < ROWS_BYTES) continue
    const all = Buffer.concat(waiting)
    const end = all.lastIndexOf(0x0a) + 1 // COPY escapes line breaks inside values
    await add(all.subarray(0, end))
    waiting = [all.subarray(end)]
    size = all.length - end
  }
  await add(Buffer.concat(waiting))
  return stream.rowCount
}

async function declareBlobs(client: Client): Promise<{ blobs: number; bytes: number }> {
  await client.query(
    `declare stored no scroll cursor with hold for
    select id, key, size, sha256 from blobs where state = 'stored' order by id`,
  )
  const { rows } = await client.query<{ blobs: number; bytes: number }>(
    `select count(*) as blobs, coalesce(sum(size), 0)::bigint as bytes from blobs where state = 'stored'`,
  )
  return rows[0]!
}

async function* fetchBlobs(client: Client): AsyncGenerator<BlobRow> {
  for (;;) {
    const { rows } = await client.query<BlobRow>(`fetch ${FETCHED} from stored`)
    yield* rows
    if (rows.length < FETCHED) return
  }
}

async function exportSnapshot(client: Client): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id')
  return rows[0]!.id
}

/** Returns what is wrong with the blob, if anything. Copies damaged bytes too: some may be recoverable. */
async function addBlob(
  writer: ArchiveWriter,
  storage: FileStorage,
  blob: BlobRow,
  small: Buffer | null,
  signal: AbortSignal | undefined,
  heard: (bytes: number) => void,
): Promise<Fault['kind'] | null> {
  const opened = small ? null : await openBlob(storage, blob, signal)
  if (!small && !opened) return 'missing'
  async function* counted() {
    for await (const chunk of small ? [small] : opened!.chunks) {
      heard(chunk.length)
      yield chunk
    }
  }
  const sha256 = await writer.add(nameOfBlob(blob.key), blob.size, counted())
  return sha256 === blob.sha256 ? null : 'damaged'
}

async function nameFaults(db: Database, bad: { blob: BlobRow; kind: Fault['kind'] }[]): Promise<Fault[]> {
  const names = await nameBlobs(
    db,
    bad.map(({ blob }) => blob.id),
  )
  return bad.map(({ blob, kind }) => ({ key: blob.key, kind, about: names.get(blob.id)! }))
}
