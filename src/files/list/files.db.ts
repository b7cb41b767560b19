import { sql, type RawBuilder } from 'kysely'
import type { FileOwner, Reader } from '../../access/reader.ts'
import { contentsSeen, isFileShown, isFolderOf, type QueriedOwner } from '../../access/seen.db.ts'
import { EVERYTHING, type ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import { readPage } from '../../server/database/list.db.ts'
import { isOffice } from '../../rights.ts'
import { isFound } from '../../server/database/search.db.ts'
import { checkOwner } from '../file/owner.db.ts'
import { fileFields, toStoredFile, type FileRow } from '../file/file-fields.db.ts'
import type { FolderOption, StoredFile } from '../file/stored-file.ts'

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

/**
 * Condition on folders: a person sees their own folder when it has something that they see, and not with its first
 * draft.
 */
export function isListed(owner: QueriedOwner, reader: Reader): RawBuilder<boolean> {
  return 'user' in owner && !isOffice(reader.role)
    ? sql<boolean>`${contentsSeen(reader).filesCount} > 0`
    : sql<boolean>`true`
}

/** Condition on folders: the search finds the name, and so all its files. The name of a person's folder is never shown. */
export function isFoundByName(owner: FileOwner, q: string): RawBuilder<boolean> {
  return 'user' in owner && q !== '' ? sql<boolean>`false` : isFound(sql<string>`search`, q)
}
