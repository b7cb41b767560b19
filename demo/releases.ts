import { sql } from 'kysely'
import type { Parts } from '../src/server/parts.ts'
import { JOIN_OUTSIDE_READERS } from '../src/access/outside-readers.db.ts'
import { addRelease } from '../src/releases/steps/releases.db.ts'
import type { Publishing } from '../src/releases/release/release.ts'
import { foldersByName, makeFile } from '../test/make.ts'
import { noticeOf, type NoticeKind } from './papers/notices.ts'

/** Papers that only the office sees until they are published. */
const HELD_BACK: [number: string, kind: NoticeKind, way: 'draft' | 'later'][] = [
  ['1085', 'meeting', 'later'],
  ['1116', 'roof', 'draft'],
]

/** The papers of one upload that some have opened and others have not. */
const PUBLISHED = 'Kvartalsrapport (%) Q2 2026.pdf'

const WEEK_MS = 7 * 86_400_000

/** Makes a published release, a draft, a planned one and a recalled one. */
export async function fillReleases({ db, storage }: Parts, employee: number): Promise<void> {
  const submit = async (key: string, at: Date) => {
    const { rows } = await sql<{ id: number }>`
      insert into submissions (user_id, key, content, form, created_at) values (${employee}, ${key}, '', '/upload', ${at})
      returning id`.execute(db)
    return rows[0]!.id
  }
  const release = async (submission: number, publishing: Publishing) => {
    await db.transaction().execute((trx) => addRelease(trx, employee, submission, publishing))
    await sql`
      update releases set made_at = files.at, published_at = case when published_at is not null then files.at end
      from (select min(created_at) as at from files where submission_id = ${submission}) as files
      where releases.submission_id = ${submission}`.execute(db)
  }

  const published = await submit('demo-udgivet', new Date())
  await sql`update files set submission_id = ${published} where name like ${PUBLISHED}`.execute(db)
  await release(published, { way: 'now' })
  await sql`
    with announced as (
      update releases set announced_at = published_at + interval '10 minutes' where submission_id = ${published}
      returning id, announced_at
    )
    insert into release_people (release_id, user_id, outcome, told_at)
    select distinct announced.id, users.id, 'sent', announced.announced_at
    from announced, files join folders on folders.id = files.folder_id ${JOIN_OUTSIDE_READERS}
    where files.submission_id = ${published}`.execute(db)

  const hold = async (number: string, kind: NoticeKind, publishing: Publishing) => {
    const project = await db
      .selectFrom('projects')
      .select(['id', 'number', 'name'])
      .where('number', '=', number)
      .executeTakeFirstOrThrow()
    const { folder, ...paper } = noticeOf(kind, project)
    const submissionId = await submit(`demo-${number}`, paper.createdAt)
    const folders = await foldersByName(db, project.id)
    const more = { uploadedBy: employee, submissionId, isHeldBack: true }
    await makeFile({ db, storage }, folders[folder]!, { ...paper, ...more }, 'first')
    await release(submissionId, publishing)
    return submissionId
  }
  for (const [number, kind, way] of HELD_BACK)
    await hold(number, kind, way === 'draft' ? { way } : { way, at: inAWeek() })
  await recall(db, employee, await hold('1058', 'lease', { way: 'now' }))
}

/** Recalls a release that two people had opened. */
async function recall(db: Parts['db'], employee: number, submission: number): Promise<void> {
  const after = (minutes: number) => sql`releases.published_at + make_interval(mins => ${minutes}::integer)`
  await sql`
    update releases set state = 'recalled', announced_at = ${after(10)}, recalled_at = ${after(95)}, recalled_by = ${employee}
    where submission_id = ${submission}`.execute(db)
  await sql`
    with openings as (
      select users.id as user_id, files.id as file_id, folders.project_id, folders.id as folder_id, ${after(40)} as at
      from releases join files on files.submission_id = releases.submission_id
      join folders on folders.id = files.folder_id ${JOIN_OUTSIDE_READERS}
      where releases.submission_id = ${submission} order by users.id limit 2
    ), marks as (
      insert into file_reads (user_id, file_id, at) select user_id, file_id, at from openings
    )
    insert into log (act, user_id, project_id, folder_id, file_id, at)
    select 'file-opened', user_id, project_id, folder_id, file_id, at from openings
    union all
    select 'file-recalled', ${employee}, folders.project_id, folders.id, files.id, releases.recalled_at
    from releases join files on files.submission_id = releases.submission_id
    join folders on folders.id = files.folder_id where releases.submission_id = ${submission}`.execute(db)
}

/** Nine o'clock UTC in a week. */
function inAWeek(): Date {
  const at = new Date(Date.now() + WEEK_MS)
  at.setUTCHours(9, 0, 0, 0)
  return at
}
