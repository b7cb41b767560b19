import { sql } from 'kysely'
import { spokenTime } from '../base/time/dates.ts'
import type { Scope } from '../rights.ts'
import { sendJoinedMail } from '../office/joined-mails.db.ts'
import { findOffice } from '../office/office.db.ts'
import type { Trx } from '../server/database/database.ts'
import { sendSecurityMail } from '../server/mail.ts'
import type { Parts } from '../server/parts.ts'
import { urls } from '../urls.ts'
import { deviceName } from './device-name.ts'
import { newDeviceMail, roleChangedMail, tokenAddedMail } from './mails.ts'
import type { User } from './user.ts'

type Mailing = Pick<Parts, 'jobs' | 'config'>

/**
 * Mails somebody who signs in from a browser that they have not used before; not the first time ever. Called before the
 * sign-in is logged, in its transaction.
 */
export async function mailAboutNewDevice(
  trx: Trx,
  { jobs, config }: Mailing,
  userId: number,
  userAgent: string,
): Promise<void> {
  const { rows } = await sql<User>`
    select id, name, email, role from users where id = ${userId} and exists (
      select from log where user_id = users.id
        and act in ('sign-in', 'password-reset', 'invitation-accepted', 'setup'))`.execute(trx)
  const [user] = rows
  if (!user) return
  const about = { device: deviceName(userAgent), at: spokenTime(new Date(), config.timeZone) }
  const link = config.appUrl + urls.forgotPassword
  await sendSecurityMail(trx, jobs, newDeviceMail(await findOffice(trx), user, link, about))
}

/** Mails somebody that their role has changed. Not somebody who is deactivated or has never signed in. */
export async function mailAboutRole(
  trx: Trx,
  { jobs, config }: Mailing,
  userId: number,
  roles: { before: string; after: string },
): Promise<void> {
  const { rows } = await sql<User>`
    select id, name, email, role from users
    where id = ${userId} and deactivated_at is null and has_way_in(users)`.execute(trx)
  const [user] = rows
  if (!user) return
  await sendSecurityMail(
    trx,
    jobs,
    roleChangedMail(await findOffice(trx), user, config.appUrl + urls.login, roles),
  )
}

/** Mails somebody that an API key was made for them, so that nobody can make one unnoticed. */
export async function mailAboutToken(
  trx: Trx,
  { jobs, config }: Mailing,
  userId: number,
  { name, scopes, days, device }: { name: string; scopes: readonly Scope[]; days: number; device: string },
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select(['id', 'name', 'email', 'role'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const about = { name, scopes, days, device: deviceName(device) }
  const office = await findOffice(trx)
  const notice = { to: user.email, cause: 'login:token', causer: userId }
  await sendJoinedMail(trx, jobs, notice, (times) =>
    tokenAddedMail(office, user, config.appUrl + urls.ownTokens, { ...about, times }),
  )
}
