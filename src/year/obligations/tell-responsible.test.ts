import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { makeProject, makeUser } from '../../../test/make.ts'
import { daysAfter } from '../../base/time/days.ts'
import type { Mail } from '../../server/mail.ts'
import { remindOfDuties, tellResponsible } from './tell-responsible.db.ts'

const TODAY = '2026-11-17'

let test: TestApp
let mette: { id: number; email: string }
let jens: { id: number; email: string }
let project: number
let sent: Mail[]

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, jobsEverySeconds: 0.5 })
  await tellResponsible(test.jobs, {
    db: test.db,
    mailer: {
      deliver(mail) {
        sent.push(mail)
        return Promise.resolve()
      },
    },
    appUrl: 'https://ringbind.example',
    stopPath: () => '',
    watch: undefined,
  })
})

beforeEach(async () => {
  sent = []
  await sql`delete from obligations`.execute(test.db)
  await sql`delete from duty_mails`.execute(test.db)
  mette = await makeUser(test.db, { role: 'employee', name: 'Mette Holm' })
  jens = await makeUser(test.db, { role: 'administrator', name: 'Jens Bech' })
  project = (await makeProject(test.db)).id
})

/** Makes a duty of somebody. */
async function make(title: string, dueOn: string, responsible: number | null): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into obligations (title, due_rule, due_on) values (${title}, 'date', ${dueOn}) returning id
    )
    insert into duties (obligation_id, project_id, period, starts_on, ends_on, due_on, responsible_id)
    select id, ${project}, '2026', '2026-01-01', '2026-12-31', ${dueOn}, ${responsible} from made
    returning id`.execute(test.db)
  return rows[0]!.id
}

/** Sends the reminders of a day, waits for the queue, and returns who got which. */
async function remind(day = TODAY): Promise<string[]> {
  sent = []
  await remindOfDuties(test.db, test.jobs, day)
  const left = async () =>
    (
      await sql`select from jobs.job where name = 'tell-responsible' and state in ('created', 'active', 'retry')`.execute(
        test.db,
      )
    ).rows.length
  await expect.poll(left, { timeout: 120_000 }).toBe(0)
  return sent
    .map(({ to, text }) => {
      const titles = [...text.matchAll(/^– (.+) 2026,/gm)].map(([, title]) => title)
      return `${to === mette.email ? 'Mette' : to === jens.email ? 'Jens' : to}: ${titles.join(', ')}`
    })
    .sort()
}

it('each responsible gets one mail about what is due in some days, and what is late', async () => {
  await make('Skat', daysAfter(TODAY, 30), mette.id)
  await make('Moms', daysAfter(TODAY, 7), mette.id)
  await make('Sent', daysAfter(TODAY, -1), mette.id)
  await make('Regnskab', daysAfter(TODAY, 1), jens.id)
  await make('Senere', daysAfter(TODAY, 31), jens.id)
  await make('Ingens', TODAY, null)
  expect(await remind()).toEqual(['Jens: Regnskab', 'Mette: Sent, Moms, Skat'])
})

it('nobody is mailed twice a day, and about each duty only on its days', async () => {
  await make('Moms', daysAfter(TODAY, 7), mette.id)
  expect(await remind()).toEqual(['Mette: Moms'])
  expect(await remind()).toEqual([])
  await make('Ny', daysAfter(TODAY, 7), mette.id)
  expect(await remind()).toEqual([])
  expect(await remind(daysAfter(TODAY, 1))).toEqual(['Mette: Ny'])
  expect(await remind(daysAfter(TODAY, 6))).toEqual(['Mette: Moms, Ny'])
  expect(await remind(daysAfter(TODAY, 7))).toEqual([])
  expect(await remind(daysAfter(TODAY, 8))).toEqual(['Mette: Moms, Ny'])
  expect(await remind(daysAfter(TODAY, 9))).toEqual([])
  expect(await remind(daysAfter(TODAY, 15))).toEqual(['Mette: Moms, Ny'])
})

it('does not mail about what is not followed, until it is followed again', async () => {
  await make('Sent', daysAfter(TODAY, -1), mette.id)
  await make('Moms', daysAfter(TODAY, 7), mette.id)
  await sql`update projects set followed_from = ${TODAY} where id = ${project}`.execute(test.db)
  expect(await remind()).toEqual(['Mette: Moms'])
  await sql`update projects set followed_from = null where id = ${project}`.execute(test.db)
  expect(await remind(daysAfter(TODAY, 1))).toEqual(['Mette: Sent'])
})

it('does not mail about done duties, or to people who are gone', async () => {
  const done = await make('Moms', daysAfter(TODAY, 7), mette.id)
  await make('Skat', daysAfter(TODAY, 7), jens.id)
  await sql`update duties set done_at = now(), done_by = ${mette.id} where id = ${done}`.execute(test.db)
  await sql`update users set deactivated_at = now() where id = ${jens.id}`.execute(test.db)
  const never = await makeUser(test.db, { role: 'employee', passwordHash: null })
  await make('Ukendt', daysAfter(TODAY, 7), never.id)
  const former = await makeUser(test.db, { role: 'investor' })
  await make('Tidligere', daysAfter(TODAY, 7), former.id)
  expect(await remind()).toEqual([])
})

it('the new responsible is mailed when a duty is given to them', async () => {
  const id = await make('Moms', daysAfter(TODAY, 5), mette.id)
  expect(await remind()).toEqual(['Mette: Moms'])
  await sql`update duties set responsible_id = ${jens.id}, told_on = null where id = ${id}`.execute(test.db)
  expect(await remind()).toEqual(['Jens: Moms'])
})
