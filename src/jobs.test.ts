import { sql } from 'kysely'
import { expect, it, vi } from 'vitest'
import { freshApp } from '../test/app.ts'
import { freshDirectory } from '../test/directory.ts'
import { readConfig } from './config.ts'
import { LOOPS, QUEUES, REPEATED, type Acts } from './jobs.ts'
import type { WorkTools } from './server/parts.ts'
import type { Jobs } from './server/work/jobs.ts'
import { startRows } from './work.ts'

const ALL = { ...QUEUES, ...REPEATED, ...LOOPS }

it('the table has exactly the jobs and times of the database', async () => {
  const { db, config } = await freshApp({
    env: {
      BACKUP_DIR: await freshDirectory(),
      BACKUP_SECOND: await freshDirectory(),
      SYSLOG_URL: 'tcp://127.0.0.1:9',
    },
    jobsEverySeconds: 600,
  })
  const { rows: queues } = await sql<{ name: string }>`
    select name from jobs.queue where name not like '\\_\\_pgboss\\_\\_%'`.execute(db)
  expect(queues.map(({ name }) => name).toSorted()).toEqual(
    [...Object.keys(QUEUES), ...Object.keys(REPEATED)].toSorted(),
  )
  const schedules = await db.selectFrom('schedules').select(['name', 'cron']).execute()
  expect(Object.fromEntries(schedules.map(({ name, cron }) => [name, cron]))).toEqual(
    Object.fromEntries(
      Object.entries(REPEATED).map(([name, { at }]) => [name, typeof at === 'string' ? at : at(config)]),
    ),
  )
})

/** Starts all rows, and has each do its work once. Returns the names of those that did it, and what the log says. */
async function doAll({
  env = {},
  isRight = true,
  fail = false,
}: {
  env?: Record<string, string>
  isRight?: boolean
  fail?: boolean
}): Promise<{ done: string[]; logged: unknown[] }> {
  const done: string[] = []
  const logged: unknown[] = []
  const acts = Object.fromEntries(
    Object.keys(ALL).map((name) => [
      name,
      async () => {
        done.push(name)
        if (fail && name in LOOPS) throw new Error(name)
      },
    ]),
  ) as unknown as Required<Acts>
  const run = (act: (stopping: AbortSignal) => Promise<void>) => act(new AbortController().signal)
  const jobs = {
    repeat: (_job: object, _at: string, act: (stopping: AbortSignal) => Promise<void>) => run(act),
    watch: run,
  } as unknown as Jobs
  const say = (level: string) => (about: { err: Error }, message: string) =>
    void logged.push([level, about.err.message, message])
  const log = { warn: say('warn'), error: say('error') } as unknown as WorkTools['log']
  const clock = { isRight: () => isRight, see: () => Promise.resolve(isRight) }
  await startRows({ jobs, config: readConfig(env) }, { clock, log }, acts)
  if (fail) await vi.waitFor(() => expect(logged.length).toBe(done.filter((name) => name in LOOPS).length))
  return { done, logged }
}

const EVERYTHING = {
  BACKUP_DIR: '/copies',
  BACKUP_SECOND: '/more-copies',
  SYSLOG_URL: 'tcp://127.0.0.1:9',
  INTAKE_DIR: '/scans',
  IMAP_URL: 'imaps://a:b@mail.example.dk/INBOX',
}

it('publishing, telling and deleting wait while the clock is ahead', async () => {
  expect((await doAll({ env: EVERYTHING })).done).toEqual(Object.keys(ALL))
  const { done } = await doAll({ env: EVERYTHING, isRight: false })
  // House-keeping is done, and looks at the clock itself.
  expect(Object.keys(ALL).filter((name) => !done.includes(name))).toEqual([
    'remind-of-duties',
    'planned-releases',
    'lost-mails',
    'mailings',
    'release-mails',
    'joined-mails',
    'inbox-mails',
    'troubles',
  ])
})

it('work that the settings do not ask for is not started', async () => {
  const { done } = await doAll({ env: { THUMBNAILS: 'false', READ_DOCUMENTS: 'false' } })
  expect(Object.keys(ALL).filter((name) => !done.includes(name))).toEqual([
    'send-log',
    'backup',
    'copy-on',
    'thumbnails',
    'first-reading',
    'second-reading',
    'reading-of-scans',
    'intake-directory',
    'intake-mailbox',
  ])
})

it('the log has the table’s words for each loop that failed, and the others continue', async () => {
  const { done, logged } = await doAll({ env: EVERYTHING, fail: true })
  expect(done).toEqual(Object.keys(ALL))
  expect(logged).toContainEqual(['error', 'planned-releases', 'a planned release was not published'])
  expect(logged).toContainEqual(['warn', 'thumbnails', 'thumbnails were not made'])
})
