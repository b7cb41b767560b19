import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { freshDatabase } from '../../../test/database.ts'
import { enter } from '../../../test/enter.ts'
import { makeUser, NOBODY } from '../../../test/make.ts'
import { listNotices } from '../../log/notices/notices.db.ts'
import { startJobs } from '../../server/work/jobs.ts'
import { openMailer, sendMail } from '../../server/mail.ts'
import { startWork } from '../../work.ts'
import { inviteUser, sendLinks } from '../links/link-mail.db.ts'

/**
 * Starts Ringbind with a mail server that answers each recipient with the code from `answer`; 250 accepts the mail.
 */
async function withMailServer(answer: (to: string) => number) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, done) => {
      const responseCode = answer(address)
      done(responseCode === 250 ? null : Object.assign(new Error('no'), { responseCode }))
    },
    onData: (stream, _session, done) => void stream.resume().on('end', () => done()),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const test = await freshApp({ hasJobs: false })
  const { port } = server.server.address() as AddressInfo
  const mailer = openMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: test.config.mailFrom,
    directory: test.config.dataDir,
    findPicture: async () => null,
    log: test.app.log,
  })
  // The app's own worker writes mails to files, so only the other worker may run.
  const jobs = await startJobs({ db: test.db, timeZone: 'UTC', onError: () => undefined, everySeconds: 0.5 })
  onTestFinished(() => jobs.stop())
  await test.jobs.stop()
  await startWork({ ...test, jobs }, mailer, test.app.log)
  return { test: { ...test, jobs }, mailer }
}

const notices = async ({ db }: Pick<TestApp, 'db'>) =>
  (await listNotices(db, 'administrator')).map(({ text }) => text)

it('a permanently refused invitation raises a notice and is not retried; sending it again ends the notice', async () => {
  let code = 550
  let asked = 0
  const { test } = await withMailServer(() => (asked++, code))
  const { visitor } = await enter(test, 'administrator')
  const { id } = await makeUser(test.db, { passwordHash: null, email: 'findes.ikke@example.dk' })
  await visitor.post(`/users/${id}/invite`)
  await expect.poll(() => notices(test)).toEqual([expect.stringContaining('Én mail kunne ikke sendes')])
  const page = (await visitor.get(`/users/${id}`)).body
  expect(page).toContain('Invitationen kunne ikke sendes')
  expect(page).toContain('Send igen')
  const { rows } = await sql`select state from jobs.job where name = 'send-link'`.execute(test.db)
  expect([rows, asked]).toEqual([[{ state: 'completed' }], 1])
  expect(test.logged()).toContain('the mail server refused a mail for good')
  code = 250
  await visitor.post(`/users/${id}/invite`)
  await expect.poll(() => asked).toBe(2)
  await expect.poll(() => notices(test)).toEqual([])
  expect((await visitor.get(`/users/${id}`)).body).toContain('har ikke logget ind endnu')
})

it('a mail that keeps failing raises a notice; one that fails once does not', async () => {
  const { test } = await withMailServer(() => 451)
  const { visitor } = await enter(test, 'administrator')
  const { id, email } = await makeUser(test.db)
  const mail = { to: email, subject: 'x', text: 'x', html: 'x' }
  const job = await test.db.transaction().execute((trx) => sendMail(trx, test.jobs, mail))
  const state = async () =>
    (await sql<{ state: string }>`select state from jobs.job where id = ${job}`.execute(test.db)).rows[0]!
      .state
  await expect.poll(state).toBe('retry')
  expect(await notices(test)).toEqual([])
  const tryAs = (count: number) =>
    sql`update jobs.job set retry_count = ${count}, start_after = now() where id = ${job} and state = 'retry'`.execute(
      test.db,
    )
  await tryAs(4)
  await expect.poll(() => notices(test)).toHaveLength(1)
  expect((await visitor.get(`/users/${id}`)).body).toContain('En mail er ikke kommet af sted endnu')
  await expect.poll(state).toBe('retry')
  await tryAs(14)
  await expect.poll(state).toBe('failed')
  expect((await visitor.get(`/users/${id}`)).body).toContain('En mail kunne ikke sendes')
})

it('deactivating a person or changing their e-mail forgets their failed mails', async () => {
  const test = await freshApp({ hasJobs: false })
  const { visitor } = await enter(test, 'administrator')
  const [one, other] = [await makeUser(test.db, { role: 'auditor' }), await makeUser(test.db)]
  for (const { id } of [one, other])
    await sql`insert into failed_mails (job_id, user_id, is_final) values (gen_random_uuid(), ${id}, true)`.execute(
      test.db,
    )
  await visitor.post(`/users/${one.id}/edit`, { name: one.name, role: 'auditor', email: 'ny@example.dk' })
  expect(await notices(test)).toEqual([expect.stringContaining('Én mail')])
  await visitor.post(`/users/${other.id}/deactivate`)
  expect(await notices(test)).toEqual([])
})

it('several invitations are sent at the same time, but not too many', async () => {
  const { db } = await freshDatabase()
  const jobs = await startJobs({ db, timeZone: 'UTC', onError: () => undefined, everySeconds: 0.5 })
  onTestFinished(() => jobs.stop())
  let [now, most, sent] = [0, 0, 0]
  const mailer = {
    deliver: async () => {
      most = Math.max(most, ++now)
      await sleep(300)
      now--
      sent++
    },
  }
  await sendLinks(jobs, db, mailer, 'https://ringbind.example')
  const people = await Promise.all(Array.from({ length: 17 }, () => makeUser(db, { passwordHash: null })))
  await db.transaction().execute(async (trx) => {
    for (const person of people) await inviteUser(trx, jobs, NOBODY, person)
  })
  await expect.poll(() => sent).toBe(17)
  expect(most).toBe(4)
})
