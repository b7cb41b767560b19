import { sql } from 'kysely'
import type { Client } from 'pg'
import { formatBytes } from '../base/bytes.ts'
import { alone } from '../server/database/alone.db.ts'
import type { Head } from './archive.server.ts'
import { checkArchive, readHead } from './check-archive.server.ts'
import type { Database } from '../server/database/database.ts'
import { listMigrations } from '../server/database/migrate.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { listUnfinishedJobs } from '../server/database/unfinished-jobs.db.ts'
import { Restoring, type Options, type Place, type Restored } from './restoring.db.ts'
import { listTables, openSession } from './session.db.ts'

/**
 * Fills an empty installation from a copy, all of it or nothing. Reads the archive to its end before it changes anything.
 * The table `restoring` marks a restore that is running: while it exists no Ringbind starts here, and the remains of a
 * killed restore can be told from other data.
 */
export async function restore(place: Place, file: string, options: Options = {}): Promise<Restored> {
  const { db, storage } = place
  const { signal, say = () => undefined, progress = () => undefined } = options
  const head = await readHead(file, options.key)
  refuseNewer(head, await listMigrations(options.migrations))
  await using client = await openSession(db, signal)
  await holdPlace(client)
  const isContinued = await hasMarker(db)
  if (isContinued) say('An earlier restore was not finished here; what it left is used or replaced.')
  await refuseUsed(client, storage, isContinued)

  const checked = await checkArchive(file, {
    signal,
    key: options.key,
    heard: (bytes) => progress(() => `Checking the copy: ${formatBytes(bytes)}`),
  })
  if (checked.damages.length > 0) throw new Error(checked.damages.join('\n'))
  await alone(db, 'migrate', async () => {
    await refuseUsed(client, storage, isContinued)
    await client.query('create table if not exists restoring (since timestamptz not null default now())')
  })
  const work = new Restoring({ place, client, file, head, faults: checked.faults, isContinued, options })
  try {
    return await work.run()
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    await client.end()
    if (work.isCommitting) {
      const isUndone = await hasMarker(db).catch(() => null)
      if (isUndone === false) return work.result // only the answer was lost
      if (isUndone === null)
        throw new Error(
          'The database went away at the very end: when it is back, `npm run verify` tells whether all is there.',
          { cause: error },
        )
    }
    await work
      .undo()
      .catch((reason: Error) =>
        say(`What was stored could not be removed (${reason.message}): restore once more.`),
      )
    throw error
  }
}

function refuseNewer({ migrations, version }: Head, known: string[]): void {
  const strange = migrations.find((name, index) => name !== known[index])
  if (strange)
    throw new Error(
      `The copy was made by a newer Ringbind, ${version} (it knows ${strange}, this one does not): restore it with that one.`,
    )
}

async function holdPlace(client: Client): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('restore', 0)) as got`,
  )
  if (!rows[0]!.got) throw new Error('Another restore into this database is under way.')
}

/** Whether a restore has begun here and not ended. */
async function hasMarker(db: Database): Promise<boolean> {
  const { rows } = await sql<{
    there: boolean
  }>`select to_regclass('restoring') is not null as there`.execute(db)
  return rows[0]!.there
}

async function refuseUsed(client: Client, storage: FileStorage, isContinued: boolean): Promise<void> {
  const isUsed = (await listTables(client)).length > 0 || (await listUnfinishedJobs(client)).length > 0
  if (isUsed)
    throw new Error('A copy is restored into an empty place only, and this database has tables already.')
  if (!isContinued && !(await storage.isEmpty()))
    throw new Error('A copy is restored into an empty place only, and there are files in the store already.')
}
