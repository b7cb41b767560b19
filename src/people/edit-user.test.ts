import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { enter } from '../../test/enter.ts'
import { makeProject, makeUser, OFFICE, PASSWORD } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import { addLinkToken } from '../accounts/links/link-tokens.db.ts'
import { listProjectsOf } from '../projects/members.db.ts'
import type { Project } from '../projects/project/project.ts'
import { getUser } from './user/users.db.ts'

let test: TestApp
let admin: Visitor
let adminId: number
let project: Project
let count = 0
beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  const entered = await enter(test, 'administrator', { email: 'chef@kontor.dk' })
  admin = entered.visitor
  adminId = entered.id
  project = await makeProject(test.db)
})

type Fields = Record<string, unknown>
const post = (url: string, fields: Fields = {}, visitor = admin) =>
  visitor.post(url, fields, { script: true })
const fresh = (more: Fields = {}) => ({
  name: 'Åse Holm',
  email: `ny${++count}@example.dk`,
  role: 'investor',
  numbers: [`N${count}`],
  ...more,
})
const idOf = (answer: { json: () => unknown }) =>
  Number((answer.json() as { redirect: string }).redirect.split('/').at(-1))
const faults = (answer: { json: () => unknown }) =>
  (answer.json() as { errors: Record<string, string[]> }).errors
const actsOn = async (user: number) =>
  (
    await test.db.selectFrom('log').select('act').where('subject_user_id', '=', user).orderBy('id').execute()
  ).map(({ act }) => act)
