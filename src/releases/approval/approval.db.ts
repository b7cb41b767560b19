import { sql } from 'kysely'
import type { Reader } from '../../access/reader.ts'
import { filesOf } from '../../files/versions/shown.db.ts'
import { CAN_APPROVE, findOffice, needsApproval } from '../../office/office.db.ts'
import { queue } from '../../jobs.ts'
import type { Database, Trx } from '../../server/database/database.ts'
import { prepare } from '../../server/database/prepared.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { tellOutcome, type Mailer, type MailWatch } from '../../server/mail.ts'
import { urls } from '../../urls.ts'
import { approvalMail, type ApprovalContent, type PlacedFile } from './approval-mail.ts'
import { tookPart } from './took-part.db.ts'
import { judge, type Approval, type Verdict, type WaitingRelease } from './approval.ts'
import { MOST_NAMED } from '../mail/release-mail.ts'
import { readPapers } from '../release/plan-sight.db.ts'
import { countReached, countReachedIn } from '../release/reach.db.ts'
import { releaseName, withName, type Naming, type Unnamed } from '../release/release-name.ts'
import { NAMING } from '../release/release-name.db.ts'
import { withTexts, type Moments } from '../release/release.ts'

/** Says what publishing new files in these folders by the person who uploads them means. */
export async function judgeUpload(trx: Trx, folderIds: number[]): Promise<Verdict> {
  if (!(await needsApproval(trx))) return 'needless'
  return judge({ isWanted: true, isMaker: true, reached: await countReachedIn(trx, folderIds) })
}

/** Says what publishing a release means. */
export async function judgeRelease(
  db: Database | Trx,
  release: { submission_id: number; made_by: number },
  reader: Reader,
): Promise<Verdict> {
  if (!(await needsApproval(db))) return 'needless'
  // Files in the trash are published too, and seen when they are restored.
  const reached = await countReached(db, release.submission_id, { withTrash: true })
  const isMaker =
    release.made_by === reader.id || (await tookPart(db, release.submission_id, reader.id, null))
  return judge({ isWanted: true, isMaker, reached })
}

type Asking = {
  releaseId: number
  userId: number
  /** Tells the mails of an earlier time that it was asked. */
  askedAt: string
}

/** The job's id is the mail's Message-ID. */
export const ASK_COLLEAGUE = queue<Asking>('ask-colleague')

/** Queues a mail to everybody who can approve a release, in the transaction that makes it wait. */
export async function askColleagues(trx: Trx, jobs: Jobs, releaseId: number): Promise<void> {
  const { rows } = await sql<{ job: string; user_id: number; asked_at: Date }>`
    select gen_random_uuid() as job, users.id as user_id, releases.asked_at
    from releases join users on users.id <> coalesce(releases.asked_by, releases.made_by) and ${CAN_APPROVE}
    where releases.id = ${releaseId}`.execute(trx)
  if (rows.length === 0) return
  await jobs.enqueueMany(
    trx,
    ASK_COLLEAGUE,
    rows.map(({ job, user_id: userId, asked_at: at }) => ({
      id: job,
      data: { releaseId, userId, askedAt: at.toISOString() },
    })),
  )
}

type Tools = {
  db: Database
  mailer: Mailer
  appUrl: string
  timeZone: string
  watch: MailWatch | undefined
}

/** Starts sending the mails that ask for approval. Sends none if there is nothing to approve any more. */
export async function mailApprovers(jobs: Jobs, { db, mailer, watch, ...way }: Tools): Promise<void> {
  await jobs.work(ASK_COLLEAGUE, async (asking, id, attempt) => {
    const asked = await findAsked(db, asking)
    if (!asked) return
    const mail = approvalMail(await findOffice(db), asked.to, asked.content, {
      link: way.appUrl + urls.release(asking.releaseId),
      timeZone: way.timeZone,
    })
    await tellOutcome(watch, mail.to, id, attempt, () => mailer.deliver(mail, id))
  })
}

