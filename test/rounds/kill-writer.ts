import { randomBytes, randomInt } from 'node:crypto'
import { writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../../src/config.ts'
import type { Visit } from '../../src/access/reader.ts'
import { deleteFiles, moveFiles } from '../../src/files/change/change.db.ts'
import { placeFiles } from '../../src/files/change/order.db.ts'
import { restoreFiles } from '../../src/files/trash/trash.db.ts'
import { undoAct } from '../../src/files/undo/undo-act.db.ts'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import type { Job } from '../../src/server/work/jobs.ts'
import { startRingbind } from '../../src/start.ts'
import { foldersByName, makeFile, makeProject, makeUser } from '../make.ts'

// Writes documents, acts, and changes of many files, until it is killed. Prints a line for each one, only after it is
// committed.

const PILE = 40
const ACT: Job<{ number: string }> = { name: 'act', retryLimit: 0, retrySeconds: 0 }

const { db, storage, jobs } = await startRingbind(readConfig(process.env))
await sql`create table if not exists acts (number text primary key)`.execute(db)
await jobs.work(ACT, () => Promise.resolve())
const piles = await openPiles()
say('ready')

await Promise.all([
  ...[addDocument, addDocument, addAct, addAct].map(keepDoing),
  ...piles.map((pile) => keepDoing(() => changePile(pile))),
])

async function addDocument(): Promise<void> {
  const bytes = randomBytes(randomInt(1, 100_000))
  const { id, sha256 } = await receiveBlob(db, storage, Readable.from([bytes]), 1_000_000)
  say(`document ${id} ${sha256}`)
}

async function addAct(): Promise<void> {
  const number = randomBytes(8).toString('hex')
  await db.transaction().execute(async (trx) => {
    await sql`insert into acts values (${number})`.execute(trx)
    await jobs.enqueue(trx, ACT, { number })
  })
  say(`act ${number}`)
}

/** Files that are changed together and so are always in one folder, all of them deleted or none. */
type Pile = { project: number; folders: number[]; files: number[]; visit: Visit }

/** Finds the piles of a former run, or makes them. */
async function openPiles(): Promise<Pile[]> {
  await sql`create table if not exists piles (number integer primary key, pile jsonb not null)`.execute(db)
  for (const number of [1, 2]) {
    const { rows } = await sql`select from piles where number = ${number}`.execute(db)
    if (rows.length > 0) continue
    const [user, project] = [await makeUser(db, { role: 'employee' }), await makeProject(db)]
    const folders = Object.values(await foldersByName(db, project.id)).slice(0, 2)
    const files: number[] = []
    while (files.length < PILE) files.push((await makeFile({ db, storage }, folders[0]!)).id)
    const visit = { actor: { userId: user.id, address: null }, reader: { id: user.id, role: 'employee' } }
    const pile = JSON.stringify({ project: project.id, folders, files, visit })
    await sql`insert into piles values (${number}, ${pile}::jsonb)`.execute(db)
  }
  const { rows } = await sql<{ pile: Pile }>`select pile from piles order by number`.execute(db)
  return rows.map(({ pile }) => pile)
}

async function changePile({ project, folders, files, visit }: Pile): Promise<void> {
  const { rows } = await sql<{ folder_id: number; is_deleted: boolean }>`
    select folder_id, deleted_at is not null as is_deleted from files where id = ${files[0]!}`.execute(db)
  const { folder_id: folder, is_deleted: isDeleted } = rows[0]!
  const owner = { project }
  const undo = isDeleted
    ? await restoreFiles(db, visit, owner, files)
    : await [
        () => moveFiles(db, visit, owner, files, { project, folder: folders.find((id) => id !== folder)! }),
        () => deleteFiles(db, visit, owner, files),
        () => placeFiles(db, visit, owner, files.slice(PILE / 2), 'top'),
      ][randomInt(3)]!()
  if (undo === null) return
  say(`change ${undo}`)
  if (randomInt(2) === 0) return
  await undoAct(db, visit, undo)
  say(`undone ${undo}`)
}

async function keepDoing(act: () => Promise<void>): Promise<never> {
  for (;;) await act().catch(() => sleep(10)) // the database may be down for a moment
}

/** Prints synchronously, so that a kill cannot lose the line. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}
