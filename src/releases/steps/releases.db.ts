import { sql } from 'kysely'
import type { Reader, Visit } from '../../access/reader.ts'
import { isPaperHeld } from '../../access/sight.db.ts'
import { holdVersions, logVersions, releaseVersions } from '../../files/versions/shown.db.ts'
import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { settle } from '../../server/edits.ts'
import { conflict } from '../../server/http/errors.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { needsApproval } from '../../office/office.db.ts'
import { askColleagues } from '../approval/approval.db.ts'
import {
  change,
  changeFiles,
  lockRelease,
  type LockedRelease,
  type Values,
} from '../approval/locked-release.db.ts'
import { countReached } from '../release/reach.db.ts'
import { askForMails, regretMails } from '../mailings/mailings.db.ts'
import { listReminded, listUnmailedSinceRecall } from '../mail/mail-again.db.ts'
import { stopRecallMails } from '../mail/tell-openers.db.ts'
import { readPlanSight, refuseOtherPapers } from '../release/plan-sight.db.ts'
import { planWords, type Opened } from '../release/release-edit.ts'
import type { Publishing } from '../release/release.ts'

/** Adds the release of a form that has just been stored, in the same transaction. */
export async function addRelease(
  trx: Trx,
  madeBy: number,
  submissionId: number,
  publishing: Publishing,
): Promise<void> {
  const isNow = publishing.way === 'now'
  await trx
    .insertInto('releases')
    .values({
      submission_id: submissionId,
      made_by: madeBy,
      state: ({ now: 'published', draft: 'draft', later: 'planned' } as const)[publishing.way],
      publish_at: publishing.way === 'later' ? publishing.at : null,
      planned_by: publishing.way === 'later' ? madeBy : null,
      published_at: isNow ? sql<Date>`now()` : null,
      published_by: isNow ? madeBy : null,
      reached: isNow ? await countReached(trx, submissionId) : null,
      planned_for: publishing.way === 'later' ? await plannedFor(trx, submissionId) : null,
    })
    .execute()
}

/** Adds the release of a form whose files wait for a colleague's approval, and asks for it. */
export async function addWaitingRelease(
  trx: Trx,
  jobs: Jobs,
  actor: Actor,
  madeBy: number,
  submissionId: number,
  publishAt: Date | null,
): Promise<void> {
  const { id } = await trx
    .insertInto('releases')
    .values({ submission_id: submissionId, made_by: madeBy, ...asking(publishAt, madeBy) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addLogEntry(trx, actor, 'release-asked', { detail: String(id) })
  await askColleagues(trx, jobs, id)
}

/** The columns of a release that waits. Milliseconds, so that a job can name the moment. */
const asking = (publishAt: Date | null, by: number | null) => ({
  state: 'waiting' as const,
  publish_at: publishAt,
  planned_by: publishAt && by,
  asked_by: by,
  asked_at: sql<Date>`date_trunc('milliseconds', now())`,
})

export const publishRelease = transactional(
  async (
    trx: Trx,
    jobs: Jobs,
    { actor, reader }: Visit,
    id: number,
    papers: string | undefined,
  ): Promise<void> => {
    const release = await lockRelease(trx, reader, id, 'publish')
    if (release.verdict === 'given') await refuseOtherPapers(trx, release.submission_id, papers)
    if (release.verdict === 'asked') await askFor(trx, jobs, actor, release, null, reader.id)
    else await publishWithin(trx, actor, reader.id, release, approvalBy(reader, release))
  },
)

/** The columns that say who has approved a release, and when. */
type ApprovedBy = Pick<Values, 'approved_at' | 'approved_by'>

const NOT_APPROVED: ApprovedBy = { approved_at: null, approved_by: null }
export const approved = (by: number): ApprovedBy => ({ approved_at: sql<Date>`now()`, approved_by: by })
const approvalBy = (reader: Reader, { verdict }: LockedRelease) =>
  verdict === 'given' ? approved(reader.id) : NOT_APPROVED

const NOT_REJECTED = { rejected_at: null, rejected_by: null, rejection: '' }
/** The columns of a release that waits for nothing. */
export const DRAFT = {
  state: 'draft',
  publish_at: null,
  asked_at: null,
  asked_by: null,
  planned_for: null,
  ...NOT_APPROVED,
} as const

/** Makes a release wait for approval. Colleagues who were asked already are not asked again. */
export async function askFor(
  trx: Trx,
  jobs: Jobs,
  actor: Actor,
  release: Pick<LockedRelease, 'id' | 'state'>,
  publishAt: Date | null,
  by: number | null,
): Promise<void> {
  const { asked_at: askedAt, ...columns } = asking(publishAt, by)
  const isFirst = release.state !== 'waiting'
  await change(trx, release, { ...columns, ...NOT_APPROVED, ...(isFirst && { asked_at: askedAt }) })
  await addLogEntry(trx, actor, 'release-asked', { detail: String(release.id) })
  if (isFirst) await askColleagues(trx, jobs, release.id)
}

/** Condition on `files`: publishing shows it. A paper that is held is shown when it is cleared: `held/clear-papers.db.ts`. */
const CAN_SHOW = sql`not ${isPaperHeld(sql`files.blob_id`)}`

/**
 * Shows the files of a release now. Mails nobody: `announceReleases` does when the time for undoing has passed since
 * `published_at`, so a plan that was approved late is mailed later too.
 */
export async function publishWithin(
  trx: Trx,
  actor: Actor,
  by: number | null,
  release: Pick<LockedRelease, 'id' | 'submission_id'>,
  approval: ApprovedBy | null,
): Promise<void> {
  await changeFiles(trx, release, {
    set: sql`is_held_back = false, shown_at = now(), released_at = now()`,
    only: CAN_SHOW,
    act: 'file-published',
    actor,
  })
  await showVersions(trx, actor, release)
  await change(trx, release, {
    state: 'published',
    publish_at: null,
    published_at: sql<Date>`now()`,
    published_by: by,
    reached: await countReached(trx, release.submission_id),
    ...approval,
    ...NOT_REJECTED,
  })
}

/** Shows the new versions of a release, which are older files' bytes from now on. */
async function showVersions(
  trx: Trx,
  actor: Actor,
  { submission_id: submission }: Pick<LockedRelease, 'submission_id'>,
): Promise<void> {
  await logVersions(
    trx,
    actor,
    'file-published',
    submission,
    sql`coalesce(file_versions.number::text, 'new')`,
  )
  await releaseVersions(trx, submission)
}

export const planRelease = transactional(
  async (
    trx: Trx,
    jobs: Jobs,
    { actor, reader }: Visit,
    id: number,
    wanted: Date,
    { edit, timeZone, papers }: Opened,
  ): Promise<void> => {
    const release = await lockRelease(trx, reader, id, 'plan')
    if (release.verdict === 'given') await refuseOtherPapers(trx, release.submission_id, papers)
    const now = { publish_at: release.publish_at?.toISOString() ?? null }
    const plan = settle(edit, planWords(timeZone), { publish_at: wanted.toISOString() }, now)
    const at = new Date(plan.publish_at ?? wanted)
    if (release.verdict === 'asked') return askFor(trx, jobs, actor, release, at, reader.id)
    await planWithin(trx, release, { at, by: reader.id }, approvalBy(reader, release))
    await addLogEntry(trx, actor, 'release-planned', { detail: String(id) })
    return undefined
  },
)

export async function planWithin(
  trx: Trx,
  release: LockedRelease,
  { at, by }: { at: Date; by: number },
  approval: ApprovedBy,
): Promise<void> {
  await change(trx, release, {
    state: 'planned',
    publish_at: at,
    planned_by: by,
    planned_for: await plannedFor(trx, release.submission_id),
    ...approval,
    ...NOT_REJECTED,
  })
}

/** Returns what a plan is made for, where a colleague has to approve: at its time it must not show more. */
async function plannedFor(trx: Trx, submission: number): Promise<string | null> {
  return (await needsApproval(trx)) ? JSON.stringify(await readPlanSight(trx, submission)) : null
}

/** Makes a planned or waiting release a draft again. */
export const holdRelease = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number): Promise<void> => {
    await change(trx, await lockRelease(trx, reader, id, 'hold'), DRAFT)
    await addLogEntry(trx, actor, 'release-held', { detail: String(id) })
  },
)

