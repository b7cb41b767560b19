import type { Acts } from '../jobs.ts'
import type { Parts, WorkTools } from '../server/parts.ts'
import { untilDone } from '../server/work/loop.ts'
import { forgetWords, indexFiles, wantWords } from './index-files.db.ts'

export function searchJobs({ db }: Parts, { log }: WorkTools) {
  const want = untilDone(() => wantWords(db))
  return {
    'words-of-files': async (stopping) => {
      await want(stopping)
      await indexFiles(db, stopping)
    },
    'forget-words': async () =>
      log.info({ words: await forgetWords(db) }, 'words that no file has any more are forgotten'),
  } satisfies Acts
}
