import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { afterwards } from '../../../test/clean-up.ts'
import { enter } from '../../../test/enter.ts'
import { freePort } from '../../../test/neighbours/free-port.ts'
import { sendJson, startHostileProvider } from '../../../test/neighbours/hostile-provider.ts'
import { makeUser, NOBODY, PASSWORD } from '../../../test/make.ts'
import { settingsOf, signInAtProvider, startProvider } from '../../../test/neighbours/oidc-provider.ts'
import { Visitor } from '../../../test/visitor.ts'
import { deactivateUser, reactivateUser } from '../change-user.db.ts'
import { letIn } from '../sign-in/let-in.db.ts'
import { addLinkToken } from '../links/link-tokens.db.ts'
import { addAttempt } from './attempts.db.ts'

const APP = 'https://ringbind.example'

let test: TestApp
let hostile: Awaited<ReturnType<typeof startHostileProvider>>
let issuer: string
beforeAll(async () => {
  const real = await startProvider([`${APP}/login/with/mitid/answer`, `${APP}/login/with/spejl/answer`])
  afterwards(async () => real.stop())
  issuer = real.issuer
  hostile = await startHostileProvider()
  test = await freshApp({
    hasJobs: 'mails',
    env: {
      APP_URL: APP,
      OIDC_PROVIDERS: 'mitid, spejl, entra, nede',
      ...settingsOf('mitid', issuer),
      ...settingsOf('spejl', issuer, 'Spejl'),
      ...settingsOf('entra', hostile.issuer, 'Entra'),
      ...settingsOf('nede', `http://127.0.0.1:${await freePort()}`, 'Nede'),
    },
  })
})
beforeEach(async () => {
  await test.db.deleteFrom('sign_in_failures').execute()
  hostile.lies = {}
})

let count = 0
/** A login at the provider that nobody has yet. */
const newLogin = () => `bruger-${++count}-x`

const visitor = () => new Visitor(test.app)
const isIn = async (who: Visitor) => (await who.get('/')).statusCode === 200

const pathOf = (address: string) => address.replace(APP, '')

/** Begins at one of our addresses. Returns the provider's address. */
async function begin(who: Visitor, address: string, fields = {}): Promise<string> {
  const { statusCode, body } = await who.post(address, fields, { script: true })
  expect([address, statusCode]).toEqual([address, 200])
  return (JSON.parse(body) as { redirect: string }).redirect
}

/** Goes to the provider and back. Returns where that leads. */
async function goThrough(who: Visitor, address: string, login: string, fields = {}): Promise<string> {
  const back = await signInAtProvider(await begin(who, address, fields), login)
  const { statusCode, headers } = await who.get(pathOf(back))
  expect(statusCode).toBe(303)
  return headers.location!
}

const signIn = (who: Visitor, login: string, fields = {}) =>
  goThrough(who, '/login/with/mitid', login, fields)
const link = (who: Visitor, login: string) => goThrough(who, '/profile/link/mitid', login)

/** Comes back from the provider that lies. */
async function goThroughHostile(
  who: Visitor,
  address: string,
  subject = newLogin(),
  more = {},
): Promise<string> {
  const query = new URL(await begin(who, address)).searchParams
  Object.assign(hostile, { nonce: query.get('nonce'), subject })
  const answer = { code: 'x', state: query.get('state')!, iss: hostile.issuer, ...more }
  const { headers } = await who.get(`/login/with/entra/answer?${new URLSearchParams(answer).toString()}`)
  return headers.location!
}

const identities = () => test.db.selectFrom('identities').selectAll().execute()
const identitiesOf = async (userId: number) => (await identities()).filter((each) => each.user_id === userId)

const actsOf = async (userId: number) => {
  const { rows } = await sql<{ act: string; detail: string | null }>`
    select act, detail from log where coalesce(user_id, subject_user_id) = ${userId} order by id`.execute(
    test.db,
  )
  return rows.map(({ act, detail }) => (detail === null ? act : `${act} ${detail}`))
}

/** Somebody with a password who has linked a login. */
async function linked() {
  const login = newLogin()
  const { id, visitor: who } = await enter(test, 'investor')
  expect(await link(who, login)).toBe('/profile?done=identity-linked')
  return { id, who, login }
}

