import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { isFileShown } from '../../access/seen.db.ts'
import { listFileGroups, listFilePlaces } from '../../files/list/file-groups.db.ts'
import type { Database } from '../../server/database/database.ts'
import { notFound } from '../../server/http/errors.ts'
import type { Skipped } from '../transport/entry.ts'
import type { Result } from './result.ts'

/** Lists the files that the reader's form has stored, by the folder they are in now. */
export async function readResult(db: Database, reader: Reader, key: string): Promise<Result> {
  const submission = await db
    .selectFrom('submissions')
    .select(['id', 'form', sql<Skipped[] | null>`skipped`.as('skipped')])
    .where('user_id', '=', reader.id)
    .where('key', '=', key)
    .executeTakeFirst()
  if (!submission) throw notFound('Den upload findes ikke.')
  const files = await listFileGroups(db, reader, submission.id)
  const notStored = submission.skipped ?? []
  const places = await listFilePlaces(
    db,
    reader,
    notStored.map(({ folder_id: folder }) => folder),
  )
  const shown = await findShown(db, reader, notStored)
  const skipped = notStored.flatMap(({ name, twin, folder_id: folder }) => {
    const place = places.find((each) => each.folder.id === folder)
    return place ? [{ ...place, name, twin: shown.has(`${folder} ${twin}`) ? twin : null }] : []
  })
  return { form: submission.form, ...files, skipped }
}

/** Returns which twins the reader still sees: one may have been recalled, moved or deleted since. */
async function findShown(db: Database, reader: Reader, skipped: Skipped[]): Promise<Set<string>> {
  if (skipped.length === 0) return new Set()
  const { rows } = await sql<{ found: string }>`
    select files.folder_id || ' ' || files.name as found
    from unnest(${skipped.map((each) => each.folder_id)}::bigint[], ${skipped.map(({ twin }) => twin)}::text[])
      as asked (folder_id, twin)
    join files on files.folder_id = asked.folder_id and files.name collate "C" = asked.twin
    where ${isFileShown(reader)}`.execute(db)
  return new Set(rows.map(({ found }) => found))
}
