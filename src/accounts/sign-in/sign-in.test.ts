import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { makeUser, NOBODY, PASSWORD, passwordHash } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { deactivateUser } from '../change-user.db.ts'
import { hashPassword } from '../passwords/password-hash.server.ts'
import { setPassword } from './sign-in.db.ts'
import type { User } from '../users/user.ts'

let test: TestApp
let user: User
beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
})
beforeEach(async () => {
  await test.db.deleteFrom('sign_in_failures').execute()
  user = await makeUser(test.db, { name: 'Søren Kjærgaard' })
})

const visitor = () => new Visitor(test.app)
const isIn = async (who: Visitor) => (await who.get('/')).statusCode === 200
const sessions = () => test.db.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()
const acts = async (userId: number) =>
  (
    await test.db
      .selectFrom('log')
      .select('act')
      .where((where) => where.or([where('user_id', '=', userId), where('subject_user_id', '=', userId)]))
      .orderBy('id')
      .execute()
  ).map(({ act }) => act)

describe('signing in', () => {
  it('signing in redirects, with a session cookie for that browser only', async () => {
    const who = visitor()
    const { statusCode, headers, cookies } = await who.post('/login', {
      email: user.email,
      password: PASSWORD,
      next: '/projects',
    })
    expect([statusCode, headers.location]).toEqual([303, '/projects'])
    expect(cookies.find(({ name }) => name === 'session')).toMatchObject({
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
    })
    expect(cookies.find(({ name }) => name === 'session')).not.toHaveProperty('secure')
    expect(await isIn(who)).toBe(true)
    expect((await sessions()).map(({ hash }) => hash.toString())).not.toContain(who.cookies.get('session'))
    expect(await acts(user.id)).toEqual(['user-added', 'sign-in'])
  })

  it('S7.5 answers a script’s sign-in with JSON', async () => {
    const { statusCode, body } = await visitor().signIn(user.email, PASSWORD, { script: true })
    expect([statusCode, JSON.parse(body)]).toEqual([200, { redirect: '/' }])
  })

  it('ignores upper case and spaces around the e-mail', async () => {
    expect((await visitor().signIn(`  ${user.email.toUpperCase()} `, PASSWORD)).statusCode).toBe(303)
  })

  it('redirects a person who is already signed in', async () => {
    const who = visitor()
    await who.signIn(user.email, PASSWORD)
    const { statusCode, headers } = await who.get('/login?next=/x')
    expect([statusCode, headers.location]).toEqual([303, '/x'])
  })

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', ['/a', '/b'], { a: 'b' }])(
    'a sign-in never redirects to another site: %j',
    async (next) => {
      const { headers } = await visitor().post('/login', { email: user.email, password: PASSWORD, next })
      expect(headers.location).toBe('/')
    },
  )

  it('each sign-in opens a new session and ends the previous one', async () => {
    const who = visitor()
    who.cookies.set('session', 'planted-by-somebody')
    await who.get('/login')
    await who.signIn(user.email, PASSWORD)
    const first = who.cookies.get('session')!
    expect(first).not.toBe('planted-by-somebody')
    await who.signIn(user.email, PASSWORD)
    expect(who.cookies.get('session')).not.toBe(first)
    expect(await sessions()).toHaveLength(1)
    const old = visitor()
    old.cookies.set('session', first)
    expect(await isIn(old)).toBe(false)
  })

  it('cookies are Secure and bound to the host under https', async () => {
    const secure = await freshApp({ hasJobs: false, env: { APP_URL: 'https://ringbind.example' } })
    const { email } = await makeUser(secure.db)
    const who = new Visitor(secure.app)
    const { cookies } = await who.signIn(email, PASSWORD)
    expect(cookies.find(({ name }) => name === '__Host-session')).toMatchObject({
      secure: true,
      httpOnly: true,
      path: '/',
    })
    expect(cookies.find(({ name }) => name === '__Host-device')).toMatchObject({
      secure: true,
      httpOnly: true,
    })
  })
})

