import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { formatBytes } from '../base/bytes.ts'
import { blobIn, JOBS, tableIn, type Fault, type Head } from './archive.server.ts'
import { readArchive, readWhole, type Entry } from './archive-reader.server.ts'
import { overClient, type Database } from '../server/database/database.ts'
import { startJobs } from '../server/work/jobs.ts'
import { migrateWithin } from '../server/database/migrate.ts'
import type { FileStorage } from '../server/storage/storage.ts'
import { unfinishedJobs, type UnfinishedJob } from '../server/database/unfinished-jobs.db.ts'
import type { Progress } from './backup.db.ts'
import { RestoredBytes } from './restored-bytes.server.ts'
import { columnsOf, listTables, quoted } from './session.db.ts'

export type Place = { db: Database; storage: FileStorage }
export type Options = Progress & {
  /** Opens an encrypted copy. */
  key?: string | null
  /** Where the migrations are. */
  migrations?: URL
  /** Writes what the installation must remember, in the same transaction. */
  beforeCommit?: (trx: Database) => Promise<unknown>
}

export type Restored = {
  blobs: number
  bytes: number
  rows: number
  jobs: number
  /** Faults that the copy already had when it was made. */
  faults: Fault[]
  /** Tables that the copy's version did not have yet. */
  migrated: string[]
}

/** A restore: the copy, the place and the way. */
type From = {
  place: Place
  client: Client
  file: string
  head: Head
  /** The faults that the copy has. */
  faults: Fault[]
  isContinued: boolean
  options: Options
}

/** Restores a copy that has been checked, in one transaction. */
export class Restoring {
  result: Restored
  isCommitting = false
  #from: From
  #client: Client
  #head: Head
  #faults: Map<string, Fault>
  #jobs: UnfinishedJob[] = []
  #bytes: RestoredBytes

  constructor(from: From) {
    const { place, client, head, faults, isContinued } = from
    this.#from = from
    this.#client = client
    this.#head = head
    this.#faults = new Map(faults.map((fault) => [fault.key, fault]))
    this.#bytes = new RestoredBytes(place.storage, isContinued)
    this.result = { blobs: 0, bytes: 0, rows: 0, jobs: 0, faults, migrated: [] }
  }

