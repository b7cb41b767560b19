import { sql } from 'kysely'
import { addLogEntry } from '../../log/log.db.ts'
import { findOffice } from '../../office/office.db.ts'
import { transactional, type Database, type Trx } from '../../server/database/database.ts'
import type { Jobs } from '../../server/work/jobs.ts'
import { sendSecurityMail } from '../../server/mail.ts'
import type { Vault } from '../../server/process/vault.ts'
import { openSession, type Browser, type NewSession } from '../session/open-session.db.ts'
import {
  uncountProviderSignIn,
  forgetFailures,
  type Attempt,
  type SignInOrigin,
} from '../throttle/sign-in-throttle.db.ts'
import { findStillRight, lockActive } from '../users/users.db.ts'
import { factorMail } from './factor-mail.ts'
import { takeCode } from './factors.db.ts'
import { usePasskey, type OwnedPasskey } from './passkeys.db.ts'

/** A person between the two steps. */
export type PendingSignIn = {
  id: number
  name: string
  email: string
  password_hash: string | null
  has_app: boolean
  has_passkeys: boolean
}

/** Finds an active person who has a second factor. */
export async function findPendingSignIn(db: Database, userId: number): Promise<PendingSignIn | null> {
  const { rows } = await sql<PendingSignIn>`
    select id, name, email, password_hash, exists (select from code_apps where user_id = users.id) as has_app,
      exists (select from passkeys where user_id = users.id) as has_passkeys
    from users where id = ${userId} and deactivated_at is null and has_factor`.execute(db)
  return rows[0] ?? null
}

type Sender = { jobs: Jobs; vault: Vault; newPasswordLink: string }

/** Signs a person in who has typed a code. Returns null if the code is wrong, or the first step no longer counts. */
export const signInByCode = transactional(
  async (
    trx: Trx,
    browser: Browser,
    account: PendingSignIn,
    attempt: Attempt,
    code: string,
    { jobs, vault, newPasswordLink }: Sender,
    /** Mails the person, if the browser is new to them. */
    tell?: (trx: Trx) => Promise<void>,
  ): Promise<NewSession | null> => {
    if (!(await findStillRight(trx, account.id, account.password_hash))) return null
    const kind = await takeCode(trx, vault, account.id, code)
    if (kind === null) return null
    await forgetFailures(trx, attempt)
    await tell?.(trx)
    await addLogEntry(trx, { userId: account.id, address: browser.address }, 'sign-in', { detail: kind })
    if (kind === 'recovery-code')
      await sendSecurityMail(
        trx,
        jobs,
        factorMail(await findOffice(trx), account, 'code-used', newPasswordLink),
      )
    return openSession(trx, browser, account.id, true)
  },
)

/** Signs a person in whose passkey has answered. Returns null if it may not be used, or no longer. */
export const signInByPasskey = transactional(
  async (
    trx: Trx,
    browser: Browser,
    passkey: OwnedPasskey,
    { challenge, counter, from }: { challenge: string; counter: number; from: SignInOrigin },
    tell?: (trx: Trx) => Promise<void>,
  ): Promise<NewSession | null> => {
    if (!(await lockActive(trx, passkey.userId))) return null
    if (!(await usePasskey(trx, passkey, challenge, counter))) return null
    await uncountProviderSignIn(trx, from)
    await tell?.(trx)
    await addLogEntry(trx, { userId: passkey.userId, address: browser.address }, 'sign-in', {
      detail: 'passkey',
    })
    return openSession(trx, browser, passkey.userId, true)
  },
)