describe('a wrong sign-in', () => {
  const refusalOf = async (email: unknown, password: unknown) => {
    const { statusCode, body } = await visitor().post('/login', { email, password }, { script: true })
    return [statusCode, JSON.parse(body)] as const
  }

  it('S5.6 answers the same for a wrong password, an unknown address and a person without a password', async () => {
    const invited = await makeUser(test.db, { passwordHash: null })
    const gone = await makeUser(test.db)
    await test.db.transaction().execute((trx) => deactivateUser(trx, NOBODY, gone.id))
    const refused = [
      422,
      {
        message: 'E-mail eller adgangskode er forkert.',
        errors: { password: ['E-mail eller adgangskode er forkert.'] },
      },
    ]
    expect(await refusalOf(user.email, 'forkert kode')).toMatchObject(refused)
    expect(await refusalOf('ukendt@example.dk', 'forkert kode')).toMatchObject(refused)
    expect(await refusalOf(invited.email, '')).not.toEqual([200, expect.anything()])
    expect(await refusalOf(invited.email, PASSWORD)).toMatchObject(refused)
    expect(await refusalOf(gone.email, PASSWORD)).toMatchObject(refused)
    expect(await acts(user.id)).toContain('sign-in-failed')
  })

  it('an unknown address takes as long as a wrong password', async () => {
    const hash = await hashPassword(PASSWORD)
    const time = async (email: string) => {
      const began = performance.now()
      await refusalOf(email, 'forkert kode')
      return performance.now() - began
    }
    const times = { known: [] as number[], unknown: [] as number[] }
    const ratio = () => Math.min(...times.unknown) / Math.min(...times.known)
    // A busy machine needs more rounds. Each has its own person: too many wrong passwords would be slowed down.
    for (let round = 0; round < 5 || (round < 30 && ratio() <= 0.5); round++) {
      times.known.push(await time((await makeUser(test.db, { passwordHash: hash })).email))
      times.unknown.push(await time(`ukendt${round}@example.dk`))
    }
    // Without the dummy hash, the answer for an unknown address comes ten times as fast. A busy machine only adds time.
    expect(ratio()).toBeGreaterThan(0.5)
  })

  it.each([
    [{}, { email: ['E-mail skal udfyldes.'], password: ['Adgangskoden skal udfyldes.'] }],
    [
      { email: '', password: '' },
      { email: ['E-mail skal udfyldes.'], password: ['Adgangskoden skal udfyldes.'] },
    ],
    [
      { email: ['a'], password: { b: 'c' } },
      { email: ['E-mail skal være en tekst.'], password: ['Adgangskoden skal være en tekst.'] },
    ],
    [
      { email: 17, password: null },
      { email: ['E-mail skal være en tekst.'], password: ['Adgangskoden skal være en tekst.'] },
    ],
    [
      { email: 'x'.repeat(255), password: 'y'.repeat(1001) },
      { email: ['E-mail må højst være på 254 tegn.'], password: ['Adgangskoden er for lang.'] },
    ],
  ])('S5.6 names every wrong field: %j', async (fields, errors) => {
    const { statusCode, body } = await visitor().post('/login', fields, { script: true })
    expect([statusCode, (JSON.parse(body) as { errors: unknown }).errors]).toEqual([422, errors])
  })

  it.each(['\0', "' or 1=1 --", '\ud800', 'a\u202eb'])('answers %j without a server error', async (odd) => {
    expect((await refusalOf(odd, odd))[0]).toBe(422)
  })

  it('without JavaScript a wrong sign-in shows the form again, with the e-mail but not the password', async () => {
    const { statusCode, body, headers } = await visitor().signIn(user.email, 'min hemmelige kode')
    expect([statusCode, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8'])
    expect(body).toContain('E-mail eller adgangskode er forkert.')
    expect(body).toContain(`value="${user.email}"`)
    expect(body).not.toContain('min hemmelige kode')
  })

  /** Posts a raw body from a script with a valid token. */
  async function postRaw(type: string, payload: string) {
    const who = visitor()
    await who.get('/login')
    const token = decodeURIComponent(who.cookies.get('XSRF-TOKEN')!)
    return test.app.inject({
      method: 'POST',
      url: '/login',
      payload,
      headers: {
        'content-type': type,
        'x-requested-with': 'XMLHttpRequest',
        'x-xsrf-token': token,
        cookie: `XSRF-TOKEN=${encodeURIComponent(token)}`,
      },
    })
  }

  it.each(['[]', '"x"', '17', 'null'])(
    'S1.4 answers a wrong sign-in with the body %s in Danish too',
    async (payload) => {
      const { statusCode, body } = await postRaw('application/json', payload)
      expect([statusCode, JSON.parse(body)]).toMatchObject([
        422,
        { errors: { email: ['E-mail skal udfyldes.'] } },
      ])
    },
  )

  it.each([
    ['no boundary', 'multipart/form-data', 'x', 400],
    [
      'a truncated body',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb',
      400,
    ],
    ['only noise', 'multipart/form-data; boundary=x', 'noise'.repeat(10), 400],
    ['too much noise', 'multipart/form-data; boundary=x', 'x'.repeat(6_000_000), 413],
    [
      'a file',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n',
      415,
    ],
  ])('S1.4 refuses multipart with %s in Danish, never with 500', async (_what, type, payload, status) => {
    const { statusCode, body } = await postRaw(type, payload)
    expect(statusCode).toBe(status)
    expect(body).toMatch(/Formularen|filer|for stort/)
  })

  it('a sign-in may be sent as multipart or as JSON', async () => {
    const who = visitor()
    await who.get('/login')
    const token = decodeURIComponent(who.cookies.get('XSRF-TOKEN')!)
    const form = `--x\r\ncontent-disposition: form-data; name="email"\r\n\r\n${user.email}\r\n--x\r\ncontent-disposition: form-data; name="password"\r\n\r\n${PASSWORD}\r\n--x\r\ncontent-disposition: form-data; name="_token"\r\n\r\n${token}\r\n--x--\r\n`
    const { statusCode } = await test.app.inject({
      method: 'POST',
      url: '/login',
      payload: form,
      headers: {
        'content-type': 'multipart/form-data; boundary=x',
        cookie: `XSRF-TOKEN=${encodeURIComponent(token)}`,
      },
    })
    expect(statusCode).toBe(303)
  })
})

describe('too many wrong passwords', () => {
  const fail = (who: Visitor, email: string, address = '192.0.2.1') =>
    who.signIn(email, 'forkert kode', { script: true, address })

  /** Lengthens every present wait to a minute, so that a slow computer does not outlast it. */
  const lengthenWaits = () =>
    sql`insert into sign_in_failures (subject)
      select subject from (select subject from sign_in_failures group by subject having count(*) >= 10) s, generate_series(1, 10)`.execute(
      test.db,
    )

  /** Returns the kinds of counters used: 'account', 'address', 'device'. */
  const kindsCounted = async () => {
    const counted = await test.db
      .selectFrom('sign_in_failures')
      .select('subject')
      .orderBy('subject')
      .execute()
    return counted.map(({ subject }) => subject.split(':')[0])
  }

  it('wrong passwords for an account are throttled up to a minute, from any address, even if simultaneous', async () => {
    const who = visitor()
    await who.get('/login')
    // 50 at once, so that none waits too long for a connection to the database on a busy machine.
    const answers: Awaited<ReturnType<typeof fail>>[] = []
    while (answers.length < 100) {
      const tries = Array.from({ length: 50 }, (_, index) =>
        fail(who, user.email, `192.0.2.${answers.length + index}`),
      )
      answers.push(...(await Promise.all(tries)))
    }
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(new Set(codes)).toEqual(new Set([422, 429]))
    // Ten, and one more for each wait that passed meanwhile.
    const taken = codes.filter((code) => code === 422).length
    expect(taken).toBeGreaterThanOrEqual(10)
    expect(taken).toBeLessThan(18)
    expect(codes.filter((code) => code === 429)).toHaveLength(100 - taken)
    const throttled = answers.find(({ statusCode }) => statusCode === 429)!
    const seconds = Number(throttled.headers['retry-after'])
    expect(seconds).toBeGreaterThanOrEqual(1)
    expect(JSON.parse(throttled.body)).toEqual({
      message: `Der har været for mange forsøg. Prøv igen om ${seconds} ${seconds === 1 ? 'sekund' : 'sekunder'}.`,
      code: 'too_many',
    })
    await test.db
      .updateTable('sign_in_failures')
      .set({ at: sql`at - interval '100 seconds'` })
      .execute()
    expect((await fail(who, user.email, '192.0.2.9')).statusCode).toBe(422)
    const { rows } =
      await sql`insert into sign_in_failures (subject) select subject from sign_in_failures, generate_series(1, 20) where subject like 'account:%' returning 1`.execute(
        test.db,
      )
    expect(rows.length).toBeGreaterThan(20)
    expect(Number((await fail(who, user.email)).headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  it('wrong passwords for an unknown e-mail are throttled too', async () => {
    const who = visitor()
    for (let time = 0; time < 10; time++) expect((await fail(who, 'ukendt@example.dk')).statusCode).toBe(422)
    await lengthenWaits()
    expect((await fail(who, 'ukendt@example.dk')).statusCode).toBe(429)
  })

  it('wrong passwords from one address are throttled, whatever the accounts', async () => {
    const who = visitor()
    await who.get('/login')
    const people = await Promise.all(Array.from({ length: 25 }, () => makeUser(test.db)))
    const codes = await Promise.all(
      Array.from(
        { length: 100 },
        async (_, index) => (await fail(who, people[index % 25]!.email)).statusCode,
      ),
    )
    expect(new Set(codes)).toEqual(new Set([422]))
    await lengthenWaits()
    expect((await fail(who, user.email)).statusCode).toBe(429)
    expect((await fail(who, 'ukendt@example.dk')).statusCode).toBe(429)
  })

  it('wrong passwords do not lock out a browser that the person has used before', async () => {
    const own = visitor()
    await own.signIn(user.email, PASSWORD)
    await own.post('/logout')
    const stranger = visitor()
    for (let time = 0; time < 12; time++) await fail(stranger, user.email)
    await lengthenWaits()
    expect((await fail(stranger, user.email)).statusCode).toBe(429)
    expect((await visitor().signIn(user.email, PASSWORD)).statusCode).toBe(429)
    expect((await own.signIn(user.email, PASSWORD)).statusCode).toBe(303)
  })

  it('wrong passwords are throttled in a browser that only another person has used', async () => {
    const other = await makeUser(test.db)
    const who = visitor()
    await who.signIn(other.email, PASSWORD)
    for (let time = 0; time < 10; time++) await fail(who, user.email)
    await lengthenWaits()
    expect((await fail(who, user.email)).statusCode).toBe(429)
  })

  it('wrong passwords from one address do not lock out a known device there', async () => {
    const address = '192.0.2.50'
    const people = await Promise.all(
      Array.from({ length: 34 }, async () => {
        const { email } = await makeUser(test.db)
        const own = visitor()
        await own.signIn(email, PASSWORD)
        await own.post('/logout')
        return { email, own }
      }),
    )
    await test.db.deleteFrom('sign_in_failures').execute()
    const stranger = visitor()
    await stranger.get('/login')
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => fail(stranger, people[index % 34]!.email, address)),
    )
    await lengthenWaits()
    const known = people.map(({ email, own }) => own.signIn(email, PASSWORD, { address }))
    expect((await Promise.all(known)).map(({ statusCode }) => statusCode)).toEqual(people.map(() => 303))
    const unknown = await visitor().signIn(people[0]!.email, PASSWORD, { address })
    expect(unknown.statusCode).toBe(429)
  })

  it('wrong passwords with a stolen device cookie are throttled like any others', async () => {
    const own = visitor()
    await own.signIn(user.email, PASSWORD)
    const thief = visitor()
    await thief.get('/login')
    thief.cookies.set('device', own.cookies.get('device')!)
    const tries = Array.from({ length: 60 }, (_, index) => fail(thief, user.email, `192.0.2.${index}`))
    const codes = (await Promise.all(tries)).map(({ statusCode }) => statusCode)
    const taken = codes.filter((code) => code === 422).length
    expect(taken).toBeGreaterThanOrEqual(10)
    expect(taken).toBeLessThan(18) // one more for each wait that passed meanwhile
  })

  it('wrong passwords with a forged, shortened or renamed device cookie count against the account and the address', async () => {
    const other = await makeUser(test.db)
    const own = visitor()
    await own.signIn(other.email, PASSWORD)
    const cookie = decodeURIComponent(own.cookies.get('device')!)
    const forged = [
      cookie.replaceAll(String(other.id), String(user.id)),
      cookie.slice(0, -3),
      `${cookie.split('.')[0]}`,
      `x.${user.id}~x~x`,
      '.'.repeat(3000),
    ]
    for (const value of forged) {
      await test.db.deleteFrom('sign_in_failures').execute()
      const who = visitor()
      who.cookies.set('device', encodeURIComponent(value))
      await fail(who, user.email)
      expect(await kindsCounted()).toEqual(['account', 'address'])
    }
  })

  it('wrong passwords are counted separately for each person on a shared computer', async () => {
    const other = await makeUser(test.db)
    const shared = visitor()
    await shared.signIn(user.email, PASSWORD)
    await shared.post('/logout')
    await shared.signIn(other.email, PASSWORD)
    await shared.post('/logout')
    await test.db.deleteFrom('sign_in_failures').execute()
    for (const { email } of [user, other]) await fail(shared, email)
    const counted = await test.db.selectFrom('sign_in_failures').select('subject').execute()
    expect(counted.map(({ subject }) => subject.split(':')[0])).toEqual(['device', 'device'])
    expect(new Set(counted.map(({ subject }) => subject)).size).toBe(2)
  })

  it('a new password makes other devices unknown, and the one that chose it known', async () => {
    const phone = visitor()
    const laptop = visitor()
    await phone.signIn(user.email, PASSWORD)
    await laptop.signIn(user.email, PASSWORD)
    const fields = { current_password: PASSWORD, password: 'en helt ny adgangskode' }
    expect((await laptop.post('/profile/password', fields)).statusCode).toBe(303)
    const countedFor = async (who: Visitor) => {
      await test.db.deleteFrom('sign_in_failures').execute()
      await fail(who, user.email)
      return kindsCounted()
    }
    expect(await countedFor(phone)).toEqual(['account', 'address'])
    expect(await countedFor(laptop)).toEqual(['device'])
  })

  it('the device cookie outlasts the sign-out, and scripts cannot read it', async () => {
    const own = visitor()
    const { cookies } = await own.signIn(user.email, PASSWORD)
    const device = cookies.find(({ name }) => name === 'device')
    expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(device!.maxAge).toBeGreaterThan(300 * 24 * 3600)
    await own.post('/logout')
    expect(own.cookies.has('device')).toBe(true)
  })

  it('a successful sign-in resets the count of wrong passwords', async () => {
    const who = visitor()
    for (let time = 0; time < 9; time++) await fail(who, user.email)
    expect((await who.signIn(user.email, PASSWORD)).statusCode).toBe(303)
    await who.post('/logout')
    who.cookies.delete('device')
    expect((await fail(who, user.email)).statusCode).toBe(422)
  })
})

describe('too many requests', () => {
  it('too many requests from one address do not lock out a known device there', async () => {
    const busy = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '60' } })
    const { email } = await makeUser(busy.db)
    const own = new Visitor(busy.app)
    await own.signIn(email, PASSWORD)
    await own.post('/logout')
    const stranger = new Visitor(busy.app)
    for (let time = 0; time < 61; time++) await stranger.get('/login')
    expect((await stranger.get('/login')).statusCode).toBe(429)
    expect((await own.get('/login')).statusCode).toBe(200)
    expect((await own.signIn(email, PASSWORD)).statusCode).toBe(303)
    // Another browser of the same person shares the limit.
    const second = new Visitor(busy.app)
    expect((await second.signIn(email, PASSWORD, { address: '192.0.2.9' })).statusCode).toBe(303)
    for (let time = 0; time < 60; time++) await second.get('/login')
    expect((await own.get('/login')).statusCode).toBe(429)
  })

  it('requests with a made-up device cookie count against the address', async () => {
    const busy = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '10' } })
    const codes: number[] = []
    for (let time = 0; time < 12; time++) {
      const stranger = new Visitor(busy.app)
      stranger.cookies.set('device', `m${time}.${time}~x~y`)
      codes.push((await stranger.get('/login')).statusCode)
    }
    expect(codes.filter((code) => code === 429)).toHaveLength(2)
  })
})

