import { sql } from 'kysely'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { asOwner } from '../../../test/database.ts'
import { countUp } from '../../../test/counter.ts'
import { makeFile, makeProject, makeToken, makeUser, NOBODY, PASSWORD } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { listFolders } from '../../projects/folders.db.ts'
import type { Scope } from '../../rights.ts'
import { changeUser, deactivateUser, endSessions, reactivateUser, resetFactors } from '../change-user.db.ts'
import type { User } from '../users/user.ts'
import { setPassword } from '../sign-in/sign-in.db.ts'
import { endRestoredCredentials } from '../session/end-credentials.db.ts'

let test: TestApp
let administrator: User
let project: { id: number }
let folder: number
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  administrator = await makeUser(test.db, { role: 'administrator', name: 'Anne Admin' })
  project = await makeProject(test.db)
  folder = (await listFolders(test.db, project.id))[0]!.id
})

/** Calls as a program does: with a key, and without cookies or a page of ours. */
const call = (secret: string | null, url: string, options: InjectOptions = {}) =>
  test.app.inject({
    url,
    remoteAddress: `10.0.${Math.floor(countUp() / 250)}.${(countUp() % 250) + 1}`, // wrong keys are counted by address
    ...options,
    headers: { ...(secret !== null && { authorization: `Bearer ${secret}` }), ...options.headers },
  })

const outcome = async (secret: string, url: string, options: InjectOptions = {}) => {
  const { statusCode, headers, body } = await call(secret, url, options)
  const isJson = headers['content-type']?.startsWith('application/json') ?? false
  const { code } = (isJson ? JSON.parse(body) : {}) as { code?: string }
  return code === undefined ? String(statusCode) : `${statusCode} ${code}`
}

const change = (token: string, to: string) =>
  sql`update tokens set ${sql.raw(to)} where prefix = ${token.slice(0, 7)}`.execute(test.db)

