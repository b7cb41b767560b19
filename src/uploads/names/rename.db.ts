import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Edit } from '../../server/edits.ts'
import type { FileOwner, Visit } from '../../access/reader.ts'
import { changingFiles, lockFiles } from '../../files/change/lock.db.ts'
import { ownerLogFields } from '../../files/file/owner.db.ts'
import type { FolderOption } from '../../files/file/stored-file.ts'
import { rememberUndo, type Undoable } from '../../files/change/remember-undo.db.ts'
import { logChangedFile, loggedBy } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { settle } from '../../server/edits.ts'
import { invalid } from '../../server/http/errors.ts'
import { extensionFault, periodInName, readFileName } from '../../files/names/file-name.ts'
import { placeInFolder } from './placing.ts'
import { resolveFolders } from './resolve.db.ts'

type Renamed = {
  /** The id to take it back by; null if the name is the same. */
  undo: string | null
  /** The folder of the same project to which the new name leads, if that is another one. */
  elsewhere: FolderOption | null
}

/** Gives a file another name, which is clean. Its place, its history and its addresses stay. */
export const renameFile = changingFiles(renameFileWithin)

async function renameFileWithin(
  trx: Trx,
  visit: Visit,
  owner: FileOwner,
  fileId: number,
  wanted: string,
  edit: Edit | null,
): Promise<Renamed> {
  const { actor, reader } = visit
  const {
    files: [file],
  } = await lockFiles(trx, reader, owner, [fileId])
  const { name } = settle(edit, { name: 'Nyt navn' }, { name: wanted }, { name: file!.name })
  const fault = extensionFault(file!.name, name)
  if (fault) throw invalid({ name: [fault] })
  const elsewhere = await findElsewhere(trx, visit, owner, file!.folder_id, name)
  if (file!.name === name) return { undo: null, elsewhere }
  const undo = randomUUID()
  const logged = loggedBy(actor, ownerLogFields(owner))
  await nameQuery(trx, {
    ...logged,
    undo,
    file: fileId,
    name,
    period: periodInName(name),
    was_period: periodInName(file!.name),
  })
  return { undo, elsewhere }
}

type Naming = Undoable & {
  file: number
  name: string
  /** The periods of the new and the old name. A period that was given by hand stays. */
  period: string | null
  was_period: string | null
}

const nameQuery = prepare<Naming, { id: number }>(
  (slots) => sql`
    with was as materialized (
      select id, folder_id, name from files where id = ${slots.file}::bigint
    ), changed as (
      update files set name = ${slots.name}::text,
        period = case when is_period_given then period else ${slots.period}::text end
      from was
      where files.id = was.id
      returning files.id, files.folder_id, files.name, was.folder_id as was_folder_id, was.name as was_name,
        ${slots.was_period}::text as was_period
    ), entry as (${logChangedFile('file-renamed', slots)} returning id), names as (
      insert into log_names (log_id, before, after) select entry.id, was.name, ${slots.name}::text from entry, was
    )
    ${rememberUndo('rename', slots)}`,
)

async function findElsewhere(
  trx: Trx,
  { reader }: Visit,
  owner: FileOwner,
  folderId: number,
  name: string,
): Promise<FolderOption | null> {
  const said = readFileName(name)
  if (!said || 'user' in owner) return null
  const map = await resolveFolders(trx, reader, { folders: [said.folder], keys: [said.key] })
  const { where } = placeInFolder(name, map, null)
  if (!where || where.project.id !== owner.project || where.folder.id === folderId) return null
  const { id, name: folder, visible_to_investors: isShared } = where.folder
  return { id, name: folder, visible_to_investors: isShared }
}
