import { sql } from 'kysely'
import type { Database } from '../../server/database/database.ts'

/** How many papers are looked at together. */
const AT_ONCE = 500
/** How many that nothing is known to have happened to are looked at each time. */
const IN_PASSING = 50

/** A held paper that is to be looked at, because it was held, moved or read since. */
type Due = { blob_id: number; due_at: string }

export async function listDue(db: Database): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select blob_id, due_at::text from due_papers order by due_at limit ${AT_ONCE}`.execute(db)
  return rows
}

/** Removes papers that were looked at, unless something has happened to them since. */
export async function clearDue(db: Database, due: readonly Due[]): Promise<void> {
  if (due.length === 0) return
  await sql`
    delete from due_papers using json_to_recordset(${JSON.stringify(due)}::json) as seen (blob_id bigint, due_at timestamptz)
    where due_papers.blob_id = seen.blob_id and due_papers.due_at = seen.due_at`.execute(db)
}

/**
 * Passes over all papers that wait, some at a time: a document that was given up makes no event, and after a restore
 * nothing is due.
 */
export class Passing {
  #after = 0

  async next(db: Database): Promise<number[]> {
    const { rows } = await sql<{ blob_id: number }>`
      select blob_id from held_papers where cause = 'reading' and blob_id > ${this.#after}
      order by blob_id limit ${IN_PASSING}`.execute(db)
    this.#after = rows.length < IN_PASSING ? 0 : rows.at(-1)!.blob_id
    return rows.map(({ blob_id: id }) => id)
  }
}
