import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter } from '../../test/enter.ts'
import { GOOD_COPIES, goodFacts, hoursBefore } from '../../test/office/good-facts.ts'
import { makeUser } from '../../test/make.ts'
import { watchMails } from '../accounts/mails/failed-mails.db.ts'
import { listNotices } from '../log/notices/notices.db.ts'
import type { Mail } from '../server/mail.ts'
import { urls } from '../urls.ts'
import type { MailedKind } from './attention.ts'
import type { Facts } from './facts.ts'
import { mailTroubles, tellOfTroubles } from './tell-troubles.db.ts'
import { listEndedTroubles } from './troubles.db.ts'

let test: TestApp
let sent: Mail[]
let isDown: boolean
let email: string

beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined) // hides the errors of mails that are meant to fail
  test = await freshApp({ hasJobs: false, jobsEverySeconds: 0.5 })
  await mailTroubles(test.jobs, {
    db: test.db,
    mailer: {
      deliver(mail) {
        if (isDown) return Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }))
        sent.push(mail)
        return Promise.resolve()
      },
    },
    appUrl: 'https://ringbind.example',
    stopPath: () => '',
    watch: watchMails(test.db),
    timeZone: 'Europe/Copenhagen',
  })
})

afterAll(() => void vi.restoreAllMocks())

beforeEach(async () => {
  sent = []
  isDown = false
  for (const table of ['troubles', 'notices', 'failed_mails'])
    await sql`delete from ${sql.table(table)}`.execute(test.db)
  await sql`update users set deactivated_at = now()`.execute(test.db)
  ;({ email } = await makeUser(test.db, { role: 'administrator', name: 'Åse Holm' }))
  await makeUser(test.db, { role: 'employee' })
})

const ago = (hours: number) => hoursBefore(goodFacts.now, hours)

/** One case of each trouble that is mailed. */
const TROUBLES: Record<MailedKind, { facts: Partial<Facts>; subject: string }> = {
  'copy-failed': {
    facts: { copies: { ...GOOD_COPIES, failed: { at: ago(9), reason: 'no-room' } } },
    subject: 'Sikkerhedskopien mislykkedes',
  },
  'copy-old': {
    facts: { copies: { ...GOOD_COPIES, newest: ago(60) } },
    subject: 'Den nyeste sikkerhedskopi er for gammel',
  },
  'disk-low': {
    facts: { disk: { free: 9, total: 100, isBelowReserve: false } },
    subject: 'Der er snart ikke mere plads på serveren',
  },
  'store-closed': {
    facts: { store: { code: 'EROFS' } },
    subject: 'Der kan ikke gemmes filer på serveren',
  },
  'mails-failing': {
    facts: { mails: { failed: 3, failingSince: ago(2) } },
    subject: 'Mails kan ikke sendes',
  },
  'certificate-ending': {
    facts: { certificate: { host: 'ringbind.example', endsAt: ago(-100) } },
    subject: 'Certifikatet til ringbind.example udløber snart',
  },
}

const tell = (more: Partial<Facts> = {}, place = 'here') =>
  tellOfTroubles(test.db, test.jobs, place, { ...goodFacts, ...more })

const subjects = () => sent.map(({ to, subject }) => [to, subject])

/** Waits until no mail is queued. */
async function settle(): Promise<void> {
  const left = async () =>
    (
      await sql`
        select from jobs.job where name = 'tell-trouble' and state in ('created', 'active', 'retry')`.execute(
        test.db,
      )
    ).rows.length
  await expect.poll(left).toBe(0)
}

const shiftTroubles = (interval: string) =>
  sql`
    update troubles set since = since - ${interval}::interval, told_at = told_at - ${interval}::interval,
      seen_at = seen_at - ${interval}::interval, ended_at = ended_at - ${interval}::interval`.execute(test.db)

describe.each(Object.entries(TROUBLES))('%s', (kind, { facts, subject }) => {
  it('a trouble is mailed to administrators once, ends, and is mailed again if it comes back after a day', async () => {
    await tell(facts)
    await tell(facts)
    await settle()
    expect(subjects()).toEqual([[email, subject]])
    await shiftTroubles('30 hours')
    await tell(facts)
    await settle()
    expect(sent).toHaveLength(1)

    await tell()
    expect((await listEndedTroubles(test.db)).map(({ trouble }) => trouble.kind)).toEqual([kind])
    await tell(facts) // it comes and goes
    expect(await listEndedTroubles(test.db)).toEqual([])
    await settle()
    expect(sent).toHaveLength(2) // mailed the last time more than a day ago
    await tell()
    await tell(facts)
    await settle()
    expect(sent).toHaveLength(2)
  })

  it('a trouble does not end while its state is unknown', async () => {
    await tell(facts)
    await tell({
      copies: 'unknown',
      disk: 'unknown',
      store: 'unknown',
      mails: 'unknown',
      certificate: 'unknown',
    })
    expect(await listEndedTroubles(test.db)).toEqual([])
    await tell()
    expect(await listEndedTroubles(test.db)).toHaveLength(1)
  })
})

it('a mail says what to do and leads to the status page', async () => {
  await tell(TROUBLES['disk-low'].facts)
  await settle()
  const [mail] = sent
  expect(mail!.text).toContain('Kære Åse')
  expect(mail!.text).toContain('Ryd op på disken')
  expect(mail!.text).toContain('https://ringbind.example/settings/status')
  expect(mail!.html).toContain('href="https://ringbind.example/settings/status"')
})

it('only administrators who want it are mailed, and the start page shows it anyway', async () => {
  const { visitor } = await enter(test, 'administrator', { email: 'nej.tak@example.dk' })
  await visitor.post(urls.profileWarnings, {})
  await tell(TROUBLES['copy-old'].facts)
  await tell({ ...TROUBLES['copy-old'].facts, ...TROUBLES['certificate-ending'].facts })
  await settle()
  expect(sent.map(({ to }) => to)).toEqual([email, email])
  expect((await visitor.get('/')).body).toContain('noget galt med sikkerhedskopierne')
  expect(await listNotices(test.db, 'employee')).toEqual([])
  await tell()
  expect(await listNotices(test.db, 'administrator')).toEqual([])
})

it('each instance has its own disk', async () => {
  const { facts } = TROUBLES['disk-low']
  await tell(facts, 'one')
  await tell(facts, 'other')
  await tell({}, 'other')
  const open = async () =>
    (
      await sql<{ place: string }>`
    select place from troubles where ended_at is null order by place`.execute(test.db)
    ).rows.map(({ place }) => place)
  expect(await open()).toEqual(['one'])
  await shiftTroubles('25 hours') // it is over
  await tell({}, 'other')
  expect(await open()).toEqual([])
})

it('a waiting mail is not sent if the trouble is over, except about mails themselves', async () => {
  isDown = true
  await tell({ ...TROUBLES['disk-low'].facts, ...TROUBLES['mails-failing'].facts })
  const retried = async () =>
    (await sql`select from jobs.job where name = 'tell-trouble' and state = 'retry'`.execute(test.db)).rows
      .length
  await expect.poll(retried).toBe(2)
  await tell()
  isDown = false
  await sql`update jobs.job set start_after = now() where name = 'tell-trouble'`.execute(test.db)
  await settle()
  expect(subjects()).toEqual([[email, 'Mails kunne ikke sendes']])
  expect(sent[0]!.text).toContain('kommer mails af sted igen')
})
