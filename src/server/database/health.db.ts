import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Throws if the database cannot be written to. */
export async function probeDatabase(db: Database): Promise<void> {
  await sql`
    insert into write_probe (at) values (now()) on conflict (is_only) do update set at = excluded.at`.execute(
    db,
  )
}

/** Whether Ringbind has never been started with this database. */
export async function isUnused(db: Database): Promise<boolean> {
  const { rows } = await sql<{ unused: boolean }>`select to_regclass('migrations') is null as unused`.execute(
    db,
  )
  return rows[0]!.unused
}

const OLDEST = 15

export async function checkServerVersion(db: Database): Promise<void> {
  const { rows } = await sql<{
    version: string
  }>`select current_setting('server_version') as version`.execute(db)
  const { version } = rows[0]!
  if (parseInt(version) < OLDEST)
    throw new Error(`it is PostgreSQL ${version}, and Ringbind needs ${OLDEST} or newer`)
}
