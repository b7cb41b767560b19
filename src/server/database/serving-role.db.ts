import { sql } from 'kysely'
import type { Database, Trx } from './database.ts'

/** The role with which the app serves, and where its tables are. */
export type ServingRole = { name: string; schema: string; searchPath: string }

export async function findServingRole(db: Database): Promise<ServingRole> {
  const { rows } = await sql<ServingRole>`
    select current_user::text as name, current_schema()::text as schema,
      current_setting('search_path') as "searchPath"`.execute(db)
  return rows[0]!
}

/** The role that owns what the serving role may not change: 'ringbind' has 'ringbind_log'. Nobody signs in with it. */
export const keeperOf = ({ name }: ServingRole): string => `${name}_log`

/**
 * Runs migrations in a transaction of the owner's as the serving role, so that the serving role owns what they create.
 * Until the end it may do what the keeper may; others never see that, not even after a crash.
 */
export async function withKeeper<Result>(
  trx: Trx,
  role: ServingRole,
  work: () => Promise<Result>,
): Promise<Result> {
  const [keeper, name] = [sql.id(keeperOf(role)), sql.id(role.name)]
  await sql`grant ${keeper} to ${name}`.execute(trx)
  await sql`set local role ${name}`.execute(trx)
  await sql`select set_config('search_path', ${role.searchPath}, true)`.execute(trx)
  const result = await work()
  await sql`reset role`.execute(trx)
  await sql`revoke ${keeper} from ${name}`.execute(trx)
  return result
}
