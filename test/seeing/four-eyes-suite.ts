import { beforeAll, describe, expect, it } from 'vitest'
import { mailApprovers } from '../../src/releases/approval/approval.db.ts'
import { freshApp, type TestApp } from '../app.ts'
import { ACTS, actAlone, type Tally } from './four-eyes.ts'

/** Lets one person do random things in random offices: nobody outside may see more by it. */
export function fourEyes({
  first = 1,
  offices,
  acts,
}: {
  first?: number
  offices: number
  acts: number
}): () => TestApp {
  let test: TestApp

  beforeAll(async () => {
    test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '10000000', LOG_LEVEL: 'error' } })
    const mailer = { deliver: async () => undefined }
    const { db, jobs, config } = test
    await mailApprovers(jobs, {
      db,
      mailer,
      watch: undefined,
      appUrl: config.appUrl,
      timeZone: config.timeZone,
    })
  })

  describe('where a colleague has to approve', { timeout: 4 * 60 * 60_000 }, () => {
    it(`no chain of one person’s acts shows more outside the office, in ${offices} random offices`, async () => {
      const tally: Tally = new Map()
      for (let seed = first; seed < first + offices; seed++)
        expect(await actAlone(test, seed, acts, tally), `seed ${seed}`).toEqual([])
      // Otherwise the chains would show nothing because nothing was done.
      const never = Object.keys(ACTS).filter((act) => !tally.has(act))
      if (offices >= 100) expect(never).toEqual([])
    })
  })
  return () => test
}
