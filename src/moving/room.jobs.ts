import type { Acts, Purges } from '../jobs.ts'
import { queuePeopleInvitations } from '../people/many/invite-many.db.ts'
import { queueLendingMails } from '../people/lend/tell-lending.db.ts'
import type { MailingKind } from '../releases/mailings/mailing.ts'
import { sendMailings, type QueueMails } from '../releases/mailings/mailings.db.ts'
import { queueRecallMails } from '../releases/mail/tell-openers.db.ts'
import { queueAgain, queueReminders } from '../releases/mail/mail-again.db.ts'
import type { Parts } from '../server/parts.ts'
import { UNDO_DAYS } from './sheet/import.ts'
import { queueInvitations } from './sheet/list-imports.db.ts'
import { purgeSheets } from './sheet/sheets.db.ts'

export const movingJobs = ({ db, jobs, config }: Parts) =>
  ({
    mailings: () =>
      sendMailings(db, jobs, config.releaseRegretMinutes, {
        reminder: queueReminders,
        again: queueAgain,
        recall: queueRecallMails,
        invitations: queueInvitations,
        'invited-people': queuePeopleInvitations,
        lending: queueLendingMails(config),
      } satisfies Record<MailingKind, QueueMails>),
  }) satisfies Acts

export const movingPurges = ({ db }: Parts) => ({ sheets: () => purgeSheets(db, UNDO_DAYS) }) satisfies Purges
