import type { Acts, Purges } from '../jobs.ts'
import { sealStragglers } from '../log/chain/seal.db.ts'
import { deliverMail } from '../server/mail.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { purgeJoinedMails, sendRestedMails } from './joined-mails.db.ts'
import { mailLogHead } from './log-mail.db.ts'

export const officeJobs = ({ db, jobs, config }: Parts, { mails }: WorkTools) =>
  ({
    'send-mail': () => deliverMail(jobs, mails.mailer, mails.watch),
    'joined-mails': () => sendRestedMails(db, jobs),
    'seal-log': async (stopping) => {
      await sealStragglers(db, stopping)
      if (config.logHeadTo) await mailLogHead(db, jobs, config.logHeadTo)
    },
  }) satisfies Acts

export const officePurges = ({ db }: Parts) =>
  ({ 'joined-mails': () => purgeJoinedMails(db) }) satisfies Purges