describe('a key', () => {
  const READ = () => '/api/projects'
  const PAGE = () => '/projects'
  const ORDER = () => `/api/projects/${project.id}/folder/${folder}/sort`
  const TUS = () => '/api/temp/tus'

  const POST: InjectOptions = { method: 'POST', payload: { by: 'name', direction: 'asc' } }
  const ANNOUNCE: InjectOptions = {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '3',
      'upload-metadata': `filename ${Buffer.from('a.pdf').toString('base64')}`,
    },
  }
  type Route = [name: string, url: () => string, options: InjectOptions]
  const ROUTES: Route[] = [
    ['read', READ, {}],
    ['upload', TUS, ANNOUNCE],
    ['manage', ORDER, POST],
    ['a page', PAGE, {}],
    ['the form of a page', () => '/profile', { method: 'POST', payload: { name: 'En anden' } }],
    ['the sign-in', () => '/login', {}],
    ['an address that is not there', () => '/api/findes-ikke', {}],
  ]

  it.each<[Scope[], Record<string, string>]>([
    [['read'], { read: '200', upload: '403 wrong_scope', manage: '403 wrong_scope' }],
    [['upload'], { read: '403 wrong_scope', upload: '201', manage: '403 wrong_scope' }],
    [['manage'], { read: '403 wrong_scope', upload: '403 wrong_scope', manage: '200' }],
    [['read', 'upload', 'manage'], { read: '200', upload: '201', manage: '200' }],
  ])(
    'a key with the scopes %j works on its routes for programs, and on no others',
    async (scopes, answers) => {
      const secret = await makeToken(test, administrator.id, { scopes })
      for (const [name, url, options] of ROUTES) {
        const wanted =
          answers[name] ??
          (name === 'an address that is not there' ? expect.stringMatching(/^404/) : '403 not_for_programs')
        expect([name, await outcome(secret, url(), options)]).toEqual([name, wanted])
      }
    },
  )

  it.each<[state: string, prepare: (secret: string, person: User) => Promise<unknown>, answer: string]>([
    ['that has expired', (secret) => change(secret, `expires_at = now()`), '401 token_expired'],
    ['that is revoked', (secret) => change(secret, `revoked_at = now()`), '401 token_revoked'],
    [
      'of somebody who is deactivated',
      (_secret, { id }) => sql`update users set deactivated_at = now() where id = ${id}`.execute(test.db),
      '401 token_revoked',
    ],
    [
      'that is not there',
      (secret) =>
        asOwner(
          test.db,
          sql`delete from log where token_id = (select id from tokens where prefix = ${secret.slice(0, 7)})`,
        ).then(() => sql`delete from tokens where prefix = ${secret.slice(0, 7)}`.execute(test.db)),
      '401 unknown_token',
    ],
    ['that works', () => Promise.resolve(), '200'],
  ])('every kind of route answers a key %s', async (_state, prepare, answer) => {
    const person = await makeUser(test.db, { role: 'employee' })
    const secret = await makeToken(test, person.id)
    await prepare(secret, person)
    expect(await outcome(secret, READ())).toBe(answer)
    for (const [name, url, options] of ROUTES)
      if (answer !== '200' && name !== 'an address that is not there')
        expect([name, await outcome(secret, url(), options)]).toEqual([name, answer])
  })

  it.each([
    '',
    'rb_',
    'rb_kort',
    'x'.repeat(46),
    `rb_${'æ'.repeat(43)}`,
    `rb_${'a'.repeat(43)}`,
    'x'.repeat(8000),
  ])('the key “%.20s” is unknown, and the answer names the scheme', async (secret) => {
    const { statusCode, headers, ...answer } = await call(null, READ(), {
      headers: { authorization: Buffer.from(`Bearer ${secret}`).toString('latin1') },
      remoteAddress: '10.1.1.1',
    })
    expect([statusCode, headers['www-authenticate'], answer.json()]).toEqual([
      401,
      'Bearer',
      { code: 'unknown_token', message: 'API-nøglen findes ikke.' },
    ])
  })

  it('accepts the scheme in any case, and ignores other schemes', async () => {
    const secret = await makeToken(test, administrator.id)
    const status = async (authorization: string) =>
      (await call(null, READ(), { headers: { authorization } })).statusCode
    expect(await status(`bearer   ${secret}`)).toBe(200)
    expect(await status(`Basic ${secret}`)).toBe(401)
    const { headers } = await call(null, PAGE(), { headers: { authorization: `Basic ${secret}` } })
    expect(headers.location).toBe('/login?next=%2Fprojects')
  })

  it('a key takes precedence over cookies', async () => {
    const visitor = new Visitor(test.app)
    await visitor.signIn(administrator.email, PASSWORD)
    const investor = await makeUser(test.db)
    const authorization = `Bearer ${await makeToken(test, investor.id)}`
    expect((await visitor.get('/api/users')).statusCode).toBe(200)
    expect((await visitor.get('/api/users', { headers: { authorization } })).statusCode).toBe(403)
    const wrong = await visitor.get('/api/users', { headers: { authorization: 'Bearer rb_x' } })
    expect(wrong.statusCode).toBe(401)
  })

  it('a key sets no cookies and needs no anti-forgery token; a session still needs one', async () => {
    const secret = await makeToken(test, administrator.id)
    const answer = await call(secret, ORDER(), { ...POST, headers: { origin: 'https://andet.example' } })
    expect([answer.statusCode, answer.cookies]).toEqual([200, []])
    const visitor = new Visitor(test.app)
    await visitor.signIn(administrator.email, PASSWORD)
    expect(
      (await visitor.post(ORDER(), { by: 'name', direction: 'asc' }, { noToken: true })).statusCode,
    ).toBe(403)
  })

  it('a key is not a fresh proof, so it cannot delete anything permanently', async () => {
    const secret = await makeToken(test, administrator.id)
    const { id } = await makeFile(test, folder)
    const answers = [
      await outcome(secret, `/api/projects/${project.id}/file/${id}`, { method: 'DELETE' }),
      await outcome(secret, `/api/projects/${project.id}/trash/${id}`, { method: 'DELETE' }),
      await outcome(secret, `/log.csv`),
    ]
    expect(answers).toEqual(['200', '403 not_for_programs', '403 not_for_programs'])
  })

  it('a key has the present rights of its person', async () => {
    const person = await makeUser(test.db, { role: 'employee' })
    const secret = await makeToken(test, person.id)
    expect((await call(secret, '/api/users')).statusCode).toBe(200)
    await sql`update users set role = 'investor' where id = ${person.id}`.execute(test.db)
    expect((await call(secret, '/api/users')).statusCode).toBe(403)
  })

  it('a key is refused until its person has a demanded second factor, unless it was made with one', async () => {
    const person = await makeUser(test.db, { role: 'auditor' })
    const [weak, strong] = [await makeToken(test, person.id), await makeToken(test, person.id)]
    await change(strong, 'is_strong = true')
    await sql`insert into factor_demands (role, starts_at) values ('auditor', now() + interval '1 day')`.execute(
      test.db,
    )
    expect(await outcome(weak, READ())).toBe('200')
    await sql`update factor_demands set starts_at = now()`.execute(test.db)
    expect([await outcome(weak, READ()), await outcome(strong, READ())]).toEqual(['401 factor_due', '200'])
    await sql`delete from factor_demands`.execute(test.db)
  })

  it('a key fetches the files that its person sees, and they stay new to the person', async () => {
    const investor = await makeUser(test.db)
    const mine = await makeProject(test.db, { members: [investor.id] })
    const [shared] = await listFolders(test.db, mine.id)
    const file = await makeFile(test, shared!.id, { bytes: '%PDF-1.7 indhold' })
    const other = await makeFile(test, folder)
    const secret = await makeToken(test, investor.id, { scopes: ['read'] })
    const { statusCode, body } = await call(secret, `/api/files/${file.id}/content`)
    expect([statusCode, body]).toEqual([200, '%PDF-1.7 indhold'])
    expect(await outcome(secret, `/api/files/${other.id}/content`)).toMatch(/^404/)
    const { rows } = await sql`select from file_reads where user_id = ${investor.id}`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('records the last use of a key, with one write a minute', async () => {
    const secret = await makeToken(test, administrator.id)
    const used = async () => {
      const { rows } = await sql<{ at: Date | null; written: string }>`
        select used_at as at, xmin::text as written from tokens where prefix = ${secret.slice(0, 7)}`.execute(
        test.db,
      )
      return rows[0]!
    }
    expect((await used()).at).toBeNull()
    await call(secret, READ())
    const first = await used()
    expect(first.at).not.toBeNull()
    await Promise.all(Array.from({ length: 20 }, () => call(secret, READ())))
    expect(await used()).toEqual(first)
    await change(secret, `used_at = now() - interval '61 seconds'`)
    await call(secret, READ())
    expect((await used()).at!.getTime()).toBeGreaterThanOrEqual(first.at!.getTime())
  })

  it('deactivating a person ends their keys, and reactivating does not bring them back', async () => {
    const person = await makeUser(test.db, { role: 'employee' })
    const secret = await makeToken(test, person.id)
    const actor = { userId: administrator.id, address: null }
    await deactivateUser(test.db, actor, person.id)
    expect(await outcome(secret, READ())).toBe('401 token_revoked')
    await reactivateUser(test.db, actor, person.id)
    expect(await outcome(secret, READ())).toBe('401 token_revoked')
  })
})

describe('whether a person’s keys end', () => {
  const actor = () => ({ userId: administrator.id, address: null })
  it.each<[when: string, act: (person: User) => Promise<unknown>, isEnded: boolean]>([
    ['when they are deactivated', ({ id }) => deactivateUser(test.db, actor(), id), true],
    [
      'when they get a new password by a link',
      ({ id }) => test.db.transaction().execute((trx) => setPassword(trx, NOBODY, id, 'x')),
      true,
    ],
    [
      'when they get another role',
      ({ id, name, email }) =>
        test.db
          .transaction()
          .execute((trx) => changeUser(trx, actor(), id, { name, email, role: 'auditor', numbers: [] })),
      true,
    ],
    [
      'but not when they get another name',
      ({ id, email, role }) =>
        test.db
          .transaction()
          .execute((trx) => changeUser(trx, actor(), id, { name: 'Ny', email, role, numbers: [] })),
      false,
    ],
    ['when the office’s data is restored from a copy', () => endRestoredCredentials(test.db), true],
    ['but not when they sign out elsewhere', ({ id }) => endSessions(test.db, actor(), id, ''), false],
  ])('keys end %s', async (_when, act, isEnded) => {
    const person = await makeUser(test.db, { role: 'employee' })
    const secret = await makeToken(test, person.id)
    await act(person)
    expect(await outcome(secret, '/api/projects')).toBe(isEnded ? '401 token_revoked' : '200')
  })

  it('keys end when the second factor is reset', async () => {
    const person = await makeUser(test.db, { role: 'employee' })
    await sql`
      insert into code_apps (user_id, secret, last_step) values (${person.id}, 'hemmelig', 0)`.execute(
      test.db,
    )
    const secret = await makeToken(test, person.id)
    const mail = { to: person.email, subject: '', text: '', html: '' }
    await resetFactors(test.db, test.jobs, actor(), person.id, mail)
    expect(await outcome(secret, '/api/projects')).toBe('401 token_revoked')
  })
})

describe('too many requests', () => {
  it('requests are counted for all keys of a person together, apart from their browser and other people', async () => {
    const { app, ...parts } = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '50' } })
    const { id, email } = await makeUser(parts.db, { role: 'employee' })
    const [one, two] = [await makeToken(parts, id), await makeToken(parts, id)]
    const ask = async (secret: string) => {
      const { statusCode, headers } = await app.inject({
        url: '/api/projects',
        headers: { authorization: `Bearer ${secret}` },
      })
      return [statusCode, headers['retry-after'] !== undefined]
    }
    for (let count = 0; count < 5; count++) expect(await ask(one)).toEqual([200, false])
    expect(await ask(one)).toEqual([429, true])
    expect(await ask(two)).toEqual([429, true])
    const others = await makeToken(parts, (await makeUser(parts.db)).id)
    expect(await ask(others)).toEqual([200, false])
    const visitor = new Visitor(app)
    await visitor.signIn(email, PASSWORD)
    expect((await visitor.get('/api/projects')).statusCode).toBe(200)
  })

  it('wrong keys are throttled, and right ones from the same address still work', async () => {
    const { app, ...parts } = await freshApp({ hasJobs: false })
    const right = await makeToken(parts, (await makeUser(parts.db)).id)
    const ask = async (secret: string) =>
      (await app.inject({ url: '/api/projects', headers: { authorization: `Bearer ${secret}` } })).statusCode
    for (let count = 0; count < 30; count++) expect(await ask('rb_forkert')).toBe(401)
    expect([await ask('rb_forkert'), await ask(right)]).toEqual([429, 200])
  })
})