describe('linking', () => {
  it('a linked login signs the person in without a second factor', async () => {
    const { id, login } = await linked()
    const who = visitor()
    expect(await signIn(who, login, { next: '/projects' })).toBe('/projects')
    expect(await isIn(who)).toBe(true)
    const sessions = await sql`select is_strong from sessions where user_id = ${id} order by id`.execute(
      test.db,
    )
    expect(sessions.rows).toEqual([{ is_strong: false }, { is_strong: true }])
    expect(await actsOf(id)).toEqual(['user-added', 'sign-in', 'identity-linked mitid', 'sign-in mitid'])
  })

  it('stores the issuer and subject of a login, and nothing else from the provider', async () => {
    const { id, login } = await linked()
    const [row] = await identitiesOf(id)
    expect(row).toEqual({
      id: expect.any(Number) as number,
      user_id: id,
      issuer,
      subject: login,
      linked_at: expect.any(Date) as Date,
      used_at: null,
    })
    const { rows } = await sql<{ text: string }>`
      select database_to_xml(true, false, '')::text as text`.execute(test.db)
    expect(rows[0]!.text).toContain(login)
    expect(rows[0]!.text).not.toContain('010190')
    expect(test.logged()).not.toContain('010190')
  })

  it('mails the person about a linked login', async () => {
    const { id } = await linked()
    const { email } = await test.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const directory = join(test.config.dataDir, 'mail')
    await expect
      .poll(async () => {
        const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml'))
        const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
        return texts
          .filter((text) => text.includes(`To: ${email}`))
          .map((text) => /^Subject: (.*)$/m.exec(text)?.[1])
      })
      .toEqual(['MitID er knyttet til dit login hos Ringbind'])
  })

  it('linking the same login twice links it once', async () => {
    const { id, who, login } = await linked()
    expect(await link(who, login)).toBe('/profile?done=identity-linked')
    expect(await identitiesOf(id)).toHaveLength(1)
    expect(await actsOf(id)).toEqual(['user-added', 'sign-in', 'identity-linked mitid'])
  })

  it('one person can link several logins, one at a time', async () => {
    const { id, who, login } = await linked()
    const other = newLogin()
    expect(await signIn(visitor(), other)).toBe('/login?problem=unknown&with=mitid')
    await link(who, other)
    expect((await identitiesOf(id)).map(({ subject }) => subject)).toEqual([login, other])
    expect(await signIn(visitor(), other)).toBe('/')
  })

  it('refuses to link a login that another person has', async () => {
    const { id, login } = await linked()
    const { id: other, visitor: who } = await enter(test, 'administrator')
    const address = await link(who, login)
    expect(address).toBe('/profile?problem=taken&with=mitid')
    expect((await who.get(address)).body).toContain('allerede knyttet til en anden person')
    expect(await identitiesOf(other)).toEqual([])
    expect(await identitiesOf(id)).toHaveLength(1)
    expect(await actsOf(other)).toEqual(['user-added', 'sign-in', 'identity-link-failed mitid'])
  })

  it('two people who link the same login at once: one gets it', async () => {
    const login = newLogin()
    const people = await Promise.all([enter(test, 'investor'), enter(test, 'investor')])
    const answers = await Promise.all(people.map(({ visitor: who }) => link(who, login)))
    expect(answers.toSorted()).toEqual(['/profile?done=identity-linked', '/profile?problem=taken&with=mitid'])
    expect((await identities()).filter(({ subject }) => subject === login)).toHaveLength(1)
  })

  it('refuses to link more than twenty logins', async () => {
    const { id, visitor: who } = await enter(test, 'investor')
    await sql`
      insert into identities (user_id, issuer, subject)
      select ${id}, 'https://x.example', 'nr ' || n from generate_series(1, 20) as n`.execute(test.db)
    expect(await link(who, newLogin())).toBe('/profile?problem=full&with=mitid')
    await sql`delete from identities where user_id = ${id}`.execute(test.db)
  })

  it('the provider asks for a new sign-in before linking, so that nobody links another person’s open login', async () => {
    const { visitor: who } = await enter(test, 'investor')
    const promptOf = async (address: string) => new URL(await begin(who, address)).searchParams.get('prompt')
    expect(await promptOf('/profile/link/mitid')).toBe('login')
    expect(await promptOf('/login/with/mitid')).toBeNull()
  })

  it('linking needs the anti-forgery token', async () => {
    const { visitor: who } = await enter(test, 'investor')
    expect((await who.post('/profile/link/mitid', {}, { noToken: true })).statusCode).toBe(403)
    expect((await who.get('/profile/link/mitid')).statusCode).toBe(404)
    expect((await visitor().post('/profile/link/mitid', {}, { script: true })).statusCode).toBe(401)
  })

  it('refuses to finish in B’s session a link that A began', async () => {
    const { id: a, visitor: who } = await enter(test, 'investor')
    const back = await signInAtProvider(await begin(who, '/profile/link/mitid'), newLogin())
    const { id: b, visitor: other } = await enter(test, 'investor')
    other.cookies.set('__Host-provider', who.cookies.get('__Host-provider')!)
    const { headers } = await other.get(pathOf(back))
    expect(headers.location).toBe('/profile?problem=other-session&with=mitid')
    expect([...(await identitiesOf(a)), ...(await identitiesOf(b))]).toEqual([])
  })

  it('refuses to finish a link after signing out, or in a later session of the same person', async () => {
    const { email } = await makeUser(test.db)
    const who = visitor()
    await who.signIn(email, PASSWORD)
    const address = await begin(who, '/profile/link/mitid')
    await who.post('/logout')
    const one = await who.get(pathOf(await signInAtProvider(address, newLogin())))
    expect(one.headers.location).toBe('/login?problem=other-session&with=mitid')
    await who.signIn(email, PASSWORD)
    const again = await begin(who, '/profile/link/mitid')
    await who.post('/logout')
    await who.signIn(email, PASSWORD)
    const two = await who.get(pathOf(await signInAtProvider(again, newLogin())))
    expect(two.headers.location).toBe('/profile?problem=other-session&with=mitid')
  })
})

