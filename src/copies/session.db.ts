import { Client } from 'pg'
import { connectAlone, type Database } from '../server/database/database.ts'

/**
 * Tables about the installation rather than its data, and tables that can be made again from the data. Copies leave
 * them out.
 */
const OF_THE_PLACE = [
  'copy_state',
  'due_papers',
  'file_words',
  'hook_deliveries',
  'hook_queue',
  'installation',
  'kept_files',
  'kept_piles',
  'log_chain_marks',
  'log_rules',
  'migrations',
  'notices',
  'page_texts',
  'paper_facts',
  'paper_reading',
  'restoring',
  'running_hooks',
  'sheet_rows',
  'sheets',
  'stale_duties',
  'stores',
  'texts',
  'thumbnails',
  'troubles',
  'unindexed_files',
  'unjudged_texts',
  'word_models',
  'words',
  'words_version',
  'write_probe',
]

/** Overrides the server's own settings: no time limits, and one fixed format for rows. */
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

/** Opens a connection for copying rows out or in. The signal ends it, whatever it is waiting for. */
export async function openSession(db: Database, signal?: AbortSignal): Promise<Client & AsyncDisposable> {
  const client = await connectAlone(db)
  signal?.addEventListener('abort', () => void client.end())
  // An older server lacks some of the settings.
  await client.query(
    `select set_config(name, wanted.value, false) from json_each_text($1) as wanted (key, value)
    join pg_settings on lower(name) = lower(key)`,
    [JSON.stringify(SETTINGS)],
  )
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

export type Table = { name: string; columns: string[] }

/** Lists our tables with their columns, without generated ones. */
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

/** Quotes a name for SQL. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export const columnsOf = ({ name, columns }: Table) => `${quoted(name)} (${columns.map(quoted).join(', ')})`
