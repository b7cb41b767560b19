import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { formatBytes } from '../../base/bytes.ts'
import { installationOf, type Progress } from '../../copies/backup.db.ts'
import { openSession } from '../../copies/session.db.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../log/csv.ts'
import { overClient, type Database } from '../../server/database/database.ts'
import { keepBytes } from '../../server/storage/keep-bytes.db.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { copyFiles, type Copied, type Fault } from './copy-files.server.ts'
import { openPlace, type Place, type State } from './place.server.ts'
import { finishedText, readMe } from './read-me.ts'
import { targetFault } from './target-fault.ts'
import { TextFile, writeWhole } from './text-file.server.ts'
import { timeLeft } from './time-left.ts'
import { writeTables } from './write-tables.db.ts'

export type Exported = { files: number; bytes: number; kept: number; faults: number; root: string }

type Office = { db: Database; storage: FileStorage; dataDir: string; timeZone: string }
type Options = Progress & {
  /** Runs when the tables are written, before the first file is copied. */
  whenPlanned?: () => Promise<unknown>
}
type Tools = Required<Pick<Progress, 'progress' | 'say'>> & { signal: AbortSignal | undefined }

const README = 'LÆS MIG.txt'
const FAULTS = 'fejl.csv'
/** More are named only in the table of faults. */
const MOST_SAID = 20

/**
 * Writes everything of the office into a directory, for people and for other programs: one state of the database, while
 * everybody works. A stopped export continues with the state with which it began. Names missing and damaged files, and
 * continues.
 */
export async function exportOffice(
  office: Office,
  directory: string,
  { progress = () => undefined, say = () => undefined, signal, whenPlanned }: Options = {},
): Promise<Exported> {
  const tools = { progress, say, signal }
  await using client = await openSession(office.db, signal)
  const installation = await findInstallation(client)
  const openIt = () => openPlace(directory, office.dataDir, installation)
  await openIt() // refuses a wrong directory before it waits
  await keepBytes(client, () => say('Waiting for another copy, or for a removal, to end …'))
  const place = await openIt()
  if (place.state)
    say(`Going on with the export that began at ${place.state.at}: it shows the office as it was then.`)
  try {
    const state = place.state ?? (await takeSnapshot(client, office, place, installation, tools))
    if (state.files > 0 && (await office.storage.isEmpty()))
      throw new Error('The database knows of files, but the store is empty: is it the right one?')
    await whenPlanned?.()
    const done = await writeFiles(office, place, state, tools)
    await client.query('select') // the connection lasted, so no bytes were removed meanwhile
    signal?.throwIfAborted()
    await place.finish(finishedText({ ...done, at: state.at }, office.timeZone))
    return { ...done, root: place.root }
  } catch (error) {
    signal?.throwIfAborted()
    throw targetFault(error, place.root)
  }
}

/** Identifies the office, in case somebody continues the export of another one. */
async function findInstallation(client: Client): Promise<string> {
  const { rows } = await sql<{ secret: string | null }>`
    select (select encode(value, 'hex') from secrets where name = 'signing') as secret`.execute(
    overClient(client),
  )
  return installationOf(rows[0]?.secret ?? null)
}

async function takeSnapshot(
  client: Client,
  { timeZone }: Office,
  place: Place,
  installation: string,
  { progress, signal }: Tools,
): Promise<State> {
  await client.query('begin isolation level repeatable read read only')
  const { rows } = await client.query<{ at: string }>(`select to_json(now()) #>> '{}' as at`)
  const at = rows[0]!.at
  await writeWhole(join(place.root, README), readMe(at, timeZone))
  const total = await writeTables(client, place, { timeZone, progress, signal })
  await client.query('commit') // a long copy keeps no old rows alive
  const state: State = { format: 1, installation, at, isPlanned: true, ...total }
  await place.save(state)
  return state
}

async function writeFiles(
  { db, storage }: Office,
  { root, plan, state: before }: Place,
  total: State,
  { progress, say, signal }: Tools,
): Promise<Omit<Exported, 'root'>> {
  const done = { files: 0, bytes: 0, kept: 0, faults: 0 }
  const began = performance.now()
  const tell = () => {
    const left = timeLeft(done, total, performance.now() - began)
    return `Writing files: ${done.files} of ${total.files}, ${formatBytes(done.bytes)} of ${formatBytes(total.bytes)}${left && `, ${left}`}`
  }
  const heard = (bytes: number) => {
    done.bytes += bytes
    progress(tell)
  }
  await using faults = await TextFile.create(join(root, FAULTS))
  await faults.write(BYTE_ORDER_MARK + csvLine(['Sti', 'Fil-id', 'Fejl']))
  const copied = copyFiles({ storage, root, plan, isContinued: before !== null, signal, heard })
  for await (const { file, fault, wasThere } of copied) {
    done.files++
    if (wasThere) done.kept++
    if (fault) {
      const words = await sayFault(db, file, fault)
      await faults.write(csvLine([file.path, file.fileId, words.danish]))
      if (++done.faults <= MOST_SAID) say(`${words.english}: ${file.path}`)
    }
    progress(tell)
  }
  await faults.finish()
  if (done.faults === 0) await rm(join(root, FAULTS))
  if (done.faults > MOST_SAID) say(`… and ${done.faults - MOST_SAID} more: see ${FAULTS}.`)
  return { ...done, bytes: total.bytes }
}

/** Missing bytes may have been removed for good after the export began. */
async function sayFault(
  db: Database,
  { blobId }: Copied['file'],
  fault: Fault,
): Promise<{ english: string; danish: string }> {
  if (fault === 'damaged')
    return { english: 'Damaged', danish: 'Beskadiget: indholdet stemmer ikke med kontrolsummen' }
  const { rows } = await sql<{ state: string }>`select state from blobs where id = ${blobId}`.execute(db)
  return rows[0]?.state === 'stored'
    ? { english: 'Missing', danish: 'Mangler: indholdet er væk fra fillageret' }
    : { english: 'Removed since the export began', danish: 'Slettet for altid, efter at eksporten begyndte' }
}
