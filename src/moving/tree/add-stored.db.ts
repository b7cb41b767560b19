import { copyLetters } from '../../uploads/names/copy-name.ts'
import { sql } from 'kysely'
import type { FileOwner } from '../../access/reader.ts'
import { addFiles, type NewFiles } from '../../files/change/change.db.ts'
import { openUserFolders } from '../../files/file/user-folder.db.ts'
import { holdPapers, type HeldCause } from '../../files/versions/held.db.ts'
import type { StoredBlob } from '../../server/storage/blobs.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { lockTargets } from '../../uploads/form/lock-folders.db.ts'
import { findDraft } from './drafts.db.ts'
import type { Import, ImportState } from './tree-imports.db.ts'

/** A file that can be stored. */
export type Ready = {
  id: number
  path: Buffer
  size: number
  folder_id: number | null
  person_id: number | null
  name: string
  /** Its place in the folder, in an export. */
  place: number | null
}
/** The outcome of a file that is not stored. */
export type Outcome = { id: number; state: ImportState; why: string; file_id: number | null }

export type DatedFile = { row: Ready; changedAt: Date }

/** Records the outcome of files that were not stored. */
export async function keepOutcomes(db: Database | Trx, outcomes: Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  await sql`
    update import_files set state = of.state, why = of.why, file_id = of.file_id
    from json_to_recordset(${JSON.stringify(outcomes)}::json) as of (id bigint, state text, why text, file_id bigint)
    where import_files.id = of.id and import_files.state = 'ready'`.execute(db)
}

type Twin = { id: number; file_id: number; name: string }

export const sameFileThere = ({ id, file_id: fileId, name }: Twin): Outcome => ({
  id,
  state: 'there',
  why: `Samme indhold ligger der allerede som ”${name}”.`,
  file_id: fileId,
})

