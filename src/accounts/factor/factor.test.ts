import { Secret, TOTP } from 'otpauth'
import { sql } from 'kysely'
import { vi, beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter } from '../../../test/enter.ts'
import { makeUser, PASSWORD } from '../../../test/make.ts'
import { pageIn } from '../../../test/page-data.ts'
import { SoftPasskey } from '../../../test/neighbours/soft-passkey.ts'
import { Visitor } from '../../../test/visitor.ts'
import { sendRestedMails } from '../../office/joined-mails.db.ts'
import type { Role } from '../../rights.ts'
import { Vault } from '../../server/process/vault.ts'
import { countLostApps, sealOldApps } from './sealed-apps.db.ts'
import { urls } from '../../urls.ts'
import { letIn } from '../sign-in/let-in.db.ts'
import { signIn } from '../sign-in/sign-in.db.ts'
import { findAccount } from '../users/users.db.ts'

const ORIGIN = 'http://localhost:3000'
const FACTORS = '/profile/second-factor'
let test: TestApp

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { APP_URL: ORIGIN, REQUESTS_PER_MINUTE: '100000' } })
})

type Person = Awaited<ReturnType<typeof makeUser>>
const codeOf = (text: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(text.replaceAll(' ', '')) }).generate({ timestamp })

const realNow = Date.now
let ahead = 0
vi.spyOn(Date, 'now').mockImplementation(() => realNow() + ahead)

/** A code that was not used when the app was added: half a minute passes. */
const nextCodeOf = (text: string) => {
  ahead += 30_000
  return codeOf(text)
}

const startsIn = async (visitor: Visitor) => (await visitor.get('/')).statusCode === 200

async function signedIn(role: Role = 'investor'): Promise<{ person: Person; visitor: Visitor }> {
  const person = await makeUser(test.db, { role })
  const visitor = new Visitor(test.app)
  await visitor.signIn(person.email, PASSWORD)
  return { person, visitor }
}

/** Adds an app. Returns its secret, the code that added it and the recovery codes that are shown then. */
async function addApp(visitor: Visitor): Promise<{ secret: string; code: string; codes: string[] }> {
  const { props } = pageIn((await visitor.get(FACTORS)).body)
  const secret = (props.newApp as { text: string }).text
  const code = codeOf(secret)
  const added = await visitor.post(`${FACTORS}/app`, { code })
  expect(added.headers.location).toBe(FACTORS)
  const shown = pageIn((await visitor.get(FACTORS)).body)
  return { secret, code, codes: (shown.props.newCodes as string[] | null) ?? [] }
}

async function addKey(visitor: Visitor, key = new SoftPasskey(ORIGIN)): Promise<SoftPasskey> {
  const asked = await visitor.post('/api/profile/passkey', {}, { script: true })
  const answer = key.make(asked.json())
  const added = await visitor.post(`${FACTORS}/passkeys`, { name: 'Min telefon', answer }, { script: true })
  expect(added.statusCode).toBe(200)
  return key
}

const useKey = async (visitor: Visitor, key: SoftPasskey) => {
  const asked = await visitor.post('/api/passkey', {}, { script: true })
  return visitor.post(
    '/login/passkey',
    { answer: key.use(asked.json()), next: '/projects' },
    { script: true },
  )
}

const mailsTo = async (email: string) => {
  const { rows } = await sql<{ subject: string }>`
    select data->>'subject' as subject from jobs.job where data->>'to' = ${email} order by created_on`.execute(
    test.db,
  )
  return rows.map(({ subject }) => subject)
}

const logOf = async (userId: number) => {
  const { rows } = await sql<{ act: string; detail: string | null }>`
    select act, detail from log where user_id = ${userId} or subject_user_id = ${userId} order by id`.execute(
    test.db,
  )
  return rows.map(({ act, detail }) => (detail === null ? act : `${act}: ${detail}`))
}