describe('signing in', () => {
  it('explains what to do with an unknown login, and adds no user', async () => {
    const people = async () => (await sql`select from users`.execute(test.db)).rows.length
    const before = await people()
    const who = visitor()
    // The login is the e-mail of somebody: it is not a key to them.
    const { email } = await makeUser(test.db)
    const address = await signIn(who, email, { next: '/projects' })
    expect(address).toBe('/login?next=%2Fprojects&problem=unknown&with=mitid')
    const { body } = await who.get(address)
    expect(body).toContain(
      'Log ind, som du plejer, og tilknyt MitID under Min profil, eller kontakt kontoret.',
    )
    expect(await isIn(who)).toBe(false)
    expect(await people()).toBe(before + 1)
    const { rows } = await sql`
      select user_id, subject_user_id, detail from log where act = 'sign-in-failed' order by id desc limit 1`.execute(
      test.db,
    )
    expect(rows).toEqual([{ user_id: null, subject_user_id: null, detail: 'mitid' }])
  })

  it('refuses a deactivated person, also one deactivated during the sign-in', async () => {
    const { id, login } = await linked()
    const who = visitor()
    const back = await signInAtProvider(await begin(who, '/login/with/mitid'), login)
    await deactivateUser(test.db, NOBODY, id)
    expect((await who.get(pathOf(back))).headers.location).toBe('/login?problem=closed&with=mitid')
    expect(await signIn(who, login)).toBe('/login?problem=closed&with=mitid')
    expect(await isIn(who)).toBe(false)
    expect((await actsOf(id)).filter((act) => act === 'sign-in-failed mitid')).toHaveLength(2)
  })

  it('an administrator removes a login, even the only one; the person is signed out and told by mail', async () => {
    const { visitor: boss } = await enter(test, 'administrator')
    const { id, login } = await linked()
    await sql`update users set password_hash = null where id = ${id}`.execute(test.db)
    const who = visitor()
    await signIn(who, login)
    expect(await isIn(who)).toBe(true)
    const [identity] = await identitiesOf(id)
    expect((await boss.get(`/users/${id}`)).body).toContain('Fjern login med MitID')
    const { statusCode } = await boss.post(
      `/users/${id}/identities/${identity!.id}/unlink`,
      {},
      { script: true },
    )
    expect(statusCode).toBe(200)
    expect(await isIn(who)).toBe(false)
    expect(await signIn(who, login)).toBe('/login?problem=unknown&with=mitid')
    const again = await boss.post(`/users/${id}/identities/${identity!.id}/unlink`, {}, { script: true })
    expect(again.statusCode).toBe(404)
  })

  it('signing in with a provider ends the old session of the browser', async () => {
    const { id, visitor: who } = await enter(test, 'investor')
    const { login } = await linked()
    await signIn(who, login)
    expect(await sql`select from sessions where user_id = ${id}`.execute(test.db)).toMatchObject({ rows: [] })
  })

  it('shows when the login was last used', async () => {
    const { id, who, login } = await linked()
    expect((await who.get('/profile')).body).toContain('Ikke brugt endnu')
    await signIn(visitor(), login)
    expect((await identitiesOf(id))[0]!.used_at).not.toBeNull()
    expect((await who.get('/profile')).body).not.toContain('Ikke brugt endnu')
  })

  it('the answer of a provider cannot be used twice', async () => {
    const { login } = await linked()
    const who = visitor()
    const address = await begin(who, '/login/with/mitid')
    const cookie = who.cookies.get('__Host-provider')!
    const back = pathOf(await signInAtProvider(address, login))
    expect((await who.get(back)).headers.location).toBe('/')
    expect(who.cookies.has('__Host-provider')).toBe(false)
    for (const thief of [visitor(), visitor()]) {
      thief.cookies.set('__Host-provider', cookie)
      expect((await thief.get(back)).headers.location).toBe('/login?problem=expired&with=mitid')
      expect(await isIn(thief)).toBe(false)
    }
  })

  it('the same answer twice at once signs in once', async () => {
    const { id, login } = await linked()
    const who = visitor()
    const back = pathOf(await signInAtProvider(await begin(who, '/login/with/mitid'), login))
    const cookie = `__Host-provider=${who.cookies.get('__Host-provider')}`
    const answers = await Promise.all([1, 2].map(() => test.app.inject({ url: back, headers: { cookie } })))
    expect(answers.map(({ headers }) => String(headers.location)).toSorted()).toEqual([
      '/',
      '/login?problem=expired&with=mitid',
    ])
    expect((await actsOf(id)).filter((act) => act === 'sign-in mitid')).toHaveLength(1)
  })

  it('refuses to finish a sign-in in another browser, so that nobody is led into another person’s account', async () => {
    const { login } = await linked()
    const attacker = visitor()
    const back = pathOf(await signInAtProvider(await begin(attacker, '/login/with/mitid'), login))
    const victim = visitor()
    expect((await victim.get(back)).headers.location).toBe('/login?problem=expired&with=mitid')
    await begin(victim, '/login/with/mitid')
    expect((await victim.get(back)).headers.location).toBe('/login?problem=expired&with=mitid')
    expect(await isIn(victim)).toBe(false)
  })

  it('refuses to finish a sign-in at another provider’s address', async () => {
    const { login } = await linked()
    for (const other of ['spejl', 'entra']) {
      const who = visitor()
      const back = pathOf(await signInAtProvider(await begin(who, '/login/with/mitid'), login))
      const { headers } = await who.get(back.replace('/mitid/', `/${other}/`))
      expect(headers.location).toBe(`/login?problem=expired&with=${other}`)
      expect(await isIn(who)).toBe(false)
    }
  })

  it('refuses to finish a sign-in with the answer to another one', async () => {
    const { login } = await linked()
    const who = visitor()
    const stolen = new URL(await signInAtProvider(await begin(visitor(), '/login/with/mitid'), login))
    const own = new URL(await signInAtProvider(await begin(who, '/login/with/mitid'), newLogin()))
    own.searchParams.set('code', stolen.searchParams.get('code')!)
    // The code belongs to another PKCE challenge and nonce.
    expect((await who.get(own.pathname + own.search)).headers.location).toBe(
      '/login?problem=invalid&with=mitid',
    )
    expect(await isIn(who)).toBe(false)
  })

  it('a sign-in at a provider expires after ten minutes', async () => {
    const { login } = await linked()
    const who = visitor()
    const back = pathOf(await signInAtProvider(await begin(who, '/login/with/mitid'), login))
    await sql`update provider_attempts set created_at = created_at - interval '10 minutes'`.execute(test.db)
    expect((await who.get(back)).headers.location).toBe('/login?problem=expired&with=mitid')
  })

  it('signs in without JavaScript by way of a page of ours, because a form may not redirect to another site', async () => {
    const { login } = await linked()
    const who = visitor()
    const { statusCode, headers, body } = await who.post('/login/with/mitid', { next: '/projects' })
    expect([statusCode, headers.location]).toEqual([200, undefined])
    const [, address] = /^0; url=(\S+)$/.exec(headers.refresh as string)!
    expect(body).toContain(address!.replaceAll('&', '&amp;'))
    expect((await who.get(pathOf(await signInAtProvider(address!, login)))).headers.location).toBe(
      '/projects',
    )
  })

  it('signing in with a provider needs the anti-forgery token', async () => {
    expect((await visitor().post('/login/with/mitid', {}, { noToken: true })).statusCode).toBe(403)
  })

  it.each(['//evil.example', 'https://evil.example', ['/a'], `/${'x'.repeat(3000)}`])(
    'a sign-in at a provider never redirects to another site: %s',
    async (next) => {
      const { login } = await linked()
      expect(await signIn(visitor(), login, { next })).toMatch(/^\/(x{1999})?$/)
    },
  )

  it('answers 404 for a provider that is not set up', async () => {
    for (const key of ['findes-ikke', '__proto__', 'MITID']) {
      expect((await visitor().get(`/login/with/${key}`)).statusCode).toBe(404)
      expect((await visitor().post(`/login/with/${key}`)).statusCode).toBe(404)
      expect((await visitor().get(`/login/with/${key}/answer`)).statusCode).toBe(404)
    }
  })

  it('reports a provider that is down, and the password still works', async () => {
    const { email } = await makeUser(test.db)
    const who = visitor()
    const { headers } = await who.post('/login/with/nede', { next: '/projects' })
    expect(headers.location).toBe('/login?next=%2Fprojects&problem=unavailable&with=nede')
    expect((await who.get(headers.location!)).body).toContain('Nede svarer ikke lige nu.')
    expect((await who.signIn(email, PASSWORD)).statusCode).toBe(303)
    expect(await begin(who, '/profile/link/nede')).toBe('/profile?problem=unavailable&with=nede')
  })

  it('the sign-in page has a button for each provider below the password, and each provider has a page', async () => {
    const { body } = await visitor().get('/login')
    for (const name of ['MitID', 'Spejl', 'Entra', 'Nede']) expect(body).toContain(`Log ind med ${name}`)
    expect((await visitor().get('/login/with/mitid')).body).toContain('Fortsæt til MitID')
  })

  it.each(['?problem=findes-ikke&with=mitid', '?problem=unknown&with=x', '?problem=constructor&with=mitid'])(
    'shows no message for unknown words in the address: %s',
    async (query) => {
      expect((await visitor().get(`/login${query}`)).body).not.toContain('role="alert"')
    },
  )
})