/** Finds files with the same bytes in the folder that a file goes to. */
export async function findTwins(
  db: Database | Trx,
  files: { row: Ready; sha256: string }[],
): Promise<Map<number, Twin>> {
  if (files.length === 0) return new Map()
  const asked = files.map(({ row: { id, folder_id: folder, person_id: person }, sha256 }) => ({
    id,
    folder_id: folder,
    person_id: person,
    sha256,
  }))
  const { rows } = await sql<Twin>`
    select distinct on (asked.id) asked.id, files.id as file_id, files.name
    from json_to_recordset(${JSON.stringify(asked)}::json) as asked (id bigint, folder_id bigint, person_id bigint, sha256 text)
    join folders on folders.id = asked.folder_id or folders.user_id = asked.person_id
    join blobs on blobs.sha256 = asked.sha256 and blobs.state = 'stored'
    join files on files.blob_id = blobs.id and files.folder_id = folders.id and files.deleted_at is null
    order by asked.id, files.position`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** How files are stored. */
export type Storing = {
  /** The author of the drafts; null if the files are shown as soon as they are read. */
  draftsBy: number | null
  /** Whether papers are read here, so that nobody outside the office sees an unread one. */
  isRead: boolean
  /** Whether they are scanned for viruses first. */
  isScanned: boolean
}

type Stored = DatedFile & { sha256: string; blob: StoredBlob }

/** Adds files for bytes that are stored, in the transaction that marks the bytes. */
export async function addStored(trx: Trx, of: Import, storing: Storing, files: Stored[]): Promise<void> {
  const { rows: open } = await sql`
    select from imports where id = ${of.id} and undone_at is null for key share`.execute(trx)
  if (open.length === 0) throw new Error(`Import ${of.id} was taken back meanwhile.`)
  const rows = files.map(({ row }) => row)
  const folders = await lockFoldersOf(trx, rows)
  const { kept, doubles, outcomes } = await withoutDoubles(trx, files, folders)
  const dropped = files.filter((file) => !kept.includes(file)).map(({ blob }) => blob.id)
  if (dropped.length > 0)
    await trx.updateTable('blobs').set({ state: 'removing' }).where('id', 'in', dropped).execute()
  const stored = await addKept(trx, of, storing, kept, folders)
  const fileOf = new Map(stored.map(({ row, file }) => [row.id, file]))
  await keepOutcomes(trx, [
    ...outcomes,
    ...doubles.map(({ id, first }) =>
      sameFileThere({ id, file_id: fileOf.get(first.id)!, name: first.name }),
    ),
  ])
  await sql`
    update import_files set state = 'imported', file_id = of.file
    from unnest(${stored.map(({ row }) => row.id)}::bigint[], ${stored.map(({ file }) => file)}::bigint[]) as of (id, file)
    where import_files.id = of.id`.execute(trx)
}

/** The locked folder that each row goes to, by the row's id. Missing where the folder is gone. */
type Folders = ReadonlyMap<number, { id: number; owner: FileOwner }>

async function lockFoldersOf(trx: Trx, rows: Ready[]): Promise<Folders> {
  const people = [...new Set(rows.flatMap(({ person_id: person }) => person ?? []))]
  const theirs = people.length > 0 ? await openUserFolders(trx, people) : new Map<number, number>()
  const folderOf = ({ folder_id: folder, person_id: person }: Ready) =>
    folder ?? (person === null ? undefined : theirs.get(person))
  const targets = await lockTargets(trx, { ids: [...new Set(rows.flatMap((row) => folderOf(row) ?? []))] })
  const known = new Map(
    targets.map(({ id, project_id: project, user_id: user }) => {
      const owner: FileOwner = project === null ? { user: user! } : { project }
      return [id, { id, owner }]
    }),
  )
  return new Map(
    rows.flatMap((row) => {
      const folder = known.get(folderOf(row) ?? 0)
      return folder ? [[row.id, folder] as const] : []
    }),
  )
}

/** Keeps one file of those with the same bytes in a folder, unless one is there already. */
async function withoutDoubles(
  trx: Trx,
  files: Stored[],
  folders: Folders,
): Promise<{ kept: Stored[]; doubles: { id: number; first: Ready }[]; outcomes: Outcome[] }> {
  const outcomes: Outcome[] = []
  // Checked only now, because another batch, or somebody in the office, may have stored the same bytes since.
  const twins = await findTwins(trx, files)
  const fresh = files.filter(({ row: { id } }) => {
    const twin = twins.get(id)
    if (!folders.has(id))
      outcomes.push({ id, state: 'waiting', why: 'Mappen findes ikke længere.', file_id: null })
    else if (twin) outcomes.push(sameFileThere(twin))
    else return true
    return false
  })
  const keyOf = ({ row, sha256 }: Stored) => `${folders.get(row.id)!.id} ${sha256}`
  const firsts = new Map<string, Ready>()
  // Of equal files, keeps the one whose name is not a copy's.
  for (const file of fresh) {
    const first = firsts.get(keyOf(file))
    if (!first || copyLetters(file.row.name) < copyLetters(first.name)) firsts.set(keyOf(file), file.row)
  }
  const kept: Stored[] = []
  const doubles: { id: number; first: Ready }[] = []
  for (const file of fresh) {
    const first = firsts.get(keyOf(file))!
    if (first === file.row) kept.push(file)
    else doubles.push({ id: file.row.id, first })
  }
  return { kept, doubles, outcomes }
}

/** Adds the files to their folders, held back as their papers or their draft say. Returns their ids. */
async function addKept(
  trx: Trx,
  of: Import,
  { draftsBy, isRead, isScanned }: Storing,
  kept: Stored[],
  folders: Folders,
): Promise<{ row: Ready; file: number }[]> {
  const causes: HeldCause[] = [
    ...(isRead ? ['reading' as const] : []),
    ...(isScanned ? ['scan' as const] : []),
  ]
  const held = kept.flatMap(({ blob }) => causes.map((cause) => ({ blobId: blob.id, cause, heldBy: null })))
  await holdPapers(trx, held)
  const groups = [...Map.groupBy(kept, ({ row }) => folders.get(row.id)!)]
  const ids = groups.map(([{ id }]) => id)
  const shownBy = await quietTimes(trx, ids)
  const added: NewFiles[] = []
  for (const [{ id: folderId, owner }, inside] of groups) {
    const submissionId =
      draftsBy === null ? null : await findDraft(trx, of.id, draftsBy, owner, inside.length)
    const quiet = shownBy.get(folderId)
    const files = inside.map(({ row, changedAt, blob }) => {
      const createdAt = pastOf(changedAt)
      return {
        name: row.name,
        blobId: blob.id,
        createdAt,
        shownAt: quiet && quiet < createdAt ? quiet : createdAt,
        submissionId,
        isHeldBack: draftsBy !== null || causes.length > 0,
        place: row.place,
      }
    })
    added.push({ owner, folderId, files })
  }
  const fileIds = await addFiles(trx, { userId: of.made_by, address: null }, added, of.id)
  return groups.flatMap(([, inside]) => inside).map(({ row }, index) => ({ row, file: fileIds[index]! }))
}

/** Files keep their dates from the drive. A date in the future becomes now, because some drives have wrong clocks. */
const pastOf = (changedAt: Date) => {
  const now = Date.now()
  const time = changedAt.getTime()
  return time > 0 && time < now ? changedAt : new Date(now)
}

/**
 * Returns a time for each folder before which everything is old to everybody who sees it, so that nothing is marked as
 * new.
 */
async function quietTimes(trx: Trx, folders: number[]): Promise<Map<number, Date>> {
  const { rows } = await sql<{ id: number; at: Date | null }>`
    select folders.id, least(
      (select min(since) from project_members where project_members.project_id = folders.project_id),
      (select created_at from users where users.id = folders.user_id),
      (select min(created_at) from lendings)) as at
    from folders where folders.id = any (${folders})`.execute(trx)
  return new Map(rows.flatMap(({ id, at }) => (at ? [[id, at] as const] : [])))
}
