import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { makeUser, PASSWORD } from '../../../test/make.ts'
import { propsIn } from '../../../test/page-data.ts'
import { Visitor } from '../../../test/visitor.ts'
import { ROLES } from '../../rights.ts'
import { addLinkToken } from '../links/link-tokens.db.ts'
import type { Session } from '../session/session.ts'

const NEW = 'en helt ny adgangskode'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

let test: TestApp
let person: Entered & { email: string }
beforeAll(async () => {
  test = await freshApp({
    hasJobs: 'mails',
    env: { REQUESTS_PER_MINUTE: '100000', APP_URL: 'http://ringbind.example' },
  })
})
let count = 0
beforeEach(async () => {
  await test.db.deleteFrom('sign_in_failures').execute()
  const email = `profil${++count}@example.dk`
  person = { ...(await enter(test, 'investor', { email, name: 'Åse Holm' })), email }
})

const userOf = (id: number) =>
  test.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const acts = async () =>
  (await test.db.selectFrom('log').select('act').where('user_id', '=', person.id).orderBy('id').execute())
    .map(({ act }) => act)
    .filter((act) => act !== 'sign-in')
const isIn = async (who: Visitor) => (await who.get('/')).statusCode === 200

/** Signs the same person in from another browser. */
async function elsewhere(userAgent = CHROME): Promise<Visitor> {
  const visitor = new Visitor(test.app)
  const { statusCode } = await visitor.signIn(person.email, PASSWORD, {
    headers: { 'user-agent': userAgent },
  })
  expect(statusCode).toBe(303)
  return visitor
}

/** Returns the sessions shown on a person's profile. */
async function sessionsOf({ visitor }: Entered): Promise<Session[]> {
  const { body } = await visitor.get('/profile')
  return propsIn<{ sessions: Session[] }>(body).sessions
}

describe('the profile', () => {
  it.each(ROLES)('S2.9 the profile exists for %s', async (role) => {
    const { visitor } = await enter(test, role)
    const { statusCode, body } = await visitor.get('/profile')
    expect(statusCode).toBe(200)
    expect(body).toContain('Vælg billede')
    expect(body).toContain('href="/profile"')
  })

  it('the profile shows no text from its address', async () => {
    for (const done of ['constructor', '__proto__', '<b>x</b>'])
      expect((await person.visitor.get(`/profile?done=${done}`)).body).not.toContain('<output class="mb-6')
  })
})

describe('the name', () => {
  const save = (fields: Record<string, unknown>, script = true) =>
    person.visitor.post('/profile', fields, { script })

  it('a new name is found by search, and logged with the old one', async () => {
    const answer = await save({ name: '  Åse   Bro ' })
    expect(answer.json()).toEqual({ redirect: '/profile?done=name', name: 'Åse Bro' })
    expect(await acts()).toEqual(['profile-changed'])
    const { rows: names } = await sql`
      select before, after from log_names join log on log.id = log_id where user_id = ${person.id}`.execute(
      test.db,
    )
    expect(names).toEqual([{ before: 'Åse Holm', after: 'Åse Bro' }])
    const office = await enter(test, 'administrator')
    const { data } = (await office.visitor.get('/api/users?q=bro')).json() as { data: { id: number }[] }
    expect(data.map(({ id }) => id)).toContain(person.id)
    await save({ name: 'Åse Bro' })
    expect(await acts()).toEqual(['profile-changed'])
  })

  it('changing the name without JavaScript redirects back with a confirmation', async () => {
    const { statusCode, headers } = await save({ name: 'Åse Skov' }, false)
    expect([statusCode, headers.location]).toEqual([303, '/profile?done=name'])
    expect((await person.visitor.get('/profile?done=name')).body).toContain('Dit navn er gemt.')
  })

  it.each([
    [{}, 'Navnet skal udfyldes.'],
    [{ name: ' ​ ' }, 'Navnet skal udfyldes.'],
    [{ name: 'x'.repeat(201) }, 'Navnet må højst være på 200 tegn.'],
    [{ name: ['a', 'b'] }, 'Navnet skal være en tekst.'],
  ])('refuses the name %j', async (fields, fault) => {
    const answer = await save(fields)
    expect([answer.statusCode, answer.json().errors]).toEqual([422, { name: [fault] }])
    expect((await userOf(person.id)).name).toBe('Åse Holm')
    const shown = await save(fields, false)
    expect([shown.statusCode, shown.body.includes(fault)]).toEqual([422, true])
  })

  it('changing the name changes no role, e-mail or id', async () => {
    const other = await makeUser(test.db)
    const before = await userOf(person.id)
    const more = {
      role: 'administrator',
      email: 'ny@example.dk',
      email_key: 'ny@example.dk',
      id: other.id,
      user_id: other.id,
      password_hash: 'x',
      deactivated_at: null,
      image_key: '0'.repeat(32),
      numbers: ['1'],
    }
    for (const script of [true, false]) await save({ name: 'Åse Holm', ...more }, script)
    await person.visitor.post('/profile/password', { current_password: PASSWORD, password: 'kort', ...more })
    expect(await userOf(person.id)).toEqual(before)
    expect(await userOf(other.id)).toMatchObject({ name: other.name, role: 'investor' })
  })
})

