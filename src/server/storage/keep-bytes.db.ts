import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Database } from '../database/database.ts'

// During a backup, all bytes that its snapshot lists must stay. Removals share this lock; a backup holds it alone.
const LOCK = 'remove-bytes'

/** A store that hangs must not take all connections of this process. */
const AT_ONCE = 3
const places = new WeakMap<Database, { taken: number; waiting: (() => void)[] }>()

/** Removes bytes, unless a backup is running: then it does nothing and returns false. */
export async function unlessCopied(
  db: Database,
  remove: (holder: Database) => Promise<unknown>,
): Promise<boolean> {
  const place = places.get(db) ?? { taken: 0, waiting: [] }
  places.set(db, place)
  if (place.taken === AT_ONCE) await new Promise<void>((resolve) => place.waiting.push(resolve))
  else place.taken++
  try {
    return await removeUnlessCopied(db, remove)
  } finally {
    const next = place.waiting.shift()
    if (next) next()
    else place.taken--
  }
}

function removeUnlessCopied(db: Database, remove: (holder: Database) => Promise<unknown>): Promise<boolean> {
  return db.connection().execute(async (holder) => {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_lock_shared(hashtextextended(${LOCK}, 0)) as got`.execute(holder)
    if (!rows[0]!.got) return false
    try {
      await remove(holder)
      return true
    } finally {
      await sql`select pg_advisory_unlock_shared(hashtextextended(${LOCK}, 0))`.execute(holder)
    }
  })
}

/** Blocks all removals until the connection ends. While it waits, no new removal begins. */
export async function keepBytes(client: Client, waits: () => void): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as got',
    [LOCK],
  )
  if (rows[0]!.got) return
  waits()
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK])
}
