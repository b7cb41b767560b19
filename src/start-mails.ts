import type { FastifyBaseLogger } from 'fastify'
import { sendLinks } from './accounts/sign-in/link-mail.db.ts'
import { announceReceived, tellOffice } from './inbox/tell-office.db.ts'
import { queueInvitations } from './moving/sheet/list-imports.db.ts'
import { sendRestedMails } from './office/joined-mails.db.ts'
import { queueLendingMails } from './people/lend/tell-lending.db.ts'
import { mailApprovers } from './releases/approval/approval.db.ts'
import type { MailTools } from './releases/mail/mail-queue.db.ts'
import type { MailingKind } from './releases/mail/mailing.ts'
import { sendMailings, type QueueMails } from './releases/mail/mailings.db.ts'
import { announceReleases, queueAgain, queueReminders, tellPeople } from './releases/mail/tell-people.db.ts'
import { queueRecallMails, sendRecallMails } from './releases/mail/tell-openers.db.ts'
import { deliverMail } from './server/mail.ts'
import type { Parts } from './server/parts.ts'

/** Mails leave within a few seconds of their time. */
const ANNOUNCE_EVERY = 2

const queuesOf = (config: Parts['config']): Record<MailingKind, QueueMails> => ({
  reminder: queueReminders,
  again: queueAgain,
  recall: queueRecallMails,
  invitations: queueInvitations,
  lending: queueLendingMails(config),
})

/** Starts sending mails, and queueing those whose time has come. */
export async function startMails(
  { db, jobs, config }: Parts,
  tools: MailTools,
  isClockRight: () => boolean,
  log: FastifyBaseLogger,
): Promise<void> {
  const { releaseRegretMinutes: regretMinutes, timeZone } = config
  await tellPeople(jobs, tools)
  await tellOffice(jobs, { ...tools, timeZone })
  await mailApprovers(jobs, { ...tools, timeZone })
  await sendRecallMails(jobs, tools)
  const queues = queuesOf(config)
  const attempt = (work: Promise<void>, failure: string) =>
    work.catch((err: unknown) => log.error({ err }, failure))
  await jobs.watch(async () => {
    if (!isClockRight()) return
    await attempt(sendMailings(db, jobs, regretMinutes, queues), 'mails to several people were not queued')
    await attempt(
      announceReleases(db, jobs, { regretMinutes, timeZone }),
      'mails about releases were not queued',
    )
    await attempt(sendRestedMails(db, jobs), 'joined mails were not sent')
    await attempt(announceReceived(db, jobs, timeZone), 'mails about the inbox were not queued')
  }, ANNOUNCE_EVERY)
  await deliverMail(jobs, tools.mailer, tools.watch)
  await sendLinks(jobs, db, tools.mailer, config.appUrl, tools.watch)
}
