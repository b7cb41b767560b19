import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import { addLogEntries } from '../log/log.db.ts'
import { countFiles } from '../projects/folder.ts'
import { transactional, type Database, type Trx } from '../server/database/database.ts'
import { receiveBlob, type StoredBlob } from '../server/storage/blobs.db.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { MOST_INTAKE_FILES, REOPEN_DAYS, type Intake, type IntakeSource, type Untaken } from './intake.ts'

export type Place = { db: Database; storage: FileStorage }

const SYSTEM = { userId: null, address: null }

/** Begins an intake whose files are still arriving. Nobody sees it yet. Returns its id. */
export const openIntake = transactional(
  async (trx: Trx, { source, sender, subject, note, pictures, untaken }: Intake): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      with submission as (
        insert into submissions (user_id, key, content, form)
        values (null, ${randomBytes(16).toString('hex')}, '', 'intake') returning id
      )
      insert into intakes (submission_id, source, sender, subject, note, pictures, untaken)
      select id, ${source}, ${sender}, ${subject}, ${note}, ${pictures}, ${JSON.stringify(untaken)}::jsonb
      from submission returning submission_id as id`.execute(trx)
    return rows[0]!.id
  },
)

type Coming = {
  name: string
  bytes: Readable
  limit: number
  /** Finds the intake that the file belongs to, in the transaction that stores it. */
  of: (trx: Trx) => Promise<number>
  /** Identifies the file after a crash, when it may not have left its source yet. */
  token?: string
}

/** Stores a file of an intake. When it returns, the bytes and their row survive a power cut. */
export async function takeFile(
  { db, storage }: Place,
  { name, bytes, limit, of, token }: Coming,
): Promise<StoredBlob> {
  return receiveBlob(db, storage, bytes, limit, async (trx, blob) => {
    const intake = await of(trx)
    const { rows } = await sql`
      update intakes set fed_at = now() where submission_id = ${intake} and arrived_at is null returning 1`.execute(
      trx,
    )
    if (rows.length === 0) throw new Error(`Intake ${intake} has arrived, and takes no more files.`)
    await sql`
      insert into intake_files (submission_id, name, size, type, blob_id, token)
      values (${intake}, ${name}, ${blob.size}, ${blob.type}, ${blob.id}, ${token ?? null})`.execute(trx)
  })
}

/** Returns the intake that files of a sender are added to, or begins one. */
export async function findOpenIntake(trx: Trx, source: IntakeSource, sender: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select submission_id as id from intakes
    where source = ${source} and sender = ${sender} and arrived_at is null
      and (select count(*) from intake_files where intake_files.submission_id = intakes.submission_id)
        < ${MOST_INTAKE_FILES}
    order by submission_id desc limit 1`.execute(trx)
  const nothing = { subject: '', note: '', pictures: 0, untaken: [] }
  return rows[0]?.id ?? openIntake(trx, { source, sender, ...nothing })
}

/** Returns whether a file of the watched directory is stored already. */
export async function isTaken(db: Database, token: string): Promise<boolean> {
  const { rows } = await sql`select from intake_files where token = ${token}`.execute(db)
  return rows.length > 0
}

/** Replaces the list of files that were not taken from an open intake. */
export async function setUntaken(db: Database, intake: number, untaken: Untaken[]): Promise<void> {
  await sql`
    update intakes set untaken = ${JSON.stringify(untaken)}::jsonb where submission_id = ${intake}`.execute(
    db,
  )
}

/** Puts intakes into the inbox, after their last file. */
export const putInInbox = transactional(async (trx: Trx, ids: readonly number[]): Promise<void> => {
  const { rows } = await sql<{ id: number }>`
    with came as (
      update intakes set arrived_at = now() where submission_id = any (${[...ids]}) and arrived_at is null
      returning submission_id
    )
    insert into inbox (submission_id, files_count)
    select submission_id, (select count(*) from intake_files where intake_files.submission_id = came.submission_id)
    from came order by submission_id
    returning submission_id as id`.execute(trx)
  await addLogEntries(
    trx,
    SYSTEM,
    'intake-received',
    rows.map(({ id }) => ({ detail: String(id) })),
  )
})