describe('the password', () => {
  const change = (fields: Record<string, unknown>, script = true) =>
    person.visitor.post('/profile/password', fields, { script })

  it('a new password ends all other sessions and links, keeps this one, and sends a mail', async () => {
    const other = await elsewhere()
    const link = await addLinkToken(test.db, 'reset', person.id)
    const stranger = await enter(test, 'investor')
    const answer = await change({ current_password: PASSWORD, password: NEW })
    expect([answer.statusCode, answer.json().redirect]).toEqual([200, '/profile?done=password'])
    expect(answer.json().sessions).toHaveLength(1)
    expect([await isIn(person.visitor), await isIn(other), await isIn(stranger.visitor)]).toEqual([
      true,
      false,
      true,
    ])
    expect((await new Visitor(test.app).get(`/reset-password/${link}`)).statusCode).toBe(410)
    expect((await new Visitor(test.app).signIn(person.email, PASSWORD)).statusCode).toBe(422)
    expect((await new Visitor(test.app).signIn(person.email, NEW)).statusCode).toBe(303)
    expect(await acts()).toEqual(['password-changed'])
    await expect.poll(() => mailTo(person.email)).toContain('http://ringbind.example/forgot-password')
    expect(await mailTo(person.email)).not.toContain(NEW)
  })

  async function mailTo(email: string): Promise<string> {
    const directory = join(test.config.dataDir, 'mail')
    const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml'))
    const mails = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    return mails.find((mail) => mail.includes(`To: ${email}`))?.replaceAll('=\n', '') ?? ''
  }

  it.each([
    [
      {},
      {
        current_password: ['Den nuværende adgangskode skal udfyldes.'],
        password: ['Den nye adgangskode skal udfyldes.'],
      },
    ],
    [
      { current_password: 'forkert', password: NEW },
      { current_password: ['Den nuværende adgangskode er forkert.'] },
    ],
    [
      { current_password: 'forkert', password: 'kort' },
      {
        current_password: ['Den nuværende adgangskode er forkert.'],
        password: ['Adgangskoden skal være på mindst 10 tegn.'],
      },
    ],
    [
      { current_password: PASSWORD, password: 'Adgangskode123' },
      { password: ['Adgangskoden er for almindelig. Vælg en anden.'] },
    ],
    [
      { current_password: PASSWORD, password: 'Ringbind2026' },
      { password: ['Adgangskoden må ikke være Ringbinds navn, heller ikke med tal eller tegn.'] },
    ],
    [{ current_password: PASSWORD, password: PASSWORD }, { password: ['Vælg en anden end den nuværende.'] }],
    [
      { current_password: { a: PASSWORD }, password: NEW },
      { current_password: ['Den nuværende adgangskode skal være en tekst.'] },
    ],
  ])('refuses to change the password with %j', async (fields, errors) => {
    const other = await elsewhere()
    const answer = await change(fields)
    expect([answer.statusCode, answer.json().errors]).toEqual([422, errors])
    expect((await new Visitor(test.app).signIn(person.email, PASSWORD)).statusCode).toBe(303)
    expect(await isIn(other)).toBe(true)
    expect(await acts()).not.toContain('password-changed')
  })

  it('never shows a password again', async () => {
    const { statusCode, body } = await change(
      { current_password: 'forkertforkert', password: 'kortkort' },
      false,
    )
    expect([statusCode, body.includes('Den nuværende adgangskode er forkert.')]).toEqual([422, true])
    expect(body).not.toMatch(/forkertforkert|kortkort/)
  })

  it('a wrong current password is throttled as at the sign-in, and logged', async () => {
    for (let time = 0; time < 10; time++)
      expect((await change({ current_password: 'forkert', password: NEW })).statusCode).toBe(422)
    // Adds many more failures, so that the wait is long enough to be seen.
    await sql`insert into sign_in_failures (subject) select subject from sign_in_failures where subject like 'device:%'`.execute(
      test.db,
    )
    const throttled = await change({ current_password: PASSWORD, password: NEW })
    expect(throttled.statusCode).toBe(429)
    expect(Number(throttled.headers['retry-after'])).toBeGreaterThan(0)
    const plain = await change({ current_password: PASSWORD, password: NEW }, false)
    expect([plain.statusCode, plain.body.includes('Der har været for mange forsøg.')]).toEqual([429, true])
    const failed = Array.from({ length: 10 }, () => 'password-change-failed')
    // The log entry is added after the answer has been sent.
    await expect.poll(acts).toEqual([...failed, 'asked-to-wait'])
  })

  it('a right current password resets the count of wrong ones', async () => {
    for (let time = 0; time < 9; time++) await change({ current_password: 'forkert', password: NEW })
    expect((await change({ current_password: PASSWORD, password: NEW })).statusCode).toBe(200)
    for (let time = 0; time < 5; time++)
      expect((await change({ current_password: PASSWORD, password: NEW })).statusCode).toBe(422)
  })

  it('two simultaneous requests change the password once', async () => {
    const answers = await Promise.all(
      ['den ene nye adgangskode', 'den anden nye adgangskode'].map((password) =>
        change({ current_password: PASSWORD, password }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)).toEqual([200, 422])
    expect((await acts()).filter((act) => act === 'password-changed')).toHaveLength(1)
  })
})

describe('the sessions', () => {
  const end = (session: number | string, script = true) =>
    person.visitor.post(`/profile/sessions/${session}/end`, {}, { script })

  it('S2.9 lists the sessions by device, the present one first', async () => {
    await elsewhere()
    const sessions = await sessionsOf(person)
    expect(sessions.map(({ device, is_present: isPresent }) => [device, isPresent])).toEqual([
      ['Ukendt enhed', true],
      ['Chrome på Windows', false],
    ])
    const { body } = await person.visitor.get('/profile')
    expect(body).toContain('Denne enhed')
    for (const { hash } of await test.db.selectFrom('sessions').select('hash').execute())
      expect(body).not.toContain(hash.toString('hex'))
  })

  it('does not list expired sessions', async () => {
    await elsewhere()
    const [, other] = await sessionsOf(person)
    await test.db
      .updateTable('sessions')
      .set({ used_at: sql`now() - interval '25 hours'` })
      .where('id', '=', other!.id)
      .execute()
    expect(await sessionsOf(person)).toHaveLength(1)
  })

  it('S2.9 ends one session at once', async () => {
    const [first, second] = [await elsewhere(), await elsewhere('Firefox/143.0')]
    const firefox = (await sessionsOf(person)).find(({ device }) => device === 'Firefox')!
    const answer = await end(firefox.id)
    expect(answer.json().sessions).toHaveLength(2)
    expect([await isIn(first), await isIn(second), await isIn(person.visitor)]).toEqual([true, false, true])
    expect(await acts()).toEqual(['session-ended'])
    const again = await end(firefox.id)
    expect([again.statusCode, again.json()]).toMatchObject([
      404,
      { message: 'Enheden er allerede logget ud.' },
    ])
    const [, last] = await sessionsOf(person)
    const plain = await end(last!.id, false)
    expect([plain.statusCode, plain.headers.location]).toEqual([303, '/profile?done=session'])
    expect(await isIn(first)).toBe(false)
  })

  it('S2.9 ends all sessions except the present one and other people’s', async () => {
    const visitors = [await elsewhere(), await elsewhere()]
    const stranger = await enter(test, 'investor')
    const answer = await person.visitor.post('/profile/sessions/end-others', {}, { script: true })
    expect(answer.json().sessions).toHaveLength(1)
    for (const who of visitors) expect(await isIn(who)).toBe(false)
    expect([await isIn(person.visitor), await isIn(stranger.visitor)]).toEqual([true, true])
    await person.visitor.post('/profile/sessions/end-others')
    expect(await acts()).toEqual(['other-sessions-ended'])
  })

  it('refuses to end the present session, unknown ones and other people’s', async () => {
    const stranger = await enter(test, 'administrator')
    const [theirs] = await sessionsOf(stranger)
    const [present] = await sessionsOf(person)
    for (const session of [theirs!.id, present!.id, 0, 'x', '99999999999999999999'])
      expect([session, (await end(session)).statusCode]).toEqual([session, 404])
    expect([await isIn(stranger.visitor), await isIn(person.visitor)]).toEqual([true, true])
    expect(await acts()).toEqual([])
  })

  it('refuses to end a session without the token', async () => {
    const other = await elsewhere()
    for (const url of ['/profile/sessions/end-others', '/profile', '/profile/password'])
      expect((await person.visitor.post(url, { name: 'x' }, { noToken: true })).statusCode).toBe(403)
    expect(await isIn(other)).toBe(true)
  })
})
