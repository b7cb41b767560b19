import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, type Transaction } from 'kysely'
import { Client, Pool, types, type PoolClient, type PoolConfig } from 'pg'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type Trx = Transaction<Tables>

/** Makes of `work` a function that opens its own transaction, or joins the one that it is given. For `.db.ts` files. */
export function transactional<Args extends unknown[], Result>(
  work: (trx: Trx, ...args: Args) => Promise<Result>,
): (db: Database | Trx, ...args: Args) => Promise<Result> {
  return (db, ...args) =>
    db.isTransaction ? work(db as Trx, ...args) : db.transaction().execute((trx) => work(trx, ...args))
}

type Options = {
  connection: PoolConfig
  onError: (error: Error) => void
  /** The longest a query may take; 0 means no limit, for migrations. */
  patienceMs?: number
}

export function connect({ connection, onError, patienceMs = 30_000 }: Options): Database {
  const settings: PoolConfig = { ...EVERY_CONNECTION, ...connection, types: { getTypeParser } }
  const pool = new Pool({
    max: 10,
    // The server stops a slow query; we stop waiting when the server no longer answers.
    ...(patienceMs > 0 && { statement_timeout: patienceMs, query_timeout: patienceMs + 1_000 }),
    idleTimeoutMillis: 10_000,
    ...settings,
  })
  // A server that stops ends all its connections. Without a listener on each, a connection that ends between two
  // queries would end our process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  const db: Database = new Kysely({ dialect: new PostgresDialect({ pool: namePrepared(pool) }) })
  settingsOf.set(db, settings)
  pools.set(db, pool)
  return db
}

const pools = new WeakMap<Database, Pool>()

/** Returns the connections of a database, for prepared queries; nothing for a transaction. */
export function poolOf(db: Database): Pool | undefined {
  return pools.get(db)
}

/** The names of prepared queries, by their text. */
export const preparedNames = new Map<string, string>()

/** Gives Kysely connections that know prepared queries by their text, so that a transaction runs them prepared too. */
function namePrepared(pool: Pool): PostgresPool {
  const known = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    connect: async () => {
      const client = await pool.connect()
      const before = known.get(client)
      if (before) return before
      const own: PostgresPoolClient = client
      const query = (text: string, values: readonly unknown[]) => {
        const name = preparedNames.get(text)
        return name === undefined
          ? own.query(text, values)
          : client.query({ name, text, values: [...values] })
      }
      const release = (isBroken?: boolean) => client.release(isBroken)
      const named = { query: query as PostgresPoolClient['query'], release }
      known.set(client, named)
      return named
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

const EVERY_CONNECTION: PoolConfig = {
  connectionTimeoutMillis: 5_000,
  application_name: 'ringbind',
  options: '-c timezone=UTC',
}

const settingsOf = new WeakMap<Database, PoolConfig>()

/** Opens a connection outside the pool, for work that takes hours or streams rows. The caller ends it. */
export async function connectAlone(db: Database): Promise<Client> {
  const client = new Client({ ...settingsOf.get(db), keepAlive: true })
  client.on('error', () => undefined) // the next query reports it
  await client.connect()
  return client
}

/** Returns Kysely on one connection, for work in a transaction that was begun on it. */
export function overClient(client: Client): Database {
  const query = client.query.bind(client) as PostgresPoolClient['query']
  const pool = {
    connect: async (): Promise<PostgresPoolClient> => ({ query, release: () => undefined }),
    end: async () => undefined,
    options: {},
  }
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}

// Ids and sizes are bigint. All stay far below 2^53, so they are read as numbers, which JSON can hold, also in an array: there
// as the driver reads integers.
const BIGINT: number = types.builtins.INT8
const INTEGERS = 1007
const BIGINTS = 1016

const getTypeParser: typeof types.getTypeParser = (type: number, format?: 'text' | 'binary') =>
  type === BIGINT ? Number : types.getTypeParser(type === BIGINTS ? INTEGERS : type, format)

/** Whether an error says that a unique index already has the value. */
export function isTaken(error: unknown, index: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && constraint === index
}

/** Whether an error says that a row cannot be deleted because a foreign key still points to it. */
export function isUsed(error: unknown, key: string): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23503' && constraint === key
}

/** Whether an error is a deadlock or a serialization failure, so that the transaction must be tried again. */
export function isCrossed(error: unknown): boolean {
  return ['40P01', '40001'].includes((error as { code?: string }).code ?? '')
}

/** Whether an error says that the database cannot be reached, so that a later try may work. */
export function isDatabaseGone(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseGone) // a host with several addresses
  if (!(error instanceof Error)) return false
  const { code = '', syscall = '' } = error as Error & { code?: string; syscall?: string }
  return (
    /^(08...|53300|57P0[1-3])$/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code) ||
    ['connect', 'getaddrinfo'].includes(syscall) ||
    GONE.test(error.message)
  )
}

const GONE =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/
