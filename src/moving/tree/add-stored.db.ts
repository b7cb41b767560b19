import { copyLetters } from '../../uploads/names/copy-name.ts'
import { sql } from 'kysely'
import type { FileOwner } from '../../access/reader.ts'
import { addFiles, type NewFile } from '../../files/change/change.db.ts'
import { openUserFolders } from '../../files/file/user-folder.db.ts'
import { holdPapers, type HeldCause } from '../../files/versions/held.db.ts'
import type { StoredBlob } from '../../server/storage/blobs.db.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { lockTargets } from '../../uploads/form/submissions.db.ts'
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

type Asked = { id: number; folder_id: number | null; person_id: number | null; sha256: string }

/** Finds files with the same bytes in the folder that a file goes to. */
export async function findTwins(db: Database | Trx, asked: Asked[]): Promise<Map<number, Twin>> {
  if (asked.length === 0) return new Map()
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
export async function addStored(
  trx: Trx,
  of: Import,
  { draftsBy, isRead, isScanned }: Storing,
  files: Stored[],
): Promise<void> {
  const { rows: open } = await sql`
    select from imports where id = ${of.id} and undone_at is null for key share`.execute(trx)
  if (open.length === 0) throw new Error(`Import ${of.id} was taken back meanwhile.`)
  const people = [...new Set(files.flatMap(({ row }) => row.person_id ?? []))]
  const theirs = people.length > 0 ? await openUserFolders(trx, people) : new Map<number, number>()
  const folderOf = ({ folder_id: folder, person_id: person }: Ready) =>
    folder ?? (person === null ? undefined : theirs.get(person))
  const targets = await lockTargets(trx, {
    ids: [...new Set(files.flatMap(({ row }) => folderOf(row) ?? []))],
  })
  const known = new Map(targets.map((target) => [target.id, target]))
  const outcomes: Outcome[] = []
  // Checked only now, because another batch, or somebody in the office, may have stored the same bytes since.
  const twins = await findTwins(
    trx,
    files.map(({ row, sha256 }) => ({
      id: row.id,
      folder_id: row.folder_id,
      person_id: row.person_id,
      sha256,
    })),
  )
  const firsts = new Map<string, Ready>()
  // Of equal files, keeps the one whose name is not a copy's.
  for (const { row, sha256 } of files) {
    const key = `${folderOf(row)} ${sha256}`
    const first = firsts.get(key)
    if (!first || copyLetters(row.name) < copyLetters(first.name)) firsts.set(key, row)
  }
  const sameInBatch: { id: number; first: number }[] = []
  const kept = files.filter(({ row, sha256 }) => {
    const folder = folderOf(row)
    const twin = twins.get(row.id)
    if (folder === undefined || !known.has(folder))
      outcomes.push({ id: row.id, state: 'waiting', why: 'Mappen findes ikke længere.', file_id: null })
    else if (twin) outcomes.push(sameFileThere(twin))
    else {
      const first = firsts.get(`${folder} ${sha256}`)!.id
      if (first === row.id) return true
      sameInBatch.push({ id: row.id, first })
    }
    return false
  })
  const dropped = files.filter((file) => !kept.includes(file)).map(({ blob }) => blob.id)
  if (dropped.length > 0)
    await trx.updateTable('blobs').set({ state: 'removing' }).where('id', 'in', dropped).execute()
  const causes: HeldCause[] = [
    ...(isRead ? ['reading' as const] : []),
    ...(isScanned ? ['scan' as const] : []),
  ]
  await holdPapers(
    trx,
    kept.flatMap(({ blob }) => causes.map((cause) => ({ blobId: blob.id, cause, heldBy: null }))),
  )
  const shownBy = await quietTimes(trx, [...known.keys()])
  const groups = [...Map.groupBy(kept, ({ row }) => folderOf(row)!)]
  const added: { owner: FileOwner; folderId: number; files: NewFile[] }[] = []
  for (const [folderId, inside] of groups) {
    const { project_id: project, user_id: user } = known.get(folderId)!
    const owner: FileOwner = project === null ? { user: user! } : { project }
    const submissionId =
      draftsBy === null ? null : await findDraft(trx, of.id, draftsBy, owner, inside.length)
    added.push({
      owner,
      folderId,
      files: inside.map(({ row, changedAt, blob }) => {
        const createdAt = pastOf(changedAt)
        const quiet = shownBy.get(folderId)
        return {
          name: row.name,
          blobId: blob.id,
          createdAt,
          shownAt: quiet && quiet < createdAt ? quiet : createdAt,
          submissionId,
          isHeldBack: draftsBy !== null || causes.length > 0,
          place: row.place,
        }
      }),
    })
  }
  const ids = await addFiles(trx, { userId: of.made_by, address: null }, added, of.id)
  const stored = groups.flatMap(([, inside]) => inside).map(({ row }, index) => ({ row, file: ids[index]! }))
  const fileOf = new Map(stored.map(({ row, file }) => [row.id, file]))
  const nameOf = new Map(stored.map(({ row }) => [row.id, row.name]))
  await keepOutcomes(trx, [
    ...outcomes,
    ...sameInBatch.map(({ id, first }) =>
      sameFileThere({ id, file_id: fileOf.get(first)!, name: nameOf.get(first)! }),
    ),
  ])
  await sql`
    update import_files set state = 'imported', file_id = of.file
    from unnest(${stored.map(({ row }) => row.id)}::bigint[], ${stored.map(({ file }) => file)}::bigint[]) as of (id, file)
    where import_files.id = of.id`.execute(trx)
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
