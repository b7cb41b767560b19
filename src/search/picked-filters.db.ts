import { sql } from 'kysely'
import type { Reader } from '../access/reader.ts'
import { isPersonSeen, isProjectSeen } from '../access/seen.db.ts'
import type { Database } from '../server/database/database.ts'
import type { Question } from './answer/results.ts'
import type { PickedFilters } from './answer/search-answer.ts'

/** Looks up what the filters mean. A project or person that the reader does not see becomes null. */
export async function findPickedFilters(
  db: Database,
  reader: Reader,
  { project, by }: Pick<Question, 'project' | 'by'>,
): Promise<PickedFilters> {
  const projects =
    project !== null &&
    (await sql<NonNullable<PickedFilters['project']>>`
      select id, number, name from projects where id = ${project} and ${isProjectSeen(reader)}`.execute(db))
  const people =
    by !== null &&
    (await sql<NonNullable<PickedFilters['by']>>`
      select id, name from users where id = ${by} and ${isPersonSeen(reader)}`.execute(db))
  return { project: (projects && projects.rows[0]) || null, by: (people && people.rows[0]) || null }
}
