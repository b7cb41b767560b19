import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown } from '../../access/seen.db.ts'
import type { Trx } from '../../server/database/database.ts'
import type { Entry, Skipped, Taken } from '../transport/entry.ts'

/** Finds entries whose bytes are already in a file of their folder that the sender sees, or earlier in the form; by the entry's id. */
export async function findSkipped(
  trx: Trx,
  reader: Reader,
  /** Files that are shown to others are not skipped for a draft's sake. */
  isHeldBack: boolean,
  entries: Entry[],
  placed: Map<string, number>,
  taken: Taken,
  /** The entries to store all the same; null for all of them. */
  keep: string[] | null,
): Promise<Map<string, Skipped>> {
  if (keep === null) return new Map()
  const asked = entries.map(({ id, name, hashName }) => ({
    id,
    name,
    folderId: placed.get(id)!,
    sha256: taken.get(hashName)!.sha256,
  }))
  const { rows } = await sql<{ folder_id: number; sha256: string; name: string }>`
    select distinct on (asked.folder_id, asked.sha256) asked.folder_id, asked.sha256, files.name
    from unnest(${asked.map(({ folderId }) => folderId)}::bigint[], ${asked.map(({ sha256 }) => sha256)}::text[])
      as asked (folder_id, sha256)
    join blobs on blobs.sha256 = asked.sha256 and blobs.state = 'stored'
    join files on files.blob_id = blobs.id and files.folder_id = asked.folder_id and ${isFileShown(reader)}
      ${isHeldBack ? sql`` : sql`and not files.is_held_back`}
    order by asked.folder_id, asked.sha256, files.position`.execute(trx)
  const there = new Map(rows.map((row) => [`${row.folder_id} ${row.sha256}`, row.name]))
  const skipped = new Map<string, Skipped>()
  for (const { id, name, folderId, sha256 } of asked) {
    const twin = there.get(`${folderId} ${sha256}`)
    if (twin === undefined) there.set(`${folderId} ${sha256}`, name)
    else if (!keep.includes(id)) skipped.set(id, { name, twin, folder_id: folderId })
  }
  return skipped
}

/** Records the files that are not stored; the next purge deletes their bytes. */
export async function dropSkipped(
  trx: Trx,
  submissionId: number,
  entries: Entry[],
  taken: Taken,
  skipped: ReadonlyMap<string, Skipped>,
): Promise<void> {
  if (skipped.size === 0) return
  const blobs = entries.filter(({ id }) => skipped.has(id)).map(({ hashName }) => taken.get(hashName)!.blobId)
  await trx.updateTable('blobs').set({ state: 'removing' }).where('id', 'in', blobs).execute()
  await trx
    .updateTable('submissions')
    .set({ skipped: JSON.stringify([...skipped.values()]) })
    .where('id', '=', submissionId)
    .execute()
}
