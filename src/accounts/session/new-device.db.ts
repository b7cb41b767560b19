import { sql } from 'kysely'
import { spokenTime } from '../../base/time/dates.ts'
import { findOffice } from '../../office/office.db.ts'
import type { Trx } from '../../server/database/database.ts'
import { sendSecurityMail } from '../../server/mail.ts'
import type { Parts } from '../../server/parts.ts'
import { urls } from '../../urls.ts'
import { newDeviceMail } from '../mails/mails.ts'
import type { User } from '../users/user.ts'
import { deviceName } from './device-name.ts'

/**
 * Mails somebody who signs in from a browser that they have not used before; not the first time ever. Called before the
 * sign-in is logged, in its transaction.
 */
export async function mailAboutNewDevice(
  trx: Trx,
  { jobs, config }: Pick<Parts, 'jobs' | 'config'>,
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
