import { sql } from 'kysely'
import type { Visit } from '../../access/reader.ts'
import { addLogEntry } from '../../log/log.db.ts'
import { CAN_APPROVE, findOffice } from '../../office/office.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import { conflict } from '../../server/http/errors.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendMail } from '../../server/mail.ts'
import { urls } from '../../urls.ts'
import { listPlaced } from '../approval/approval.db.ts'
import { tookPart } from '../approval/took-part.db.ts'
import { rejectionMail } from '../approval/approval-mail.ts'
import { approvedState } from '../approval/approval.ts'
import { change, lockRelease } from '../approval/locked-release.db.ts'
import { releaseName, type Naming } from '../release/release-name.ts'
import { NAMING } from '../release/release-name.db.ts'
import { refuseOtherPapers } from '../release/plan-sight.db.ts'
import { approved, DRAFT, planWithin, publishWithin } from './releases.db.ts'

/** What the page showed: the time, '' for none, and which files in which folders. */
type Shown = { publish_at?: string | undefined; papers?: string | undefined }

/** Publishes what another has uploaded, at once or at the time that they have chosen. Refuses to approve something else than `shown`. */
export const approveRelease = transactional(
  async (trx: Trx, { actor, reader }: Visit, id: number, shown: Shown): Promise<void> => {
    const release = await lockRelease(trx, reader, id, 'approve')
    const { publish_at: at, planned_by: plannedBy, made_by: madeBy } = release
    const by = plannedBy ?? madeBy
    if (shown.publish_at !== undefined && shown.publish_at !== (at?.toISOString() ?? ''))
      throw conflict('Tidspunktet er ændret imens. Genindlæs siden.')
    await refuseOtherPapers(trx, release.submission_id, shown.papers)
    // Otherwise somebody could move a colleague's files, and approve that alone.
    if (await tookPart(trx, release.submission_id, reader.id, release.asked_at))
      throw conflict(
        'Du har selv ændret filerne, eller hvem der kan se dem, siden der blev bedt om godkendelse. En anden skal svare, eller der skal bedes igen.',
      )
    await addLogEntry(trx, actor, 'release-approved', { detail: String(id) })
    if (at && approvedState(at, new Date()) === 'planned')
      await planWithin(trx, release, { at, by }, approved(reader.id))
    else await publishWithin(trx, actor, reader.id, release, approved(reader.id))
  },
)

/** Makes what another has uploaded a draft again, and tells them why. */
export const rejectRelease = transactional(
  async (
    trx: Trx,
    jobs: Jobs,
    { actor, reader }: Visit,
    id: number,
    message: string,
    appUrl: string,
  ): Promise<void> => {
    const release = await lockRelease(trx, reader, id, 'reject')
    await change(trx, release, {
      ...DRAFT,
      rejected_at: sql<Date>`now()`,
      rejected_by: reader.id,
      rejection: message,
    })
    await addLogEntry(trx, actor, 'release-rejected', { detail: String(id) })
    const { rows } = await sql<{ name: string; email: string; rejecter: string; naming: Naming }>`
      select users.name, users.email, rejecters.name as rejecter, ${NAMING} as naming
      from users join users as rejecters on rejecters.id = ${reader.id} join releases on releases.id = ${id}
      where users.id = ${release.asked_by ?? release.made_by} and ${CAN_APPROVE}`.execute(trx)
    const [maker] = rows
    if (!maker) return // they have left the office
    const { rejecter, naming, ...to } = maker
    const placed = await listPlaced(trx, release.submission_id)
    const content = { release: releaseName(naming), ...placed, rejecter, message }
    const mail = rejectionMail(await findOffice(trx), to, content, appUrl + urls.release(id))
    await sendMail(trx, jobs, mail)
  },
)
