import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { makeFile, makeUser, makeUserFolder } from '../../test/make.ts'
import type { MailRate } from '../accounts/users/mail-rate.ts'
import { stopMailsUrl } from '../accounts/profile/stop-mails.routes.ts'
import type { Jobs } from '../server/work/jobs.ts'
import { MailRefused, type Mail, type Mailer } from '../server/mail.ts'
import { urls } from '../urls.ts'
import { announceReceived, forgetLostInboxMails, tellOffice } from './tell-office.db.ts'

let test: TestApp
let mette: Entered
let jens: Entered
let investor: { id: number; name: string }
let emails: Map<string, string>
let sent: (Mail & { id: string })[]
let refusal: Error | null
/** Holds queued mails back until a test lets them go. */
let gate: Promise<void>

beforeAll(async () => {
  test = await freshApp({ env: { REQUESTS_PER_MINUTE: '100000' }, hasJobs: false, jobsEverySeconds: 0.5 })
  const mailer: Mailer = {
    deliver(mail, id) {
      if (refusal) return Promise.reject(refusal)
      sent.push({ ...mail, id })
      return Promise.resolve()
    },
  }
  const jobs: Jobs = {
    ...test.jobs,
    work: (job, handler) =>
      test.jobs.work(job, async (...about) => {
        await gate
        return handler(...about)
      }),
  }
  await tellOffice(jobs, {
    db: test.db,
    mailer,
    appUrl: 'https://ringbind.example',
    stopPath: (userId) => stopMailsUrl(test.secret, userId),
    watch: undefined,
    timeZone: 'Europe/Copenhagen',
  })
})

beforeEach(async () => {
  sent = []
  refusal = null
  gate = Promise.resolve()
  await sql`delete from inbox`.execute(test.db)
  await sql`update users set deactivated_at = now()`.execute(test.db)
  mette = await enter(test, 'employee', { name: 'Mette Holm' })
  jens = await enter(test, 'administrator', { name: 'Jens Bech' })
  await enter(test, 'auditor')
  await makeUser(test.db, { role: 'employee', passwordHash: null })
  investor = await makeUser(test.db, { name: 'Åse Nørregaard', role: 'investor' })
  const { rows } = await sql<{ email: string; name: string }>`
    select email, name from users where id in (${mette.id}, ${jens.id})`.execute(test.db)
  emails = new Map(rows.map(({ email, name }) => [email, name.split(' ')[0]!]))
})

/** Stores files as the investor's form does. Returns the item's id. */
async function send(...names: string[]): Promise<number> {
  const folder = await makeUserFolder(test.db, investor.id)
  const { rows } = await sql<{ id: number }>`
    insert into submissions (user_id, key, content, form)
    values (${investor.id}, gen_random_uuid()::text, '', '/my-files') returning id`.execute(test.db)
  const [{ id: submissionId }] = rows as [{ id: number }]
  for (const name of names)
    await makeFile(test, folder, { name, submissionId, uploadedBy: investor.id, fromInvestor: true })
  return submissionId
}

const announce = () => announceReceived(test.db, test.jobs, 'Europe/Copenhagen')

/** Waits until nobody waits for a mail that is queued. */
async function untilSent(): Promise<void> {
  const isLeft = async () =>
    (await sql`select from inbox_people where mail_id is not null limit 1`.execute(test.db)).rows.length
  await expect.poll(isLeft, { timeout: 120_000 }).toBe(0)
}

async function tell(): Promise<string[]> {
  await announce()
  await untilSent()
  return readers()
}

/** Returns who got a mail. */
const readers = () => sent.map(({ to }) => emails.get(to) ?? to).toSorted()

const countWaiting = async () =>
  (await sql<{ count: number }>`select count(*)::integer as count from inbox_people`.execute(test.db))
    .rows[0]!.count

const choose = ({ id }: Entered, rate: MailRate) =>
  test.db.updateTable('users').set({ mail_rate: rate }).where('id', '=', id).execute()

const change = (id: number, state: 'taken' | 'done', by: Entered) =>
  sql`update inbox set state = ${state}, changed_by = ${by.id}, changed_at = now()
    where submission_id = ${id}`.execute(test.db)

