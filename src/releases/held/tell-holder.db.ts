import { sql } from 'kysely'
import { OUTSIDE_ROLES } from '../../access/outside-readers.db.ts'
import { findOffice } from '../../office/office.db.ts'
import type { Database } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendMail } from '../../server/mail.ts'
import { urls } from '../../urls.ts'
import { HELD_PAPERS } from './held-papers.db.ts'
import { heldMail, type NamedPaper } from './held-mail.ts'

/** How many papers a mail names. */
const MOST_NAMED = 10
/** A mail waits until all papers of the upload are read, but no longer than this. */
const MOST_MINUTES = 5

type UnmailedHolder = {
  name: string
  email: string
  release: number | null
  papers: NamedPaper[]
  total: number
}

/**
 * Mails the uploaders of papers that contradict their place, once for each upload, and nobody else: not whom a paper names.
 * Until somebody says yes only the office sees the paper, and a replaced file shows its older bytes. Nobody is mailed about
 * files from a directory.
 */
export async function tellHolders(db: Database, jobs: Jobs, appUrl: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<UnmailedHolder>`
      with untold as materialized (
        update held_papers set told_at = now() where cause = 'doubt' and told_at is null and blob_id in (
          select blob_id from held_papers where cause = 'doubt' and told_at is null for update skip locked
        ) and blob_id in (
          select held.blob_id from ${HELD_PAPERS} where held.cause = 'doubt' and (
            held.held_at < now() - make_interval(mins => ${MOST_MINUTES}::integer) or not exists (
              select from (
                select submission_id from ${HELD_PAPERS} where held.cause = 'reading' and held.deleted_at is null
              ) as others where others.submission_id = held.submission_id)))
        returning blob_id
      )
      select users.name, users.email, releases.id as release, count(*)::integer as total,
        json_agg(json_build_object('name', held.name, 'text', held.found -> 0 ->> 'text')
          order by held.file_id) as papers
      from ${HELD_PAPERS} join untold using (blob_id) join users on users.id = held.held_by
      left join releases on releases.submission_id = held.submission_id
      where held.deleted_at is null and users.deactivated_at is null
        and users.role <> all (${OUTSIDE_ROLES})
      group by users.id, held.submission_id, releases.id`.execute(trx)
    if (rows.length === 0) return
    const office = await findOffice(trx)
    for (const { release, papers, total, ...to } of rows) {
      const named = papers.slice(0, MOST_NAMED)
      const link = appUrl + (release === null ? urls.releases : urls.release(release))
      await sendMail(trx, jobs, heldMail(office, to, { papers: named, more: total - named.length }, link))
    }
  })
}
