import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import type { Database } from '../database/database.ts'
import { startJobs, type Job, type Jobs } from './jobs.ts'

let db: Database
let jobs: Jobs
const onError = vi.fn()
beforeAll(async () => {
  ;({ db } = await freshDatabase())
  jobs = await startJobs({ db, timeZone: 'Europe/Copenhagen', onError, everySeconds: 0.5 })
})
afterAll(() => jobs.stop())

const job = (name: string): Job<{ number: number }> => ({ name, retryLimit: 3, retrySeconds: 1 })

it('runs jobs of a committed transaction, and none that were rolled back', async () => {
  const done: number[] = []
  await jobs.work(job('count'), async ({ number }) => void done.push(number))
  await db.transaction().execute((trx) => jobs.enqueue(trx, job('count'), { number: 1 }))
  const undone = db.transaction().execute(async (trx) => {
    await jobs.enqueue(trx, job('count'), { number: 2 })
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  await db.transaction().execute((trx) => jobs.enqueue(trx, job('count'), { number: 3 }))
  await expect.poll(() => done).toEqual([1, 3])
})

it('runs waiting jobs one after the other without a pause', async () => {
  const queue = { ...job('many'), atOnce: 2 }
  const start = () => startJobs({ db, timeZone: 'Europe/Copenhagen', onError, everySeconds: 1000 })
  const first = await start()
  await first.work(queue, async () => undefined) // makes the queue
  await first.stop()
  const all = Array.from({ length: 50 }, (_, number) => ({ id: crypto.randomUUID(), data: { number } }))
  await db.transaction().execute((trx) => jobs.enqueueMany(trx, queue, all))
  const lazy = await start()
  let done = 0
  await lazy.work(queue, async () => void done++)
  await expect.poll(() => done).toBe(50)
  await lazy.stop()
})

it('reports a failed job and retries it', async () => {
  let tries = 0
  await jobs.work(job('fail-once'), async () => {
    if (++tries === 1) throw new Error('not yet')
  })
  await db.transaction().execute((trx) => jobs.enqueue(trx, job('fail-once'), { number: 1 }))
  await expect.poll(() => tries, { interval: 250 }).toBe(2)
  expect(onError.mock.calls[0]![0]).toMatchObject({ message: expect.stringContaining('fail-once') as string })
})

it('runs a job once, however many instances there are', async () => {
  const other = await startJobs({ db, timeZone: 'Europe/Copenhagen', onError, everySeconds: 0.5 })
  const done: number[] = []
  for (const instance of [jobs, other])
    await instance.work(job('shared'), async ({ number }) => void done.push(number))
  for (let number = 0; number < 10; number++) {
    await db.transaction().execute((trx) => jobs.enqueue(trx, job('shared'), { number }))
  }
  await expect.poll(() => done.length, { interval: 250 }).toBe(10)
  await sleep(1200)
  expect(done.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await other.stop()
})

it('updates a queue only if it has changed', async () => {
  const changedAt = async () =>
    (await sql`select updated_on::text from jobs.queue where name = 'settled'`.execute(db)).rows
  const start = async (retryLimit: number) => {
    const instance = await startJobs({ db, timeZone: 'Europe/Copenhagen', onError, everySeconds: 1000 })
    await instance.work({ ...job('settled'), retryLimit }, async () => undefined)
    const at = await changedAt()
    await instance.stop()
    return at
  }
  const first = await start(3)
  expect(await start(3)).toEqual(first)
  expect(await start(4)).not.toEqual(first)
})

it('tells long work to stop, and resumes it', async () => {
  const first = await startJobs({ db, timeZone: 'Europe/Copenhagen', onError, everySeconds: 0.5 })
  const long = { name: 'long', retryLimit: 1, retrySeconds: 1, mostSeconds: 80_000 }
  let heard = false
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  await first.repeat(long, '0 3 1 1 *', async (stopping) => {
    resolve()
    await sleep(60_000, undefined, { signal: stopping }).catch((error: unknown) => {
      heard = stopping.aborted
      throw error
    })
  })
  onError.mockClear()
  await db.transaction().execute((trx) => first.enqueue(trx, long, {}))
  await begun
  await first.stop()
  expect([heard, onError.mock.calls]).toEqual([true, []])
  let again = 0
  await jobs.repeat(long, '0 3 1 1 *', async () => void again++)
  await expect.poll(() => again).toBe(1)
})

it('takes over the jobs of a dead instance, and not those of a living one', async () => {
  const done: number[] = []
  const work = job('dead')
  await jobs.work(work, async ({ number }) => void done.push(number))
  // Acts as another instance that took both: one with a heartbeat two minutes ago, one with a heartbeat just now.
  await db.transaction().execute(async (trx) => {
    for (const number of [1, 2]) {
      const id = await jobs.enqueue(trx, work, { number })
      await sql`update jobs.job set state = 'active', started_on = now() - interval '2 minutes',
        heartbeat_on = now() - make_interval(secs => ${number === 1 ? 120 : 0}) where id = ${id}`.execute(trx)
    }
  })
  await expect.poll(() => done, { interval: 250 }).toEqual([1])
})

it('jobs of a process that only enqueues are run by another', async () => {
  const done: number[] = []
  await jobs.work(job('asked'), async ({ number }) => void done.push(number))
  const asking = await startJobs({ db, timeZone: 'Europe/Copenhagen', onError, onlyAsks: true })
  await db.transaction().execute((trx) => asking.enqueue(trx, job('asked'), { number: 7 }))
  await asking.stop()
  await expect.poll(() => done).toEqual([7])
})

it('catches up on a missed time: once, by one of two instances, and only if it was missed', async () => {
  const other = await startJobs({ db, timeZone: 'Europe/Copenhagen', onError, everySeconds: 0.5 })
  const done: string[] = []
  await sql`insert into schedules (name, cron, last_due) values
    ('slept-over', '0 * * * *', now() - interval '3 days'),
    ('done-in-time', '0 3 1 1 *', now() - interval '1 minute')`.execute(db)
  for (const instance of [jobs, other]) {
    for (const [name, cron] of [
      ['slept-over', '0 * * * *'],
      ['done-in-time', '0 3 1 1 *'],
      ['new', '0 * * * *'],
    ] as const)
      await instance.repeat({ name, retryLimit: 0, retrySeconds: 0 }, cron, async () => void done.push(name))
  }
  await expect.poll(() => done).toEqual(['slept-over'])
  await sleep(1500)
  expect(done).toEqual(['slept-over'])
  await other.stop()
})

it('continues its schedule after the clock was 40 days ahead', async () => {
  await sql`insert into schedules (name, cron, last_due) values ('ahead', '0 * * * *', now() + interval '40 days')`.execute(
    db,
  )
  await jobs.repeat({ name: 'ahead', retryLimit: 0, retrySeconds: 0 }, '0 * * * *', async () => undefined)
  const { rows } = await sql`
    select last_due between now() - interval '1 hour' and now() as is_now from schedules where name = 'ahead'`.execute(
    db,
  )
  expect(rows).toEqual([{ is_now: true }])
})

it('does not wait for the hour that repeats when clocks go back', async () => {
  const work = job('put-back')
  await jobs.work(work, async () => undefined)
  const id = await db
    .transaction()
    .execute((trx) => jobs.enqueue(trx, work, { number: 1 }, { afterSeconds: 60 }))
  await sql`update jobs.job set created_on = created_on + interval '59 minutes',
    start_after = start_after + interval '59 minutes' where id = ${id}`.execute(db)
  await jobs.bringBack()
  const { rows } = await sql`
    select start_after < now() + interval '2 minutes' as is_soon from jobs.job where id = ${id}`.execute(db)
  expect(rows).toEqual([{ is_soon: true }])
})

it('runs jobs that were enqueued while the clock was ahead', async () => {
  const done: number[] = []
  const work = job('from-the-future')
  await jobs.work(work, async ({ number }) => void done.push(number))
  await db.transaction().execute(async (trx) => {
    const ids = [await jobs.enqueue(trx, work, { number: 1 }), await jobs.enqueue(trx, work, { number: 2 })]
    await sql`update jobs.job set created_on = created_on + interval '40 days',
      start_after = start_after + interval '40 days' where id = ${ids[0]}`.execute(trx)
    await sql`update jobs.job set state = 'retry', start_after = start_after + interval '40 days'
      where id = ${ids[1]}`.execute(trx)
    await jobs.enqueue(trx, work, { number: 3 }, { afterSeconds: 80_000 })
  })
  await sleep(1500)
  expect(done).toEqual([])
  await sql`update jobs.queue set monitor_on = now() + interval '40 days'`.execute(db)
  await jobs.bringBack()
  await expect.poll(() => done.toSorted((a, b) => a - b)).toEqual([1, 2])
  const { rows } = await sql`select from jobs.queue where monitor_on > now()`.execute(db)
  expect(rows).toEqual([])
})