async function findAsked(
  db: Database,
  { releaseId, userId, askedAt }: Asking,
): Promise<{ to: { name: string; email: string }; content: ApprovalContent } | null> {
  const { rows } = await sql<{
    submission_id: number
    name: string
    email: string
    asker: string
    publish_at: Date | null
    naming: Naming
  }>`
    select ${NAMING} as naming, releases.submission_id, users.name, users.email, makers.name as asker, releases.publish_at
    from releases join users as makers on makers.id = coalesce(releases.asked_by, releases.made_by)
    join users on users.id = ${userId} and ${CAN_APPROVE}
    where releases.id = ${releaseId} and releases.state = 'waiting' and releases.asked_at = ${askedAt}::timestamptz`.execute(
    db,
  )
  const [row] = rows
  if (!row) return null
  const { submission_id: submission, asker, publish_at: publishAt, naming, ...to } = row
  const { files, total } = await listPlaced(db, submission)
  if (total === 0) return null
  const reached = await countReached(db, submission)
  return { to, content: { release: releaseName(naming), asker, publishAt, files, total, reached } }
}

/** Lists the first files of a submission, with where they are, and counts them. */
export async function listPlaced(
  db: Database | Trx,
  submission: number,
): Promise<{ files: PlacedFile[]; total: number }> {
  const { rows } = await sql<PlacedFile & { total: number }>`
    select files.name, count(*) over ()::integer as total, ${PLACE} as owner,
      case when projects.id is not null then folders.name end as folder
    from ${filesOf(submission)} join folders on folders.id = files.folder_id
    left join projects on projects.id = folders.project_id
    left join users on users.id = folders.user_id
    where files.deleted_at is null
    order by ${PLACE} collate danish, folders.place, folders.id, files.position limit ${MOST_NAMED}`.execute(
    db,
  )
  return {
    files: rows.map(({ name, owner, folder }) => ({ name, owner, folder })),
    total: rows[0]?.total ?? 0,
  }
}

/** The name of the project or the person that a folder belongs to. */
const PLACE = sql<string>`coalesce(projects.name, users.name)`

/** Reads a release's approval, as one person sees it. */
export async function readApproval(db: Database, reader: Reader, id: number): Promise<Approval> {
  type Row = Omit<Approval, 'verdict' | 'papers'>
  const { rows } = await sql<Moments<Row> & { submission_id: number; made_by: number }>`
    select releases.submission_id, releases.made_by, askers.id = ${reader.id} as is_asker, askers.name as asked_by,
      exists (select from users where users.id <> askers.id and ${CAN_APPROVE}) as has_approver,
      releases.asked_at, coalesce(releases.publish_at <= now(), false) as is_overdue, releases.approved_at,
      approvers.name as approved_by, releases.rejected_at, rejecters.name as rejected_by, releases.rejection
    from releases join users as askers on askers.id = coalesce(releases.asked_by, releases.made_by)
    left join users as approvers on approvers.id = releases.approved_by
    left join users as rejecters on rejecters.id = releases.rejected_by
    where releases.id = ${id}`.execute(db)
  const { submission_id: submission, made_by: maker, ...row } = rows[0]!
  return {
    ...withTexts<Row>(row),
    papers: await readPapers(db, submission),
    verdict: await judgeRelease(db, { submission_id: submission, made_by: maker }, reader),
  }
}

const findWaiting = prepare<{ reader: number; most: number }, Unnamed<WaitingRelease> & { total: number }>(
  ({ reader, most }) => sql`
    select releases.id, ${NAMING} as naming, releases.asked_at, makers.name as made_by, held.files,
      count(*) over ()::integer as total
    from releases join users as makers on makers.id = coalesce(releases.asked_by, releases.made_by)
    join lateral (
      select count(*)::integer as files from ${filesOf(sql`releases.submission_id`)} where files.deleted_at is null
    ) as held on held.files > 0
    where releases.state = 'waiting' and makers.id <> ${reader}::bigint
    order by releases.asked_at, releases.id limit ${most}::integer`,
)

/** Lists the releases that somebody can approve, those that have waited longest first, and counts them. */
export async function listWaiting(
  db: Database,
  reader: Reader,
  most: number,
): Promise<{ releases: WaitingRelease[]; total: number }> {
  const rows = await findWaiting(db, { reader: reader.id, most })
  return {
    releases: rows.map(({ total: _total, ...row }) => withName<WaitingRelease>(row)),
    total: rows[0]?.total ?? 0,
  }
}
