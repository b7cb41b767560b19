import { sql } from 'kysely'
import type { FileOwner } from '../../access/reader.ts'
import { addRelease } from '../../releases/steps/releases.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { urls } from '../../urls.ts'

/** As many files as one upload may have. A larger release would be hard to look through. */
const MOST_FILES = 2000

/**
 * Returns the submission of a draft for the files of one project or person, and adds it for the first of them. The
 * caller has locked the project or the person's folder. Files are not added to a draft that somebody has published or
 * recalled.
 */
export async function findDraft(
  trx: Trx,
  importId: number,
  by: number,
  owner: FileOwner,
  files: number,
): Promise<number> {
  const key = `import-${importId}-${'user' in owner ? `u${owner.user}` : `p${owner.project}`}`
  const { rows } = await sql<{ id: number; is_open: boolean }>`
    select submissions.id, releases.state = 'draft'
      and (select count(*) from files where submission_id = submissions.id) + ${files} <= ${MOST_FILES} as is_open
    from submissions join releases on releases.submission_id = submissions.id
    where submissions.user_id = ${by} and submissions.key like ${`${key}-%`}
    for update of releases`.execute(trx)
  const open = rows.find((row) => row.is_open)
  if (open) return open.id
  const { id } = await trx
    .insertInto('submissions')
    .values({ user_id: by, key: `${key}-${rows.length + 1}`, content: key, form: urls.upload })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addRelease(trx, by, id, { way: 'draft' })
  return id
}
