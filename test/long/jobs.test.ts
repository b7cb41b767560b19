import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startJobs, type Job } from '../../src/server/work/jobs.ts'
import { freshDatabase } from '../database.ts'

it(
  'a job that runs longer than the limit for silent instances is not given to another instance',
  { timeout: 120_000 },
  async () => {
    const { db } = await freshDatabase()
    const start = () =>
      startJobs({ db, timeZone: 'Europe/Copenhagen', onError: console.error, everySeconds: 0.5 })
    const instances = [await start(), await start()]
    const job: Job<{ number: number }> = { name: 'long', retryLimit: 3, retrySeconds: 1, mostSeconds: 3600 }
    let [begun, done] = [0, 0]
    for (const instance of instances)
      await instance.work(job, async () => {
        begun++
        await sleep(50_000)
        done++
      })
    await db.transaction().execute((trx) => instances[0]!.enqueue(trx, job, { number: 1 }))
    await expect.poll(() => done, { timeout: 90_000, interval: 500 }).toBe(1)
    await sleep(5000)
    expect([begun, done]).toEqual([1, 1])
    for (const instance of instances) await instance.stop()
  },
)
