import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeProject, makeUser, PASSWORD } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { fileUrls, urls } from '../../urls.ts'

let test: TestApp
let boss: Entered
let bo: { id: number; name: string; email: string }

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000', HOOK_NETWORKS: '127.0.0.0/8' },
  })
})

beforeEach(async () => {
  boss = await enter(test, 'administrator')
  bo = await makeUser(test.db, { role: 'auditor', name: 'Bo Holm' })
})

const goStale = (id = boss.id, by = '16 minutes') =>
  sql`update sessions set proved_at = now() - ${by}::interval where user_id = ${id}`.execute(test.db)

const prove = (password = PASSWORD, who = boss, more = {}) =>
  who.visitor.post(urls.prove, { proof_password: password }, { script: true, ...more })

const userForm = <More extends object>(fields?: More) => ({
  name: bo.name,
  email: bo.email,
  role: 'auditor',
  ...fields,
})

type Sent = { url: string; fields?: Record<string, unknown>; method?: 'DELETE' }

/** Acts that ask, and what they answer afterwards; made-up ids are enough for those that ask first. */
const ACTS: [act: string, sent: () => Sent | Promise<Sent>, answer: number][] = [
  // Those that do not exist are refused after the question.
  ['a sheet that is moved in', () => ({ url: urls.sheet(99999), fields: { plan: 'x' } }), 404],
  ['an import that is taken back', () => ({ url: urls.undoImport(99999) }), 404],
  [
    'a new role',
    () => ({ url: urls.editUser(bo.id), fields: userForm({ role: 'investor', numbers: [`7${bo.id}`] }) }),
    200,
  ],
  [
    'a new e-mail',
    () => ({ url: urls.editUser(bo.id), fields: userForm({ email: `ny${bo.id}@example.dk` }) }),
    200,
  ],
  [
    'a new administrator',
    () => ({
      url: urls.newUser,
      fields: { name: 'Ny', email: `ny${bo.id}@example.dk`, role: 'administrator', invite: '1' },
    }),
    200,
  ],
  [
    'an administrator’s invitation',
    async () => {
      const { id } = await makeUser(test.db, { role: 'administrator', passwordHash: null })
      return { url: urls.inviteUser(id) }
    },
    200,
  ],
  [
    'a link to an administrator’s password that the screen shows',
    async () => {
      const { id } = await makeUser(test.db, { role: 'administrator' })
      return { url: urls.sendPasswordLink(id) }
    },
    200,
  ],
  [
    'one file deleted for good',
    async () => {
      const { project, file } = await deletedFile()
      return { url: fileUrls.deleted({ project }, file), method: 'DELETE' }
    },
    200,
  ],
  [
    'many files deleted for good',
    async () => {
      const { project, file } = await deletedFile()
      return { url: fileUrls.many({ project }, 'remove'), fields: { files: [file] } }
    },
    200,
  ],
  ['a version deleted for good', () => ({ url: fileUrls.removeVersion({ user: 1 }, 99_999) }), 404],
  ['another demand of a second factor', () => ({ url: urls.signInRules, fields: { days: '14' } }), 200],
  ['another rule of approval', () => ({ url: urls.officeApproval, fields: {} }), 200],
  [
    'a new webhook',
    () => ({
      url: urls.newHook,
      fields: { name: `Krog ${bo.id}`, url: 'http://127.0.0.1:9999/', events: ['inbox.received'] },
    }),
    200,
  ],
  ['a new secret of a webhook', () => ({ url: urls.hookAct(99_999, 'secret') }), 404],
  ['an address for a calendar', () => ({ url: urls.ownCalendar }), 200],
  ['an API key', () => ({ url: urls.ownTokens, fields: { name: 'Scanner', upload: '1', days: '30' } }), 200],
  ['a recalled release', () => ({ url: urls.releaseAct(99_999, 'recall') }), 404],
]

async function deletedFile() {
  const { id: project } = await makeProject(test.db)
  const { Budget } = await foldersByName(test.db, project)
  const { id: file } = await makeFile(test, Budget!)
  await boss.visitor.post(fileUrls.file({ project }, file), {}, { method: 'DELETE', script: true })
  return { project, file }
}

const send = ({ url, fields = {}, method }: Sent, who = boss) =>
  who.visitor.post(url, fields, { script: true, ...(method && { method }) })

