import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown } from '../../access/seen.db.ts'
import { HELD } from '../../files/file/file-fields.db.ts'
import type { HeldState } from '../../files/file/stored-file.ts'
import { addVersions, replaceHeldBack, type NewVersion } from '../../files/versions/shown.db.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Entry, Faults, Skipped, Taken } from '../transport/entry.ts'

/** A file that an entry replaces. */
type Replaced = {
  id: number
  folder_id: number
  project_id: number | null
  user_id: number | null
  name: string
  sha256: string
  from_investor: boolean
  /** Why only the office sees it; null if others do. */
  held: HeldState | null
}

/**
 * The files that a form may replace: those with the entries' names, or the one file that its page is about, whatever
 * the name.
 */
export type Replacing = 'same-name' | 'this-file'

/**
 * Locks the files that entries replace, by the entry's id, and returns faults: the page may be older than somebody
 * else's change. The caller has locked the folders.
 */
export async function lockReplaced(
  trx: Trx,
  reader: Reader,
  entries: Entry[],
  placed: Map<string, number>,
  faults: Faults,
  how: Replacing,
): Promise<Map<string, Replaced>> {
  const wanted = entries.flatMap(({ replaces }) => replaces ?? [])
  if (wanted.length === 0) return new Map()
  const { rows } = await sql<Replaced>`
    select files.id, files.folder_id, folders.project_id, folders.user_id, files.name, blobs.sha256, files.from_investor,
      ${HELD} as held
    from files join folders on folders.id = files.folder_id join blobs on blobs.id = files.blob_id
    where files.id = any (${wanted}::bigint[]) and ${isFileShown(reader)} order by files.id for update of files`.execute(
    trx,
  )
  const there = new Map(rows.map((row) => [row.id, row]))
  const replaced = new Map<string, Replaced>()
  const taken = new Set<number>()
  for (const { id, name, replaces } of entries) {
    if (replaces === undefined) continue
    const file = there.get(replaces)
    const fault =
      !file || file.folder_id !== placed.get(id) || (how === 'same-name' && file.name !== name)
        ? 'Den fil, der skulle erstattes, er flyttet, slettet eller omdøbt siden. Vælg igen.'
        : taken.has(replaces)
          ? 'En anden af filerne erstatter den samme fil.'
          : obstacleOf(file, how)
    taken.add(replaces)
    if (fault === null) replaced.set(id, file!)
    else faults[`files.${id}.replaces`] = [fault]
  }
  return replaced
}

/** Returns why a file cannot be replaced, or null if it can. */
export function obstacleOf(
  { held, from_investor: isSent }: Pick<Replaced, 'held' | 'from_investor'>,
  how: Replacing,
): string | null {
  if (isSent) return 'Filen er sendt af en investor og kan ikke erstattes. Behold begge.'
  if (how === 'same-name' && held !== null)
    return 'Filen er ikke udgivet. Vælg ”Erstat med ny version” i dens menu.'
  if (held === 'planned') return 'Filen er planlagt. Gør først udsendelsen til en kladde.'
  if (held === 'waiting') return 'Filen venter på godkendelse. Gør først udsendelsen til en kladde.'
  return null
}

/** Finds the entries that have the same bytes as the file that they replace: there is nothing to do. */
export function findUnchanged(
  entries: Entry[],
  replaced: ReadonlyMap<string, Replaced>,
  taken: Taken,
): Map<string, Skipped> {
  return new Map(
    entries.flatMap(({ id, name, hashName }) => {
      const file = replaced.get(id)
      if (!file || file.sha256 !== taken.get(hashName)!.sha256) return []
      return [[id, { name, twin: file.name, folder_id: file.folder_id }]]
    }),
  )
}

/** Stores new versions. A draft is replaced where it is; others come with the submission. Returns how many do. */
export async function storeVersions(
  trx: Trx,
  actor: Actor,
  submission: number,
  versions: (NewVersion & { file: Replaced })[],
  isHeldBack: boolean,
): Promise<number> {
  const drafts = versions.filter(({ file }) => file.held === 'draft')
  const released = versions.filter(({ file }) => file.held !== 'draft')
  for (const version of drafts) {
    const { id, folder_id: folderId, project_id: projectId, user_id: userId } = version.file
    await replaceHeldBack(trx, actor, version)
    await addLogEntry(trx, actor, 'file-replaced', {
      projectId,
      userId,
      folderId,
      fileId: id,
      detail: 'draft',
    })
  }
  await addVersions(trx, actor, submission, released, isHeldBack)
  return released.length
}
