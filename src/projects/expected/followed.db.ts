import { sql, type RawBuilder } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isProjectSeen } from '../../access/seen.db.ts'
import { addLogEntries } from '../../log/log.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import { checkListed } from '../../server/http/errors.ts'

/**
 * Condition on `projects`, joined to something with a last day: the office follows it. What it does not follow is neither
 * missing, late nor due, but whatever is there, or excused, is shown as always.
 */
export const isFollowed = (dueOn: RawBuilder<unknown>) =>
  sql<boolean>`(projects.followed_from is null or ${dueOn} >= projects.followed_from)`

/** Counts the projects that can be followed from another day. */
export async function countFollowed(db: Database, reader: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from projects where ${isProjectSeen(reader)}`.execute(db)
  return rows[0]!.count
}

/** Follows all projects from a day; always for null. Refuses if the page showed another number of them. */
export const followAll = transactional(
  async (
    trx: Trx,
    { actor, reader }: Visit,
    { from, count }: { from: string | null; count: number },
  ): Promise<void> => {
    // In the order of their ids, as all who lock several.
    const { rows: all } = await sql<{ id: number; followed_from: string | null }>`
      select id, followed_from::text as followed_from from projects where ${isProjectSeen(reader)}
      order by id for no key update`.execute(trx)
    checkListed(count, all.length)
    const changed = all.filter(({ followed_from: now }) => now !== from).map(({ id }) => id)
    await sql`update projects set followed_from = ${from} where id = any (${changed})`.execute(trx)
    await addLogEntries(
      trx,
      actor,
      'project-years-changed',
      changed.map((projectId) => ({ projectId })),
    )
  },
)