const logOf = async (act: string) => {
  const rows = await test.db
    .selectFrom('log')
    .select('id')
    .where('act', '=', act as 'proof-failed')
    .where('user_id', '=', boss.id)
    .execute()
  return rows.length
}

describe('without a proof in the last 15 minutes', () => {
  it.each(ACTS)(
    'asks for a proof before %s, and the same request then succeeds',
    async (_act, make, answer) => {
      const sent = await make()
      await goStale()
      const refused = await send(sent)
      expect([refused.statusCode, refused.json<{ prove?: boolean }>().prove]).toEqual([403, true])
      expect((await prove('forkert')).statusCode).toBe(422)
      expect((await send(sent)).statusCode).toBe(403)
      expect((await prove()).json()).toEqual({ proved: true })
      expect((await send(sent)).statusCode).toBe(answer)
    },
  )

  it.each(ACTS)('does not ask for a proof before %s within 15 minutes', async (_act, make, answer) => {
    const sent = await make()
    await goStale(boss.id, '14 minutes')
    expect((await send(sent)).statusCode).toBe(answer)
  })

  it.each([
    ['a new name', () => userForm({ name: 'Bo Holm Hansen' })],
    ['nothing new', () => userForm()],
    [
      'an old form whose role and e-mail somebody else has changed meanwhile',
      () => userForm({ email: 'a@b.dk', was: { name: 'x', email: 'a@b.dk', role: 'auditor', numbers: [] } }),
    ],
  ])('does not ask for a proof when a person gets %s', async (_what, fields) => {
    await goStale()
    expect((await send({ url: urls.editUser(bo.id), fields: fields() })).statusCode).toBe(200)
  })

  it('does not ask for a proof when an employee is added', async () => {
    await goStale()
    const fields = { name: 'Ny', email: `ny${bo.id}@example.dk`, role: 'employee' }
    expect((await send({ url: urls.newUser, fields })).statusCode).toBe(200)
  })

  it('changes nothing before the proof', async () => {
    await goStale()
    await send({ url: urls.editUser(bo.id), fields: userForm({ role: 'employee', promote_employee: '1' }) })
    const { role } = await test.db
      .selectFrom('users')
      .select('role')
      .where('id', '=', bo.id)
      .executeTakeFirstOrThrow()
    expect(role).toBe('auditor')
  })

  it('a proof counts in one session and for one person only', async () => {
    const other = { id: boss.id, visitor: new Visitor(test.app) }
    const { email } = await test.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', boss.id)
      .executeTakeFirstOrThrow()
    await other.visitor.signIn(email, PASSWORD)
    const colleague = await enter(test, 'administrator')
    await goStale()
    await goStale(colleague.id)
    await prove()
    const sent = { url: urls.releaseAct(99_999, 'recall') }
    expect((await send(sent)).statusCode).toBe(404)
    expect((await send(sent, other)).statusCode).toBe(403)
    expect((await send(sent, colleague)).statusCode).toBe(403)
  })

  it('logs wrong proofs, and after too many throttles even the right password', async () => {
    await goStale()
    for (let n = 0; n < 10; n++) expect((await prove('forkert')).statusCode).toBe(422)
    expect(await logOf('proof-failed')).toBe(10)
    const slow = await prove()
    expect([slow.statusCode, slow.headers['retry-after']]).toEqual([429, '1'])
    expect((await send({ url: urls.releaseAct(99_999, 'recall') })).statusCode).toBe(403)
  })

  it('a right proof resets the count of wrong ones', async () => {
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 6; n++) await prove('forkert')
      expect((await prove()).statusCode).toBe(200)
    }
  })

  it('two simultaneous proofs both succeed', async () => {
    await goStale()
    const answers = await Promise.all([prove(), prove()])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  it.each([
    ['nothing', {}],
    ['a number', { proof_password: 5 }],
    ['a list', { proof_password: ['a'] }],
    ['a text that is too long', { proof_password: 'x'.repeat(1001) }],
    ['a way that there is not', { proof_way: '__proto__', proof_password: 'x' }],
    ['a code', { proof_way: 'code', proof_code: '123456' }],
  ])('refuses %s as a proof', async (_what, fields) => {
    const answer = await boss.visitor.post(urls.prove, fields, { script: true })
    expect(answer.statusCode).toBe(422)
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual(['proof_password'])
  })

  it('refuses a proof when the session has ended meanwhile', async () => {
    await goStale()
    await test.db.deleteFrom('sessions').where('user_id', '=', boss.id).execute()
    expect((await prove()).statusCode).toBe(401)
  })

  it('a proof from the future, when the clock was ahead, is not fresh', async () => {
    await goStale(boss.id, '-3 days')
    expect((await send({ url: urls.releaseAct(99_999, 'recall') })).statusCode).toBe(403)
  })
})

