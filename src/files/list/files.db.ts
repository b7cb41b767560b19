import { sql, type RawBuilder } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { contentsSeen, isFileShown, isFolderOf, type QueriedOwner } from '../../access/seen.db.ts'
import { EVERYTHING, type ListQuery } from '../../base/list-query.ts'
import { pageInfo, type Page } from '../../base/pagination.ts'
import { countFolderNews, listFolderNews } from '../../projects/news/news.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isOffice } from '../../rights.ts'
import { prepare } from '../../server/database/prepared.ts'
import { isFound } from '../../server/database/search.db.ts'
import { checkOwner } from '../file/owner.db.ts'
import { fileFields, toStoredFile, type FileRow } from '../file/file-fields.db.ts'
import {
  FOLDERS_A_PAGE,
  SHOWN_FILES,
  SHOWN_NEWS,
  type FolderLink,
  type FolderOption,
  type FolderSection,
  type StoredFile,
} from '../file/stored-file.ts'

type Sections = Page<FolderSection & { files: StoredFile[] }> & {
  /** All found folders, on all pages. */
  folders: FolderLink[]
  /** When the new files were counted; null if there are none. */
  until: string | null
}

/**
 * Lists a project's folders, or a person's only one, 20 per page, with the first files of each. A search finds files by
 * name, and folders by name with all their files.
 */
export async function listSections(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  { q, page }: ListQuery,
): Promise<Sections> {
  const [start, end] = [(page - 1) * FOLDERS_A_PAGE, page * FOLDERS_A_PAGE]
  const all = await listSeenFolders(db, reader, owner, q, q === '' ? { start, end } : null)
  const news =
    q === '' && 'project' in owner
      ? await countFolderNews(db, reader, owner.project)
      : { counts: NONE, until: null }
  const hits = q === '' ? null : await findFiles(db, reader, unnamed(all), q)
  const found = all
    .map(({ is_named: isNamed, ...folder }) => ({
      ...folder,
      isNamed,
      files_count: isNamed ? folder.files_count : (hits?.get(folder.id)?.total ?? 0),
      new_count: news.counts.get(folder.id) ?? 0,
    }))
    .filter(({ isNamed, files_count: count }) => isNamed || count > 0)
  const shown = found.slice(start, end)
  const files = hits
    ? await readFirstFiles(
        db,
        reader,
        shown.filter(({ isNamed }) => isNamed).map(({ id }) => id),
        shown.flatMap(({ id }) => hits.get(id)?.first ?? []),
      )
    : new Map(shown.map(({ id, files: first }) => [id, first?.map(toStoredFile) ?? []]))
  const first = (id: number) => files.get(id) ?? []
  const hasMoreNews = ({ id, new_count: count }: (typeof shown)[number]) =>
    count > first(id).filter(({ is_new: isNew }) => isNew).length
  const newIds = await listFolderNews(
    db,
    reader,
    shown.filter(hasMoreNews).map(({ id }) => id),
    SHOWN_NEWS,
  )
  const isFirst = new Set([...files.values()].flatMap((inIt) => inIt.map(({ id }) => id)))
  const newFiles = await readFirstFiles(
    db,
    reader,
    [],
    newIds.filter((id) => !isFirst.has(id)),
  )
  return {
    data: shown.map(({ id, name, visible_to_investors, files_count, new_count }) => ({
      id,
      name,
      visible_to_investors,
      files_count,
      new_count,
      files: first(id),
      new_files: newFiles.get(id) ?? [],
    })),
    meta: pageInfo({ page, perPage: FOLDERS_A_PAGE, total: found.length, rows: shown.length }),
    folders: found.map(({ id, name, visible_to_investors, files_count, new_count }, index) => ({
      id,
      name,
      visible_to_investors,
      files_count,
      new_count,
      page: Math.floor(index / FOLDERS_A_PAGE) + 1,
    })),
    until: news.until,
  }
}

const NONE: ReadonlyMap<number, number> = new Map()

type SeenFolder = FolderOption & {
  files_count: number
  is_named: boolean
  /** The first files, if requested. */
  files: FileRow[] | null
}

const unnamed = (folders: SeenFolder[]) =>
  folders.filter(({ is_named: isNamed, files_count: count }) => !isNamed && count > 0)

