import type { FastifyRequest } from 'fastify'
import { buttonsOf } from './accounts/oidc/provider.ts'
import { minutesUntil } from './base/time/dates.ts'
import { helpOf } from './help/help-of.ts'
import type { Config } from './config.ts'
import type { OfficeSign } from './office/office-sign.server.ts'
import type { PageName } from './pages.ts'
import { isAdministrator, isOffice, ROLE_NAMES } from './rights.ts'
import type { SignedIn } from './server/http/permit.ts'
import type { Parts } from './server/parts.ts'
import { readWaitingNumbers } from './start/waiting-numbers.db.ts'

const NO_MAIL =
  'Der er ikke sat en mailserver op (SMTP_URL), så Ringbind sender ingen mails. Når du inviterer nogen, får du et link at give videre.'

/** Returns the data of the frame around every page: the user, the office, help and warnings. */
export async function frameOf(
  { user, seenChanges }: FastifyRequest,
  page: PageName,
  { config, db, demo }: Parts,
  officeSign: OfficeSign,
) {
  const [office, waiting] = await Promise.all([
    officeSign.read(),
    // An error page must not wait for a database that is away, or fail with it.
    user && isOffice(user.role) && page !== 'error' ? readWaitingNumbers(db, user) : null,
  ])
  return {
    demo,
    help: helpOf(page, user?.role ?? null),
    warning: user && isAdministrator(user.role) && config.smtpUrl === null && !demo ? NO_MAIL : null,
    timeZone: config.timeZone,
    seen: seenChanges(),
    office,
    waiting,
    factorDue: user?.factorDue ? { days: daysUntil(user.factorDue.at), isPast: user.factorDue.isPast } : null,
    viewing: user?.viewedBy
      ? {
          id: user.id,
          until: user.viewedBy.until.toISOString(),
          minutesLeft: minutesUntil(user.viewedBy.until, new Date()),
        }
      : null,
    user: user && frameUserOf(user, config),
  }
}

const frameUserOf = (user: SignedIn, config: Config) => ({
  id: user.id,
  name: user.name,
  email: user.email,
  role: user.role,
  roleName: ROLE_NAMES[user.role],
  image: user.image,
  provesWith: user.hasFactor
    ? ('factor' as const)
    : user.hasPassword
      ? ('password' as const)
      : buttonsOf(config.providers),
})

const daysUntil = (at: string) => Math.max(0, Math.ceil((Date.parse(at) - Date.now()) / 86_400_000))
