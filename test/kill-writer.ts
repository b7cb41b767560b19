import { randomBytes, randomInt } from 'node:crypto'
import { writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../src/config.ts'
import { receiveBlob } from '../src/server/storage/blobs.db.ts'
import type { Job } from '../src/server/jobs.ts'
import { startRingbind } from '../src/start.ts'

// Writes documents and acts until it is killed. Prints a line for each one, only after it is committed.

const ACT: Job<{ number: string }> = { name: 'act', retryLimit: 0, retrySeconds: 0 }

const { db, storage, jobs } = await startRingbind(readConfig(process.env))
await sql`create table if not exists acts (number text primary key)`.execute(db)
await jobs.work(ACT, () => Promise.resolve())
say('ready')

await Promise.all([keepDoing(addDocument), keepDoing(addDocument), keepDoing(addAct), keepDoing(addAct)])

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

async function keepDoing(act: () => Promise<void>): Promise<never> {
  for (;;) await act().catch(() => sleep(10)) // the database may be down for a moment
}

/** Prints synchronously, so that a kill cannot lose the line. */
function say(line: string): void {
  writeSync(1, `${line}\n`)
}