/** Asks for another mail to those who were mailed about a release and have opened none of it. */
export const remindOf = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  await lockRelease(trx, visit.reader, id, 'remind')
  const people = await listReminded(trx, id)
  if (people.length === 0)
    throw conflict('Ingen at minde om filerne: Påmindelsen er på vej, eller alle har åbnet filer.')
  await askForMails(trx, visit, 'reminder', { release: id }, people)
})

/** Takes back the mails about a release that the office has asked for and that have not left. */
export const regretReleaseMails = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  await lockRelease(trx, visit.reader, id, 'regret-mails')
  if ((await regretMails(trx, visit.actor, { release: id })) === 0)
    throw conflict('Mailen er sendt, eller en kollega har fortrudt den.')
})

/**
 * Takes all files of a release away from everybody outside the office. A file that it has replaced shows its older bytes.
 * What is under way ends by itself: mails ask again before they leave (`mail/tell-people.db.ts`), a ZIP breaks off within
 * seconds (`files/zip/archive-stream.server.ts`), and an address that a bucket answers itself is signed for a minute
 * (`server/storage/storage-s3.ts`). A single file that is being sent is sent to its end.
 */
export const recallRelease = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  const { actor, reader } = visit
  const release = await lockRelease(trx, reader, id, 'recall')
  await regretMails(trx, visit.actor, { release: id })
  await changeFiles(trx, release, { set: sql`is_held_back = true`, act: 'file-recalled', actor })
  await holdVersions(trx, release.submission_id)
  await change(trx, release, {
    state: 'recalled',
    recalled_at: sql<Date>`now()`,
    recalled_by: reader.id,
  })
})

/** Shows the files of a recalled release again. */
export const undoRecall = transactional(async (trx: Trx, visit: Visit, id: number): Promise<void> => {
  const { actor, reader } = visit
  const release = await lockRelease(trx, reader, id, 'undo-recall')
  await regretMails(trx, visit.actor, { release: id })
  await changeFiles(trx, release, {
    set: sql`is_held_back = false`,
    only: CAN_SHOW,
    act: 'file-published',
    actor,
  })
  await showVersions(trx, actor, release)
  const people = await listUnmailedSinceRecall(trx, id)
  if (people.length > 0) await askForMails(trx, visit, 'again', { release: id }, people)
  await stopRecallMails(trx, id)
  await change(trx, release, {
    state: 'published',
    recalled_at: null,
    recalled_by: null,
    // Nobody was mailed yet, so the time for undoing begins again.
    ...(release.announced_at === null && { published_at: sql<Date>`now()`, published_by: reader.id }),
  })
})