async function listSeenFolders(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  q: string,
  /** The folders whose first files are read too. */
  withFiles: { start: number; end: number } | null,
): Promise<SeenFolder[]> {
  if (withFiles && isOffice(reader.role))
    return 'user' in owner
      ? sectionsOfUser(db, { owner: owner.user, ...withFiles })
      : sectionsOfProject(db, { owner: owner.project, ...withFiles })
  const { rows } = await seenFolders(reader, owner, isFoundByName(owner, q), withFiles).execute(db)
  return rows
}

/**
 * Condition on folders: a person sees their own folder when it has something that they see, and not with its first
 * draft.
 */
function isListed(owner: QueriedOwner, reader: Reader): RawBuilder<boolean> {
  return 'user' in owner && !isOffice(reader.role)
    ? sql<boolean>`${contentsSeen(reader).filesCount} > 0`
    : sql<boolean>`true`
}

type Nth = number | RawBuilder<number>

function seenFolders(
  reader: Reader,
  owner: QueriedOwner,
  isNamed: RawBuilder<boolean>,
  withFiles: { start: Nth; end: Nth } | null,
): RawBuilder<SeenFolder> {
  const isWanted = withFiles
    ? sql`nth > ${withFiles.start} and nth <= ${withFiles.end} and files_count > 0`
    : sql`false`
  return sql<SeenFolder>`
    select id, name, visible_to_investors, files_count, is_named,
      case when ${isWanted} then (${firstFiles(reader)}) end as files
    from (
      select id, name, visible_to_investors, ${contentsSeen(reader).filesCount} as files_count, ${isNamed} as is_named,
        row_number() over (order by place) as nth
      from folders where ${isFolderOf(owner, reader)} and ${isListed(owner, reader)}
    ) as seen order by nth`
}

/** The office sees all folders, and nothing is new to it, so one prepared query serves everybody there. */
const sectionsFor = (ownerOf: (id: RawBuilder<number>) => QueriedOwner) =>
  prepare<{ owner: number; start: number; end: number }, SeenFolder>((slots) =>
    seenFolders({ id: 0, role: 'employee' }, ownerOf(slots.owner), sql<boolean>`true`, {
      start: slots.start,
      end: slots.end,
    }),
  )
const sectionsOfProject = sectionsFor((project) => ({ project }))
const sectionsOfUser = sectionsFor((user) => ({ user }))

/** The first files of the folder `seen`, as JSON: one query for the page, and little to read. */
const firstFiles = (reader: Reader) => sql`
  select json_agg(first) from (
    select ${fileFields(reader)} from (
      select * from files where folder_id = seen.id and ${isFileShown(reader)} order by position limit ${SHOWN_FILES}
    ) as files join blobs on blobs.id = files.blob_id order by files.position
  ) as first`

/** Condition on folders: the search finds the name, and so all its files. The name of a person's folder is never shown. */
function isFoundByName(owner: FileOwner, q: string): RawBuilder<boolean> {
  return 'user' in owner && q !== '' ? sql<boolean>`false` : isFound(sql<string>`search`, q)
}

/** At most this many files are compared one by one. */
const FEW_FILES = 5000

type Hits = Map<number, { total: number; first: number[] }>

/** Counts the files of each folder that are found, and returns the first of them. */
async function findFiles(db: Database, reader: Reader, folders: SeenFolder[], q: string): Promise<Hits> {
  const hits: Hits = new Map()
  if (folders.length === 0) return hits
  const theirs = sql`folder_id = any (${folders.map(({ id }) => id)}) and ${isFileShown(reader)}`
  const many = folders.reduce((sum, { files_count: count }) => sum + count, 0)
  // `offset 0` keeps PostgreSQL from searching the index of all files in the office, which it thinks is cheap.
  const looked = many <= FEW_FILES ? sql`(select * from files where ${theirs} offset 0) as files` : sql`files`
  const { rows } = await sql<{ folder_id: number; id: number; total: number }>`
    select folder_id, id, total from (
      select folder_id, id, count(*) over (partition by folder_id) as total,
        row_number() over (partition by folder_id order by position) as nth
      from ${looked} where ${theirs} and ${isFound(sql<string>`search`, q)}
    ) as hits where nth <= ${SHOWN_FILES} order by folder_id, nth`.execute(db)
  for (const { folder_id: folderId, id, total } of rows) {
    const folder = hits.get(folderId) ?? { total, first: [] }
    folder.first.push(id)
    hits.set(folderId, folder)
  }
  return hits
}

