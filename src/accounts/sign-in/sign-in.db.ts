import { addLogEntry, type Actor } from '../../log/log.db.ts'
import { transactional, type Trx } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendSecurityMail, type Mail } from '../../server/mail.ts'
import { endCredentials } from '../session/end-credentials.db.ts'
import { forgetFailedMails } from '../mails/failed-mails.db.ts'
import { removeSession } from '../session/sessions.db.ts'
import { findStillRight, hasFactor, lockActive } from '../users/users.db.ts'
import { removeAllFactors } from '../factor/factors.db.ts'
import { openSession, type Browser, type NewSession } from '../session/open-session.db.ts'
import { takeLinkToken } from '../links/link-tokens.db.ts'
import { forgetFailures, type Attempt } from '../throttle/sign-in-throttle.db.ts'

/**
 * Signs in somebody whose password was right, or lets them take the second step if they have one. Returns null if the password
 * was changed or the person deactivated during the comparison.
 */
export const signIn = transactional(
  async (
    trx: Trx,
    browser: Browser,
    account: NewSession['account'],
    attempt: Attempt,
    /** Mails the person, if the browser is new to them. */
    tell?: (trx: Trx) => Promise<void>,
  ): Promise<NewSession | 'second-step' | null> => {
    // A factor may have been added during the comparison, and have ended all other sessions.
    const now = await findStillRight(trx, account.id, account.password_hash)
    if (!now) return null
    await forgetFailures(trx, attempt)
    if (now.has_factor) return 'second-step'
    await tell?.(trx)
    await addLogEntry(trx, { userId: account.id, address: browser.address }, 'sign-in')
    return openSession(trx, browser, account.id)
  },
)

/**
 * Ends a session, also an expired one, which must not come alive when the clock goes back. The log names who was signed
 * in.
 */
export const signOut = transactional(
  async (trx: Trx, token: string, userId: number | null, address: string | null): Promise<void> => {
    await removeSession(trx, token)
    if (userId !== null) await addLogEntry(trx, { userId, address }, 'sign-out')
  },
)

/** Sets a new password by a link, and ends everything that somebody with the old one could still use. */
export async function setPassword(trx: Trx, actor: Actor, userId: number, hash: string): Promise<void> {
  await trx.updateTable('users').set({ password_hash: hash }).where('id', '=', userId).execute()
  await endCredentials(trx, actor, 'password-reset', { userId })
  await forgetFailedMails(trx, userId)
}

type LinkUse = {
  kind: 'reset' | 'invitation'
  token: string
  userId: number
  passwordHash: string
  /** A mail to the person, if any. */
  mail: Mail | null
}

/**
 * Sets the password that a person has chosen through a link, and signs them in, or lets them take the second step if they have
 * one. Returns null if the link is dead.
 */
export const choosePasswordByLink = transactional(
  async (
    trx: Trx,
    jobs: Jobs,
    browser: Browser,
    { kind, token, userId, passwordHash, mail }: LinkUse,
  ): Promise<NewSession | 'second-step' | null> => {
    // Locks the person, then the links, as deactivating and changing an e-mail do.
    if (!(await lockActive(trx, userId))) return null
    const link = await takeLinkToken(trx, kind, token, userId)
    if (!link) return null
    const act = kind === 'reset' ? 'password-reset' : 'invitation-accepted'
    const actor = { userId, address: browser.address }
    await setPassword(trx, actor, userId, passwordHash)
    await addLogEntry(trx, actor, act)
    if (link.removes_factors && (await removeAllFactors(trx, userId)))
      await addLogEntry(trx, actor, 'factors-reset')
    if (mail) await sendSecurityMail(trx, jobs, mail)
    return (await hasFactor(trx, userId)) ? 'second-step' : openSession(trx, browser, userId)
  },
)