/** Puts intakes into the inbox that are full or got no file for this long. */
export const putRestingInInbox = transactional(
  async (trx: Trx, source: IntakeSource, restSeconds: number): Promise<void> => {
    const { rows } = await sql<{ id: number }>`
      select submission_id as id from intakes
      where source = ${source} and arrived_at is null and (
        fed_at < now() - make_interval(secs => ${restSeconds})
        or (select count(*) from intake_files where intake_files.submission_id = intakes.submission_id)
          >= ${MOST_INTAKE_FILES})
      order by submission_id for update`.execute(trx)
    if (rows.length > 0)
      await putInInbox(
        trx,
        rows.map(({ id }) => id),
      )
  },
)

/** Removes intakes that a crash or a lost connection has left unfinished. Their files are still at the source. */
export const removeUnfinished = transactional(async (trx: Trx, source: IntakeSource): Promise<void> => {
  const { rows } = await sql<{ id: number; blob_id: number | null }>`
    select intakes.submission_id as id, blob_id from intakes
    left join intake_files on intake_files.submission_id = intakes.submission_id
    where source = ${source} and arrived_at is null for update of intakes`.execute(trx)
  if (rows.length === 0) return
  await sql`delete from submissions where id = any (${rows.map(({ id }) => id)})`.execute(trx)
  await giveUpBytes(
    trx,
    rows.flatMap(({ blob_id: blob }) => blob ?? []),
  )
})

/** How many are removed in one transaction. */
const AT_ONCE = 200

/** Removes the files that were not filed of intakes finished long ago, but no receipt that has ended a duty. Returns how many. */
export async function purgeIntakes(db: Database): Promise<number> {
  for (let purged = 0; ;) {
    const some = await db.transaction().execute(purgeSome)
    purged += some
    if (some < AT_ONCE) return purged
  }
}

async function purgeSome(trx: Trx): Promise<number> {
  const { rows } = await sql<{ id: number; blob_id: number; submission_id: number }>`
    select intake_files.id, blob_id, intake_files.submission_id
    from inbox join intake_files on intake_files.submission_id = inbox.submission_id
    join blobs on blobs.id = intake_files.blob_id
    where inbox.state = 'done' and inbox.changed_at < now() - make_interval(days => ${REOPEN_DAYS})
      and not exists (select from receipts where receipts.sha256 = blobs.sha256 and receipts.duty_id is not null)
    order by intake_files.id limit ${AT_ONCE} for update of inbox, intake_files, blobs`.execute(trx)
  if (rows.length === 0) return 0
  await sql`
    update intake_files set blob_id = null, removed_at = now()
    where id = any (${rows.map(({ id }) => id)})`.execute(trx)
  await giveUpBytes(
    trx,
    rows.map(({ blob_id: blob }) => blob),
  )
  const intakes = [...Map.groupBy(rows, (row) => row.submission_id).values()]
  await addLogEntries(
    trx,
    SYSTEM,
    'intake-purged',
    intakes.map((files) => ({ detail: countFiles(files.length) })),
  )
  return rows.length
}

/** Bytes that others use are kept; the next purge of blobs deletes the rest. */
async function giveUpBytes(trx: Trx, blobs: number[]): Promise<void> {
  await sql`select from blobs where id = any (${blobs}) order by id for update`.execute(trx)
  await sql`
    update blobs set state = 'removing' where id = any (${blobs})
      and not exists (select from temporary_files where blob_id = blobs.id)
      and not exists (select from files where blob_id = blobs.id)
      and not exists (select from file_versions where blob_id = blobs.id)`.execute(trx)
}
