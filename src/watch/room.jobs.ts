import type { Acts } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { FactFinder } from './facts.db.ts'
import { instanceOf, mailTroubles, tellOfTroubles } from './tell-troubles.db.ts'

export function watchJobs(parts: Parts, { mails, log }: WorkTools) {
  const { db, jobs, config } = parts
  let isStopping = () => false
  const finder = new FactFinder({
    ...parts,
    startedAt: null,
    isDemo: parts.demo,
    complain: (about) => isStopping() || log.warn(about, 'a fact was not found out'),
  })
  return {
    'tell-trouble': () => mailTroubles(jobs, { ...mails, timeZone: config.timeZone }),
    troubles: async (stopping) => {
      isStopping = () => stopping.aborted
      await tellOfTroubles(db, jobs, instanceOf(config.dataDir), await finder.find())
    },
  } satisfies Acts
}
