import { sql, type RawBuilder } from 'kysely'
import { isProjectOfClient, lenderNames } from '../../access/lenders.db.ts'
import { clientIn } from '../../access/lent.ts'
import type { Reader } from '../../access/reader.ts'
import { contentsSeen, isFolderSeen, isProjectSeen } from '../../access/seen.db.ts'
import { namesOf } from '../../base/fields/field.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { addLogEntry, type Actor, renamed } from '../../log/log.db.ts'
import { isLentTo, isOffice } from '../../rights.ts'
import { isTaken, type Database, type Trx } from '../../server/database/database.ts'
import { invalid, notFound } from '../../server/http/errors.ts'
import { orderOf } from '../../server/database/fields.db.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { OWN_FIELDS, type OwnValues } from './project.fields.ts'
import { NO_PROJECT, type Project, type ProjectColumn, type ProjectRow } from './project.ts'

const FIELDS = ['id', ...namesOf(OWN_FIELDS)] as const

export async function getProject(db: Database | Trx, reader: Reader, id: number): Promise<Project> {
  const project = await db
    .selectFrom('projects')
    .select(FIELDS)
    .where('id', '=', id)
    .where(isProjectSeen(reader))
    .executeTakeFirst()
  if (!project) throw notFound(NO_PROJECT)
  return project
}

/** Lists 25 projects per page, by default in order of number. */
export async function listProjects(
  db: Database,
  reader: Reader,
  query: ListQuery,
  /** Ids that come before all others. */
  first: number[] = [],
): Promise<Page<ProjectRow>> {
  const { from, filesCount, updatedAt } = contentsFor(reader)
  const lentBy = isLentTo(reader.role) ? sql`, ${lenderNames(reader)} as lent_by` : sql``
  return readPage(db, query, {
    id: sql<number>`projects.id`,
    found: sql`from ${from} where ${isProjectSeen(reader)} and ${isFound(sql<string>`projects.search`, query.q)}
      ${query.filter === undefined ? sql`` : sql`and ${isProjectOfClient(reader, clientIn(query.filter))}`}`,
    order: sql`${first.length > 0 ? sql`projects.id = any (${first}) desc,` : sql``}
      ${sortedBy(query, { files_count: filesCount, updated_at: updatedAt })}`,
    read: async (ids) => {
      const { rows } = await sql<Omit<ProjectRow, 'updated_at'> & { updated_at: Date }>`
        select ${sql.join(FIELDS.map((name) => sql.ref(`projects.${name}`)))},
          ${filesCount} as files_count, ${updatedAt} as updated_at${lentBy}
        from ${from} where projects.id = any (${ids})`.execute(db)
      return rows.map((row) => ({ ...row, updated_at: row.updated_at.toISOString() }))
    },
  })
}

/** Returns how to count a project's files: the stored total for the office, the folders they see for others. */
function contentsFor(reader: Reader) {
  if (isOffice(reader.role))
    return {
      from: sql`projects`,
      filesCount: sql<number>`projects.files_count`,
      updatedAt: sql<Date>`projects.changed_at`,
    }
  const seen = contentsSeen(reader)
  return {
    from: sql`projects left join lateral (
      select sum(${seen.filesCount})::integer as files_count, max(${seen.changedAt}) as changed_at
      from folders where project_id = projects.id and ${isFolderSeen(reader)}
    ) as contents on true`,
    filesCount: sql<number>`coalesce(contents.files_count, 0)`,
    updatedAt: sql<Date>`greatest(projects.updated_at, contents.changed_at)`,
  }
}

type Contents = Record<'files_count' | 'updated_at', RawBuilder<unknown>>

function sortedBy({ sort }: ListQuery, contents: Contents): RawBuilder<unknown> {
  if (!sort) return sql`projects.number`
  const column = sort.column as ProjectColumn
  const by =
    column === 'files_count' || column === 'updated_at'
      ? contents[column]
      : orderOf(OWN_FIELDS[column], sql.ref(`projects.${column}`))
  const way = sort.direction === 'asc' ? sql`asc` : sql`desc`
  return sql`${by} ${way}, projects.number`
}

export const TAKEN = { number: ['Der er allerede et projekt med det nummer.'] }

/** Whether another project has the number right now. Only writing it tells for sure. */
export async function isNumberTaken(db: Database, number: string, id: number | null): Promise<boolean> {
  const found = await db.selectFrom('projects').select('id').where('number', '=', number).executeTakeFirst()
  return found !== undefined && found.id !== id
}

export async function addProject(trx: Trx, actor: Actor, fields: OwnValues): Promise<number> {
  const added = await trx
    .insertInto('projects')
    .values(fields)
    .onConflict((conflict) => conflict.column('number').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw invalid(TAKEN)
  await addLogEntry(trx, actor, 'project-added', { projectId: added.id })
  return added.id
}

/** Returns what a project's form changes, and locks it. */
export async function lockProject(trx: Trx, id: number): Promise<OwnValues> {
  const { id: _, ...now } = await trx
    .selectFrom('projects')
    .select(FIELDS)
    .where('id', '=', id)
    .forUpdate() // a new number needs this lock; a later upgrade would deadlock with adding a folder
    .executeTakeFirstOrThrow()
  return now
}

/** Writes and logs a project's changes, if there are any. Fields that are left out stay. */
export async function changeProject(
  trx: Trx,
  actor: Actor,
  id: number,
  changes: { [Name in keyof OwnValues]?: OwnValues[Name] | undefined },
): Promise<void> {
  const now = await lockProject(trx, id)
  const said = Object.entries(changes).filter(([, value]) => value !== undefined)
  const fields: OwnValues = { ...now, ...Object.fromEntries(said) }
  if (Object.entries(now).every(([name, value]) => value === fields[name as keyof OwnValues])) return
  try {
    await trx
      .updateTable('projects')
      .set({ ...fields, updated_at: sql`now()`, changed_at: sql`now()` })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    throw isTaken(error, 'projects_number') ? invalid(TAKEN) : error
  }
  await addLogEntry(trx, actor, 'project-changed', { projectId: id, names: renamed(now.name, fields.name) })
}
