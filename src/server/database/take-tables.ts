import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Trx } from './database.ts'

/** Somebody used the tables for longer than one try waits. */
class TablesInUse extends Error {}

export type Waiting = {
  /** Called now and then with what is waited for. */
  say?: (message: string) => void
  signal?: AbortSignal
}

/** How long one try may take: everybody else waits that long for the tables that are taken already. */
const MOST_MS = 800
const LEAST_MS = 20
const FIRST_PAUSE_MS = 500
const MOST_PAUSE_MS = 10_000
const REPORT_EVERY_MS = 60_000

/** Repeats the work in a transaction until it gets the tables that it locks. Lets others work in between. */
export async function whenFree<Result>(
  db: Database,
  work: (trx: Trx) => Promise<Result>,
  { say, signal }: Waiting = {},
): Promise<Result> {
  let reportedAt = -Infinity
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MOST_PAUSE_MS)) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!(error instanceof TablesInUse)) throw error
    }
    if (performance.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = performance.now()
      say?.(
        `The tables of the database are in use (${await findLongest(db)}). Waiting until they can be changed …`,
      )
    }
    await sleep(pause, undefined, signal && { signal })
  }
}

/**
 * Locks all tables that the texts name, before anything is changed, so that nothing waits afterwards. Throws
 * `TablesInUse` before PostgreSQL would end somebody else's transaction in a deadlock (`deadlock_timeout`).
 */
export async function takeTables(trx: Trx, texts: string[]): Promise<void> {
  const named = namedIn(texts, await listTables(trx))
  if (named.length === 0) return
  const { rows } = await sql<{ ms: number }>`
    select setting::float8 as ms from pg_settings where name = 'deadlock_timeout'`.execute(trx)
  const limit = Math.max(LEAST_MS, Math.min(MOST_MS, Math.floor(rows[0]!.ms * 0.8)))
  await sql`set local statement_timeout = ${sql.lit(limit)}`.execute(trx)
  try {
    await sql`lock table ${sql.join(named.map((name) => sql.table(name)))}`.execute(trx)
  } catch (error) {
    throw isLate(error) ? new TablesInUse('in use', { cause: error }) : error
  }
  await sql`set local statement_timeout = 0`.execute(trx)
}

/** Lists the tables whose names are words of the texts. Those that are only read are among them: that costs a moment. */
export function namedIn(texts: string[], tables: string[]): string[] {
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []))
  return tables.filter((name) => words.has(name))
}

async function listTables(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = to_regnamespace(current_schema()) order by relname`.execute(
    trx,
  )
  return rows.map(({ name }) => name)
}

const isLate = (error: unknown) =>
  ['57014', '55P03', '40P01'].includes((error as { code?: string }).code ?? '')

/** Says who has been at it for the longest. */
async function findLongest(db: Database): Promise<string> {
  const { rows } = await sql<{ pid: number; name: string; since: Date }>`
    select pid, application_name as name, xact_start as since from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`.execute(db)
  const [longest] = rows
  return longest
    ? `process ${longest.pid} of PostgreSQL, ${longest.name}, since ${longest.since.toISOString()}`
    : 'by somebody who has just ended'
}