/** Reads the first files of some folders, and the given files, by folder and in order. */
async function readFirstFiles(
  db: Database,
  reader: Reader,
  folderIds: number[],
  fileIds: number[],
): Promise<Map<number, StoredFile[]>> {
  if (folderIds.length + fileIds.length === 0) return new Map()
  const first = sql`
    select first.* from unnest(${folderIds}::bigint[]) as wanted (id) cross join lateral (
      select * from files where folder_id = wanted.id and ${isFileShown(reader)} order by position limit ${SHOWN_FILES}
    ) as first`
  const named = sql`select * from files where id = any (${fileIds}) and ${isFileShown(reader)}`
  const { rows } = await sql<FileRow & { folder_id: number }>`
    select files.folder_id, ${fileFields(reader)}
    from (${fileIds.length > 0 ? sql`${first} union all ${named}` : first}) as files
    join blobs on blobs.id = files.blob_id order by files.folder_id, files.position`.execute(db)
  const files = new Map<number, StoredFile[]>()
  for (const { folder_id: folderId, ...row } of rows) {
    const file = toStoredFile(row)
    const folder = files.get(folderId)
    if (folder) folder.push(file)
    else files.set(folderId, [file])
  }
  return files
}

/** Lists one folder's files, in order. A search that finds the folder's name finds all its files. */
export async function listFiles(
  db: Database,
  reader: Reader,
  owner: FileOwner,
  folderId: number,
  query: ListQuery,
  perPage?: number,
): Promise<Page<StoredFile>> {
  const folder = await findFolder(
    db,
    reader,
    sql`folders.id = ${folderId} and ${isFolderOf(owner, reader)} and ${isListed(owner, reader)}`,
    isFoundByName(owner, query.q),
  )
  if (!folder) throw notFound('Mappen findes ikke.')
  return readFiles(db, reader, folder, query, perPage)
}

/** Lists a person's files. A person has no folder before their first file. */
export async function listUserFiles(
  db: Database,
  reader: Reader,
  userId: number,
  query: ListQuery,
): Promise<Page<StoredFile>> {
  const owner = { user: userId }
  await checkOwner(db, reader, owner)
  const folder = await findFolder(db, reader, isFolderOf(owner, reader), isFoundByName(owner, query.q))
  return readFiles(db, reader, folder ?? { id: 0, files_count: 0, is_named: true }, query)
}

type FoundFolder = { id: number; files_count: number; is_named: boolean }

async function findFolder(
  db: Database,
  reader: Reader,
  which: RawBuilder<unknown>,
  named: RawBuilder<boolean>,
): Promise<FoundFolder | undefined> {
  const { rows } = await sql<FoundFolder>`
    select id, ${contentsSeen(reader).filesCount} as files_count, ${named} as is_named from folders where ${which}`.execute(
    db,
  )
  return rows[0]
}

async function readFiles(
  db: Database,
  reader: Reader,
  folder: FoundFolder,
  query: ListQuery,
  perPage?: number,
): Promise<Page<StoredFile>> {
  const q = folder.is_named ? EVERYTHING.q : query.q
  return readPage(db, query, {
    ...(perPage && { perPage }),
    found: sql`from files where folder_id = ${folder.id} and ${isFileShown(reader)} and ${isFound(sql<string>`search`, q)}`,
    ...(q === '' && { total: sql<number>`${folder.files_count}::integer` }),
    id: sql<number>`files.id`,
    order: sql`files.position`,
    read: async (ids) => {
      const { rows } = await sql<FileRow>`
        select ${fileFields(reader)} from files join blobs on blobs.id = files.blob_id
        where files.id = any (${ids}) and ${isFileShown(reader)}`.execute(db)
      return rows.map(toStoredFile)
    },
  })
}

/** Lists the folders that a project's files can be moved to. */
export async function listFolderOptions(
  db: Database,
  reader: Reader,
  projectId: number,
  q = EVERYTHING.q,
): Promise<FolderOption[]> {
  const { rows } = await sql<FolderOption>`
    select id, name, visible_to_investors from folders
    where ${isFolderOf({ project: projectId }, reader)} and ${isFound(sql<string>`search`, q)}
    order by place`.execute(db)
  return rows
}