describe('what an investor sends', () => {
  it('mails everybody in the office who has signed in once, and nobody else', async () => {
    await send('Pas.pdf', 'Fuldmagt.pdf')
    expect(await tell()).toEqual(['Jens', 'Mette'])
    expect(await tell()).toEqual(['Jens', 'Mette'])
    const [mail] = sent
    expect(mail!.subject).toBe('Åse Nørregaard har sendt 2 filer')
    expect(mail!.text).toContain('– Pas.pdf\n– Fuldmagt.pdf')
    expect(mail!.text).toContain('https://ringbind.example/inbox')
    expect(mail!.stopUrl).toContain('https://ringbind.example/stop-mails/')
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
  })

  it('a second item gets a mail of its own after the first has left, and shares it while both wait', async () => {
    await choose(jens, 'never')
    await send('A.pdf')
    await tell()
    await send('B.pdf')
    await tell()
    await choose(mette, 'weekly')
    const both = [await send('C.pdf'), await send('D.pdf')]
    await announce()
    await choose(mette, 'at-once')
    await tell()
    expect(both).toHaveLength(2)
    expect(sent.map(({ subject }) => subject)).toEqual([
      'Åse Nørregaard har sendt en fil',
      'Åse Nørregaard har sendt en fil',
      'Åse Nørregaard har sendt 2 filer',
    ])
    expect(sent[2]!.text).not.toContain('A.pdf')
  })

  it.each(['daily', 'weekly'] as const)(
    'items wait for the next mail of people who want mails %s',
    async (rate) => {
      await Promise.all([choose(mette, rate), choose(jens, 'never')])
      await send('Pas.pdf')
      expect(await tell()).toEqual([])
      await sql`update inbox set announced_at = now() - interval '8 days'`.execute(test.db)
      expect(await tell()).toEqual(['Mette'])
    },
  )

  it('does not mail a person who wants no mails, also if they choose so while an item waits', async () => {
    await Promise.all([choose(mette, 'weekly'), choose(jens, 'never')])
    await send('Pas.pdf')
    await announce()
    expect(await countWaiting()).toBe(1)
    await choose(mette, 'never')
    expect(await tell()).toEqual([])
    expect(await countWaiting()).toBe(0)
    await choose(mette, 'at-once')
    expect(await tell()).toEqual([])
  })

  const changes: [string, (id: number) => Promise<unknown>, string[]][] = [
    ['is finished', (id) => change(id, 'done', jens), []],
    ['is taken by a colleague', (id) => change(id, 'taken', jens), ['Mette']],
    ['is taken by the reader', (id) => change(id, 'taken', mette), []],
    [
      'is in the trash',
      (id) => sql`update files set deleted_at = now() where submission_id = ${id}`.execute(test.db),
      [],
    ],
    [
      'goes to somebody who was deactivated',
      () => sql`update users set deactivated_at = now() where id = ${mette.id}`.execute(test.db),
      [],
    ],
    [
      'goes to somebody who is no longer in the office',
      () => sql`update users set role = 'auditor' where id = ${mette.id}`.execute(test.db),
      [],
    ],
    [
      'goes to somebody who has ended their mails',
      () => test.app.inject({ method: 'POST', url: stopMailsUrl(test.secret, mette.id) }),
      [],
    ],
  ]
  it.each(changes)(
    'checks an item again when its mail leaves, in case it %s meanwhile',
    async (_how, act, told) => {
      await choose(jens, 'never')
      const id = await send('Pas.pdf')
      const { promise, resolve: open } = Promise.withResolvers<void>()
      gate = promise
      await announce()
      await act(id)
      open()
      await untilSent()
      expect(readers()).toEqual(told)
      if (told.length > 0) expect(sent[0]!.text).toContain('taget af Jens Bech')
    },
  )

  it('a mail about several items leaves out finished ones', async () => {
    await Promise.all([choose(mette, 'daily'), choose(jens, 'never')])
    const [one] = [await send('A.pdf'), await send('B.pdf')]
    await announce()
    await change(one, 'done', jens)
    await choose(mette, 'at-once')
    await tell()
    expect(sent.map(({ text }) => [text.includes('A.pdf'), text.includes('B.pdf')])).toEqual([[false, true]])
  })

  it('does not try an item again if the mail server refuses its mail', async () => {
    await choose(jens, 'never')
    await send('Pas.pdf')
    refusal = new MailRefused('550')
    expect(await tell()).toEqual([])
    expect(await countWaiting()).toBe(0)
  })

  it('forgets a mail only if its job is gone', async () => {
    const item = await send('Pas.pdf')
    await announce()
    await untilSent()
    await sql`
      insert into inbox_people (submission_id, user_id, mail_id)
      values (${item}, ${mette.id}, gen_random_uuid()), (${item}, ${jens.id}, null)`.execute(test.db)
    await forgetLostInboxMails(test.db)
    const { rows } = await sql`select user_id from inbox_people`.execute(test.db)
    expect(rows).toEqual([{ user_id: jens.id }])
  })

  it('several instances announce an item once', async () => {
    for (let index = 0; index < 5; index++) await send(`Bilag ${index}.pdf`)
    await Promise.all([announce(), announce(), announce()])
    await untilSent()
    expect(readers()).toEqual(['Jens', 'Mette'])
  })

  it('saving an item writes no rows about people', async () => {
    await send('Pas.pdf')
    expect(await countWaiting()).toBe(0)
  })
})

it('people in the office choose in their profile how often they get mails', async () => {
  const { body } = await mette.visitor.get(urls.profile)
  expect(body).toContain('Besked, når investorer sender filer')
  expect(body).not.toContain('Mails om nye filer')
  const answer = await mette.visitor.post(urls.profileMails, { mail_rate: 'daily' }, { script: true })
  expect(answer.statusCode).toBe(200)
  await send('Pas.pdf')
  expect(await tell()).toEqual(['Jens'])
})
