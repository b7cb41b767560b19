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

/** Runs the work unless another instance is at it: then it returns null at once. A crash frees the lock. */
export async function unlessOthers<Result>(
  db: Database,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  return db.connection().execute(async (holder) => {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_lock(hashtextextended(${name}, 0)) as got`.execute(holder)
    if (!rows[0]!.got) return null
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 0))`.execute(holder)
    }
  })
}