describe('a lying provider', () => {
  it('refuses a sign-in with a forged signature, and logs it', async () => {
    const who = visitor()
    hostile.lies = { sign: 'stranger' }
    expect(await goThroughHostile(who, '/login/with/entra')).toBe('/login?problem=invalid&with=entra')
    expect(await isIn(who)).toBe(false)
    expect(test.logged()).toContain('a sign-in at a provider failed')
  })

  it('a provider cannot sign in a person by another provider’s subject', async () => {
    const { login } = await linked()
    expect(await goThroughHostile(visitor(), '/login/with/entra', login)).toBe(
      '/login?problem=unknown&with=entra',
    )
  })

  it('a provider cannot sign in a person by naming another issuer', async () => {
    const { login } = await linked()
    hostile.lies = { claims: (honest) => ({ ...honest, iss: issuer }) }
    expect(await goThroughHostile(visitor(), '/login/with/entra', login)).toBe(
      '/login?problem=invalid&with=entra',
    )
  })

  it('refuses a CPR number as the subject, and stores none of it', async () => {
    const { visitor: who } = await enter(test, 'investor')
    const address = await goThroughHostile(who, '/profile/link/entra', '010190-1234')
    expect(address).toBe('/profile?problem=cpr&with=entra')
    expect((await who.get(address)).body).toContain('ligner et CPR-nummer')
    expect((await identities()).filter(({ subject }) => subject.includes('010190'))).toEqual([])
    expect(test.logged()).not.toContain('010190')
  })

  it('a provider that breaks off, or a person who cancels, does not count as a failed sign-in', async () => {
    const failures = () => sql`select from log where act = 'sign-in-failed'`.execute(test.db)
    const before = (await failures()).rows.length
    hostile.lies = { answer: { token: (response) => sendJson(response, {}, 500) } }
    expect(await goThroughHostile(visitor(), '/login/with/entra')).toBe(
      '/login?problem=unavailable&with=entra',
    )
    const cancelled = await goThroughHostile(visitor(), '/login/with/entra', 'x', { error: 'access_denied' })
    expect(cancelled).toBe('/login?problem=cancelled&with=entra')
    expect((await visitor().get(cancelled)).body).toContain('Du afbrød hos Entra.')
    expect((await failures()).rows).toHaveLength(before)
  })

  it('failed sign-ins at a provider are throttled with an address’s wrong passwords; successful ones are not counted', async () => {
    const { login } = await linked()
    await test.db.deleteFrom('sign_in_failures').execute()
    await signIn(visitor(), login)
    expect(await sql`select from sign_in_failures`.execute(test.db)).toMatchObject({ rows: [] })
    hostile.lies = { sign: 'broken' }
    await goThroughHostile(visitor(), '/login/with/entra')
    await sql`
      insert into sign_in_failures (subject)
      select subject from sign_in_failures, generate_series(1, 120)`.execute(test.db)
    const { statusCode, headers } = await visitor().post('/login/with/entra', {}, { script: true })
    expect([statusCode, Number(headers['retry-after']) > 0]).toEqual([429, true])
    expect((await visitor().signIn('ukendt@example.dk', 'x')).statusCode).toBe(429)
    // A browser that somebody has signed in from is counted by itself.
    const known = visitor()
    const { id } = await makeUser(test.db)
    const token = await addLinkToken(test.db, 'reset', id)
    await known.post(`/reset-password/${token}`, { password: 'en helt ny adgangskode' })
    expect(await begin(known, '/login/with/entra')).toContain('/authorize?')
  })
})

