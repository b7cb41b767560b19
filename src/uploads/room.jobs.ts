import type { Acts, Purges } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { HeldWatch } from './held/held-watch.db.ts'
import { purgeUnsavedPiles } from './unsaved/unsaved-pile.db.ts'
import { learnWords } from './papers/word-model.db.ts'
import { clearDirectFiles, finishDirectFiles } from './transport/direct.db.ts'
import { purgeTemporaryFiles } from './transport/temporary.db.ts'

export function uploadsJobs(parts: Parts, { log }: WorkTools) {
  const { db, jobs } = parts
  const held = new HeldWatch(parts, (about, message) => log.warn(about, message))
  const stopHeld = () => held.stop()
  return {
    'read-direct': () => finishDirectFiles(jobs, parts),
    'clear-direct': () => clearDirectFiles(jobs, parts),
    'learn-words': async (stopping) => {
      const papers = await learnWords(db, stopping)
      if (papers !== null) log.info({ papers }, 'learnt from the papers of the office where new ones belong')
    },
    'held-papers': async (stopping) => {
      stopping.addEventListener('abort', stopHeld, { once: true }) // added again, the same listener is not called twice
      await held.look(stopping)
    },
  } satisfies Acts
}

export const uploadsPurges = ({ db }: Parts) =>
  ({
    'temporary-files': () => purgeTemporaryFiles(db),
    'kept-piles': () => purgeUnsavedPiles(db),
  }) satisfies Purges
