import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool, types, type PoolConfig } from 'pg'

/** Every table, by declaration merging: each `.db.ts` declares its own. */
// oxlint-disable-next-line typescript/no-empty-object-type -- it is filled where the tables are used
export interface Tables {}

export type Database = Kysely<Tables>
export type Trx = Transaction<Tables>

type Options = { connection: PoolConfig; onError: (error: Error) => void }

export function connect({ connection, onError }: Options): Database {
  const pool = new Pool({
    max: 10,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: 'ringbind',
    options: '-c timezone=UTC',
    ...connection,
    types: { getTypeParser },
  })
  // A server that goes away ends its connections, idle and busy ones; without a listener on each, one that
  // ends between two queries would end the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

// Ids and sizes are bigint; all of them stay far below 2^53, and JSON shows them as numbers.
const BIGINT: number = types.builtins.INT8

const getTypeParser: typeof types.getTypeParser = (type: number, format?: 'text' | 'binary') =>
  type === BIGINT ? Number : types.getTypeParser(type, format)

/** Whether an error says that the database cannot be reached, so that asking again later may help. */
export function isDatabaseGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as Error & { code?: string; syscall?: string }
  return (
    /^(08|53300|57P0[1-3])/.test(code) ||
    (syscall !== undefined && ['connect', 'read', 'write'].includes(syscall) && /^E[A-Z]+$/.test(code)) ||
    /^Connection terminated|timeout exceeded when trying to connect|^Client has encountered a connection error/.test(
      error.message,
    )
  )
}
