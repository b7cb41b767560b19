import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { listFileGroups, listFilePlaces } from '../../files/list/file-groups.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import type { Result } from './result.ts'

/** Lists the files that the reader's form has stored, by the folder they are in now. */
export async function readResult(db: Database, reader: Reader, key: string): Promise<Result> {
  const submission = await db
    .selectFrom('submissions')
    .select(['id', 'form', 'skipped'])
    .where('user_id', '=', reader.id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!submission) throw notFound('Den upload findes ikke.')
  const files = await listFileGroups(db, reader, sql<boolean>`files.submission_id = ${submission.id}`)
  const notStored = submission.skipped ?? []
  const places = await listFilePlaces(
    db,
    reader,
    notStored.map(({ folder_id: folder }) => folder),
  )
  const skipped = notStored.flatMap(({ name, twin, folder_id: folder }) => {
    const place = places.find((each) => each.folder.id === folder)
    return place ? [{ ...place, name, twin }] : []
  })
  return { form: submission.form, ...files, skipped }
}
