import { sql } from 'kysely'
import type { Installation } from '../../copies/open-installation.server.ts'
import { findOffice, needsApproval } from '../../office/office.db.ts'
import { isOffice } from '../../rights.ts'
import { alone } from '../../server/database/alone.db.ts'
import type { Database } from '../../server/database/database.ts'
import { purgeBlobs } from '../../server/storage/blobs.db.ts'
import { DiskLow } from '../../server/storage/disk-room.ts'
import { decodeName } from './decode-path.ts'
import {
  addFound,
  beginWalk,
  countFiles,
  countHeld,
  endWalk,
  openImport,
  refuseIfEmptied,
  type Counts,
  type HeldCounts,
  type Import,
} from './tree-imports.db.ts'
import { readExport, type Exported } from './exported.server.ts'
import { judgeNames } from './judge.db.ts'
import { readOfficeIndex } from './office-index.db.ts'
import type { ImportOptions } from './options.ts'
import { Pace } from './pace.ts'
import { readPapers } from './read-papers.db.ts'
import { readSheet } from './read-sheet.server.ts'
import { storeReady } from './store.db.ts'
import { applyTable, countTable, listTable } from './table.db.ts'
import { REPORT_COLUMNS, TABLE_COLUMNS } from './table.ts'
import { openRoot, walkTree } from './walk.server.ts'
import { writeSheet } from './write-sheet.server.ts'

type Options = Extract<ImportOptions, { act: 'import' }>
type Place = Pick<Installation, 'config' | 'db' | 'storage' | 'dataDir'>
type Told = {
  say: (line: string) => void
  signal: AbortSignal
  progress: (text: () => string) => void
}

export type ImportResult = { id: number; counts: Counts; held: HeldCounts }

/** Imports a directory tree, or says what would happen. Each step is stored, so a stopped import continues where it was. */
export async function runImport(place: Place, options: Options, told: Told): Promise<ImportResult> {
  const root = await openRoot(options.directory)
  refuseOwnData(root, place.dataDir)
  const by = options.by === null ? null : await findOfficeUser(place.db, options.by)
  if (!options.isDraft && options.dryRun === null && (await needsApproval(place.db)))
    throw new Error(
      'This office has a colleague approve what is published (Kontoret › godkendelse): import with --draft --by E-MAIL.',
    )
  // Before the long walk through the directory, so that an unreadable table is reported at once.
  const table = options.from === null ? null : { path: options.from, rows: await readSheet(options.from) }
  const waits = setTimeout(() => told.say('Another import is under way: waiting for it to end …'), 3000)
  return alone(place.db, 'import', async () => {
    clearTimeout(waits)
    const of = await openImport(place.db, root, by)
    await walk(place, of, told)
    const exported = await readExport(of.root)
    await judge(place, of, told, table, exported)
    if (options.dryRun !== null) await writeTable(place.db, of, options.dryRun, 'open')
    else await store(place, of, { draftsBy: options.isDraft ? by : null, isExport: exported !== null }, told)
    if (options.report !== null) await writeTable(place.db, of, options.report, 'all')
    return { id: of.id, counts: await countFiles(place.db, of.id), held: await countHeld(place.db, of.id) }
  }).finally(() => clearTimeout(waits))
}

/** A copy of Ringbind's own files would be imported as papers. */
function refuseOwnData(root: Buffer, dataDir: string): void {
  const [from, data] = [`${decodeName(root)}/`, `${dataDir}/`]
  if (from.startsWith(data) || data.startsWith(from))
    throw new Error(`${decodeName(root)} and Ringbind’s own data directory ${dataDir} are not apart.`)
}

async function findOfficeUser(db: Database, email: string): Promise<number> {
  const found = await db
    .selectFrom('users')
    .select(['id', 'role'])
    .where(sql<string>`lower(email)`, '=', email.trim().toLowerCase())
    .where('deactivated_at', 'is', null)
    .executeTakeFirst()
  if (!found || !isOffice(found.role)) throw new Error(`Nobody in the office has the e-mail ${email}.`)
  return found.id
}

async function walk({ db, config }: Place, of: Import, { signal, progress }: Told): Promise<void> {
  const number = await beginWalk(db, of.id)
  let found = 0
  let isWhole = true
  for await (const things of walkTree(of.root, signal)) {
    await addFound(db, of.id, number, things, config.maxFileBytes)
    found += things.length
    isWhole &&= things.every(({ kind }) => kind !== 'unreadable')
    progress(() => `Looking through the directory: ${found} files`)
  }
  if (found === 0) await refuseIfEmptied(db, of.id, decodeName(of.root))
  await endWalk(db, of.id, number, isWhole)
}

type Table = { path: string; rows: string[][] }

async function judge(
  { db, config }: Place,
  of: Import,
  told: Told,
  table: Table | null,
  exported: Exported | null,
): Promise<void> {
  const { signal, progress, say } = told
  const office = await readOfficeIndex(db)
  let judged = 0
  const heard = (count: number) => {
    judged += count
    progress(() => `Finding out where files go: ${judged} files`)
  }
  await judgeNames(db, of.id, office, { signal, reads: config.readDocuments, exported, heard })
  if (config.readDocuments) {
    const { unread } = await countFiles(db, of.id)
    const pace = new Pace(unread)
    await readPapers(db, of, office, {
      signal,
      heard: (count) => {
        pace.add(count)
        progress(() => `Reading papers whose names do not say where they go: ${pace.text('papers')}`)
      },
    })
  }
  if (table === null) return
  const decided = await applyTable(db, of.id, table.rows, office)
  say(`${decided} rows of ${table.path} decide something new.`)
}

async function store(
  { db, storage, config }: Place,
  of: Import,
  how: { draftsBy: number | null; isExport: boolean },
  told: Told,
): Promise<void> {
  const before = await countFiles(db, of.id)
  const pace = new Pace(before.ready, before.ready_bytes)
  try {
    await storeReady({ db, storage }, of, {
      ...how,
      isRead: config.readDocuments,
      isScanned: config.clamd !== null,
      mostBytes: config.maxFileBytes,
      signal: told.signal,
      heard: (files, bytes) => {
        pace.add(files, bytes)
        told.progress(() => `Importing: ${pace.text('files')}`)
      },
    })
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    if (cause instanceof DiskLow || (cause as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new Error(
        `The disk of Ringbind is full: ${(cause as Error).message} What was imported is safe. Make room and run the same command again.`,
        { cause: error },
      )
    throw error
  }
  await purgeBlobs(db, storage)
}

async function writeTable(db: Database, of: Import, path: string, which: 'open' | 'all'): Promise<void> {
  const columns = which === 'open' ? TABLE_COLUMNS : REPORT_COLUMNS
  const { name } = await findOffice(db)
  await writeSheet(path, {
    title: `Flytning nr. ${of.id}: ${decodeName(of.root)}`,
    office: name,
    columns,
    count: await countTable(db, of.id, which),
    rows: listTable(db, of.id, columns, which),
  })
}