describe('an invitation', () => {
  async function invited() {
    const { id, email } = await makeUser(test.db, { passwordHash: null, role: 'administrator' })
    return { id, email, token: await addLinkToken(test.db, 'invitation', id), login: newLogin() }
  }

  it('accepts an invitation with a provider instead of a password, once', async () => {
    const { id, token, login } = await invited()
    const who = visitor()
    expect((await who.get(`/invitation/${token}`)).body).toContain('Log ind med MitID')
    expect(await goThrough(who, `/invitation/${token}/with/mitid`, login)).toBe('/')
    expect(await isIn(who)).toBe(true)
    expect((await visitor().get(`/invitation/${token}`)).statusCode).toBe(410)
    const second = await visitor().post(`/invitation/${token}/with/mitid`, {}, { script: true })
    expect(second.statusCode).toBe(410)
    expect(await actsOf(id)).toEqual(['user-added', 'invitation-accepted mitid'])
    expect(await signIn(visitor(), login)).toBe('/')
  })

  it('keeps the invitation if another person has the login, or the provider refuses', async () => {
    const { id, token } = await invited()
    const { login } = await linked()
    const who = visitor()
    const address = await goThrough(who, `/invitation/${token}/with/mitid`, login)
    expect(address).toBe(`/invitation/${token}?problem=taken&with=mitid`)
    const page = await who.get(address)
    expect([page.statusCode, page.body.includes('allerede knyttet til en anden person')]).toEqual([200, true])
    hostile.lies = { sign: 'none' }
    expect(await goThroughHostile(who, `/invitation/${token}/with/entra`)).toBe(
      `/invitation/${token}?problem=invalid&with=entra`,
    )
    expect(await identitiesOf(id)).toEqual([])
    expect((await actsOf(id)).slice(1)).toEqual(['sign-in-failed mitid', 'sign-in-failed entra'])
  })

  it('an invitation that was used meanwhile links nothing', async () => {
    const { id, token, login } = await invited()
    const who = visitor()
    const back = pathOf(await signInAtProvider(await begin(who, `/invitation/${token}/with/mitid`), login))
    await visitor().post(`/invitation/${token}`, { password: 'en helt ny adgangskode' })
    const { headers } = await who.get(back)
    expect(headers.location).toBe(`/invitation/${token}`)
    expect((await who.get(headers.location!)).statusCode).toBe(410)
    expect(await identitiesOf(id)).toEqual([])
    expect(await isIn(who)).toBe(false)
  })

  it('a changed cookie cannot use another person’s invitation', async () => {
    const mine = await invited()
    const theirs = await invited()
    const who = visitor()
    const back = pathOf(
      await signInAtProvider(await begin(who, `/invitation/${mine.token}/with/mitid`), mine.login),
    )
    const secret = who.cookies.get('__Host-provider')!.split('.')[0]!
    who.cookies.set('__Host-provider', `${secret}.${theirs.token}`)
    await who.get(back)
    expect([...(await identitiesOf(mine.id)), ...(await identitiesOf(theirs.id))]).toEqual([])
    expect((await visitor().get(`/invitation/${theirs.token}`)).statusCode).toBe(200)
  })

  it('an invitation accepted without a password counts as accepted everywhere', async () => {
    const { id, email, token, login } = await invited()
    const admin = (await enter(test, 'administrator')).visitor
    const state = async () =>
      (JSON.parse((await admin.get(`/api/users?q=${email}`)).body) as { data: { pending: boolean }[] })
        .data[0]!.pending
    expect(await state()).toBe(true)
    await goThrough(visitor(), `/invitation/${token}/with/mitid`, login)
    expect(await state()).toBe(false)
    const again = await admin.post(`/users/${id}/invite`, {}, { script: true })
    expect([again.statusCode, again.body]).toEqual([422, expect.stringContaining('allerede taget imod')])
    expect((await letIn(test.db, email))!.path).toMatch(/^\/reset-password\//)
    // An administrator who signs in with a provider counts too.
    const { id: other } = await makeUser(test.db, { role: 'administrator' })
    const alone = test.db.transaction().execute(async (trx) => {
      await sql`update users set deactivated_at = now() where role = 'administrator' and id not in (${id}, ${other})`.execute(
        trx,
      )
      await deactivateUser(trx, NOBODY, other)
      await expect(deactivateUser(trx, NOBODY, id)).rejects.toThrow('mindst én anden administrator')
      throw new Error('undo')
    })
    await expect(alone).rejects.toThrow('undo')
  })
})

describe('a person without a password and without a fresh proof', () => {
  async function withoutPassword() {
    const { id } = await makeUser(test.db, { passwordHash: null, role: 'administrator' })
    const login = newLogin()
    const who = visitor()
    const token = await addLinkToken(test.db, 'invitation', id)
    await goThrough(who, `/invitation/${token}/with/mitid`, login)
    const goStale = () =>
      sql`update sessions set proved_at = now() - interval '1 hour' where user_id = ${id}`.execute(test.db)
    await goStale()
    return { id, login, who, goStale }
  }
  const isAsked = async (who: Visitor) => (await who.get('/log.csv')).headers.location?.startsWith('/prove')

  it('proves who one is at the provider, and continues', async () => {
    const { who, login } = await withoutPassword()
    expect(await isAsked(who)).toBe(true)
    expect((await who.get('/prove?to=/log.csv')).body).toContain('action="/prove/with/mitid"')
    const led = await goThrough(who, '/prove/with/mitid', login, { next: '/log.csv' })
    expect(led).toBe('/prove?to=%2Flog.csv&done')
    expect(await isAsked(who)).toBeFalsy()
  })

  it('another person’s login, an unknown login or an empty password proves nothing', async () => {
    const { who } = await withoutPassword()
    const other = await linked()
    for (const [login, problem] of [
      [other.login, 'taken'],
      [newLogin(), 'unknown'],
    ] as const)
      expect(await goThrough(who, '/prove/with/mitid', login, { next: '/' })).toBe(
        `/prove?to=%2F&problem=${problem}&with=mitid`,
      )
    expect((await who.post('/prove', { proof_password: '' }, { script: true })).statusCode).toBe(422)
    expect(await isAsked(who)).toBe(true)
  })

  it('a proof at the provider counts in its own session only', async () => {
    const { who, login, goStale } = await withoutPassword()
    const back = await signInAtProvider(await begin(who, '/prove/with/mitid', { next: '/' }), login)
    await signIn(who, login)
    await goStale()
    expect((await who.get(pathOf(back))).headers.location).toMatch(/problem=(other-session|expired)/)
    expect(await isAsked(who)).toBe(true)
  })
})

describe('removing a login', () => {
  it('a removed login no longer signs in', async () => {
    const { id, who, login } = await linked()
    const [identity] = await identitiesOf(id)
    const { headers } = await who.post(`/profile/identities/${identity!.id}/unlink`)
    expect(headers.location).toBe('/profile?done=identity-unlinked')
    expect(await signIn(visitor(), login)).toBe('/login?problem=unknown&with=mitid')
    expect(await actsOf(id)).toContain('identity-unlinked mitid')
  })

  it('refuses to remove the only login of a person without a password', async () => {
    const { id } = await makeUser(test.db, { passwordHash: null })
    const who = visitor()
    const token = await addLinkToken(test.db, 'invitation', id)
    await goThrough(who, `/invitation/${token}/with/mitid`, newLogin())
    const [identity] = await identitiesOf(id)
    const address = `/profile/identities/${identity!.id}/unlink`
    expect((await who.get('/profile')).body).toContain('Du logger ind uden adgangskode.')
    const plain = await who.post(address)
    expect([plain.statusCode, plain.body]).toEqual([
      422,
      expect.stringContaining('Vælg en adgangskode først.'),
    ])
    expect((await who.post(address, {}, { script: true })).statusCode).toBe(422)
    await link(who, newLogin())
    expect((await who.post(address)).statusCode).toBe(303)
    const [left] = await identitiesOf(id)
    expect((await who.post(`/profile/identities/${left!.id}/unlink`)).statusCode).toBe(422)
  })

  it('removing two logins at once leaves one', async () => {
    const { id } = await makeUser(test.db, { passwordHash: null })
    const who = visitor()
    await goThrough(
      who,
      `/invitation/${await addLinkToken(test.db, 'invitation', id)}/with/mitid`,
      newLogin(),
    )
    await link(who, newLogin())
    const own = await identitiesOf(id)
    await who.get('/profile')
    await Promise.all(own.map((each) => who.post(`/profile/identities/${each.id}/unlink`)))
    expect(await identitiesOf(id)).toHaveLength(1)
  })

  it('answers 404 when the removed login is another person’s or unknown', async () => {
    const { id } = await linked()
    const [identity] = await identitiesOf(id)
    const { visitor: who } = await enter(test, 'administrator')
    for (const each of [identity!.id, 999_999_999, 'x', '1e3'])
      expect((await who.post(`/profile/identities/${each}/unlink`, {}, { script: true })).statusCode).toBe(
        404,
      )
    expect(await identitiesOf(id)).toHaveLength(1)
  })

  it('reactivating a person removes their logins, and they are invited again', async () => {
    const { id, login } = await linked()
    await deactivateUser(test.db, NOBODY, id)
    expect(await identitiesOf(id)).toHaveLength(1)
    await reactivateUser(test.db, NOBODY, id)
    expect(await identitiesOf(id)).toEqual([])
    expect(await signIn(visitor(), login)).toBe('/login?problem=unknown&with=mitid')
  })
})

it('stores the secret of an attempt as a hash', async () => {
  const secret = await addAttempt(test.db, 'mitid', { purpose: 'sign-in', next: '/' })
  const { rows } = await sql<{
    text: string
  }>`select provider_attempts::text as text from provider_attempts`.execute(test.db)
  expect(rows.map(({ text }) => text).join('\n')).not.toContain(secret)
})
