import { Client } from 'pg'
import { connectAlone, type Database } from '../server/database/database.ts'

/** Tables that say something of the place where the data is, and not of the data. */
export const OF_THE_PLACE = ['installation', 'migrations', 'notices', 'restoring', 'stores', 'write_probe']

/** Whatever the server's own habits are: no limits of time, and rows written in one way only. */
const SETTINGS: Record<string, string> = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  client_encoding: 'UTF8',
}

/** A connection for copying rows out or in; whoever stops the work ends it, whatever it is waiting for. */
export async function openSession(db: Database, signal?: AbortSignal): Promise<Client & AsyncDisposable> {
  const client = await connectAlone(db)
  signal?.addEventListener('abort', () => void client.end())
  // An older server does not know all of them.
  await client.query(
    `select set_config(name, wanted.value, false) from json_each_text($1) as wanted (key, value)
    join pg_settings on lower(name) = lower(key)`,
    [JSON.stringify(SETTINGS)],
  )
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

export type Table = { name: string; columns: string[] }

/** Our tables, with the columns that hold something of their own. */
export async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relkind = 'r' and relpersistence = 'p' and relnamespace = current_schema()::text::regnamespace
      and attgenerated = '' and relname <> all ($1)
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    group by relname order by relname`,
    [OF_THE_PLACE],
  )
  return rows
}

/** A name as SQL writes it. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export const columnsOf = ({ name, columns }: Table) => `${quoted(name)} (${columns.map(quoted).join(', ')})`
