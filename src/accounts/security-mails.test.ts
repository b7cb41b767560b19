import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { makeUser, NOBODY, PASSWORD, passwordHash } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import { listNotices } from '../log/notices/notices.db.ts'
import { purgeGuessedAccounts } from '../log/guessed-accounts.db.ts'
import { urls } from '../urls.ts'
import type { User } from './users/user.ts'
import { setPassword } from './sign-in/sign-in.db.ts'

let test: TestApp
let user: User

beforeAll(async () => {
  test = await freshApp({ hasJobs: 'mails', env: { REQUESTS_PER_MINUTE: '100000' } })
})

beforeEach(async () => {
  await test.db.deleteFrom('sign_in_failures').execute()
  await sql`delete from guessed_accounts`.execute(test.db)
  user = await makeUser(test.db, { name: 'Bo Holm' })
})

/** Returns the subjects of the mails to an address, the first one first. */
async function mailsTo(email: string): Promise<string[]> {
  const { rows } = await sql<{ subject: string }>`
    select data ->> 'subject' as subject from jobs.job where name = 'send-mail' and data ->> 'to' = ${email}
    order by created_on`.execute(test.db)
  return rows.map(({ subject }) => subject)
}

const NEW_DEVICE = 'Ny enhed logget ind hos Ringbind'

const signIn = async (who = new Visitor(test.app), password = PASSWORD) => {
  expect((await who.signIn(user.email, password)).statusCode).toBe(303)
  return who
}

describe('a sign-in', () => {
  it('mails about a sign-in from a second browser, not from the first, nor again from either', async () => {
    const first = await signIn()
    expect(await mailsTo(user.email)).toEqual([])
    const second = await signIn()
    expect(await mailsTo(user.email)).toEqual([NEW_DEVICE])
    await first.post('/logout')
    await signIn(first)
    await signIn(second)
    expect(await mailsTo(user.email)).toEqual([NEW_DEVICE])
  })

  it('does not mail about a known browser after a new password', async () => {
    const own = await signIn()
    const hash = await passwordHash('en helt ny adgangskode')
    await test.db.transaction().execute((trx) => setPassword(trx, NOBODY, user.id, hash))
    await signIn(own, 'en helt ny adgangskode')
    expect(await mailsTo(user.email)).toEqual([])
  })

  it('mails about a browser that only another person has used, or with a made-up cookie', async () => {
    await signIn()
    const other = (await enter(test, 'auditor')).visitor
    await other.post('/logout')
    await signIn(other)
    expect(await mailsTo(user.email)).toHaveLength(1)
    const forger = new Visitor(test.app)
    forger.cookies.set('device', encodeURIComponent(`${'a'.repeat(22)}.${user.id}~${'b'.repeat(12)}~c`))
    await signIn(forger)
    expect(await mailsTo(user.email)).toHaveLength(2)
  })

  it('mails about a browser whose cookie was signed for another use', async () => {
    await signIn()
    const mark = 'a'.repeat(16)
    const asker = new Visitor(test.app)
    asker.cookies.set('session', `device%00${mark}%00${user.id}`)
    await asker.get('/login')
    const [value, signature] = asker.cookies.get('XSRF-TOKEN')!.split('.')
    const forger = new Visitor(test.app)
    forger.cookies.set('device', encodeURIComponent(`${mark}.${user.id}~${value}~${signature}`))
    await signIn(forger)
    expect(await mailsTo(user.email)).toEqual([NEW_DEVICE])
  })

  it('does not mail about a failed sign-in', async () => {
    await signIn()
    await new Visitor(test.app).signIn(user.email, 'forkert')
    expect(await mailsTo(user.email)).toEqual([])
  })

  it('the mail about a sign-in names browser and time, and links to a new password', async () => {
    await signIn()
    const other = new Visitor(test.app)
    await other.signIn(user.email, PASSWORD, {
      headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0 Safari/537.36' },
    })
    const { rows } = await sql<{ text: string }>`
      select data ->> 'text' as text from jobs.job where data ->> 'to' = ${user.email}`.execute(test.db)
    expect(rows[0]!.text).toMatch(/Chrome på Windows, \d\d\/\d\d\/\d{4} kl\. \d\d\.\d\d\./)
    expect(rows[0]!.text).toContain(urls.forgotPassword)
  })
})

