import { sql } from 'kysely'
import { JOIN_OUTSIDE_READERS } from '../../access/outside-readers.db.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendMail, type Mail } from '../../server/mail.ts'
import { MOST_NAMED, namedFile, papersLink, releaseMail, type NamedRow } from './release-mail.ts'
import type { ReleaseMail } from '../release/release.ts'

/** Composes the mail about a release for somebody who sees all of it that anybody outside the office sees. */
export async function previewMail(
  db: Database | Trx,
  id: number,
  { message, is_for_everybody: isForEverybody }: ReleaseMail,
  to: { name: string; email: string },
  appUrl: string,
): Promise<Mail> {
  const { rows } = await sql<NamedRow & { total: number; papers: number[] }>`
    select array_agg(files.id) over () as papers, projects.id as project_id, projects.name as project, folders.name as folder, files.name,
      files.version_at > '-infinity' as is_version,
      count(*) over ()::integer as total
    from releases join ${filesOf(sql`releases.submission_id`)} on files.deleted_at is null
    join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id
    where releases.id = ${id} and folders.id in (
      select folders.id from folders ${JOIN_OUTSIDE_READERS}
      where folders.id in (
        select folder_id from releases join ${filesOf(sql`releases.submission_id`)} on true where releases.id = ${id}))
    order by projects.name collate danish, folders.place, folders.id, files.position limit ${MOST_NAMED}`.execute(
    db,
  )
  return releaseMail(
    await findOffice(db),
    to,
    {
      files: rows.map(namedFile),
      total: rows[0]?.total ?? 0,
      isReminder: false,
      messages: message === '' ? [] : [message],
      isForEverybody,
    },
    { link: appUrl + papersLink(rows[0]?.papers ?? []), invitationHours: null },
  )
}

/** Sends the mail to the person who asks for it, to look at. */
export const sendSample = transactional(
  async (
    trx: Trx,
    jobs: Jobs,
    id: number,
    mail: ReleaseMail,
    to: { name: string; email: string },
    appUrl: string,
  ): Promise<void> => {
    const { subject, ...rest } = await previewMail(trx, id, mail, to, appUrl)
    await sendMail(trx, jobs, { ...rest, subject: `Prøve: ${subject}` })
  },
)
