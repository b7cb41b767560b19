import { hasOwnFiles, rolesThat } from '../../rights.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { FileOwner, Visit } from '../../access/reader.ts'
import {
  addLogEntries,
  addLogEntry,
  logChangedFile,
  loggedBy,
  type Actor,
  type Logged,
} from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import { conflict, invalid } from '../../server/http/errors.ts'
import { changeAtOnce, changingFile, lockFile } from './lock.db.ts'
import { placeAtStart, placesAtStart } from './order.db.ts'
import { compareNewFiles } from './order.ts'
import { onOwner } from '../owner.db.ts'
import { openUserFolders } from '../user-folder.db.ts'

export type NewFile = {
  name: string
  blobId: number
  year?: number | null
  uploadedBy?: number | null
  createdAt?: Date
  fromInvestor?: boolean
  submissionId?: number | null
}

/** New files for the start of a folder. The caller has locked the folder. */
export type NewFiles = { owner: FileOwner; folderId: number; files: NewFile[] }

/** Adds files at the start of their folders, sorted by `compareNewFiles`. Returns their ids in the order given. */
export async function addFiles(trx: Trx, actor: Actor, folders: NewFiles[]): Promise<number[]> {
  const blobs = folders.flatMap(({ files }) => files.map(({ blobId }) => blobId))
  if (blobs.length === 0) return []
  await holdBlobs(trx, blobs)
  const places = await placesAtStart(
    trx,
    new Map(folders.map(({ folderId, files }) => [folderId, files.length])),
  )
  const rows = folders.flatMap(({ folderId, files }) => {
    const inOrder = files.toSorted(compareNewFiles)
    const placeOf = new Map(inOrder.map((file, index) => [file, places.get(folderId)![index]!]))
    return files.map((file) => rowOf(actor, folderId, placeOf.get(file)!, file))
  })
  const added: { id: number; folder_id: number }[] = []
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    added.push(
      ...(await trx
        .insertInto('files')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .returning(['id', 'folder_id'])
        .execute()),
    )
  const owners = new Map(folders.map(({ folderId, owner }) => [folderId, onOwner(owner)]))
  await addLogEntries(
    trx,
    actor,
    'file-added',
    added.map(({ id, folder_id: folderId }) => ({ ...owners.get(folderId), folderId, fileId: id })),
  )
  return added.map(({ id }) => id)
}

/** PostgreSQL allows 65,535 values per statement. */
const ROWS_AT_ONCE = 5000

function rowOf(actor: Actor, folderId: number, position: string, file: NewFile) {
  const {
    name,
    blobId,
    year = null,
    uploadedBy = actor.userId,
    createdAt,
    submissionId = null,
    fromInvestor = false,
  } = file
  return {
    folder_id: folderId,
    blob_id: blobId,
    name,
    key: randomBytes(16).toString('hex'),
    year,
    position,
    uploaded_by: uploadedBy,
    submission_id: submissionId,
    from_investor: fromInvestor,
    ...(createdAt && { created_at: createdAt, shown_at: createdAt }),
  }
}

/** Locks blobs, so that they stay until the files are added. Refuses if one is already being removed. */
async function holdBlobs(trx: Trx, ids: number[]): Promise<void> {
  const { rows } = await sql`
    select from blobs where id = any (${ids}) and state = 'stored' for share`.execute(trx)
  if (rows.length < new Set(ids).size)
    throw conflict('En af filerne er ikke længere på serveren. Send den igen.')
}

/**
 * Moves a file to the start of another folder of the same owner. Refuses the move if it shows the file to investors
 * and the page did not warn of that, because one of the folders has just been changed.
 */
export const moveFile = changingFile(moveFileWithin)

type Moving = Logged & { file: number; folder: number; position: string; is_shown: boolean }

const moveTo = prepare<Moving, { id: number }>(
  (slots) => sql`
    with changed as (
      update files set folder_id = ${slots.folder}::bigint, position = ${slots.position}::text,
        shown_at = case when ${slots.is_shown}::boolean then now() else shown_at end
      where id = ${slots.file}::bigint returning id, folder_id
    ) ${logChangedFile('file-moved', slots)} returning id`,
)

async function moveFileWithin(
  trx: Trx,
  { actor, reader }: Visit,
  owner: FileOwner,
  fileId: number,
  folderId: number,
  isAwareOfSharing = true,
): Promise<void> {
  const { file, folders } = await lockFile(trx, reader, owner, fileId, { target: folderId })
  const isSeen = (id: number) => folders.get(id)!.visible_to_investors
  if (isSeen(folderId) && !isSeen(file.folder_id) && !isAwareOfSharing)
    throw conflict('Det er lige blevet ændret, hvem der kan se mappen. Listen er hentet igen.')
  if (file.folder_id === folderId) return
  await moveTo(trx, {
    file: fileId,
    folder: folderId,
    position: await placeAtStart(trx, folderId),
    is_shown: isSeen(folderId) && !isSeen(file.folder_id),
    ...loggedBy(actor, onOwner(owner)),
  })
}

/** Moves a file that was given to the wrong person to another person. The file counts as new to them. */
export const moveFileToPerson = changingFile(moveFileToPersonWithin)

async function moveFileToPersonWithin(
  trx: Trx,
  { actor, reader }: Visit,
  from: number,
  fileId: number,
  to: number,
): Promise<void> {
  const { rows: investors } = await sql`
    select from users where id = ${to} and role = any (${rolesThat(hasOwnFiles)}) for share`.execute(trx)
  if (investors.length === 0) throw invalid({ user_id: ['Vælg en investor: Kun investorer har egne filer.'] })
  const target = (await openUserFolders(trx, [to])).get(to)!
  const { file } = await lockFile(trx, reader, { user: from }, fileId, { target, targetOf: { user: to } })
  if (file.folder_id === target) return
  await addLogEntry(trx, actor, 'file-moved-away', { userId: from, folderId: file.folder_id, fileId })
  const position = await placeAtStart(trx, target)
  const logged = loggedBy(actor, { userId: to })
  await moveTo(trx, { file: fileId, folder: target, position, is_shown: true, ...logged })
}

/** Moves a file to the trash. It keeps its position. */
export const deleteFile = changeAtOnce(
  'file-deleted',
  false,
  ({ actor }) => sql`deleted_at = now(), deleted_by = ${actor}::bigint`,
)
