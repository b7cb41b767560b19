import { sql, type RawBuilder } from 'kysely'
import { IS_IN_SCOPE, lendingsTo } from '../../access/lent.db.ts'
import { isSeenByPerson } from '../../access/queried-reader.db.ts'
import type { Reader } from '../../access/reader.ts'
import {
  contentsSeen,
  IS_PROJECT_LENT,
  isFileSeen,
  isFolderSeen,
  isProjectSeen,
  LENDER,
  type QueriedReader,
} from '../../access/seen.db.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { listProjects } from '../../projects/project/projects.db.ts'
import { isLentTo, isOffice, readsHiddenFolders, rolesThat } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isFound } from '../../server/database/search.db.ts'
import { notFound } from '../../server/http/errors.ts'
import { folderAnchor, urls } from '../../urls.ts'
import type { ReaderRow, SeenFiles, SeenProject, Thing } from './readers.ts'

type Kind = 'project' | 'folder' | 'file'

/** How each kind of thing is found, and the rule who sees it. */
const KINDS: Record<
  Kind,
  {
    from: RawBuilder<unknown>
    id: RawBuilder<unknown>
    rule: (reader: QueriedReader) => RawBuilder<boolean>
    isLent: RawBuilder<boolean>
    isOwn: RawBuilder<boolean>
  }
> = {
  project: {
    from: sql`projects`,
    id: sql`projects.id`,
    rule: isProjectSeen,
    isLent: IS_PROJECT_LENT,
    isOwn: sql<boolean>`false`,
  },
  folder: {
    from: sql`folders`,
    id: sql`folders.id`,
    rule: isFolderSeen,
    isLent: sql<boolean>`${isFolderSeen(LENDER)} and ${IS_IN_SCOPE}`,
    isOwn: sql<boolean>`folders.user_id is not null`,
  },
  file: {
    from: sql`files join folders on folders.id = files.folder_id`,
    id: sql`files.id`,
    rule: isFileSeen,
    isLent: sql<boolean>`${isFolderSeen(LENDER)} and ${IS_IN_SCOPE}`,
    isOwn: sql<boolean>`folders.user_id is not null`,
  },
}

const IS_OF_OFFICE = sql<boolean>`users.role = any (${rolesThat(isOffice)})`

/** Lists everybody who sees a thing now, and why: those outside the office first, by name. The rule of seeing decides. */
export async function listReaders(
  db: Database,
  kind: Kind,
  id: number,
  query: ListQuery,
): Promise<Page<ReaderRow>> {
  const { from, id: column, rule, isLent, isOwn } = KINDS[kind]
  const withPeople = sql`from ${from} cross join users where ${column} = ${id}`
  return readPage(db, query, {
    id: sql<number>`users.id`,
    found: sql`${withPeople} and users.deactivated_at is null and ${isSeenByPerson(rule)}
      and ${isFound(sql<string>`users.search`, query.q)}`,
    order: sql`${IS_OF_OFFICE}, users.name, users.id`,
    read: async (ids) => {
      const { rows } = await sql<ReaderRow>`
        select users.id, users.name, users.email, users.role,
          case when ${IS_OF_OFFICE} then 'office'
            when users.role = any (${rolesThat(readsHiddenFolders)}) then 'auditor'
            when users.role = any (${rolesThat(isLentTo)}) then 'lent'
            when ${isOwn} then 'owner' else 'member' end as reason,
          array(select lender.name from ${lendingsTo({ id: sql<number>`users.id` })} where ${isLent}
            order by lender.name, lender.id) as lent_by
        ${withPeople} and users.id = any (${ids})`.execute(db)
      return rows
    },
  })
}

/** Returns the project, folder, file or person. Throws not-found if the reader does not see it. */
export async function getThing(db: Database, reader: Reader, kind: Kind, id: number): Promise<Thing> {
  const { from, id: column, rule } = KINDS[kind]
  const isProject = kind === 'project'
  const { rows } = await sql<{
    name: string
    folder: number | null
    project: { id: number; name: string } | null
    owner: { id: number; name: string } | null
  }>`
    select ${kind === 'file' ? sql`files.name` : isProject ? sql`projects.name` : sql`folders.name`} as name,
      ${isProject ? sql`null::bigint` : sql`folders.id`} as folder,
      (select json_build_object('id', home.id, 'name', home.name) from projects as home
        where home.id = ${isProject ? sql`projects.id` : sql`folders.project_id`}) as project,
      (select json_build_object('id', person.id, 'name', person.name) from users as person
        where person.id = ${isProject ? sql`null` : sql`folders.user_id`}) as owner
    from ${from} where ${column} = ${id} and ${rule(reader)}`.execute(db)
  const [row] = rows
  if (!row || !(row.project ?? row.owner)) throw notFound(MISSING[kind])
  const { name, folder, project, owner } = row
  if (owner)
    return {
      name: kind === 'folder' ? `egne filer hos ${owner.name}` : name,
      place: { text: owner.name, href: urls.user(owner.id) },
      folders: [],
    }
  const home = urls.files(project!.id)
  return {
    name,
    place: { text: project!.name, href: folder === null ? home : `${home}#${folderAnchor(folder)}` },
    folders: isProject ? await listFoldersOf(db, reader, id) : [],
  }
}

const MISSING: Record<Kind, string> = {
  project: 'Projektet findes ikke.',
  folder: 'Mappen findes ikke.',
  file: 'Filen findes ikke, eller den ligger i papirkurven.',
}

async function listFoldersOf(db: Database, reader: Reader, project: number): Promise<Thing['folders']> {
  const { rows } = await sql<Thing['folders'][number]>`
    select id, name from folders where project_id = ${project} and ${isFolderSeen(reader)} order by place`.execute(
    db,
  )
  return rows
}

/** Lists the projects that a person sees, with their folders, as the rule shows them to that person. */
export async function listSeenProjects(
  db: Database,
  person: Reader,
  query: ListQuery,
): Promise<Page<SeenProject>> {
  const { data, meta } = await listProjects(db, person, query)
  const { rows } = await sql<SeenProject['folders'][number] & { project_id: number }>`
    select id, name, visible_to_investors, project_id from folders
    where project_id = any (${data.map(({ id }) => id)}) and ${isFolderSeen(person)} order by place`.execute(
    db,
  )
  const folders = Map.groupBy(rows, (row) => row.project_id)
  return {
    data: data.map(({ id, number, name, lent_by: lentBy }) => ({
      id,
      number,
      name,
      ...(lentBy && { lent_by: lentBy }),
      folders: (folders.get(id) ?? []).map(({ project_id: _project, ...folder }) => folder),
    })),
    meta,
  }
}

/** Lists whose own files a person outside the office sees: their own, or those of their lenders. */
export async function listSeenFiles(db: Database, person: Reader): Promise<SeenFiles[]> {
  const { rows } = await sql<SeenFiles>`
    select owner.id, owner.name, ${contentsSeen(person).filesCount} as files_count
    from (
      select ${person.id}::bigint as id union select lender_id from lendings where adviser_id = ${person.id} and ended_at is null
    ) as owners join users as owner on owner.id = owners.id join folders on folders.user_id = owner.id
    where ${isFolderSeen(person)} order by owner.name, owner.id`.execute(db)
  return rows
}