describe('an app with codes', () => {
  it('adds a code app with the code it shows, and shows ten recovery codes once', async () => {
    const { person, visitor } = await signedIn()
    const { codes } = await addApp(visitor)
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const again = pageIn((await visitor.get(FACTORS)).body)
    expect(again.props.newCodes).toBeNull()
    expect(again.props.factors).toMatchObject({ codesLeft: 10, passkeys: [] })
    expect(await mailsTo(person.email)).toEqual(['En kode-app er tilføjet til dit login'])
    expect(await logOf(person.id)).toContain('factor-added: app')
  })

  it('repeated adding and removing of an app sends one mail of each kind, and collects the rest', async () => {
    const { person, visitor } = await signedIn()
    for (let time = 0; time < 4; time++) {
      await addApp(visitor)
      await visitor.post(`${FACTORS}/app/remove`)
    }
    expect((await mailsTo(person.email)).toSorted()).toEqual([
      'En kode-app er fjernet fra dit login',
      'En kode-app er tilføjet til dit login',
    ])
    await sql`update joined_mails set left_at = now() - interval '1 hour'`.execute(test.db)
    await sendRestedMails(test.db, test.jobs)
    const { rows } = await sql<{ text: string; priority: number }>`
      select data ->> 'text' as text, priority from jobs.job
      where data ->> 'to' = ${person.email} and data ->> 'text' like '%siden den forrige mail%'`.execute(
      test.db,
    )
    expect(rows).toHaveLength(2)
    for (const { text, priority } of rows) {
      expect(text).toContain('Det er sket 3 gange')
      expect(priority).toBeGreaterThan(900) // as every mail about a login
    }
  })

  it('refuses to add an app with a wrong code, and keeps the secret on the page', async () => {
    const { visitor } = await signedIn()
    const before = pageIn((await visitor.get(FACTORS)).body)
    const refused = await visitor.post(`${FACTORS}/app`, { code: '000000' })
    expect(refused.statusCode).toBe(422)
    const after = pageIn(refused.body)
    expect(after.props.newApp).toEqual(before.props.newApp)
    expect(after.props.factors).toMatchObject({ app: null })
  })

  it('two presses at the same time add one app', async () => {
    const { person, visitor } = await signedIn()
    const { props } = pageIn((await visitor.get(FACTORS)).body)
    const code = codeOf((props.newApp as { text: string }).text)
    const answers = await Promise.all([1, 2].map(() => visitor.post(`${FACTORS}/app`, { code })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([303, 422])
    expect(await mailsTo(person.email)).toEqual(['En kode-app er tilføjet til dit login'])
  })

  it('asks for a code after the password, and shows nothing before', async () => {
    const { person, visitor } = await signedIn()
    const { secret } = await addApp(visitor)
    const other = new Visitor(test.app)
    const first = await other.post('/login', { email: person.email, password: PASSWORD, next: '/projects' })
    expect(first.headers.location).toBe('/login/code?next=%2Fprojects')
    expect(await startsIn(other)).toBe(false)
    expect((await other.get('/api/projects')).statusCode).toBe(401)
    const second = await other.post('/login/code', { code: nextCodeOf(secret), next: '/projects' })
    expect(second.headers.location).toBe('/projects')
    expect(await startsIn(other)).toBe(true)
    expect((await logOf(person.id)).at(-1)).toBe('sign-in: code')
  })

  it('mails about a new browser when the second step is done', async () => {
    const { person, visitor } = await signedIn()
    const { secret } = await addApp(visitor)
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    const news = async () =>
      (await mailsTo(person.email)).filter((subject) => /enhed|login fra/i.test(subject))
    expect(await news()).toEqual([])
    await other.post('/login/code', { code: nextCodeOf(secret) })
    expect(await news()).toHaveLength(1)
  })

  it('refuses a used code, also the one that added the app', async () => {
    const { person, visitor } = await signedIn()
    const { secret, code: addingCode } = await addApp(visitor)
    const code = nextCodeOf(secret)
    const first = new Visitor(test.app)
    await first.signIn(person.email, PASSWORD)
    await first.post('/login/code', { code })
    expect(await startsIn(first)).toBe(true)
    for (const used of [code, addingCode]) {
      const second = new Visitor(test.app)
      await second.signIn(person.email, PASSWORD)
      const refused = await second.post('/login/code', { code: used }, { script: true })
      expect(refused.statusCode).toBe(422)
      expect(refused.json()).toMatchObject({ errors: { code: [expect.stringContaining('brugt')] } })
      expect(await startsIn(second)).toBe(false)
    }
  })

  it('only one of two simultaneous sign-ins with the same code succeeds', async () => {
    const { person, visitor } = await signedIn()
    const { secret } = await addApp(visitor)
    const visitors = [new Visitor(test.app), new Visitor(test.app)]
    for (const each of visitors) await each.signIn(person.email, PASSWORD)
    const code = nextCodeOf(secret)
    const answers = await Promise.all(visitors.map((each) => each.post('/login/code', { code })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([303, 422])
  })

  it('refuses a code from another person’s app', async () => {
    const one = await signedIn()
    const other = await signedIn()
    await addApp(one.visitor)
    const { secret } = await addApp(other.visitor)
    const visitor = new Visitor(test.app)
    await visitor.signIn(one.person.email, PASSWORD)
    expect((await visitor.post('/login/code', { code: nextCodeOf(secret) })).statusCode).toBe(422)
  })

  it('checks only a few of a thousand guessed codes', async () => {
    const { person, visitor } = await signedIn()
    await addApp(visitor)
    const guesser = new Visitor(test.app)
    await guesser.signIn(person.email, PASSWORD)
    const statuses = new Map<number, number>()
    for (let guess = 0; guess < 1000; guess++) {
      const { statusCode } = await guesser.post(
        '/login/code',
        { code: String(guess).padStart(6, '0') },
        { script: true, address: `192.0.2.${guess % 200}` },
      )
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    }
    expect(statuses.get(422) ?? 0).toBeLessThan(20)
    expect((statuses.get(422) ?? 0) + (statuses.get(429) ?? 0)).toBe(1000)
    expect(await startsIn(guesser)).toBe(false)
  })

  it('shows the secret of an app until the app is added, after a fresh proof, and never again', async () => {
    const { person, visitor } = await signedIn()
    const shown = async () =>
      pageIn((await visitor.get(FACTORS)).body).props.newApp as { text: string } | null
    const goStale = () =>
      sql`update sessions set proved_at = now() - interval '16 minutes' where user_id = ${person.id}`.execute(
        test.db,
      )
    await goStale()
    expect(await shown()).toBeNull()
    await visitor.post('/prove', { proof_password: PASSWORD }, { script: true })
    const first = (await shown())!.text
    await addApp(visitor)
    expect(await shown()).toBeNull()
    expect((await visitor.get(FACTORS)).body).not.toContain(first.slice(0, 9))
    await visitor.post(`${FACTORS}/app/remove`)
    expect((await shown())!.text).not.toBe(first)
  })

  it('asks for a code if an app was added while the password was compared', async () => {
    const { person, visitor } = await signedIn()
    const account = (await findAccount(test.db, person.email))!
    await addApp(visitor)
    const browser = { address: null, device: '', oldToken: undefined }
    const attempt = { email: person.email, address: '192.0.2.1', device: null }
    expect(await signIn(test.db, browser, account, attempt)).toBe('second-step')
  })

  it('adding the first factor ends the other sessions', async () => {
    const { person, visitor } = await signedIn()
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    await addApp(visitor)
    expect(await startsIn(other)).toBe(false)
    expect(await startsIn(visitor)).toBe(true)
  })

  it('removes an app, and the recovery codes with the last factor', async () => {
    const { person, visitor } = await signedIn()
    const { codes } = await addApp(visitor)
    await visitor.post(`${FACTORS}/app/remove`)
    const after = pageIn((await visitor.get(FACTORS)).body)
    expect(after.props.factors).toEqual({ app: null, passkeys: [], codesLeft: 0 })
    expect(await mailsTo(person.email)).toContain('En kode-app er fjernet fra dit login')
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    expect(await startsIn(other)).toBe(true)
    expect(codes).toHaveLength(10)
  })
})

describe('the first step', () => {
  it('a new password makes a half-finished sign-in worthless', async () => {
    const { person, visitor } = await signedIn()
    const { secret } = await addApp(visitor)
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    await sql`update users set password_hash = 'x' where id = ${person.id}`.execute(test.db)
    const late = await other.post('/login/code', { code: nextCodeOf(secret) }, { script: true })
    expect(late.statusCode).toBe(410)
  })

  it('refuses a half-finished sign-in with a forged cookie or another person’s', async () => {
    const { person, visitor } = await signedIn()
    const { secret } = await addApp(visitor)
    const other = new Visitor(test.app)
    other.cookies.set('step', encodeURIComponent(`${person.id}~${Date.now() + 60_000}~x.forged`))
    expect((await other.get('/login/code')).headers.location).toBe('/login')
    const posted = await other.post('/login/code', { code: nextCodeOf(secret) })
    expect(posted.headers.location).toBe('/login')
    expect(await startsIn(other)).toBe(false)
  })

  it('deactivating a person makes their half-finished sign-in worthless', async () => {
    const { person, visitor } = await signedIn()
    const { secret } = await addApp(visitor)
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    await sql`update users set deactivated_at = now() where id = ${person.id}`.execute(test.db)
    const late = await other.post('/login/code', { code: nextCodeOf(secret) }, { script: true })
    expect(late.statusCode).toBe(410)
  })

  it('a link to a new password does not replace the second step', async () => {
    const { person, visitor } = await signedIn()
    const { secret } = await addApp(visitor)
    const { addLinkToken } = await import('../links/link-tokens.db.ts')
    const token = await addLinkToken(test.db, 'reset', person.id)
    const other = new Visitor(test.app)
    const chosen = await other.post(`/reset-password/${token}`, { password: 'en helt ny adgangskode 7' })
    expect(chosen.headers.location).toBe('/login/code')
    expect(await startsIn(other)).toBe(false)
    await other.post('/login/code', { code: nextCodeOf(secret) })
    expect(await startsIn(other)).toBe(true)
  })
})

describe('a recovery code', () => {
  it('a recovery code works once, and the person is told by mail', async () => {
    const { person, visitor } = await signedIn()
    const { codes } = await addApp(visitor)
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    await other.post('/login/code', { code: ` ${codes[3]!.toUpperCase()} ` })
    expect(await startsIn(other)).toBe(true)
    expect(await mailsTo(person.email)).toContain('En af dine nødkoder er brugt')
    const again = new Visitor(test.app)
    await again.signIn(person.email, PASSWORD)
    expect((await again.post('/login/code', { code: codes[3] })).statusCode).toBe(422)
    const page = pageIn((await other.get(FACTORS)).body)
    expect(page.props.factors).toMatchObject({ codesLeft: 9 })
  })

  it('new recovery codes make the old ones worthless', async () => {
    const { person, visitor } = await signedIn()
    const { codes } = await addApp(visitor)
    await visitor.post(`${FACTORS}/codes`)
    const { props } = pageIn((await visitor.get(FACTORS)).body)
    const [fresh] = props.newCodes as string[]
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    expect((await other.post('/login/code', { code: codes[0] })).statusCode).toBe(422)
    await other.post('/login/code', { code: fresh })
    expect(await startsIn(other)).toBe(true)
  })

  it('makes no recovery codes for a person without a factor', async () => {
    const { visitor } = await signedIn()
    expect((await visitor.post(`${FACTORS}/codes`, {}, { script: true })).statusCode).toBe(422)
  })

  it('stores recovery codes as hashes only', async () => {
    const { visitor } = await signedIn()
    const { codes } = await addApp(visitor)
    const { rows } = await sql<{
      row: string
    }>`select recovery_codes::text as row from recovery_codes`.execute(test.db)
    for (const code of codes)
      expect(rows.some(({ row }) => row.includes(code.replaceAll('-', '')))).toBe(false)
  })
})

describe('a passkey', () => {
  it('signs in with a passkey, without e-mail and password', async () => {
    const { person, visitor } = await signedIn()
    const key = await addKey(visitor)
    const other = new Visitor(test.app)
    const answer = await useKey(other, key)
    expect(answer.json()).toEqual({ redirect: '/projects' })
    expect(await startsIn(other)).toBe(true)
    expect((await logOf(person.id)).at(-1)).toBe('sign-in: passkey')
    const { props } = pageIn((await other.get(FACTORS)).body)
    expect(props.factors).toMatchObject({ passkeys: [{ name: 'Min telefon', used_at: expect.any(String) }] })
  })

  it('accepts a passkey as the second step after the password', async () => {
    const { person, visitor } = await signedIn()
    const key = await addKey(visitor)
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    const page = pageIn((await other.get('/login/code')).body)
    expect(page.props).toMatchObject({ hasApp: false, hasPasskeys: true })
    expect((await useKey(other, key)).statusCode).toBe(200)
    expect(await startsIn(other)).toBe(true)
  })

  it.each<[string, (key: SoftPasskey) => void]>([
    ['of another origin', (key) => (key.origin = 'https://ringbind.evil.example')],
    ['that asked for no fingerprint or code', (key) => (key.verifies = false)],
    ['whose counter goes back', (key) => (key.counter = -1)],
  ])('refuses a passkey %s', async (_name, spoil) => {
    const { visitor } = await signedIn()
    const key = await addKey(visitor)
    expect((await useKey(new Visitor(test.app), key)).statusCode).toBe(200)
    spoil(key)
    const other = new Visitor(test.app)
    expect((await useKey(other, key)).statusCode).toBe(422)
    expect(await startsIn(other)).toBe(false)
  })

  it('refuses an unknown passkey, and one with another person’s signature', async () => {
    const { visitor } = await signedIn()
    const key = await addKey(visitor)
    const strange = new SoftPasskey(ORIGIN)
    expect((await useKey(new Visitor(test.app), strange)).statusCode).toBe(422)
    Object.defineProperty(strange, 'id', { value: key.id })
    expect((await useKey(new Visitor(test.app), strange)).statusCode).toBe(422)
  })

  it('accepts a passkey’s answer once, in the browser that was asked', async () => {
    const { visitor } = await signedIn()
    const key = await addKey(visitor)
    const other = new Visitor(test.app)
    const asked = await other.post('/api/passkey', {}, { script: true })
    const cookie = other.cookies.get('challenge')!
    const answer = key.use(asked.json())
    const elsewhere = new Visitor(test.app)
    expect((await elsewhere.post('/login/passkey', { answer }, { script: true })).statusCode).toBe(410)
    expect((await other.post('/login/passkey', { answer }, { script: true })).statusCode).toBe(200)
    // Somebody who has seen both the cookie and the answer.
    const thief = new Visitor(test.app)
    thief.cookies.set('challenge', cookie)
    await sql`update passkeys set counter = 0`.execute(test.db)
    expect((await thief.post('/login/passkey', { answer }, { script: true })).statusCode).toBe(422)
    expect(await startsIn(thief)).toBe(false)
  })

  it('refuses another person’s passkey as the second step', async () => {
    const one = await signedIn()
    const other = await signedIn()
    await addKey(one.visitor)
    const key = await addKey(other.visitor)
    const visitor = new Visitor(test.app)
    await visitor.signIn(one.person.email, PASSWORD)
    expect((await useKey(visitor, key)).statusCode).toBe(422)
  })

  it('refuses the passkey of a deactivated person', async () => {
    const { person, visitor } = await signedIn()
    const key = await addKey(visitor)
    await sql`update users set deactivated_at = now() where id = ${person.id}`.execute(test.db)
    expect((await useKey(new Visitor(test.app), key)).statusCode).toBe(422)
  })

  it('the passkey of a deactivated person still does not work after they are reactivated', async () => {
    const { visitor: boss } = await enter(test, 'administrator')
    const { person, visitor } = await signedIn()
    const key = await addKey(visitor)
    await boss.post(`/users/${person.id}/deactivate`)
    await boss.post(`/users/${person.id}/reactivate`)
    expect((await useKey(new Visitor(test.app), key)).statusCode).toBe(422)
  })

  it('refuses passkeys from an address after too many wrong ones', async () => {
    const visitor = new Visitor(test.app)
    const strange = new SoftPasskey(ORIGIN)
    const address = '203.0.113.77'
    const send = async () => {
      const asked = await visitor.post('/api/passkey', {}, { script: true, address })
      return visitor.post('/login/passkey', { answer: strange.use(asked.json()) }, { script: true, address })
    }
    expect((await send()).statusCode).toBe(422)
    await sql`
      insert into sign_in_failures (subject)
      select subject from (select subject from sign_in_failures order by id desc limit 1) as last, generate_series(1, 120)`.execute(
      test.db,
    )
    expect((await send()).statusCode).toBe(429)
  })

  it('adds a passkey once, and never by an answer to another person’s challenge', async () => {
    const { visitor } = await signedIn()
    const key = await addKey(visitor)
    const asked = await visitor.post('/api/profile/passkey', {}, { script: true })
    const twice = await visitor.post(
      `${FACTORS}/passkeys`,
      { name: 'Igen', answer: key.make(asked.json()) },
      { script: true },
    )
    expect(twice.statusCode).toBe(422)
    const other = await signedIn()
    const theirs = await other.visitor.post('/api/profile/passkey', {}, { script: true })
    visitor.cookies.set('challenge', other.visitor.cookies.get('challenge')!)
    const crossed = await visitor.post(
      `${FACTORS}/passkeys`,
      { name: 'X', answer: new SoftPasskey(ORIGIN).make(theirs.json()) },
      { script: true },
    )
    expect(crossed.statusCode).toBe(422)
  })

  it.each([
    ['no name', { name: '' }],
    ['a long name', { name: 'x'.repeat(61) }],
    ['no answer', { name: 'Telefon', answer: undefined }],
    ['a broken answer', { name: 'Telefon', answer: { id: 'x', response: { attestationObject: '%%%' } } }],
  ])('refuses to add a passkey with %s', async (_name, fields) => {
    const { visitor } = await signedIn()
    const asked = await visitor.post('/api/profile/passkey', {}, { script: true })
    const answer = new SoftPasskey(ORIGIN).make(asked.json())
    const refused = await visitor.post(`${FACTORS}/passkeys`, { answer, ...fields }, { script: true })
    expect(refused.statusCode).toBe(422)
  })

  it('only the owner can remove a passkey', async () => {
    const one = await signedIn()
    const other = await signedIn()
    const key = await addKey(one.visitor)
    const { props } = pageIn((await one.visitor.get(FACTORS)).body)
    const [{ id }] = (props.factors as { passkeys: [{ id: number }] }).passkeys
    expect((await other.visitor.post(`${FACTORS}/passkeys/${id}/remove`)).statusCode).toBe(404)
    await one.visitor.post(`${FACTORS}/passkeys/${id}/remove`)
    expect((await useKey(new Visitor(test.app), key)).statusCode).toBe(422)
    expect(await mailsTo(one.person.email)).toContain('En adgangsnøgle er fjernet fra dit login')
  })
})

describe('a person with a second factor, without a fresh proof', () => {
  const goStale = (id: number) =>
    sql`update sessions set proved_at = now() - interval '16 minutes' where user_id = ${id}`.execute(test.db)
  const prove = (visitor: Visitor, fields: Record<string, unknown>) =>
    visitor.post('/prove', fields, { script: true })

  it.each([
    ['adds an app', `${FACTORS}/app`],
    ['removes the app', `${FACTORS}/app/remove`],
    ['asks for a new passkey', '/api/profile/passkey'],
    ['adds a passkey', `${FACTORS}/passkeys`],
    ['removes a passkey', `${FACTORS}/passkeys/99999/remove`],
    ['makes recovery codes', `${FACTORS}/codes`],
  ])('a person without a fresh proof %s only after a new one', async (_what, url) => {
    const { person, visitor } = await signedIn()
    await addApp(visitor)
    await goStale(person.id)
    const refused = await visitor.post(url, {}, { script: true })
    expect(refused.statusCode).toBe(403)
    expect(refused.json()).toMatchObject({ prove: true })
  })

  it('a code proves who one is, once; the password does not', async () => {
    const { person, visitor } = await signedIn()
    const { secret, codes } = await addApp(visitor)
    await goStale(person.id)
    expect((await prove(visitor, { proof_way: 'password', proof_password: PASSWORD })).statusCode).toBe(422)
    const code = nextCodeOf(secret)
    expect((await prove(visitor, { proof_code: code })).statusCode).toBe(200)
    expect((await visitor.post(`${FACTORS}/codes`, {}, { script: true })).statusCode).toBe(200)
    await goStale(person.id)
    for (const used of [code, codes[0]])
      expect((await prove(visitor, { proof_code: used })).statusCode).toBe(422)
  })

  it('wrong codes in a proof are counted apart, and a right password at the sign-in does not reset them', async () => {
    const { person, visitor } = await signedIn()
    await addApp(visitor)
    // The wait that follows ten wrong tries may be over before a busy machine tries again.
    const statuses = new Set<number>()
    for (let round = 0; round < 4; round++) {
      for (let n = 0; n < 5; n++) statuses.add((await prove(visitor, { proof_code: '000000' })).statusCode)
      await new Visitor(test.app).signIn(person.email, PASSWORD)
    }
    expect([...statuses]).toContain(429)
  })

  it('a passkey proves who one is, but not another person’s, nor an answer to a sign-in', async () => {
    const { person, visitor } = await signedIn()
    const key = await addKey(visitor)
    const other = await signedIn()
    const theirs = await addKey(other.visitor)
    await goStale(person.id)
    const ask = async () => (await visitor.post('/api/passkey', {}, { script: true })).json<never>()
    const answer = (from: SoftPasskey, asked: never) =>
      prove(visitor, { proof_way: 'passkey', proof_passkey: from.use(asked) })
    expect((await answer(theirs, await ask())).statusCode).toBe(422)
    const stranger = new Visitor(test.app)
    const asked = await stranger.post('/api/passkey', {}, { script: true })
    visitor.cookies.set('challenge', stranger.cookies.get('challenge')!)
    expect((await answer(key, asked.json<never>())).statusCode).toBe(422)
    expect((await answer(key, await ask())).statusCode).toBe(200)
  })
})

it('the database has no secret of an app in plain text, and old ones are encrypted within the hour', async () => {
  const { person, visitor } = await signedIn()
  const { secret } = await addApp(visitor)
  const plain = Buffer.from(Secret.fromBase32(secret.replaceAll(' ', '')).bytes)
  const stored = async () =>
    (
      await test.db
        .selectFrom('code_apps')
        .select('secret')
        .where('user_id', '=', person.id)
        .executeTakeFirstOrThrow()
    ).secret
  expect((await stored()).includes(plain)).toBe(false)
  const signsIn = async () => {
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    await other.post(urls.secondStep, { code: nextCodeOf(secret) })
    return startsIn(other)
  }
  await sql`update code_apps set secret = ${plain} where user_id = ${person.id}`.execute(test.db)
  expect(await signsIn()).toBe(true)
  await sealOldApps(test.db, test.vault)
  expect((await stored()).includes(plain)).toBe(false)
  expect(await signsIn()).toBe(true)
  expect(await countLostApps(test.db, test.vault)).toBe(0)
  expect(await countLostApps(test.db, new Vault(Buffer.alloc(32)))).toBeGreaterThan(0)
  // Another person's sealed secret is of no use.
  await sql`update code_apps set secret = ${test.vault.seal(plain, 'code app of 0')} where user_id = ${person.id}`.execute(
    test.db,
  )
  expect(await signsIn()).toBe(false)
})

describe('an administrator', () => {
  it('an administrator resets a person’s factors; the person is told by mail and signed out', async () => {
    const { visitor: boss } = await enter(test, 'administrator')
    const { person, visitor } = await signedIn()
    await addApp(visitor)
    await addKey(visitor)
    const done = await boss.post(`/users/${person.id}/reset-second-factor`)
    expect(done.headers.location).toBe(`/users/${person.id}`)
    expect(await startsIn(visitor)).toBe(false)
    expect(await mailsTo(person.email)).toContain('Dit totrinslogin er nulstillet')
    expect((await logOf(person.id)).at(-1)).toBe('factors-reset')
    const other = new Visitor(test.app)
    await other.signIn(person.email, PASSWORD)
    expect(await startsIn(other)).toBe(true)
  })

  it('an administrator cannot reset their own factors there', async () => {
    const { id, visitor } = await enter(test, 'administrator')
    await addApp(visitor)
    const refused = await visitor.post(`/users/${id}/reset-second-factor`, {}, { script: true })
    expect(refused.statusCode).toBe(422)
  })
})

it('the operator of the server lets in a person who has lost everything', async () => {
  const { person, visitor } = await signedIn('administrator')
  await addApp(visitor)
  const link = await letIn(test.db, person.email)
  const other = new Visitor(test.app)
  const chosen = await other.post(link!.path, { password: 'en helt ny adgangskode 7' })
  expect(chosen.headers.location).toBe('/')
  expect(await startsIn(other)).toBe(true)
  expect(await logOf(person.id)).toContain('factors-reset')
})
