import type { Acts, Purges } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { mailApprovers } from './approval/approval.db.ts'
import { purgeAskedActs } from './approval/asked-acts.db.ts'
import { sendRecallMails } from './mail/tell-openers.db.ts'
import { announceReleases, tellPeople } from './mail/tell-people.db.ts'
import { publishPlanned } from './steps/publish-planned.db.ts'

export function releasesJobs({ db, jobs, config }: Parts, { mails }: WorkTools) {
  const { releaseRegretMinutes: regretMinutes, timeZone } = config
  return {
    'tell-person': () => tellPeople(jobs, mails),
    'tell-opener': () => sendRecallMails(jobs, mails),
    'ask-colleague': () => mailApprovers(jobs, { ...mails, timeZone }),
    'planned-releases': () => publishPlanned(db, jobs),
    'release-mails': () => announceReleases(db, jobs, { regretMinutes, timeZone }),
  } satisfies Acts
}

export const releasesPurges = ({ db }: Parts) => ({ 'asked-acts': () => purgeAskedActs(db) }) satisfies Purges
