import { sql } from 'kysely'
import type { Database, Trx } from '../../server/database/database.ts'
import { keeperOf, type ServingRole } from '../../server/database/serving-role.db.ts'
import { isClosedByStart, listGaps, type FoundGaps, type Gap } from './protection.ts'

const WRITTEN = ['log', 'log_names', 'log_chain']
/** The server's role reads these, and the owner's functions write them. */
const READ = ['log_chain_marks', 'log_rules']
const TABLES = [...WRITTEN, ...READ]
/** These run when an entry is added: a role that could replace them could act as the log's owner, or hide the entry. */
const TRIGGER_FUNCTIONS = ['note_log', 'queue_for_hooks', 'date_log_entry']
/** Functions that the server's role may run with the rights of the owner. */
const LENT_FUNCTIONS = ['forget_log_addresses', 'forget_log_names', 'move_log_marks', 'reset_log_marks']

/** Returns how the present role could change the log; empty if it cannot. */
export async function findGaps(db: Database | Trx): Promise<Gap[]> {
  const { rows } = await sql<FoundGaps>`
    with kept as (
      select pg_class.oid, relowner, relnamespace, name = any (${READ}) as is_read from unnest(${TABLES}::text[]) as name
      join pg_class on pg_class.oid = to_regclass(name)
    ), functions as (
      select proowner from pg_trigger join pg_proc on pg_proc.oid = tgfoid
      where tgrelid in (select oid from kept) and not tgisinternal
      union all
      select proowner from pg_proc where pronamespace in (select relnamespace from kept) and proname = any (${LENT_FUNCTIONS})
    )
    select rolsuper as superuser,
      -- Before PostgreSQL 16 whoever makes roles can join any.
      rolcreaterole and current_setting('server_version_num')::integer < 160000 as roles,
      (select count(*) < ${TABLES.length} or bool_or(pg_has_role(relowner, 'member')
        or has_any_column_privilege(oid, 'update') or has_table_privilege(oid, 'delete, truncate, trigger')
        or is_read and has_any_column_privilege(oid, 'insert')) from kept) as tables,
      exists (select from functions where pg_has_role(proowner, 'member')) as functions,
      exists (select from pg_namespace where oid in (select relnamespace from kept)
        and pg_has_role(nspowner, 'member')) as schema,
      (select pg_has_role(datdba, 'member') from pg_database where datname = current_database()) as database
    from pg_roles where rolname = current_user`.execute(db)
  return listGaps(rows[0]!)
}

/**
 * Gives the log to a role of its own, so that the server's role can only read and add. `owner` is a member of both
 * roles. Does nothing if that is done already, because it waits for everybody who reads the log, and they wait for it.
 */
export async function protectLog(db: Database, owner: Database, serving: ServingRole): Promise<void> {
  if (!(await findGaps(db)).some(isClosedByStart)) return
  await owner.transaction().execute((trx) => settleOwners(trx, serving))
}

/**
 * Sets the least time for which addresses and names are kept, with the owner's connection. The server's role may ask
 * for more months, but not for fewer.
 */
export async function setForgetMonths(owner: Database, serving: ServingRole, months: number): Promise<void> {
  const rules = sql.id(serving.schema, 'log_rules')
  await sql`insert into ${rules} default values on conflict do nothing`.execute(owner)
  await sql`update ${rules} set forget_months = ${months} where forget_months <> ${months}`.execute(owner)
}

async function settleOwners(trx: Trx, serving: ServingRole): Promise<void> {
  const [name, keeper] = [sql.id(serving.name), sql.id(keeperOf(serving))]
  const within = (thing: string) => sql.id(serving.schema, thing)
  await sql`set local lock_timeout = '5s'`.execute(trx)
  for (const table of TABLES) {
    await sql`alter table ${within(table)} owner to ${keeper}`.execute(trx)
    await sql`revoke all on ${within(table)} from public, ${name}`.execute(trx)
    await sql`grant select on ${within(table)} to ${name}`.execute(trx)
    if (WRITTEN.includes(table)) await sql`grant insert on ${within(table)} to ${name}`.execute(trx)
  }
  await sql`grant select on sequence ${within('log_id_seq')} to ${name}`.execute(trx) // copies keep its last number
  for (const routine of [...TRIGGER_FUNCTIONS, ...LENT_FUNCTIONS])
    await sql`alter function ${within(routine)} owner to ${keeper}`.execute(trx)
  for (const routine of LENT_FUNCTIONS) {
    await sql`revoke all on function ${within(routine)} from public`.execute(trx)
    await sql`grant execute on function ${within(routine)} to ${name}`.execute(trx)
  }
}
