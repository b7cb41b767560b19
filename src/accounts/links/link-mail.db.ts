import { randomUUID } from 'node:crypto'
import { addLogEntries, addLogEntry, type Actor } from '../../log/log.db.ts'
import { queue } from '../../jobs.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { tellOutcome, type Mail, type Mailer, type MailWatch } from '../../server/mail.ts'
import { urls } from '../../urls.ts'
import { forgetFailedMails } from '../mails/failed-mails.db.ts'
import {
  addLinkTokenFor,
  findOwnerOfLink,
  LINK_HOURS,
  removeLinkToken,
  SENT_LINK_HOURS,
} from './link-tokens.db.ts'
import { findOffice } from '../../office/office.db.ts'
import type { Office } from '../../office/office.ts'
import { invitationMail, resetMail } from '../mails/mails.ts'
import { isLentTo } from '../../rights.ts'
import { findAccount, findUserName, hasWayIn } from '../users/users.db.ts'
import type { User } from '../users/user.ts'

/**
 * `invitedBy` is the person who sends it. Null or none if nobody does. `lenderId` is the investor whose papers an adviser is
 * invited to see.
 */
type LinkMail = {
  kind: 'reset' | 'invitation'
  email: string
  userId?: number
  invitedBy?: number | null
  lenderId?: number
}

/** Creates the link when the mail is sent, so that the queue never holds one. */
const SEND_LINK = queue<LinkMail>('send-link')

/** At most this many new links go to one person, so that a stranger cannot fill their mailbox. */
const MOST_NEW_LINKS = 5

/**
 * Does the same work for an unknown e-mail, so that a stranger learns nothing from the answer or the time it takes.
 */
export const askForReset = transactional(askForResetWithin)

async function askForResetWithin(trx: Trx, jobs: Jobs, actor: Actor, email: string): Promise<void> {
  await addLogEntry(trx, actor, 'password-reset-asked')
  await jobs.enqueue(trx, SEND_LINK, { kind: 'reset', email })
}

/**
 * Sends a new link to the owner of an old one. Does the same work for an unknown token, so that a stranger learns
 * nothing.
 */
export const askForNewLink = transactional(
  async (trx: Trx, jobs: Jobs, actor: Actor, token: string): Promise<void> => {
    const owner = await findOwnerOfLink(trx, token)
    await addLogEntry(trx, actor, 'password-reset-asked')
    await jobs.enqueue(trx, SEND_LINK, {
      kind: 'reset',
      email: owner?.email ?? '',
      ...(owner && { userId: owner.id }),
    })
  },
)

export async function inviteUser(
  trx: Trx,
  jobs: Jobs,
  actor: Actor,
  user: { id: number; email: string },
  lenderId?: number,
): Promise<void> {
  await addLogEntry(trx, actor, 'user-invited', { userId: user.id })
  await forgetFailedMails(trx, user.id)
  await jobs.enqueue(trx, SEND_LINK, {
    kind: 'invitation',
    email: user.email,
    userId: user.id,
    invitedBy: actor.userId,
    ...(lenderId !== undefined && { lenderId }),
  })
}

/** Links for one person go before those of an office that moves in. */
const MANY_LAST = -1

/** Invites many people at once. */
export async function inviteUsers(
  trx: Trx,
  jobs: Jobs,
  actor: Actor,
  users: readonly { id: number; email: string }[],
): Promise<void> {
  await addLogEntries(
    trx,
    actor,
    'user-invited',
    users.map(({ id }) => ({ userId: id })),
  )
  await forgetFailedMails(
    trx,
    users.map(({ id }) => id),
  )
  await jobs.enqueueMany(
    trx,
    SEND_LINK,
    users.map(({ id, email }) => ({
      id: randomUUID(),
      data: { kind: 'invitation', email, userId: id, invitedBy: actor.userId },
      priority: MANY_LAST,
    })),
  )
}

/** Sends a person a link to a new password, as often as the office wishes. Their old password works until they use it. */
export async function sendPasswordLink(
  trx: Trx,
  jobs: Jobs,
  actor: Actor,
  user: { id: number; email: string },
): Promise<void> {
  await addLogEntry(trx, actor, 'password-link-sent', { userId: user.id })
  await forgetFailedMails(trx, user.id)
  await jobs.enqueue(trx, SEND_LINK, {
    kind: 'reset',
    email: user.email,
    userId: user.id,
    invitedBy: actor.userId,
  })
}

export async function sendLinks(
  jobs: Jobs,
  db: Database,
  mailer: Mailer,
  appUrl: string,
  watch?: MailWatch,
): Promise<void> {
  await jobs.work(SEND_LINK, async ({ kind, email, userId, invitedBy, lenderId }, id, attempt) => {
    const account = await findAccount(db, email)
    if (!account || account.deactivated_at) return
    if (userId !== undefined && userId !== account.id) return // the address now belongs to somebody else
    // A person who has not accepted their invitation gets a new one instead.
    const what = (await hasWayIn(db, account.id)) ? kind : 'invitation'
    const isAskedFor = kind === 'reset' && !invitedBy
    const most = isAskedFor ? MOST_NEW_LINKS : Infinity
    const hours = what === 'reset' && !isAskedFor ? SENT_LINK_HOURS : LINK_HOURS[what]
    const token = await addLinkTokenFor(db, what, account.id, email, most, hours)
    if (token === null) return
    await tellOutcome(watch, email, id, attempt, async () => {
      try {
        const isByOffice = invitedBy !== null && invitedBy !== undefined && invitedBy !== lenderId
        // An investor who lends is named as the lender.
        const inviter = invitedBy && invitedBy !== lenderId ? await findUserName(db, invitedBy) : null
        const lender = lenderId ? await findLender(db, lenderId, isByOffice) : null
        const office = await findOffice(db)
        const isNameTyped = what === 'invitation' && !isByOffice && isLentTo(account.role)
        const user = isNameTyped ? { ...account, name: '' } : account
        await mailer.deliver(compose({ what, office, user, appUrl, token, inviter, lender, hours }), id)
      } catch (error) {
        await removeLinkToken(db, token) // nobody received it; the next try makes another
        throw error
      }
    })
  })
}

/**
 * Returns the name of a lender for a mail. A stranger never gets a name that its bearer can change, because an investor
 * could write them a message in it.
 */
async function findLender(db: Database, id: number, isByOffice: boolean): Promise<string | null> {
  if (isByOffice) return findUserName(db, id)
  const lender = await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst()
  return lender?.email ?? null
}

type Letter = {
  what: LinkMail['kind']
  office: Office
  user: User
  appUrl: string
  token: string
  inviter: string | null
  lender: string | null
  hours: number
}

function compose({ what, office, user, appUrl, token, inviter, lender, hours }: Letter): Mail {
  return what === 'reset'
    ? resetMail(office, user, appUrl + urls.resetPassword(token), hours, inviter)
    : invitationMail(office, user, appUrl + urls.invitation(token), hours, inviter, lender)
}
