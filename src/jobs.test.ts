import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp } from '../test/app.ts'
import { freshDirectory } from '../test/directory.ts'
import { QUEUES, REPEATED } from './jobs.ts'

it('the table has every job of the database and its times, and no other', async () => {
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