describe('without JavaScript', () => {
  const fieldsIn = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name!.replaceAll('&#x27;', "'"),
        value!,
      ]),
    )

  /** Sends a form as a browser does. */
  const postPlain = async (url: string, fields: Record<string, string>) => {
    await boss.visitor.get('/')
    return boss.visitor.get(url, {
      method: 'POST',
      payload: new URLSearchParams({
        ...fields,
        _token: decodeURIComponent(boss.visitor.cookies.get('XSRF-TOKEN')!),
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  }

  it('asks on a page without JavaScript, carries the form along, and sends it to its address', async () => {
    await goStale()
    const fields = { ...userForm({ role: 'investor' }), 'numbers[0]': `8${bo.id}`, password: 'hemmelig' }
    const question = await postPlain(urls.editUser(bo.id), fields)
    expect(question.statusCode).toBe(403)
    const carried = fieldsIn(question.body)
    expect(carried).toMatchObject({
      proof_to: urls.editUser(bo.id),
      proof_form: '1',
      name: bo.name,
      role: 'investor',
      'numbers[0]': `8${bo.id}`,
    })
    expect(question.body).not.toContain('hemmelig')

    const wrong = await postPlain(urls.prove, { ...carried, proof_password: 'forkert' })
    expect([wrong.statusCode, wrong.body.includes('Adgangskoden er forkert.')]).toEqual([422, true])
    expect(fieldsIn(wrong.body)).toEqual({ ...carried, _token: expect.any(String) as string })
    expect(wrong.body).not.toContain('value="forkert"')

    const right = await postPlain(urls.prove, { ...fieldsIn(wrong.body), proof_password: PASSWORD })
    expect([right.statusCode, right.headers.location]).toEqual([307, urls.editUser(bo.id)])
    const sent = { ...fieldsIn(wrong.body), proof_password: PASSWORD }
    const saved = await postPlain(right.headers.location!, sent)
    expect([saved.statusCode, saved.headers.location]).toEqual([303, urls.user(bo.id)])
    const { role } = await test.db
      .selectFrom('users')
      .select('role')
      .where('id', '=', bo.id)
      .executeTakeFirstOrThrow()
    expect(role).toBe('investor')
  })

  it('downloading the log as CSV asks for a proof and continues', async () => {
    await goStale()
    const asked = await boss.visitor.get('/log.csv?person=1')
    expect([asked.statusCode, asked.headers.location]).toEqual([303, '/prove?to=%2Flog.csv%3Fperson%3D1'])
    const carried = fieldsIn((await boss.visitor.get(asked.headers.location!)).body)
    expect(carried.proof_form).toBeUndefined()
    const right = await boss.visitor.post(urls.prove, { ...carried, proof_password: PASSWORD })
    expect([right.statusCode, right.headers.location]).toEqual([
      303,
      '/prove?to=%2Flog.csv%3Fperson%3D1&done',
    ])
    expect((await boss.visitor.get(right.headers.location!)).body).toContain('href="/log.csv?person=1"')
    expect((await boss.visitor.get('/log.csv?person=1')).statusCode).toBe(200)
  })

  it('asks for a proof whatever the page’s address says', async () => {
    await goStale()
    expect((await boss.visitor.get('/prove?to=/log&done')).body).toContain('Din adgangskode')
  })

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'does not redirect to %s after the proof',
    async (to) => {
      const form = await boss.visitor.post(urls.prove, {
        proof_to: to,
        proof_form: '1',
        proof_password: PASSWORD,
      })
      expect([form.statusCode, form.headers.location]).toEqual([307, '/'])
      const { body } = await boss.visitor.get(`/prove?done&to=${encodeURIComponent(to)}`)
      expect(body).toContain('<a href="/" ')
      expect(body).not.toMatch(/href="[^"]*(?:evil|alert)/)
    },
  )
})
