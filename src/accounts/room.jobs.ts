import type { Acts, Purges } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { purgeChallenges } from './factor/passkeys.db.ts'
import { sealOldApps } from './factor/sealed-apps.db.ts'
import { purgeFailedMails } from './mails/failed-mails.db.ts'
import { purgeAttempts } from './oidc/attempts.db.ts'
import { expiryOf } from './session/session-expiry.ts'
import { purgeSessions } from './session/sessions.db.ts'
import { sendLinks } from './links/link-mail.db.ts'
import { purgeLinkTokens } from './links/link-tokens.db.ts'
import { purgeFailures } from './throttle/sign-in-throttle.db.ts'
import { forgetTokens } from './tokens/tokens.db.ts'
import { purgeViews } from './view/views.db.ts'

export const accountsJobs = ({ db, jobs }: Parts, { mails }: WorkTools) =>
  ({ 'send-link': () => sendLinks(jobs, db, mails.mailer, mails.appUrl, mails.watch) }) satisfies Acts

export const accountsPurges = ({ db, config, vault }: Parts) =>
  ({
    views: () => purgeViews(db),
    sessions: () => purgeSessions(db, expiryOf(config)),
    tokens: () => forgetTokens(db),
    links: () => purgeLinkTokens(db),
    'sign-in-failures': () => purgeFailures(db),
    challenges: () => purgeChallenges(db),
    'unsealed-apps': () => sealOldApps(db, vault),
    'provider-attempts': () => purgeAttempts(db),
    'failed-mails': () => purgeFailedMails(db),
  }) satisfies Purges