describe('a changed role', () => {
  const change = (boss: Entered, fields: object) =>
    boss.visitor.post(urls.editUser(user.id), { name: user.name, email: user.email, ...fields })

  it('mails about a changed role once, and only if it changed', async () => {
    const boss = await enter(test, 'administrator')
    await change(boss, { role: 'auditor' })
    await change(boss, { role: 'auditor' })
    expect(await mailsTo(user.email)).toEqual(['Din rolle hos Ringbind er ændret'])
  })

  it('does not mail about a changed role to a person who has never signed in', async () => {
    const boss = await enter(test, 'administrator')
    user = await makeUser(test.db, { passwordHash: null })
    await change(boss, { role: 'auditor' })
    expect(await mailsTo(user.email)).toEqual([])
  })

  it('mails about a changed role and e-mail to the new address, and about the e-mail to the old one too', async () => {
    const boss = await enter(test, 'administrator')
    const email = `ny-${user.email}`
    expect((await change(boss, { role: 'auditor', email })).statusCode).toBe(303)
    expect(await mailsTo(user.email)).toEqual(['Din e-mail hos Ringbind er ændret'])
    expect((await mailsTo(email)).toSorted()).toEqual([
      'Din e-mail hos Ringbind er ændret',
      'Din rolle hos Ringbind er ændret',
    ])
  })
})

describe('an account that is guessed at', () => {
  const guess = async (times: number, email = user.email, address = '198.51.100.7') => {
    for (let n = 0; n < times; n++) await new Visitor(test.app).signIn(email, 'forkert', { address })
  }
  const notices = async (role: 'administrator' | 'employee' = 'administrator') =>
    (await listNotices(test.db, role))
      .filter(({ kind }) => kind === 'account-guessed')
      .map(({ text }) => text)

  it('names a guessed account to administrators only, when it is throttled', async () => {
    await guess(10)
    expect(await notices()).toEqual([])
    await guess(1)
    await expect.poll(() => notices()).toHaveLength(1)
    expect((await notices())[0]).toContain('logge ind som Bo Holm.')
    expect(await notices('employee')).toEqual([])
    const boss = await enter(test, 'administrator')
    expect((await boss.visitor.get('/')).body).toContain('logge ind som Bo Holm.')
  })

  it('forgets a guessed account a day after the last try', async () => {
    await guess(11)
    await expect.poll(() => notices()).toHaveLength(1)
    await sql`update guessed_accounts set seen_at = now() - interval '25 hours', told_at = null`.execute(
      test.db,
    )
    expect(await notices()).toEqual([])
    await purgeGuessedAccounts(test.db)
    expect((await sql`select from guessed_accounts`.execute(test.db)).rows).toEqual([])
  })

  it('does not name an account because its address tried many others, nor an unknown account', async () => {
    for (let n = 0; n < 100; n++) await guess(1, `findes-ikke${n}@example.dk`, '203.0.113.9')
    expect((await new Visitor(test.app).signIn(user.email, 'x', { address: '203.0.113.9' })).statusCode).toBe(
      429,
    )
    await guess(11, 'findes-ikke@example.dk')
    await guess(11, user.email, '203.0.113.10')
    await expect.poll(() => notices()).toHaveLength(1) // the last one alone, from another address
    const { rows } = await sql`select user_id from guessed_accounts`.execute(test.db)
    expect(rows).toEqual([{ user_id: user.id }])
  })

  it('mails administrators who want it about guessed accounts, once a day', async () => {
    const [told, other, employee] = [
      await enter(test, 'administrator'),
      await enter(test, 'administrator'),
      await enter(test, 'employee'),
    ]
    expect((await told.visitor.post(urls.profileWarnings, { is_warned: '1' })).headers.location).toBe(
      '/profile?done=mails',
    )
    expect((await employee.visitor.post(urls.profileWarnings, { is_warned: '1' })).statusCode).toBe(403)
    const emailOf = async ({ id }: Entered) =>
      (await test.db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
    const sent = async () => mailsTo(await emailOf(told))
    await guess(11)
    await expect.poll(sent).toEqual(['Mange forkerte forsøg på at logge ind som Bo Holm'])
    expect(await mailsTo(await emailOf(other))).toEqual([])

    const again = async (told_at: string) => {
      await sql`update guessed_accounts set seen_at = now() - interval '2 minutes',
        told_at = now() - ${told_at}::interval`.execute(test.db)
      await sql`update sign_in_failures set at = at - interval '1 minute'`.execute(test.db)
      await guess(2)
      await expect
        .poll(
          async () =>
            (
              await sql`select from guessed_accounts where seen_at > now() - interval '1 minute'`.execute(
                test.db,
              )
            ).rows.length,
        )
        .toBe(1)
    }
    await again('23 hours')
    expect(await sent()).toHaveLength(1)
    await again('25 hours')
    await expect.poll(sent).toHaveLength(2)
    await told.visitor.post(urls.profileWarnings, {})
    await again('25 hours')
    expect(await sent()).toHaveLength(2)
  })
})