describe('an address', () => {
  let proxied: TestApp
  beforeAll(async () => {
    proxied = await freshApp({ hasJobs: false, env: { TRUST_PROXY: '1' } })
  })

  it.each(['192.0.2.1:4711', 'fe80::1%eth0', 'unknown', 'garbage', ''])(
    'the address %j from a proxy causes no error',
    async (forwarded) => {
      const headers = { 'x-forwarded-for': forwarded }
      const who = new Visitor(proxied.app)
      expect((await who.signIn('ukendt@example.dk', 'x', { headers })).statusCode).toBe(422)
      expect(
        (await who.post('/forgot-password', { email: 'ukendt@example.dk' }, { headers })).statusCode,
      ).toBe(303)
    },
  )

  it('an IPv6 address is counted with its whole network', async () => {
    const who = visitor()
    const people = await Promise.all(Array.from({ length: 25 }, () => makeUser(test.db)))
    const codeFor = async (email: string, address: string) =>
      (await who.signIn(email, 'x', { script: true, address })).statusCode
    const codes = new Set<number>()
    for (let host = 0; host < 101; host++)
      codes.add(await codeFor(people[host % 25]!.email, `2001:db8:1:2::${host.toString(16)}`))
    expect(codes).toEqual(new Set([422, 429]))
    expect(await codeFor(user.email, '2001:db8:1:3::1')).toBe(422)
  })

  it('one address cannot request links without limit', async () => {
    const codes: number[] = []
    for (let time = 0; time < 31; time++) {
      codes.push(
        (
          await visitor().post(
            '/forgot-password',
            { email: 'x@example.dk' },
            { script: true, address: '192.0.2.77' },
          )
        ).statusCode,
      )
    }
    expect(codes.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
    expect(codes[30]).toBe(429)
  })
})

describe('a session', () => {
  const signedIn = async () => {
    const who = visitor()
    await who.signIn(user.email, PASSWORD)
    expect(await isIn(who)).toBe(true)
    return who
  }
  const age = (column: 'used_at' | 'created_at', interval: string) =>
    test.db
      .updateTable('sessions')
      .set({ [column]: sql`now() - ${interval}::interval` })
      .where('user_id', '=', user.id)
      .execute()

  it('signing out ends the session, also for a cookie saved before', async () => {
    const who = await signedIn()
    const kept = visitor()
    kept.cookies.set('session', who.cookies.get('session')!)
    const { statusCode, headers } = await who.post('/logout')
    expect(headers['clear-site-data']).toBe('"cache"')
    expect([statusCode, headers.location]).toEqual([303, '/login'])
    expect(who.cookies.has('session')).toBe(false)
    expect(await isIn(kept)).toBe(false)
    expect(await acts(user.id)).toContain('sign-out')
  })

  it('an expired session that is signed out stays ended when the clock goes back', async () => {
    const who = await signedIn()
    const kept = visitor()
    kept.cookies.set('session', who.cookies.get('session')!)
    await age('used_at', '25 hours')
    expect((await who.post('/logout')).statusCode).toBe(303)
    await age('used_at', '1 minute')
    expect(await isIn(kept)).toBe(false)
  })

  it('a session ends after being idle for too long', async () => {
    const who = await signedIn()
    await age('used_at', '23 hours 59 minutes')
    expect(await isIn(who)).toBe(true)
    expect((await sessions())[0]!.used_at.getTime()).toBeGreaterThan(Date.now() - 60_000)
    await age('used_at', '24 hours 1 minute')
    expect(await isIn(who)).toBe(false)
  })

  it('a session ends after its longest time, even if in use', async () => {
    const who = await signedIn()
    await age('created_at', '30 days 1 minute')
    expect(await isIn(who)).toBe(false)
  })

  it('a session ends at the next request after the person is deactivated', async () => {
    const who = await signedIn()
    await test.db.transaction().execute((trx) => deactivateUser(trx, NOBODY, user.id))
    expect(await isIn(who)).toBe(false)
    expect((await who.signIn(user.email, PASSWORD)).statusCode).toBe(422)
    expect(await acts(user.id)).toContain('user-deactivated')
  })

  it('the session of a deactivated person does not work, even if its row remains', async () => {
    const who = await signedIn()
    await test.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', user.id).execute()
    expect(await isIn(who)).toBe(false)
  })

  it.each(['', 'x', 'a.b', '%00', '"><script>', 'x'.repeat(5000)])(
    'the cookie %j opens no session',
    async (value) => {
      const who = visitor()
      who.cookies.set('session', value)
      const { statusCode, headers } = await who.get('/')
      expect([statusCode, headers.location]).toEqual([303, '/login'])
    },
  )

  it('a session opened with an old password does not outlive a new one', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, email } = await makeUser(test.db)
      const visitors = Array.from({ length: 4 }, visitor)
      const hash = await passwordHash('en helt ny adgangskode')
      const [answers] = await Promise.all([
        Promise.all(visitors.map((who) => who.signIn(email, PASSWORD))),
        sleep(round * 10).then(() =>
          test.db.transaction().execute((trx) => setPassword(trx, NOBODY, id, hash)),
        ),
      ])
      expect(answers.map(({ statusCode }) => statusCode).every((code) => [303, 422].includes(code))).toBe(
        true,
      )
      for (const who of visitors) expect(await isIn(who)).toBe(false)
    }
  })

  it('a page without a session redirects to the sign-in and back', async () => {
    expect((await visitor().get('/?q=1')).headers.location).toBe('/login?next=%2F%3Fq%3D1')
  })
})
