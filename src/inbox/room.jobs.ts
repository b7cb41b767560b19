import type { Acts } from '../jobs.ts'
import { endLostRecallMails } from '../releases/mail/tell-openers.db.ts'
import { endLostMails } from '../releases/mail/tell-people.db.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { announceReceived, forgetLostInboxMails, tellOffice } from './tell-office.db.ts'

export function inboxJobs({ db, jobs, config }: Parts, { mails }: WorkTools) {
  const { timeZone } = config
  return {
    'tell-colleague': () => tellOffice(jobs, { ...mails, timeZone }),
    'lost-mails': () => Promise.all([endLostMails(db), endLostRecallMails(db), forgetLostInboxMails(db)]),
    'inbox-mails': () => announceReceived(db, jobs, timeZone),
  } satisfies Acts
}
