import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { freshDatabase } from '../../../test/database.ts'
import { makeUser, NOBODY, PASSWORD, passwordHash } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { addLinkToken, purgeLinkTokens } from '../links/link-tokens.db.ts'
import { startJobs } from '../../server/work/jobs.ts'
import { letIn } from './let-in.db.ts'
import { askForReset, inviteUser, sendLinks, sendPasswordLink } from '../links/link-mail.db.ts'
import { deactivateUser } from '../change-user.db.ts'
import type { User } from '../users/user.ts'

const NEW = 'en helt ny adgangskode'

let test: TestApp
let user: User
let mails: string
beforeAll(async () => {
  test = await freshApp({ hasJobs: 'mails', env: { APP_URL: 'https://ringbind.example' } })
  mails = join(test.config.dataDir, 'mail')
})
beforeEach(async () => {
  await test.db.deleteFrom('sign_in_failures').execute()
  user = await makeUser(test.db, { name: 'Åse Nørregaard' })
})

const visitor = () => new Visitor(test.app)

/** Returns the links in the mails to an address, decoded. */
async function linksTo(email: string): Promise<string[]> {
  const names = (await readdir(mails).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const texts = await Promise.all(names.map((name) => readFile(join(mails, name), 'utf8')))
  return texts
    .filter((text) => text.includes(`To: ${email}`))
    .map((text) => text.replaceAll('=\n', '').replaceAll('=3D', '='))
    .map((text) => /https:\/\/ringbind\.example(\/\S+)/.exec(text)![1]!)
}

async function linkTo(email: string): Promise<string> {
  await expect.poll(() => linksTo(email)).toHaveLength(1)
  return (await linksTo(email))[0]!
}

describe('a link that is made on the server', () => {
  it('a link made on the server lets a person in once, and is logged', async () => {
    const made = (await letIn(test.db, user.email.toUpperCase()))!
    expect(made).toMatchObject({ name: user.name, hours: 2 })
    expect((await visitor().get(made.path)).statusCode).toBe(200)
    expect((await visitor().post(made.path, { password: NEW })).headers.location).toBe('/')
    expect((await visitor().get(made.path)).statusCode).toBe(410)
    const { rows } = await sql`select user_id, subject_user_id from log where act = 'let-in'`.execute(test.db)
    expect(rows).toEqual([{ user_id: null, subject_user_id: user.id }])
  })

  it('the server makes an invitation for a person without a password, and no link for unknown or deactivated people', async () => {
    const waiting = await makeUser(test.db, { passwordHash: null })
    expect((await letIn(test.db, waiting.email))!.path).toMatch(/^\/invitation\//)
    await deactivateUser(test.db, NOBODY, user.id)
    expect(await letIn(test.db, user.email)).toBeNull()
    expect(await letIn(test.db, 'findes@ikke.dk')).toBeNull()
  })
})

describe('a forgotten password', () => {
  it('a mailed link replaces a forgotten password, once, and ends other sessions', async () => {
    const elsewhere = visitor()
    await elsewhere.signIn(user.email, PASSWORD)
    const who = visitor()
    const { statusCode, headers } = await who.post('/forgot-password', { email: user.email })
    expect([statusCode, headers.location]).toEqual([303, '/forgot-password?sent'])
    const link = await linkTo(user.email)
    expect(link).toMatch(/^\/reset-password\/[\w-]{32}$/)
    expect((await who.get(link)).body).toContain('Hej <!-- -->Åse')
    expect((await who.post(link, { password: NEW })).headers.location).toBe('/')
    expect((await who.get('/')).statusCode).toBe(200)
    expect((await elsewhere.get('/')).statusCode).toBe(303)
    expect((await visitor().signIn(user.email, PASSWORD)).statusCode).toBe(422)
    expect((await visitor().signIn(user.email, NEW)).statusCode).toBe(303)
    expect((await visitor().get(link)).statusCode).toBe(410)
    expect((await visitor().post(link, { password: 'endnu en adgangskode' })).statusCode).toBe(410)
  })

  it('an expired link offers a new one, without saying whose it was', async () => {
    const used = await addLinkToken(test.db, 'reset', user.id)
    await visitor().post(`/reset-password/${used}`, { password: NEW })
    expect(await linkTo(user.email)).toBe('/forgot-password')
    const waiting = await makeUser(test.db, { passwordHash: null })
    const old = await addLinkToken(test.db, 'invitation', waiting.id)
    await sql`update link_tokens set expires_at = now() - interval '1 day' where user_id = ${waiting.id}`.execute(
      test.db,
    )
    await purgeLinkTokens(test.db)
    const PAGES = [`/reset-password/${used}`, `/invitation/${old}`, '/invitation/fundet-paa']
    for (const page of PAGES) {
      const dead = await visitor().get(page)
      expect([dead.statusCode, dead.body.includes('Send mig et nyt link')]).toEqual([410, true])
      const { statusCode, headers } = await visitor().post(`${page}/again`)
      expect([statusCode, headers.location]).toEqual([303, `${page}?sent`])
      const sent = (await visitor().get(`${page}?sent`)).body
      expect(sent).toContain('Hvis linket var dit')
      for (const { name, email } of [user, waiting])
        expect([sent.includes(name), sent.includes(email)]).toEqual([false, false])
    }
    await expect.poll(() => linksTo(user.email)).toHaveLength(2)
    expect((await linksTo(user.email)).some((link) => link.startsWith('/reset-password/'))).toBe(true)
    expect(await linkTo(waiting.email)).toMatch(/^\/invitation\//)
  })

  it('limits how often an expired link can send a new one', async () => {
    const codes: number[] = []
    while (codes.length < 200 && codes.at(-1) !== 429)
      codes.push((await visitor().post('/invitation/fundet-paa/again', {}, { script: true })).statusCode)
    expect(codes.at(-1)).toBe(429)
  })

  it('mails the owner of a replaced password', async () => {
    const token = await addLinkToken(test.db, 'reset', user.id)
    await visitor().post(`/reset-password/${token}`, { password: 'kort' })
    expect((await visitor().post(`/reset-password/${token}`, { password: NEW })).statusCode).toBe(303)
    expect(await linkTo(user.email)).toBe('/forgot-password')
  })

  it('answers the same for known and unknown addresses, and no queue holds a link', async () => {
    const answers = await Promise.all(
      [user.email, 'ukendt@example.dk'].map((email) =>
        visitor().post('/forgot-password', { email }, { script: true }),
      ),
    )
    expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array.from({ length: 2 }, () => [200, JSON.stringify({ redirect: '/forgot-password?sent' })]),
    )
    const link = await linkTo(user.email)
    const { rows } = await sql<{ data: string }>`select data::text from jobs.job`.execute(test.db)
    const token = link.split('/').at(-1)!
    expect(rows.some(({ data }) => data.includes(token))).toBe(false)
    expect(await linksTo('ukendt@example.dk')).toEqual([])
  })

  it('nobody can fill a mailbox with links', async () => {
    for (let time = 0; time < 8; time++) await visitor().post('/forgot-password', { email: user.email })
    await expect.poll(() => linksTo(user.email)).toHaveLength(5)
    await expect
      .poll(
        async () =>
          (await sql`select from jobs.job where name = 'send-link' and state < 'completed'`.execute(test.db))
            .rows.length,
      )
      .toBe(0)
    expect(await linksTo(user.email)).toHaveLength(5)
    // The office sends one all the same, which works for a day and says who sent it.
    const sender = { userId: (await makeUser(test.db, { name: 'Mads Thorup' })).id, address: null }
    await test.db.transaction().execute((trx) => sendPasswordLink(trx, test.jobs, sender, user))
    await expect.poll(() => linksTo(user.email)).toHaveLength(6)
    const { rows } = await sql`
      select from link_tokens where user_id = ${user.id} and expires_at > now() + interval '23 hours'`.execute(
      test.db,
    )
    expect(rows).toHaveLength(1)
  })

  it.each([
    ['', 'E-mail skal udfyldes.'],
    ['ikke en mail', 'Skriv en gyldig e-mailadresse.'],
    [['a@b.dk'], 'E-mail skal være en tekst.'],
  ])('S5.6 refuses the address %j at its field', async (email, fault) => {
    const { statusCode, body } = await visitor().post('/forgot-password', { email }, { script: true })
    expect([statusCode, JSON.parse(body)]).toMatchObject([422, { errors: { email: [fault] } }])
  })
})

describe('a mail server that is down', () => {
  it('keeps mails with links until the mail server is up again', async () => {
    const failing = { deliver: vi.fn(() => Promise.reject(new Error('ECONNREFUSED'))) }
    const { db } = await freshDatabase()
    const jobs = await startJobs({
      db,
      timeZone: 'Europe/Copenhagen',
      onError: () => undefined,
      everySeconds: 0.5,
    })
    onTestFinished(() => jobs.stop())
    await sendLinks(jobs, db, failing, 'https://ringbind.example')
    const someone = await makeUser(db)
    await db.transaction().execute((trx) => askForReset(trx, jobs, NOBODY, someone.email))
    await expect.poll(() => failing.deliver.mock.calls.length).toBe(1)
    await expect.poll(async () => (await db.selectFrom('link_tokens').selectAll().execute()).length).toBe(0)
    await expect
      .poll(
        async () =>
          (
            await sql<{ state: string }>`select state::text from jobs.job where name = 'send-link'`.execute(
              db,
            )
          ).rows,
      )
      .toEqual([{ state: 'retry' }])
  })
})

describe('an invitation', () => {
  it('sends an invitation even if strangers have requested many links', async () => {
    const invited = await makeUser(test.db, { passwordHash: null })
    for (let time = 0; time < 7; time++) await visitor().post('/forgot-password', { email: invited.email })
    await expect.poll(() => linksTo(invited.email)).toHaveLength(5)
    await test.db.transaction().execute((trx) => inviteUser(trx, test.jobs, NOBODY, invited))
    await expect.poll(() => linksTo(invited.email)).toHaveLength(6)
  })

  it('an invitation lets a new person choose a password, once', async () => {
    const invited = await makeUser(test.db, { passwordHash: null, name: 'Ulla Brix' })
    await test.db.transaction().execute((trx) => inviteUser(trx, test.jobs, NOBODY, invited))
    const link = await linkTo(invited.email)
    expect(link).toMatch(/^\/invitation\//)
    const who = visitor()
    expect((await who.get(link)).body).toContain('Velkommen til Ringbind')
    expect((await who.post(link, { password: 'kort' }, { script: true })).statusCode).toBe(422)
    const { redirect } = (await who.post(link, { password: NEW }, { script: true })).json<{
      redirect: string
    }>()
    expect(redirect).toBe('/profile/second-factor?first')
    const offer = (await who.get(redirect)).body
    for (const part of ['Opret adgangsnøgle', 'Ikke nu', 'href="/"']) expect(offer).toContain(part)
    expect((await who.get('/profile/second-factor')).body).not.toContain('Ikke nu')
    expect((await who.get('/')).body).toContain('Hej Ulla')
    expect((await visitor().get(link)).statusCode).toBe(410)
  })
})

describe('a weak password', () => {
  const weak = ['1234567891', 'qwerty1234', 'Password2026', 'Ringbind2026', 'Nørregaard2026', 'abcabcabcabc']

  it.each(['reset', 'invitation'] as const)('a link of the kind %s refuses a weak password', async (kind) => {
    const token = await addLinkToken(test.db, kind, user.id)
    const address = kind === 'reset' ? `/reset-password/${token}` : `/invitation/${token}`
    for (const password of weak) {
      const answer = await visitor().post(address, { password }, { script: true })
      expect([answer.statusCode, Object.keys(answer.json().errors)]).toEqual([422, ['password']])
    }
    expect((await visitor().signIn(user.email, PASSWORD)).statusCode).toBe(303)
  })

  it('a weak password that is already in use still works', async () => {
    const old = await makeUser(test.db, { passwordHash: await passwordHash('Password2026') })
    expect((await visitor().signIn(old.email, 'Password2026')).statusCode).toBe(303)
  })
})

describe('a link', () => {
  const link = async (kind: 'reset' | 'invitation') => addLinkToken(test.db, kind, user.id)

  it('a link works for its own kind only', async () => {
    const token = await link('reset')
    const dead = await visitor().get(`/invitation/${token}`)
    expect([dead.statusCode, dead.body.includes('erstattet af et nyere')]).toEqual([410, true])
    expect((await visitor().post(`/invitation/${token}`, { password: NEW })).statusCode).toBe(410)
    expect((await visitor().get(`/setup?token=${token}`)).statusCode).toBe(404)
    expect((await visitor().get(`/reset-password/${token}`)).statusCode).toBe(200)
  })

  it('an expired link shows a friendly page and changes nothing', async () => {
    const token = await link('reset')
    await test.db
      .updateTable('link_tokens')
      .set({ expires_at: sql`now() - interval '1 second'` })
      .where('user_id', '=', user.id)
      .execute()
    const { statusCode, body } = await visitor().get(`/reset-password/${token}`)
    expect(statusCode).toBe(410)
    expect(body).toContain('Linket virker ikke længere')
    expect((await visitor().post(`/reset-password/${token}`, { password: NEW })).statusCode).toBe(410)
    expect((await visitor().signIn(user.email, PASSWORD)).statusCode).toBe(303)
  })

  it('only one of two simultaneous uses of a link works', async () => {
    const token = await link('reset')
    const answers = await Promise.all(
      [visitor(), visitor()].map((who, index) =>
        who.post(`/reset-password/${token}`, { password: `${NEW} ${index}` }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([303, 410])
  })

  it('the link of a deactivated person does not work', async () => {
    const token = await link('reset')
    await test.db.transaction().execute((trx) => deactivateUser(trx, NOBODY, user.id))
    expect((await visitor().get(`/reset-password/${token}`)).statusCode).toBe(410)
  })

  it.each(['x', '%00', '..%2f..', 'a'.repeat(500), 'æøå'])('the link %j does not work', async (token) => {
    expect((await visitor().get(`/reset-password/${encodeURI(token)}`)).statusCode).toBe(410)
  })

  it.each([['kort'], [''], [['a']], [undefined], ['aaaaaaaaaaaaaaa'], ['x'.repeat(5000)]])(
    'S5.6 refuses the password %j at its field, and the link can be used again',
    async (password) => {
      const token = await link('reset')
      const { statusCode, body } = await visitor().post(
        `/reset-password/${token}`,
        { password },
        { script: true },
      )
      expect(statusCode).toBe(422)
      expect(Object.keys((JSON.parse(body) as { errors: object }).errors)).toEqual(['password'])
      expect((await visitor().post(`/reset-password/${token}`, { password: NEW })).statusCode).toBe(303)
    },
  )
})
