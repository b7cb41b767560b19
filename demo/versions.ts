import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { addVersions } from '../src/files/versions/shown.db.ts'
import { addRelease } from '../src/releases/steps/releases.db.ts'
import { receiveBlob } from '../src/server/storage/blobs.db.ts'
import type { Parts } from '../src/server/parts.ts'

/** A paper that was corrected twice, some days after it came. */
const CORRECTED = { project: '1024', folder: 'Budget', corrections: ['rettet', 'rettet igen'] }

/** Gives one file two older versions. */
export async function fillVersions({ db, storage }: Parts, employee: number): Promise<void> {
  const { rows } = await sql<{ id: number; folder_id: number; key: string }>`
    select files.id, files.folder_id, blobs.key from files join folders on folders.id = files.folder_id
    join projects on projects.id = folders.project_id join blobs on blobs.id = files.blob_id
    where projects.number = ${CORRECTED.project} and folders.name = ${CORRECTED.folder}
      and blobs.type = 'application/pdf'
    order by files.position limit 1`.execute(db)
  const { id, folder_id: folder, key } = rows[0]!
  const bytes = await Readable.from(await storage.open(key)).toArray()
  for (const [index, correction] of CORRECTED.corrections.entries()) {
    // A PDF ends where it says so; what follows is not shown.
    const corrected = [...(bytes as Buffer[]), Buffer.from(`\n% ${correction}\n`)]
    const blob = await receiveBlob(db, storage, Readable.from(corrected), Infinity)
    await db.transaction().execute(async (trx) => {
      const { rows: submissions } = await sql<{ id: number }>`
        insert into submissions (user_id, key, content, form) values (${employee}, ${`demo-version-${index}`}, '', '/upload')
        returning id`.execute(trx)
      const submission = submissions[0]!.id
      await sql`select from folders where id = ${folder} for update`.execute(trx)
      const actor = { userId: employee, address: null }
      await addVersions(trx, actor, submission, [{ fileId: id, blobId: blob.id }], false)
      await addRelease(trx, employee, submission, { way: 'now' })
      const at = sql`files.created_at + make_interval(days => ${3 * index + 2}::integer)`
      await sql`
        update files set version_at = ${at}, shown_at = ${at}, released_at = ${at} where id = ${id}`.execute(
        trx,
      )
      await sql`
        update releases set made_at = files.version_at, published_at = files.version_at, announced_at = files.version_at
        from files where files.id = ${id} and releases.submission_id = ${submission}`.execute(trx)
      await sql`
        update log set at = files.version_at from files
        where files.id = ${id} and log.file_id = ${id} and log.act = 'file-replaced' and log.at > files.version_at`.execute(
        trx,
      )
    })
  }
}
