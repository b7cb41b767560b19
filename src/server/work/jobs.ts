import { fromKysely, PgBoss, type JobWithMetadata, type Queue } from 'pg-boss'
import { alone } from '../database/alone.db.ts'
import type { Database, Trx } from '../database/database.ts'
import { askWhenDue, bringJobsBack } from '../database/schedule.db.ts'
import type { UnfinishedJob } from '../database/unfinished-jobs.db.ts'

export type JobId = string
/** The tries before this one, and whether this is the last. */
export type Attempt = { tries: number; isLast: boolean }
type Handler<Data> = (data: Data, id: JobId, attempt: Attempt) => Promise<void>

/** A kind of work that survives a crash: its name, its data, and how often and when it is tried again. */
export type Job<Data extends object> = {
  name: string
  retryLimit: number
  retrySeconds: number
  /** For work of hours: the longest time for one attempt, at most a day. */
  mostSeconds?: number
  /** How many this process does at the same time; 1 by default. */
  atOnce?: number
  data?: Data
}

/** A running job sends a heartbeat every few seconds. After this much silence, another instance takes it. */
const SILENCE_SECONDS = 30
const SAID_EVERY_SECONDS = 5

type When = {
  /** Equal work has an equal id, so that it runs once even if it is enqueued again. */
  id?: JobId
  afterSeconds?: number
  /** Higher priorities run first; 0 by default. */
  priority?: number
}

export type Jobs = {
  /** Enqueues a job in the transaction that causes it: after a rollback there is no job. */
  enqueue<Data extends object>(trx: Trx, job: Job<Data>, data: Data, when?: When): Promise<JobId>
  /** Enqueues many jobs in one statement, each with its own id. */
  enqueueMany<Data extends object>(
    trx: Trx,
    job: Job<Data>,
    all: { id: JobId; data: Data; priority?: number }[],
  ): Promise<void>
  /** Starts doing a job, `atOnce` at a time in this process. Each is done at least once. */
  work<Data extends object>(job: Job<Data>, handler: Handler<Data>): Promise<void>
  /**
   * Does a job at the times of a cron line, once, however many instances run. Times that were missed because nothing
   * ran are made up for once, as soon as an instance runs again.
   */
  repeat(job: Job<object>, cron: string, handler: (stopping: AbortSignal) => Promise<void>): Promise<void>
  /** Calls `look` now and every half minute, in each process, until it stops; or every few times that jobs are looked for. */
  watch(look: (stopping: AbortSignal) => Promise<void>, everyTimes?: number): Promise<void>
  /** Moves jobs back after the clock was ahead, so that none waits for a wrong time. */
  bringBack(): Promise<void>
  /** Takes over another database's unfinished jobs, with their ids. */
  adopt(jobs: UnfinishedJob[], within: Runs): Promise<void>
  stop(): Promise<void>
}

/** A transaction in the form that pg-boss takes. */
type Runs = { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }

/** Runs a job once. A failure is reported, and thrown on, so that it is retried. */
async function attempt<Data extends object>(
  name: string,
  { id, data, retryCount: tries, retryLimit }: JobWithMetadata<Data>,
  handler: Handler<Data>,
  onFailure: (error: Error) => void,
): Promise<void> {
  try {
    await handler(data, id, { tries, isLast: tries >= retryLimit })
  } catch (error) {
    onFailure(new Error(`The job ${name} ${id} failed`, { cause: error }))
    throw error
  }
}

const QUARTER = 900
const DAY = 86_400
const SIX_HOURS = 21_600
/** Longer than a clock is ever ahead, so that a wrong clock deletes no waiting job. */
const YEAR = 365 * DAY
const LOOK_MS = 30_000

type Options = {
  db: Database
  timeZone: string
  onError: (error: Error) => void
  /** How often it looks for work. */
  everySeconds?: number | undefined
  /** For a process that only enqueues: others maintain the queues. */
  onlyAsks?: boolean
}

