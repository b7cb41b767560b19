import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Runs the work in one instance at a time; the others wait. A crash frees the lock. */
export async function alone<Result>(
  db: Database,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(hashtextextended(${name}, 0))`.execute(holder)
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`.execute(holder)
    }
  })
}
