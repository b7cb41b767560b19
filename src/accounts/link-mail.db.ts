import { addLogEntry, type Actor } from '../log/log.db.ts'
import type { Database, Trx } from '../server/database.ts'
import type { Job, Jobs } from '../server/jobs.ts'
import type { Mailer } from '../server/mail.ts'
import { urls } from '../urls.ts'
import { addLinkToken, countLinks, LINK_HOURS } from './link-tokens.db.ts'
import { invitationMail, resetMail } from './mails.ts'
import { findAccount } from './users.db.ts'

type LinkMail = { kind: 'reset' | 'invitation'; email: string }

/** The link is made when the mail is sent, so that no queue ever holds one. */
const SEND_LINK: Job<LinkMail> = { name: 'send-link', retryLimit: 15, retrySeconds: 5 }

/** More live links than this to one person, and somebody is only filling their mailbox. */
const MOST_LINKS = 5

/** The same work for an e-mail that nobody has: who asks learns nothing, not even from the time it takes. */
export async function askForReset(trx: Trx, jobs: Jobs, actor: Actor, email: string): Promise<void> {
  await addLogEntry(trx, actor, 'password-reset-asked')
  await jobs.enqueue(trx, SEND_LINK, { kind: 'reset', email })
}

export async function inviteUser(
  trx: Trx,
  jobs: Jobs,
  actor: Actor,
  user: { id: number; email: string },
): Promise<void> {
  await addLogEntry(trx, actor, 'user-invited', { userId: user.id })
  await jobs.enqueue(trx, SEND_LINK, { kind: 'invitation', email: user.email })
}

export async function sendLinks(jobs: Jobs, db: Database, mailer: Mailer, appUrl: string): Promise<void> {
  await jobs.work(SEND_LINK, async ({ kind, email }, id) => {
    const account = await findAccount(db, email)
    if (!account || account.deactivated_at) return
    // Who has not accepted yet gets a new invitation instead.
    const what = account.password_hash ? kind : 'invitation'
    if ((await countLinks(db, account.id)) >= MOST_LINKS) return
    const token = await addLinkToken(db, what, account.id)
    const link = appUrl + (what === 'reset' ? urls.resetPassword(token) : urls.invitation(token))
    const mail = what === 'reset' ? resetMail : invitationMail
    await mailer.deliver(mail(account, link, LINK_HOURS[what]), id)
  })
}