export async function startJobs({
  db,
  timeZone,
  onError,
  everySeconds = 2,
  onlyAsks = false,
}: Options): Promise<Jobs> {
  const boss = newBoss(db, everySeconds, onlyAsks)
  const stopping = new AbortController()
  // pg-boss's timers may fire once more after the stop
  boss.on('error', (error) => stopping.signal.aborted || onError(error))
  // pg-boss's schema must not be made by two processes at once.
  await alone(db, 'jobs', () => boss.start())

  const onFailure = (error: Error) => stopping.signal.aborted || onError(error)
  const work: Jobs['work'] = async (job, handler) => {
    await prepareQueue(db, boss, job)
    const workers: string[] = []
    const wake = () => workers.forEach((worker) => boss.notifyWorker(worker))
    for (let count = job.atOnce ?? 1; count > 0; count--) {
      const how = {
        batchSize: 1,
        heartbeatRefreshSeconds: SAID_EVERY_SECONDS,
        // One worker polls for work, and wakes the others when there is some.
        pollingIntervalSeconds: everySeconds * (workers.length === 0 ? 1 : 5),
        includeMetadata: true as const,
      }
      const worker = await boss.work<NonNullable<typeof job.data>, void, typeof how>(
        job.name,
        how,
        async ([one]) => {
          wake() // and looks for the next one itself when this one is done
          await attempt(job.name, one!, handler, onFailure)
        },
      )
      workers.push(worker)
    }
  }

  const watch: Jobs['watch'] = async (look, everyTimes) => {
    await look(stopping.signal)
    const everyMs = everyTimes === undefined ? LOOK_MS : everyTimes * everySeconds * 1000
    repeatUntilStopped(() => look(stopping.signal).catch(onFailure), everyMs, stopping.signal)
  }

  return {
    work,
    async enqueue(trx, { name }, data, { id, afterSeconds, priority } = {}) {
      const how = {
        db: fromKysely(trx),
        ...(id && { id }),
        ...(afterSeconds && { startAfter: afterSeconds }),
        ...(priority && { priority }),
      }
      const taken = (await boss.send(name, data, how)) ?? id
      if (!taken) throw new Error(`The job ${name} was not taken.`)
      return taken
    },
    async enqueueMany(trx, { name }, all) {
      await boss.insert(name, all, { db: fromKysely(trx) })
    },
    async repeat(job, cron, handler) {
      await work(job, () => handler(stopping.signal))
      await boss.unschedule(job.name) // left by an earlier version
      await watch(() =>
        askWhenDue(db, { name: job.name, cron }, timeZone, (trx) =>
          boss.send(job.name, {}, { db: fromKysely(trx), retentionSeconds: SIX_HOURS }),
        ),
      )
    },
    watch,
    bringBack: () => bringJobsBack(db),
    async adopt(unfinished, within) {
      for (const name of new Set(unfinished.map((job) => job.name)))
        await prepareQueue(db, boss, { name, retryLimit: 0, retrySeconds: 0 }) // `work` sets the real limits later
      for (const { id, name, data, ...more } of unfinished)
        await boss.send(name, data, { id, ...more, db: within })
    },
    async stop() {
      stopping.abort()
      await boss.stop({ graceful: true, close: false, timeout: 5_000 })
    },
  }
}

function repeatUntilStopped(look: () => Promise<unknown>, everyMs: number, stopping: AbortSignal): void {
  const again = () => {
    if (!stopping.aborted) void look().finally(wait)
  }
  const wait = () => void setTimeout(again, everyMs).unref()
  wait()
}

const newBoss = (db: Database, everySeconds: number, onlyAsks: boolean) =>
  new PgBoss({
    db: fromKysely(db),
    schema: 'jobs',
    useListenNotify: false,
    // pg-boss's own does not survive a clock that was ahead, and skips missed times: ours is in schedule.db.ts.
    schedule: false,
    // How often it looks for jobs without a heartbeat.
    superviseIntervalSeconds: Math.ceil(everySeconds * 8),
    monitorIntervalSeconds: Math.ceil(everySeconds * 4),
    ...(onlyAsks && { supervise: false, migrate: false }),
  })

/** Makes a job's queue, or brings it up to date. */
async function prepareQueue(
  db: Database,
  boss: PgBoss,
  { name, retryLimit, retrySeconds, mostSeconds = QUARTER }: Job<object>,
): Promise<void> {
  const queue: Queue = {
    name,
    retryLimit,
    retryDelay: retrySeconds,
    retryBackoff: true,
    retryDelayMax: 3600,
    deleteAfterSeconds: DAY,
    retentionSeconds: YEAR,
    expireInSeconds: mostSeconds,
    heartbeatSeconds: SILENCE_SECONDS,
  }
  await alone(db, 'jobs', async () => {
    const there: Partial<Queue> | null = await boss.getQueue(name)
    const keys = Object.keys(queue) as (keyof Queue)[]
    if (!there) await boss.createQueue(name, queue)
    else if (keys.some((key) => there[key] !== queue[key])) await boss.updateQueue(name, queue)
  })
}
