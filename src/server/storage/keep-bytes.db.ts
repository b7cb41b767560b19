import { sql } from 'kysely'
import type { Client } from 'pg'
import type { Database } from '../database/database.ts'

// While a copy is made, every byte that its snapshot knows must stay: who removes bytes shares this lock, who copies has
// it alone.
const LOCK = 'remove-bytes'

/** A store that hangs must not take every connection of this process. */
const AT_ONCE = 3
const places = new WeakMap<Database, { taken: number; waiting: (() => void)[] }>()

/** Removes bytes, unless they are being copied: then nothing is done, and the answer is false. */
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

/** From here until the connection ends nobody removes bytes. One who waits keeps new removals from beginning. */
export async function keepBytes(client: Client, waits: () => void): Promise<void> {
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as got',
    [LOCK],
  )
  if (rows[0]!.got) return
  waits()
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK])
}