  async run(): Promise<Restored> {
    const client = this.#client
    const { migrations } = this.#from.options
    const trx = overClient(client)
    await client.query('begin')
    await migrateWithin(trx, migrations, this.#head.migrations.length)
    await this.#emptyTables()
    await this.#readEntries()
    await this.#checkAllStored()
    await this.#setSequences()
    await this.#settleConstraints()
    await this.#switchTriggers('enable')
    this.result.migrated = await migrateWithin(trx, migrations)
    await this.#adoptJobs()
    await this.#from.options.beforeCommit?.(trx)
    await client.query('drop table restoring')
    this.#from.options.signal?.throwIfAborted()
    this.isCommitting = true
    await client.query('commit')
    await client.query(`analyze ${this.#head.tables.map(({ name }) => quoted(name)).join(', ')}`)
    return this.result
  }

  /** Undoes a restore that failed. */
  async undo(): Promise<void> {
    const { db, storage } = this.#from.place
    await this.#bytes.remove()
    // Bytes that are still there belong to somebody else, and a restore would share them.
    const isOurs = this.#from.isContinued || !this.#bytes.isTaken
    if (!isOurs || (await storage.isEmpty())) await sql`drop table if exists restoring`.execute(db)
  }

  /** Removes the rows that migrations added: the copy has them too. */
  async #emptyTables(): Promise<void> {
    const there = new Set((await listTables(this.#client)).map(({ name }) => name))
    const strange = this.#head.tables.find(({ name }) => !there.has(name))
    if (strange) throw new Error(`The copy has a table ${strange.name} that its migrations do not make.`)
    await this.#settleConstraints()
    // Tables that copies leave out may refer to these. They are empty too.
    await this.#client.query(`truncate ${[...there].map(quoted).join(', ')} restart identity cascade`)
    await this.#switchTriggers('disable')
  }

  /** Switches off the counting triggers, because the copy holds the counts. The owner of a table may do this. */
  async #switchTriggers(how: 'disable' | 'enable'): Promise<void> {
    for (const { name } of this.#head.tables)
      await this.#client.query(`alter table ${quoted(name)} ${how} trigger user`)
  }

  /** Checks deferred constraints now: a table with pending checks cannot be altered. */
  async #settleConstraints(): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>(`
      select conname as name from pg_constraint
      where condeferred and connamespace = current_schema()::text::regnamespace`)
    if (rows.length === 0) return
    const names = rows.map(({ name }) => quoted(name)).join(', ')
    await this.#client.query(`set constraints ${names} immediate`)
    await this.#client.query(`set constraints ${names} deferred`)
  }

  async #readEntries(): Promise<void> {
    const { signal, key: opens, progress = () => undefined } = this.#from.options
    let hasRows = true
    for await (const entry of readArchive(this.#from.file, { signal, key: opens })) {
      this.#bytes.throwIfFailed()
      const table = tableIn(entry.name)
      const key = blobIn(entry.name)
      if (table !== undefined) await this.#copyRows(table, entry)
      else if (key !== undefined) {
        if (hasRows) await this.#refuseStrangeBytes()
        hasRows = false
        await this.#restoreBlob(key, entry)
      } else if (entry.name === JOBS) {
        this.#jobs = unfinishedJobs.parse(JSON.parse((await readWhole(entry)).toString()))
      }
      progress(() =>
        table === undefined
          ? `Restoring files: ${this.result.blobs}, ${formatBytes(this.result.bytes)}`
          : `Restoring the table ${table} …`,
      )
    }
    await this.#bytes.finish()
  }

  async #copyRows(table: string, entry: Entry): Promise<void> {
    const known = this.#head.tables.find(({ name }) => name === table)
    if (!known) throw new Error(`The copy has rows of ${table}, which it does not describe.`)
    const stream = this.#client.query(copyFrom(`copy ${columnsOf(known)} from stdin`))
    await pipeline(Readable.from(entry.chunks), stream)
    this.result.rows += stream.rowCount
  }

  /** Allows only bytes that an earlier restore of the same copy left; any others belong to somebody. */
  async #refuseStrangeBytes(): Promise<void> {
    if (!this.#from.isContinued) return
    const check = async (keys: string[]) => {
      const { rows } = await this.#client.query<{ key: string }>(
        `select key from unnest($1::text[]) as found (key)
        where not exists (select from blobs where blobs.key = found.key and state = 'stored') limit 1`,
        [keys],
      )
      if (rows[0])
        throw new Error(
          `The store has bytes that are not of this copy (${rows[0].key}): restore the same copy again, or empty the store.`,
        )
    }
    let keys: string[] = []
    for await (const { key } of this.#from.place.storage.list()) {
      keys.push(key)
      if (keys.length === 1000) await check(keys.splice(0))
    }
    await check(keys)
  }

  async #restoreBlob(key: string, entry: Entry): Promise<void> {
    const { rows } = await this.#client.query<{ sha256: string }>(
      `select sha256 from blobs where key = $1 and state = 'stored'`,
      [key],
    )
    this.result.blobs++
    this.result.bytes += entry.size
    await this.#bytes.add(key, entry, this.#faults.has(key) ? null : rows[0]!.sha256)
  }

  async #checkAllStored(): Promise<void> {
    const { rows } = await this.#client.query<{ count: number }>(
      `select count(*) as count from blobs where state = 'stored'`,
    )
    const missing = [...this.#faults.values()].filter(({ kind }) => kind === 'missing').length
    if (rows[0]!.count !== this.result.blobs + missing)
      throw new Error('The copy has changed while it was being restored.')
  }

  /** Keeps ids of deleted rows from being used again, because the log still mentions them. */
  async #setSequences(): Promise<void> {
    for (const { table, column, last } of this.#head.sequences)
      if (last !== null)
        await this.#client.query('select setval(pg_get_serial_sequence($1, $2), $3::bigint)', [
          quoted(table),
          column,
          last,
        ])
  }

  async #adoptJobs(): Promise<void> {
    if (this.#jobs.length === 0) return
    const jobs = await startJobs({ db: this.#from.place.db, timeZone: 'UTC', onError: () => undefined })
    try {
      await jobs.adopt(this.#jobs, {
        executeSql: async (text, values) => this.#client.query(text, values),
      })
    } finally {
      await jobs.stop()
    }
    this.result.jobs = this.#jobs.length
  }
}