describe('the page of one’s own keys', () => {
  const signedIn = async (role: User['role'] = 'employee') => {
    const user = await makeUser(test.db, { role })
    const visitor = new Visitor(test.app)
    await visitor.signIn(user.email, PASSWORD)
    return { user, visitor }
  }
  const FORM = { name: 'Scanner', read: '1', upload: '1', days: '90' }
  const secretOf = (body: string) => /rb_[\w-]{43}/.exec(body)?.[0]

  it('makes a key, shows its secret once, mails the person and logs it', async () => {
    const { user, visitor } = await signedIn()
    const made = await visitor.post('/profile/tokens', FORM)
    expect([made.statusCode, made.headers.location]).toEqual([303, '/profile/tokens'])
    const [first, second] = [await visitor.get('/profile/tokens'), await visitor.get('/profile/tokens')]
    const secret = secretOf(first.body)!
    expect(await outcome(secret, '/api/projects')).toBe('200')
    expect(secretOf(second.body)).toBeUndefined()
    expect(second.body).toContain('Scanner')
    const { rows } = await sql`
      select scopes, round(extract(epoch from expires_at - created_at) / 86400)::integer as days from tokens
      where user_id = ${user.id}`.execute(test.db)
    expect(rows).toEqual([{ scopes: ['read', 'upload'], days: 90 }])
    const log = await sql`
      select act, detail from log where user_id = ${user.id} and act like 'token%'`.execute(test.db)
    expect(log.rows).toEqual([{ act: 'token-added', detail: 'read,upload' }])
    expect(test.logged()).not.toContain(secret)
    const stored = await sql<{ text: string }>`select tokens::text as text from tokens`.execute(test.db)
    expect(JSON.stringify(stored.rows)).not.toContain(secret.slice(7))
  })

  it('reports all faults of a new key at once, and makes none', async () => {
    const { user, visitor } = await signedIn()
    const answer = await visitor.post('/profile/tokens', { name: ' ', days: '366' }, { script: true })
    expect([answer.statusCode, answer.json().errors]).toEqual([
      422,
      {
        name: ['Navnet skal udfyldes.'],
        days: ['Vælg, hvor længe nøglen skal virke.'],
        scopes: ['Vælg mindst én ting, nøglen kan bruges til.'],
      },
    ])
    const { rows } = await sql`select from tokens where user_id = ${user.id}`.execute(test.db)
    expect(rows).toEqual([])
  })

  it('a form sent twice makes one key', async () => {
    const { visitor } = await signedIn()
    const sent = await Promise.all([
      visitor.post('/profile/tokens', FORM, { script: true }),
      visitor.post('/profile/tokens', FORM, { script: true }),
    ])
    expect(new Set(sent.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 422]))
  })

  it('refuses more than twenty working keys', async () => {
    const { user, visitor } = await signedIn()
    for (let count = 0; count < 20; count++) await makeToken(test, user.id)
    const refused = await visitor.post('/profile/tokens', FORM, { script: true })
    expect([refused.statusCode, refused.json().errors.name]).toEqual([
      422,
      ['Du kan højst have 20 API-nøgler. Spær en først.'],
    ])
  })

  it('asks for a fresh proof before making a key', async () => {
    const { user, visitor } = await signedIn()
    await sql`update sessions set proved_at = now() - interval '1 hour' where user_id = ${user.id}`.execute(
      test.db,
    )
    const refused = await visitor.post('/profile/tokens', FORM, { script: true })
    expect([refused.statusCode, refused.json().prove]).toEqual([403, true])
  })

  it('does not show a secret from a planted cookie', async () => {
    const { visitor } = await signedIn()
    const other = await makeToken(test, administrator.id)
    visitor.cookies.set('token', other)
    expect((await visitor.get('/profile/tokens')).body).not.toContain(other)
  })

  it('revokes a key once, and only one’s own', async () => {
    const { user, visitor } = await signedIn()
    const secret = await makeToken(test, user.id)
    const foreign = await makeToken(test, administrator.id)
    const idOf = async (of: string) =>
      (await sql<{ id: number }>`select id from tokens where prefix = ${of.slice(0, 7)}`.execute(test.db))
        .rows[0]!.id
    const [own, theirs] = [await idOf(secret), await idOf(foreign)]
    for (let press = 0; press < 2; press++)
      expect((await visitor.post(`/profile/tokens/${own}/revoke`)).statusCode).toBe(303)
    expect(await outcome(secret, '/api/projects')).toBe('401 token_revoked')
    expect((await visitor.post(`/profile/tokens/${theirs}/revoke`)).statusCode).toBe(404)
    expect(await outcome(foreign, '/api/projects')).toBe('200')
    const { rows } = await sql`select from log where act = 'token-revoked' and token_id = ${own}`.execute(
      test.db,
    )
    expect(rows).toHaveLength(1)
  })

  it.each(['investor', 'adviser'] as const)(
    'a person outside the office makes keys only if the office allows it, and keeps those they have: %s',
    async (role) => {
      const { user, visitor } = await signedIn(role)
      const office = (await signedIn('administrator')).visitor
      const allow = (fields: object) => office.post('/settings/tokens/outside', { ...fields })
      const tries = async () => (await visitor.post('/profile/tokens', FORM, { script: true })).statusCode
      const isOffered = async () => (await visitor.get('/profile')).body.includes('Se og lav API-nøgler')
      expect([await tries(), await isOffered()]).toEqual([403, false])
      expect((await visitor.get('/profile/tokens')).body).not.toContain('Lav nøglen')

      expect(
        (await visitor.post('/settings/tokens/outside', { outside_tokens: '1', was: '0' })).statusCode,
      ).toBe(403)
      expect((await allow({ outside_tokens: '1', was: '0' })).statusCode).toBe(303)
      expect([await isOffered(), await tries()]).toEqual([true, 200])
      const secret = await makeToken(test, user.id)
      expect((await allow({ was: '0' })).statusCode).toBe(409) // somebody else has chosen meanwhile
      await allow({ was: '1' })
      expect([await tries(), await isOffered()]).toEqual([403, true])
      expect(await outcome(secret, '/api/projects')).toBe('200')
      const { rows } = await sql`
        select detail from log where act = 'outside-tokens-changed' order by id desc limit 2`.execute(test.db)
      expect(rows).toEqual([{ detail: 'off' }, { detail: 'on' }])
    },
  )

  it('everybody has a page of their own keys; administrators see everybody’s', async () => {
    const { user: investor, visitor } = await signedIn('investor')
    expect((await visitor.get('/profile/tokens')).statusCode).toBe(200)
    expect((await visitor.get('/settings/programs')).statusCode).toBe(403)
    const secret = await makeToken(test, investor.id, { name: 'Investorens nøgle' })
    const { visitor: office } = await signedIn('administrator')
    const page = await office.get('/settings/programs')
    expect(page.body).toContain('Investorens nøgle')
    expect(page.body).toContain(investor.name)
    const { rows } = await sql<{ id: number }>`
      select id from tokens where prefix = ${secret.slice(0, 7)}`.execute(test.db)
    expect((await office.post(`/settings/tokens/${rows[0]!.id}/revoke`)).statusCode).toBe(303)
    expect(await outcome(secret, '/api/projects')).toBe('401 token_revoked')
    const log = await office.get(`/api/log?act=token-revoked&person=${investor.id}`)
    expect(log.json().data[0]).toMatchObject({
      subject: { id: investor.id },
      token: { name: 'Investorens nøgle' },
    })
  })
})

it('the log names the key that was used', async () => {
  const secret = await makeToken(test, administrator.id, { name: 'Regnskab' })
  const { id } = await makeFile(test, folder)
  await call(secret, `/api/projects/${project.id}/file/${id}`, { method: 'DELETE' })
  await call(secret, `/api/projects/${project.id}/file/${id}/restore`, { method: 'POST' })
  await call(secret, `/api/projects/${project.id}/file/${id}/rename`, {
    method: 'POST',
    payload: { name: 'Nyt.pdf' },
  })
  const { data } = (await call(secret, `/api/files/${id}/history`)).json()
  const acts = (data as { act: string; token: { name: string } | null }[]).map(({ act, token }) => [
    act,
    token?.name,
  ])
  expect(acts).toEqual([
    ['file-renamed', 'Regnskab'],
    ['file-restored', 'Regnskab'],
    ['file-deleted', 'Regnskab'],
    ['file-added', undefined],
  ])
})