const detailOf = async (user: number) =>
  (
    await test.db
      .selectFrom('log')
      .select('detail')
      .where('subject_user_id', '=', user)
      .where('act', 'in', ['user-changed', 'role-changed'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).detail
const everybody = async () =>
  (
    await sql`
    select users.*, array(select number from user_numbers where user_id = users.id order by number) as numbers,
      array(select project_id from project_members where user_id = users.id order by 1) as projects
    from users order by id`.execute(test.db)
  ).rows

describe('a new user', () => {
  it('a new user has the values of the form, is logged, and is invited if asked', async () => {
    const answer = await post(
      '/users/new',
      fresh({ numbers: ['77', ' 78 ', '77'], add_projects: [project.id], invite: '1' }),
    )
    expect(answer.statusCode).toBe(200)
    const id = idOf(answer)
    expect(await getUser(test.db, OFFICE, id)).toMatchObject({
      name: 'Åse Holm',
      role: 'investor',
      numbers: ['77', '78'],
      deactivated: false,
      access: { state: 'invited', isExpired: false },
    })
    expect((await listProjectsOf(test.db, id)).map(({ id: each }) => each)).toEqual([project.id])
    expect(await actsOn(id)).toEqual(['user-added', 'member-added', 'user-invited'])
    expect((await admin.get('/api/users?q=78')).json()).toMatchObject({ data: [{ id }] })
  })

  it('a new user is not invited unless asked, and can be invited later', async () => {
    const id = idOf(await post('/users/new', fresh()))
    expect((await getUser(test.db, OFFICE, id)).access).toEqual({ state: 'not-invited' })
    expect((await admin.get(`/users/${id}`)).body).toContain('Ikke inviteret endnu')
    expect((await post(`/users/${id}/invite`)).json()).toEqual({ redirect: `/users/${id}` })
    expect((await getUser(test.db, OFFICE, id)).access).toMatchObject({ state: 'invited' })
  })

  it('a user can be added without JavaScript, and the form shows its faults', async () => {
    const answer = await admin.post('/users/new', { ...fresh(), name: '' })
    expect([answer.statusCode, answer.body.includes('Navnet skal udfyldes.')]).toEqual([422, true])
    expect((await admin.post('/users/new', fresh())).headers.location).toMatch(/^\/users\/\d+$/)
  })

  it.each<[string, Fields, Record<string, string>]>([
    ['no name', { name: ' ' }, { name: 'Navnet skal udfyldes.' }],
    [
      'a taken e-mail in other case',
      { email: ' CHEF@Kontor.dk' },
      { email: 'Der er allerede en person med den e-mail.' },
    ],
    ['an e-mail without @', { email: 'ase.example.dk' }, { email: 'Skriv en gyldig e-mailadresse.' }],
    ['an e-mail with a comma', { email: 'a@b.dk,c@d.dk' }, { email: 'Skriv en gyldig e-mailadresse.' }],
    [
      'an e-mail with angle brackets',
      { email: 'Åse <ase@b.dk>' },
      { email: 'Skriv en gyldig e-mailadresse.' },
    ],
    [
      'an e-mail with a line break and a header',
      { email: 'a@b.dk\r\nBcc: c@d.dk' },
      { email: 'Skriv en gyldig e-mailadresse.' },
    ],
    ['two e-mails', { email: ['a@b.dk', 'c@d.dk'] }, { email: 'E-mail skal være en tekst.' }],
    ['an unknown role', { role: 'owner' }, { role: 'Vælg en rolle.' }],
    ['no role', { role: undefined }, { role: 'Vælg en rolle.' }],
    [
      'an investor without a number',
      { numbers: [' ', ''] },
      { 'numbers.0': 'En investor skal have mindst ét nummer.' },
    ],
    ['a taken number', { numbers: ['9001'] }, { 'numbers.0': 'Nummeret 9001 bruges af Ejer Nielsen.' }],
    [
      'a number that no file name can have',
      { numbers: ['12(3)'] },
      { 'numbers.0': 'Nummeret skal kunne stå i et filnavn: Brug ikke parenteser eller skråstreger.' },
    ],
    ['two numbers in one', { numbers: ['12,13'] }, { 'numbers.0': 'Skriv ét nummer ad gangen, uden komma.' }],
    ['an unknown project', { add_project: '99999' }, { add_project: 'Der er intet projekt med det nummer.' }],
    [
      'all at once',
      { name: '', email: 'chef@kontor.dk', numbers: ['9001'] },
      {
        name: 'Navnet skal udfyldes.',
        email: 'Der er allerede en person med den e-mail.',
        'numbers.0': 'Nummeret 9001 bruges af Ejer Nielsen.',
      },
    ],
  ])('a wrong user is refused at the field, and nothing is stored: %s', async (_what, wrong, expected) => {
    const taken = await test.db
      .selectFrom('user_numbers')
      .select('number')
      .where('number', '=', '9001')
      .executeTakeFirst()
    if (!taken) await makeUser(test.db, { name: 'Ejer Nielsen', numbers: ['9001'] })
    const before = await everybody()
    const answer = await post('/users/new', fresh(wrong))
    expect(answer.statusCode).toBe(422)
    expect(
      Object.fromEntries(Object.entries(faults(answer)).map(([name, [first]]) => [name, first])),
    ).toEqual(expected)
    expect(await everybody()).toEqual(before)
  })

  it.each(['søren@østergård.dk', "o'brien@example.dk", 'a+b@example.dk', 'ÅSE@EXAMPLE.DK'])(
    'a user can have the e-mail %s',
    async (email) => {
      const answer = await post('/users/new', fresh({ email }))
      expect(answer.statusCode).toBe(200)
      expect((await getUser(test.db, OFFICE, idOf(answer))).email).toBe(email)
    },
  )

  it('two people who add the same user at the same time add one', async () => {
    const same = fresh()
    const answers = await Promise.all([post('/users/new', same), post('/users/new', same)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
    const other = fresh({ numbers: ['samtidig'] })
    const numbers = await Promise.all([
      post('/users/new', other),
      post('/users/new', { ...other, email: 'anden@example.dk' }),
    ])
    expect(numbers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  it('a new user in the office is a member of no project', async () => {
    const id = idOf(
      await post(
        '/users/new',
        fresh({ role: 'employee', numbers: [], add_projects: [project.id], add_project: 'x' }),
      ),
    )
    expect(await listProjectsOf(test.db, id)).toEqual([])
  })
})

describe('a user who is changed', () => {
  let id: number
  let form: Fields
  beforeEach(async () => {
    form = fresh({ add_projects: [project.id] })
    id = idOf(await post('/users/new', form))
    delete form.add_projects
  })

  it('a changed user is found by the new name, e-mail and numbers; an unchanged form logs nothing', async () => {
    const next = { ...form, name: 'Åse Ager', email: `ny.post${id}@example.dk`, numbers: ['A1', 'A2'] }
    expect((await post(`/users/${id}/edit`, { ...next, numbers: [`A1-${id}`, `A2-${id}`] })).statusCode).toBe(
      200,
    )
    expect(await getUser(test.db, OFFICE, id)).toMatchObject({
      name: 'Åse Ager',
      numbers: [`A1-${id}`, `A2-${id}`],
    })
    expect((await admin.get(`/api/users?q=A2-${id}`)).json()).toMatchObject({ data: [{ id }] })
    const acts = await actsOn(id)
    expect(acts.at(-1)).toBe('user-changed')
    expect(await detailOf(id)).toBe('name,email,numbers')
    const { rows: names } = await sql`
      select before, after from log_names join log on log.id = log_id where subject_user_id = ${id}`.execute(
      test.db,
    )
    expect(names).toEqual([{ before: 'Åse Holm', after: 'Åse Ager' }])
    await post(`/users/${id}/edit`, { ...next, numbers: [`A1-${id}`, `A2-${id}`] })
    expect(await actsOn(id)).toEqual(acts)
  })

  it('a user can take over a number only after it is free, and keeps their own until then', async () => {
    const other = await makeUser(test.db, { name: 'Bo', numbers: [`B${id}`] })
    const refused = await post(`/users/${id}/edit`, {
      ...form,
      numbers: [...(form.numbers as string[]), `B${id}`],
    })
    expect(faults(refused)).toEqual({ 'numbers.0': [`Nummeret B${id} bruges af Bo.`] })
    expect(
      (await post(`/users/${other.id}/edit`, { name: 'Bo', email: other.email, role: 'auditor' })).statusCode,
    ).toBe(200)
    expect((await post(`/users/${id}/edit`, { ...form, numbers: [`B${id}`] })).statusCode).toBe(200)
    expect((await getUser(test.db, OFFICE, id)).numbers).toEqual([`B${id}`])
  })

  it('a form adds and removes only the projects that it names', async () => {
    const other = await makeProject(test.db)
    await post(`/users/${id}/edit`, { ...form, add_project: other.number, remove_projects: [project.id] })
    expect((await listProjectsOf(test.db, id)).map((each) => each.id)).toEqual([other.id])
    await post(`/users/${id}/edit`, form)
    expect((await listProjectsOf(test.db, id)).map((each) => each.id)).toEqual([other.id])
  })

  it('a user who joins the office loses their projects, and does not get them back on leaving it', async () => {
    await post(`/users/${id}/edit`, { ...form, role: 'employee', promote_employee: '1' })
    expect(await listProjectsOf(test.db, id)).toEqual([])
    expect((await actsOn(id)).slice(-2)).toEqual(['role-changed', 'member-removed'])
    expect(await detailOf(id)).toBe('investor>employee')
    expect((await admin.get(`/log.csv?person=${id}&act=role-changed`)).body).toContain(
      'ændrede rollen for Åse Holm fra investor til medarbejder',
    )
    await post(`/users/${id}/edit`, { ...form, role: 'investor' })
    expect(await listProjectsOf(test.db, id)).toEqual([])
  })

  it('a user joins the office only after a confirmation that says what they will see', async () => {
    const before = await everybody()
    const refused = await post(`/users/${id}/edit`, { ...form, role: 'employee' })
    expect([refused.statusCode, faults(refused)]).toEqual([
      422,
      {
        promote_employee: [expect.stringMatching(/^Sæt kryds for at bekræfte, at Åse Holm/) as string],
      },
    ])
    expect(await everybody()).toEqual(before)
    const page = (await admin.get(`/users/${id}/edit`)).body
    expect(page).toContain('Ja, Åse Holm skal være medarbejder')
    expect(page).toContain('hele loggen')
    // Other changes of role need no confirmation.
    expect((await post(`/users/${id}/edit`, { ...form, role: 'auditor' })).statusCode).toBe(200)
    await post(`/users/${id}/edit`, { ...form, role: 'administrator', promote_administrator: '1' })
    expect((await getUser(test.db, OFFICE, id)).role).toBe('administrator')
    expect((await post(`/users/${id}/edit`, { ...form, role: 'employee' })).statusCode).toBe(200)
    const more = { ...form, role: 'administrator', promote_employee: '1' }
    expect(faults(await post(`/users/${id}/edit`, more))).toHaveProperty('promote_administrator')
  })

  it('a new role takes effect at once, also in open sessions', async () => {
    const { visitor, id: employee } = await enter(test, 'employee', { name: 'Mads' })
    const { email } = await getUser(test.db, OFFICE, employee)
    expect((await visitor.get('/users')).statusCode).toBe(200)
    await post(`/users/${employee}/edit`, { name: 'Mads', email, role: 'auditor' })
    expect((await visitor.get('/users')).statusCode).toBe(403)
  })

  it('a change of e-mail is mailed to the old and the new address', async () => {
    const owner = await makeUser(test.db, { role: 'auditor' })
    const email = `flyttet${owner.id}@example.dk`
    const change = (fields: Fields) =>
      post(`/users/${owner.id}/edit`, { name: owner.name, role: 'auditor', email: owner.email, ...fields })
    const mails = async () => {
      const { rows } = await sql<{ to: string; text: string }>`
        select data ->> 'to' as to, data ->> 'text' as text from jobs.job where name = 'send-mail'
          and lower(data ->> 'to') in (${owner.email}, ${email}) order by data ->> 'to' = ${email}`.execute(
        test.db,
      )
      return rows
    }
    await change({ name: 'Bo Nyt Navn' })
    await change({ email: 'ikke en adresse' })
    await change({ email: owner.email.toUpperCase() })
    expect(await mails()).toEqual([])
    await change({ email })
    const [left, taken] = await mails()
    expect([left!.to, taken!.to]).toEqual(
      [owner.email, email].map((to) => expect.stringMatching(new RegExp(to, 'i'))),
    )
    expect(left!.text).not.toContain(email)
    expect(taken!.text).toContain(`på Ringbind med ${email}`)
  })

  it('after a change of e-mail old links fail, and an open invitation is sent again', async () => {
    await post(`/users/${id}/invite`)
    const token = await addLinkToken(test.db, 'invitation', id)
    expect((await new Visitor(test.app).get(`/invitation/${token}`)).statusCode).toBe(200)
    await post(`/users/${id}/edit`, { ...form, email: `flyttet${id}@example.dk` })
    expect((await new Visitor(test.app).get(`/invitation/${token}`)).statusCode).toBe(410)
    expect((await actsOn(id)).slice(-2)).toEqual(['user-changed', 'user-invited'])
  })

  it('every form for an unknown user answers 404 and changes nothing', async () => {
    const before = await everybody()
    for (const which of ['99999', 'x', '0', '9'.repeat(30)])
      for (const act of ['edit', 'invite', 'deactivate', 'reactivate', 'end-sessions', 'send-password-link'])
        expect((await post(`/users/${which}/${act}`, form)).statusCode).toBe(404)
    expect((await admin.get('/users/99999/edit')).statusCode).toBe(404)
    expect(await everybody()).toEqual(before)
  })
})

describe('a deactivated user', () => {
  it('a deactivated user is signed out everywhere, and chooses a new password after reactivation', async () => {
    const { visitor, id } = await enter(test, 'investor', { numbers: ['ud1'] })
    const reset = await addLinkToken(test.db, 'reset', id)
    const { email } = await getUser(test.db, OFFICE, id)
    expect((await visitor.get('/')).statusCode).toBe(200)
    expect((await post(`/users/${id}/deactivate`)).json()).toEqual({ redirect: `/users/${id}` })
    expect((await visitor.get('/')).headers.location).toBe('/login')
    expect((await visitor.get('/api/projects')).statusCode).toBe(401)
    expect((await new Visitor(test.app).get(`/reset-password/${reset}`)).statusCode).toBe(410)
    expect((await new Visitor(test.app).signIn(email, PASSWORD)).statusCode).toBe(422)
    expect((await post(`/users/${id}/invite`)).statusCode).toBe(422)
    await post(`/users/${id}/deactivate`) // again: nothing more to do
    await post(`/users/${id}/reactivate`)
    expect((await visitor.get('/')).headers.location).toBe('/login')
    expect((await new Visitor(test.app).signIn(email, PASSWORD)).statusCode).toBe(422)
    expect((await getUser(test.db, OFFICE, id)).access).toEqual({ state: 'not-invited' })
    expect((await post(`/users/${id}/invite`)).statusCode).toBe(200)
    expect((await actsOn(id)).filter((act) => act.startsWith('user-'))).toEqual([
      'user-added',
      'user-deactivated',
      'user-reactivated',
      'user-invited',
    ])
  })

  it('the invitation link of a deactivated user no longer works, so they need a new one', async () => {
    const { id } = await makeUser(test.db, { numbers: ['ud3'], passwordHash: null })
    await post(`/users/${id}/invite`)
    expect((await getUser(test.db, OFFICE, id)).access).toMatchObject({ state: 'invited' })
    await post(`/users/${id}/deactivate`)
    await post(`/users/${id}/reactivate`)
    expect((await getUser(test.db, OFFICE, id)).access).toEqual({ state: 'not-invited' })
  })

  it('a deactivated user who has chosen a password cannot be invited', async () => {
    const { id } = await makeUser(test.db, { numbers: ['ud2'] })
    const answer = await post(`/users/${id}/invite`)
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { message: 'Personen har allerede taget imod invitationen.' },
    ])
  })
})

describe('the last administrator', () => {
  const ONLY = 'Der skal være mindst én anden administrator, som kan logge ind.'
  const others = () =>
    test.db
      .updateTable('users')
      .set({ role: 'employee' })
      .where('role', '=', 'administrator')
      .where('id', '<>', adminId)
      .execute()
  beforeEach(others)
  const demotedForm = async (id: number) => {
    const { name, email } = await getUser(test.db, OFFICE, id)
    return { name, email, role: 'employee' }
  }

  it('the last administrator cannot demote or deactivate themselves', async () => {
    const before = await everybody()
    const demoted = await post(`/users/${adminId}/edit`, await demotedForm(adminId))
    expect([demoted.statusCode, faults(demoted)]).toEqual([422, { role: [ONLY] }])
    const out = await post(`/users/${adminId}/deactivate`)
    expect([out.statusCode, out.json().message]).toEqual([422, ONLY])
    const plain = await admin.post(`/users/${adminId}/deactivate`)
    expect([plain.statusCode, plain.body.includes(ONLY)]).toEqual([422, true])
    expect(await everybody()).toEqual(before)
    expect((await admin.get('/users')).statusCode).toBe(200)
  })

  it.each([
    ['has not accepted the invitation', { passwordHash: null }],
    ['is deactivated', {}],
  ])('an administrator counts as the last one if the only other one %s', async (what, fields) => {
    const { id } = await makeUser(test.db, { role: 'administrator', ...fields })
    if (what === 'is deactivated')
      await test.db.updateTable('users').set({ deactivated_at: new Date() }).where('id', '=', id).execute()
    expect((await post(`/users/${adminId}/edit`, await demotedForm(adminId))).statusCode).toBe(422)
  })

  it('one administrator is left when two demote each other at the same time', async () => {
    const second = await enter(test, 'administrator')
    const answers = await Promise.all([
      post(`/users/${second.id}/edit`, await demotedForm(second.id)),
      post(`/users/${adminId}/edit`, await demotedForm(adminId), second.visitor),
    ])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).not.toEqual([200, 200])
    const left = await test.db.selectFrom('users').select('id').where('role', '=', 'administrator').execute()
    expect(left).toHaveLength(1)
    await test.db.updateTable('users').set({ role: 'administrator' }).where('id', '=', adminId).execute()
  })

  it('an administrator can be deactivated when there is another', async () => {
    const second = await enter(test, 'administrator')
    expect((await post(`/users/${second.id}/deactivate`)).statusCode).toBe(200)
    expect((await second.visitor.get('/users')).headers.location).toBe('/login?next=%2Fusers')
    // A person who must choose a password first cannot be the only one.
    await post(`/users/${second.id}/reactivate`)
    expect((await post(`/users/${adminId}/deactivate`)).statusCode).toBe(422)
  })
})

describe('a person who is let in and kept out', () => {
  it('a person’s page shows their last sign-in', async () => {
    const { id } = await makeUser(test.db, { email: 'sidst@example.dk' })
    expect((await getUser(test.db, OFFICE, id)).last_sign_in).toBeNull()
    expect((await admin.get(`/users/${id}`)).body).not.toContain('Seneste login')
    await new Visitor(test.app).signIn('sidst@example.dk', 'forkert adgangskode')
    expect((await getUser(test.db, OFFICE, id)).last_sign_in).toBeNull()
    await new Visitor(test.app).signIn('sidst@example.dk', PASSWORD)
    const { last_sign_in: at } = await getUser(test.db, OFFICE, id)
    expect(Math.abs(Date.now() - Date.parse(at!))).toBeLessThan(3_600_000)
    expect((await admin.get(`/users/${id}`)).body).toContain('Seneste login')
  })

  it('an administrator signs a person out on all devices, and nobody else can', async () => {
    const { visitor, id } = await enter(test, 'investor', { numbers: ['ud8'] })
    const { visitor: employee } = await enter(test, 'employee')
    const { visitor: other, id: otherId } = await enter(test, 'investor', { numbers: ['ud9'] })
    expect((await post(`/users/${id}/end-sessions`, {}, employee)).statusCode).toBe(403)
    expect((await visitor.get('/')).statusCode).toBe(200)
    expect((await post(`/users/${id}/end-sessions`)).statusCode).toBe(200)
    expect((await visitor.get('/')).headers.location).toBe('/login')
    expect((await other.get('/')).statusCode).toBe(200)
    await post(`/users/${id}/end-sessions`) // nothing is left to end, or to log
    expect((await actsOn(id)).filter((act) => act === 'user-sessions-ended')).toHaveLength(1)
    expect(await actsOn(otherId)).not.toContain('user-sessions-ended')
    // Ending one's own sessions keeps the current one.
    const elsewhere = new Visitor(test.app)
    await elsewhere.signIn('chef@kontor.dk', PASSWORD)
    await post(`/users/${adminId}/end-sessions`)
    expect((await elsewhere.get('/')).headers.location).toBe('/login')
    expect((await admin.get('/')).statusCode).toBe(200)
  })

  it('an administrator gets a password link to pass on where no mail is sent', async () => {
    const RESET = /https?:\/\/[^"\s]+(\/reset-password\/[\w-]+)/
    const { id, email } = await makeUser(test.db, { numbers: ['ud10'] })
    const { visitor: employee } = await enter(test, 'employee')
    expect((await post(`/users/${id}/send-password-link`, {}, employee)).statusCode).toBe(403)
    expect((await employee.get(`/users/${id}`)).body).not.toContain('link til ny adgangskode')
    expect((await post(`/users/${id}/send-password-link`)).statusCode).toBe(200)
    const { body } = await admin.get(`/users/${id}`)
    expect(body).toContain('Det virker i <!-- -->24 timer')
    const [, link] = RESET.exec(body)!
    const { rows } = await sql<{ hours: number }>`
      select round(extract(epoch from expires_at - now()) / 3600)::integer as hours from link_tokens
      where user_id = ${id} and kind = 'reset' order by created_at limit 1`.execute(test.db)
    expect(rows).toEqual([{ hours: 24 }])
    expect((await admin.get(`/users/${id}`)).body).not.toMatch(RESET)
    expect((await new Visitor(test.app).signIn(email, PASSWORD)).statusCode).toBe(303) // until it is used
    const who = new Visitor(test.app)
    expect((await who.post(link!, { password: 'en helt ny adgangskode' })).headers.location).toBe('/')
    expect((await new Visitor(test.app).signIn(email, PASSWORD)).statusCode).toBe(422)
    expect(await actsOn(id)).toContain('password-link-sent')
  })

  it('anybody in the office can have a password link mailed to a person', async () => {
    const able = await freshApp({ hasJobs: false, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const { visitor: employee, id: employeeId } = await enter(able, 'employee')
    const { visitor: investor } = await enter(able, 'investor', { numbers: ['ud11'] })
    const { id, email } = await makeUser(able.db, { numbers: ['ud12'] })
    const address = `/users/${id}/send-password-link`
    expect((await employee.get(`/users/${id}`)).body).toContain('Send link til ny adgangskode')
    expect((await post(address, {}, investor)).statusCode).toBe(403)
    expect((await post(address, {}, employee)).statusCode).toBe(200)
    const { rows } = await sql<{ data: object }>`select data from jobs.job where name = 'send-link'`.execute(
      able.db,
    )
    expect(rows).toEqual([{ data: { kind: 'reset', email, userId: id, invitedBy: employeeId } }])
    expect((await employee.get(`/users/${id}`)).body).not.toContain('/reset-password/')
  })

  it.each([
    ['is deactivated', { passwordHash: undefined }, 'Personen er deaktiveret og kan ikke få et link.'],
    [
      'has no password yet',
      { passwordHash: null },
      'Personen har ikke taget imod invitationen endnu. Send en ny i stedet.',
    ],
  ])('no password link is made for a person who %s', async (what, { passwordHash }, message) => {
    const { id } = await makeUser(test.db, passwordHash === null ? { passwordHash } : {})
    if (what === 'is deactivated') await post(`/users/${id}/deactivate`)
    const answer = await post(`/users/${id}/send-password-link`)
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { message }])
    expect((await post('/users/999999/send-password-link')).statusCode).toBe(404)
  })
})

describe('without a mail server', () => {
  const BESIDE = 'Der er ikke sat en mailserver op (SMTP_URL).'
  const INVITATION = /https?:\/\/[^"\s]+\/invitation\/([\w-]+)/

  it('without a mail server only the inviter gets the link, once, and it works', async () => {
    const { visitor: other } = await enter(test, 'administrator')
    const answer = await post('/users/new', fresh({ invite: '1' }))
    const address = `/users/${idOf(answer)}`
    const token = INVITATION.exec((await admin.get(address)).body)?.[1]
    expect(token).toBeDefined()
    expect((await admin.get(address)).body).not.toMatch(INVITATION)
    expect((await other.get(address)).body).not.toMatch(INVITATION)
    expect(test.logged()).not.toContain(token)
    expect((await admin.get('/log')).body).not.toContain(token)
    const { rows } = await sql`select from jobs.job where data::text like ${`%${token}%`}`.execute(test.db)
    expect(rows).toEqual([])
    expect((await new Visitor(test.app).get(`/invitation/${token}`)).statusCode).toBe(200)
    await post(`${address}/invite`)
    expect((await admin.get(address)).body).toMatch(INVITATION)
  })

  it('every page tells administrators that no mail is sent, and nobody else', async () => {
    const { visitor: employee } = await enter(test, 'employee')
    const said = async (who: Visitor) => (await who.get('/projects')).body.includes('sender ingen mails')
    expect([await said(admin), await said(employee)]).toEqual([true, false])
    const able = await freshApp({ hasJobs: false, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    const { visitor, id } = await enter(able, 'administrator')
    expect(await said(visitor)).toBe(false)
    const made = await visitor.post('/users/new', fresh({ invite: '1' }), { script: true })
    expect((await visitor.get(`/users/${idOf(made)}`)).body).not.toMatch(INVITATION)
    expect(id).toBeGreaterThan(0)
    const waiting = `/users/${idOf(made)}`
    for (const address of ['/users/new', waiting, `${waiting}/edit`])
      expect([address, (await visitor.get(address)).body.includes(BESIDE)]).toEqual([address, false])
  })

  it('pages that send mails say beside the button that no mail is sent', async () => {
    const waiting = `/users/${idOf(await post('/users/new', fresh()))}`
    for (const address of ['/users/new', waiting, `${waiting}/edit`])
      expect([address, (await admin.get(address)).body.includes(BESIDE)]).toEqual([address, true])
    const { id: active } = await makeUser(test.db)
    expect((await admin.get(`/users/${active}`)).body).not.toContain(BESIDE) // its button says that it only makes a link
    const { visitor: employee } = await enter(test, 'employee')
    expect((await employee.get(waiting)).body).not.toContain(BESIDE)
  })
})
