import { sql, type RawBuilder } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { contentsSeen, isFileShown, isFolderOf, type QueriedOwner } from '../../access/seen.db.ts'
import type { ListQuery } from '../../base/list-query.ts'
import { pageInfo, type Page } from '../../base/pagination.ts'
import { countFolderNews, listFolderNews } from '../../projects/news/news.db.ts'
import type { Database } from '../../server/database/database.ts'
import { isOffice } from '../../rights.ts'
import { prepare } from '../../server/database/prepared.ts'
import { isFound } from '../../server/database/search.db.ts'
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
import { isFoundByName, isListed } from './files.db.ts'

type Sections = Page<FolderSection & { files: StoredFile[]; new_files: StoredFile[] }> & {
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
    .map(({ is_named: isNamed, files: rows, ...folder }) => ({
      folder: {
        ...folder,
        files_count: isNamed ? folder.files_count : (hits?.get(folder.id)?.[0]?.total ?? 0),
        new_count: news.counts.get(folder.id) ?? 0,
      },
      isNamed,
      rows,
    }))
    .filter(({ isNamed, folder }) => isNamed || folder.files_count > 0)
  const shown = found.slice(start, end)
  const files = hits
    ? await readFirstFiles(
        db,
        reader,
        shown.flatMap(({ isNamed, folder: { id } }) => (isNamed ? [id] : [])),
        shown.flatMap(({ folder: { id } }) => hits.get(id) ?? []).map(({ id }) => id),
      )
    : new Map(shown.map(({ folder: { id }, rows }) => [id, rows?.map(toStoredFile) ?? []]))
  const sections = shown.map(({ folder }) => ({ ...folder, files: files.get(folder.id) ?? [] }))
  const newFiles = await readMoreNews(db, reader, sections)
  return {
    data: sections.map((section) => ({ ...section, new_files: newFiles.get(section.id) ?? [] })),
    meta: pageInfo({ page, perPage: FOLDERS_A_PAGE, total: found.length, rows: shown.length }),
    folders: found.map(({ folder }, index) => ({ ...folder, page: Math.floor(index / FOLDERS_A_PAGE) + 1 })),
    until: news.until,
  }
}

/** How many of a folder's new files are shown at least, however many folders have some. */
const FEWEST_NEWS = 3

/** Reads new files that are not among the first ones of their folders: the folders of a page share what it shows of them. */
async function readMoreNews(
  db: Database,
  reader: Reader,
  sections: { id: number; new_count: number; files: StoredFile[] }[],
): Promise<Map<number, StoredFile[]>> {
  const more = sections.filter(
    ({ new_count: count, files }) => count > files.filter(({ is_new: isNew }) => isNew).length,
  )
  const newIds = await listFolderNews(
    db,
    reader,
    more.map(({ id }) => id),
    Math.max(FEWEST_NEWS, Math.floor(SHOWN_NEWS / more.length)),
  )
  const first = new Set(sections.flatMap(({ files }) => files.map(({ id }) => id)))
  return readFirstFiles(
    db,
    reader,
    [],
    newIds.filter((id) => !first.has(id)),
  )
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

/** At most this many files are compared one by one. */
const FEW_FILES = 5000

/** `total` is how many of its folder are found. */
type Hit = { folder_id: number; id: number; total: number }

/** Finds files by name, and returns the first of each folder. */
async function findFiles(
  db: Database,
  reader: Reader,
  folders: SeenFolder[],
  q: string,
): Promise<Map<number, Hit[]>> {
  if (folders.length === 0) return new Map()
  const theirs = sql`folder_id = any (${folders.map(({ id }) => id)}) and ${isFileShown(reader)}`
  const many = folders.reduce((sum, { files_count: count }) => sum + count, 0)
  // `offset 0` keeps PostgreSQL from searching the index of all files in the office, which it thinks is cheap.
  const looked = many <= FEW_FILES ? sql`(select * from files where ${theirs} offset 0) as files` : sql`files`
  const { rows } = await sql<Hit>`
    select folder_id, id, total from (
      select folder_id, id, count(*) over (partition by folder_id) as total,
        row_number() over (partition by folder_id order by position) as nth
      from ${looked} where ${theirs} and ${isFound(sql<string>`search`, q)}
    ) as hits where nth <= ${SHOWN_FILES} order by folder_id, nth`.execute(db)
  return Map.groupBy(rows, ({ folder_id: folder }) => folder)
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
  const inFolder = Map.groupBy(rows, ({ folder_id: folder }) => folder)
  return new Map(
    Array.from(inFolder, ([folder, files]) => [
      folder,
      files.map(({ folder_id: _folder, ...row }) => toStoredFile(row)),
    ]),
  )
}
