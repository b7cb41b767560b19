import { readdir, readFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import sharp from 'sharp'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { asOwner } from '../../test/database.ts'
import { enter, type Entered } from '../../test/enter.ts'
import { makeUser } from '../../test/make.ts'
import { pageIn } from '../../test/page-data.ts'
import { urls } from '../urls.ts'
import { Visitor } from '../../test/visitor.ts'
import { IMAGE_FAULTS } from '../base/image.ts'
import { ROLES } from '../rights.ts'
import { tryMail } from '../server/try-mail.ts'
import { findOffice } from './office.db.ts'
import type { Office } from './office.ts'

const FIELDS = {
  name: 'Nordhavn Administration',
  contact_person: 'Kirsten Overgaard',
  phone: '33 12 34 56',
  email: 'post@nordhavn.example',
}

let test: TestApp
let port: number
let administrator: Entered
beforeAll(async () => {
  test = await freshApp({ hasJobs: 'mails', env: { REQUESTS_PER_MINUTE: '100000' } })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = test.app.server.address() as AddressInfo)
  administrator = await enter(test, 'administrator', { name: 'Anne Holm' })
})
beforeEach(async () => {
  await test.db.deleteFrom('office').execute()
  await asOwner(test.db, sql`delete from log`)
  await administrator.visitor.get('/settings/office') // renders the frame again
})

const save = (who: Visitor, fields: object, script = true) =>
  who.post('/settings/office', { ...fields }, { script })

const acts = async () =>
  (await test.db.selectFrom('log').select(['act', 'detail', 'user_id']).orderBy('id').execute()).map(
    ({ act, detail, user_id: user }) => [act, detail, user],
  )

describe('the office’s name and contact', () => {
  it('an administrator saves name and contact, which is logged, and everybody sees them, signed in or not', async () => {
    const answer = await save(administrator.visitor, FIELDS)
    expect([answer.statusCode, answer.json()]).toEqual([200, { redirect: '/settings/office' }])
    expect(await acts()).toEqual([['office-changed', 'name,contact_person,phone,email', administrator.id]])
    const shown = { name: FIELDS.name, contactPerson: FIELDS.contact_person, phone: FIELDS.phone }
    expect(await findOffice(test.db)).toMatchObject(shown)
    const visitors = await Promise.all(ROLES.map(async (role) => (await enter(test, role)).visitor))
    for (const visitor of visitors) {
      const { body } = await visitor.get('/')
      expect(pageIn(body).frame.office).toEqual({ ...shown, email: FIELDS.email, logo: null })
      expect(body).toContain('href="tel:33123456"')
    }
    const login = (await new Visitor(test.app).get('/login')).body
    for (const value of Object.values(FIELDS)) expect(login).toContain(`>${value}<`)
  })

  it('name and contact stay as they were if nothing is set', async () => {
    const login = (await new Visitor(test.app).get('/login')).body
    expect(login).toContain('>Ringbind<')
    expect(login).not.toContain('Kontakt')
  })

  it('logs only fields that differ, and leaves omitted fields unchanged', async () => {
    await save(administrator.visitor, FIELDS)
    await save(administrator.visitor, FIELDS)
    await save(administrator.visitor, { phone: '' })
    expect((await acts()).map(([, detail]) => detail)).toEqual(['name,contact_person,phone,email', 'phone'])
    expect(await findOffice(test.db)).toMatchObject({ name: FIELDS.name, phone: '' })
  })

  it('name and contact are saved without JavaScript', async () => {
    const answer = await save(administrator.visitor, FIELDS, false)
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/settings/office'])
    const refused = await save(administrator.visitor, { ...FIELDS, phone: 'x' }, false)
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('value="x"')
    expect(refused.body).toContain('Skriv et telefonnummer')
  })

  it.each<[object, Record<string, string>]>([
    [{ name: 'x'.repeat(101) }, { name: 'Navnet må højst være på 100 tegn.' }],
    [{ name: 'x'.repeat(1000) }, { name: 'Navnet må højst være på 100 tegn.' }],
    [{ name: ['a'] }, { name: 'Navnet skal være en tekst.' }],
    [{ contact_person: 'x'.repeat(101) }, { contact_person: 'Kontaktpersonen må højst være på 100 tegn.' }],
    [
      { phone: '112', email: 'post' },
      {
        phone: 'Skriv et telefonnummer, for eksempel 33 12 34 56 eller +45 33 12 34 56.',
        email: 'Skriv en gyldig e-mailadresse.',
      },
    ],
    [{ phone: '1'.repeat(31) }, { phone: 'Telefonnummeret er for langt.' }],
    [{ email: 'a@b.dk\r\nBcc: c@d.dk' }, { email: 'Skriv en gyldig e-mailadresse.' }],
    [{ was: 'x' }, { was: 'Siden er ikke hentet rigtigt. Genindlæs den, og prøv igen.' }],
  ])(
    'wrong fields of the office are refused at their place, and nothing changes: %#',
    async (fields, faults) => {
      const answer = await save(administrator.visitor, { ...FIELDS, ...fields })
      const { errors } = answer.json<{ errors: Record<string, string[]> }>()
      expect(answer.statusCode).toBe(422)
      expect(errors).toEqual(
        Object.fromEntries(Object.entries(faults).map(([field, fault]) => [field, [fault]])),
      )
      expect(await findOffice(test.db)).toMatchObject({ name: '' })
      expect(await acts()).toEqual([])
    },
  )

  it('if two administrators save at once, the second is asked which values to keep', async () => {
    const was = { name: '', contact_person: '', phone: '', email: '' }
    const answers = await Promise.all([
      save(administrator.visitor, { ...FIELDS, was }),
      save(administrator.visitor, { ...FIELDS, name: 'Sydhavn', was }),
    ])
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]))
    const late = answers.find(({ statusCode }) => statusCode === 409)!.json<{ clash: { fields: object[] } }>()
    expect(late.clash.fields).toHaveLength(1)
    expect(await acts()).toHaveLength(1)
  })

  it.each(ROLES.filter((role) => role !== 'administrator'))(
    'name and contact cannot be changed by %s',
    async (role) => {
      const { visitor } = await enter(test, role)
      expect((await visitor.get('/settings/office')).statusCode).toBe(403)
      expect((await save(visitor, FIELDS)).statusCode).toBe(403)
      expect((await visitor.post('/settings/office/logo', { _method: 'DELETE' })).statusCode).toBe(403)
      expect((await visitor.post('/settings/office/test-mail', {}, { script: true })).statusCode).toBe(403)
      expect((await visitor.get('/')).body).not.toContain('/settings/office')
      expect(await findOffice(test.db)).toMatchObject({ name: '' })
    },
  )
})

/** Sends a logo over a real socket, like a browser. */
async function sendLogo(bytes: Buffer | null, fields: Record<string, string> = {}): Promise<Response> {
  const { visitor } = administrator
  await visitor.get('/findes-ikke')
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (bytes) form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png')
  return fetch(`http://127.0.0.1:${port}/settings/office/logo`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: {
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'x-requested-with': 'XMLHttpRequest',
      'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!),
    },
  })
}

const drawn = (width: number, height: number, background = '#0b5a6f') =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer()

const logoIn = async (answer: Response) => {
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { image: Office['logo'] }).image
}

describe('approval by a colleague', () => {
  const choose = (fields: Record<string, string>, script = true, who = administrator.visitor) =>
    who.post('/settings/office/approval', fields, { script })
  const isWanted = async () => (await findOffice(test.db)).needsApproval
  const changes = async () => (await acts()).filter(([act]) => act === 'approval-changed')

  it('an administrator turns approval on, which is logged only if it changes', async () => {
    const colleague = await enter(test, 'employee')
    expect(await isWanted()).toBe(false)
    const answer = await choose({ needs_approval: '1', was: '0' })
    expect([answer.statusCode, answer.json()]).toEqual([200, { redirect: '/settings/office' }])
    expect(await isWanted()).toBe(true)
    await choose({ needs_approval: '1', was: '1' })
    // Nobody turns approval off alone.
    expect((await choose({ was: '1' }, false)).headers.location).toBe(`${urls.releases}#asked`)
    expect(await isWanted()).toBe(true)
    const { rows } = await sql<{ id: string }>`select id from asked_acts`.execute(test.db)
    await colleague.visitor.post(urls.askedAct(rows[0]!.id, 'approve'), {}, { script: true })
    expect(await isWanted()).toBe(false)
    expect(await changes()).toEqual([
      ['approval-changed', 'on', administrator.id],
      ['approval-changed', 'off', administrator.id],
    ])
  })

  it('refuses approval at its field while nobody else in the office can sign in', async () => {
    await sql`update users set deactivated_at = now() where id <> ${administrator.id}`.execute(test.db)
    const message =
      'Der skal være mindst to administratorer eller medarbejdere, som har været logget ind. Inviter en kollega først.'
    await makeUser(test.db, { role: 'employee', passwordHash: null })
    await makeUser(test.db, { role: 'auditor' })
    const answer = await choose({ needs_approval: '1', was: '0' })
    expect([answer.statusCode, answer.json()]).toMatchObject([422, { errors: { needs_approval: [message] } }])
    const again = await choose({ needs_approval: '1', was: '0' }, false)
    expect(again.body).toContain(message)
    expect([await isWanted(), await changes()]).toEqual([false, []])
    await makeUser(test.db, { role: 'employee' })
    expect((await choose({ needs_approval: '1', was: '0' })).statusCode).toBe(200)
  })

  it('refuses to change approval from an outdated page, or by others', async () => {
    expect((await choose({ was: '1' })).statusCode).toBe(409)
    expect((await choose({ needs_approval: 'ja', was: '0' })).statusCode).toBe(422)
    const employee = await enter(test, 'employee')
    expect((await choose({ needs_approval: '1' }, true, employee.visitor)).statusCode).toBe(403)
    expect(await isWanted()).toBe(false)
  })
})

describe('sure papers in a pile', () => {
  const choose = (fields: Record<string, string>, who = administrator.visitor) =>
    who.post('/settings/office/placing', fields, { script: true })

  it('an administrator chooses that sure papers are placed at once, and a later choice of another is refused', async () => {
    const employee = await enter(test, 'employee')
    const isPlacing = async () => pageIn((await employee.visitor.get('/upload')).body).props.placesSure
    expect(await isPlacing()).toBe(false)
    expect((await choose({ places_sure: '1', was: '0' }, employee.visitor)).statusCode).toBe(403)
    expect((await choose({ places_sure: '1', was: '0' })).statusCode).toBe(200)
    expect(await isPlacing()).toBe(true)
    expect((await choose({ was: '0' })).statusCode).toBe(409)
    expect((await choose({ places_sure: 'ja', was: '1' })).statusCode).toBe(422)
    expect((await acts()).filter(([act]) => act === 'sure-papers-changed')).toEqual([
      ['sure-papers-changed', 'on', administrator.id],
    ])
  })
})

describe('the logo', () => {
  it('the logo keeps its shape, becomes a PNG on white, and loads without sign-in', async () => {
    const half = await sharp({ create: { width: 1200, height: 300, channels: 4, background: '#0000' } })
      .composite([{ input: await drawn(600, 300, '#f00'), left: 0, top: 0 }])
      .png()
      .toBuffer()
    const logo = await logoIn(await sendLogo(half))
    expect(logo).toEqual({
      address: expect.stringMatching(/^\/office\/logo\/[0-9a-f]{32}$/) as string,
      width: 480,
      height: 120,
    })
    const shown = await new Visitor(test.app).get(logo!.address)
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png'])
    expect(shown.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(shown.headers['set-cookie']).toBeUndefined()
    const { data, info } = await sharp(shown.rawPayload)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([480, 120])
    expect([...data.subarray(0, 3), ...data.subarray(-3)]).toEqual([255, 0, 0, 255, 255, 255])
    const { frame } = pageIn((await new Visitor(test.app).get('/login')).body)
    expect(frame.office.logo).toEqual(logo)
    expect((await acts()).map(([act]) => act)).toEqual(['office-logo-changed'])
  })

  it('the logo’s address changes with its bytes, and the old address is gone', async () => {
    const first = await logoIn(await sendLogo(await drawn(64, 64)))
    const second = await logoIn(await sendLogo(await drawn(64, 64, '#a03020')))
    expect(second!.address).not.toBe(first!.address)
    const visitor = new Visitor(test.app)
    for (const address of [first!.address, urls.logo('%00'), urls.logo('%F0%9F%92%A9')])
      expect((await visitor.get(address)).statusCode).toBe(404)
    expect(await logoIn(await sendLogo(await drawn(64, 64, '#a03020')))).toEqual(second)
    expect((await acts()).map(([act]) => act)).toEqual(['office-logo-changed', 'office-logo-changed'])
  })

  it('the logo can be removed', async () => {
    const { address } = (await logoIn(await sendLogo(await drawn(64, 64))))!
    expect(await logoIn(await sendLogo(null, { _method: 'DELETE', was: address }))).toBeNull()
    expect((await new Visitor(test.app).get(address)).statusCode).toBe(404)
    expect((await acts()).map(([act]) => act)).toEqual(['office-logo-changed', 'office-logo-removed'])
    expect(await logoIn(await sendLogo(null, { _method: 'DELETE', was: '' }))).toBeNull()
    expect(await acts()).toHaveLength(2)
  })

  it('refuses to replace a logo that another administrator has changed meanwhile', async () => {
    const { address } = (await logoIn(await sendLogo(await drawn(64, 64), { was: '' })))!
    const late = await sendLogo(await drawn(64, 64, '#a03020'), { was: '' })
    expect(late.status).toBe(409)
    expect(((await late.json()) as { message: string }).message).toContain('En anden har ændret logoet')
    expect((await findOffice(test.db)).logo?.address).toBe(address)
  })

  it.each<[string, () => Promise<Buffer | null>, number, string]>([
    ['no file', async () => null, 422, IMAGE_FAULTS.none],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422, IMAGE_FAULTS.type],
    ['half a PNG', async () => (await drawn(600, 600)).subarray(0, 600), 422, IMAGE_FAULTS.broken],
    ['a strip', () => drawn(900, 20), 422, IMAGE_FAULTS.shape],
    ['more than 10 MB', async () => Buffer.alloc(10 * 1024 * 1024 + 1), 413, IMAGE_FAULTS.large],
  ])(
    'a wrong logo is refused at its field, and the old one stays: %s',
    async (_what, make, status, fault) => {
      const logo = await logoIn(await sendLogo(await drawn(64, 64)))
      const answer = await sendLogo(await make())
      expect([answer.status, ((await answer.json()) as { errors: object }).errors]).toEqual([
        status,
        { file: [fault] },
      ])
      expect((await findOffice(test.db)).logo).toEqual(logo)
    },
  )

  it('mails show the logo with the office’s name and contact', async () => {
    await save(administrator.visitor, FIELDS)
    await sendLogo(await drawn(400, 100))
    const { id } = await makeUser(test.db, { name: 'Bo', email: 'bo@example.dk', passwordHash: null })
    await administrator.visitor.post(`/users/${id}/invite`, {}, { script: true })
    const directory = join(test.config.dataDir, 'mail')
    const mails = async () => {
      const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith('.eml'))
      const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
      return texts.filter((each) => each.includes('bo@example.dk'))
    }
    await expect.poll(mails, { timeout: 120_000 }).toHaveLength(1)
    const [mail] = await mails()
    expect(mail).toContain('Content-ID: <logo@ringbind>')
    expect(mail).toContain('Reply-To: post@nordhavn.example')
    expect(mail).toContain('Venlig hilsen\nNordhavn Administration\nKirsten Overgaard =C2=B7 33 12 34 56')
  })
})

async function listen(server: { listen: Server['listen'] }): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
}

async function smtpServer(options: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...options })
  server.on('error', () => undefined) // a client that speaks TLS
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

describe('a test mail', () => {
  async function tryWith(smtpUrl: string) {
    const tried = await freshApp({
      hasJobs: 'mails',
      env: { SMTP_URL: smtpUrl, MAIL_FROM: 'Kontoret <ringbind@example.dk>' },
    })
    const { visitor, id } = await enter(tried, 'administrator', { email: 'anne@example.dk' })
    const send = (script = true) => visitor.post('/settings/office/test-mail', {}, { script })
    const logged = () =>
      tried.db
        .selectFrom('log')
        .select('detail')
        .where('act', '=', 'test-mail-sent')
        .where('user_id', '=', id)
        .execute()
    return { tried, visitor, send, logged }
  }

  it('a test mail goes to the administrator’s own address, and the page shows the mail server’s answer', async () => {
    const received: string[] = []
    const to: string[] = []
    const url = await smtpServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(null, { user: 'bruger' }),
      onRcptTo: ({ address }, _session, done) => (to.push(address), done()),
      onData: (stream, _session, done) =>
        void text(stream).then((mail) => (received.push(mail), done(null, 'Queued as 7'))),
    })
    const { visitor, send, logged, tried } = await tryWith(url.replace('//', '//bruger:hemmelig@'))
    const page = (await visitor.get('/settings/office')).body
    expect(pageIn(page).props.mail).toEqual({
      server: new URL(url).host,
      from: 'Kontoret <ringbind@example.dk>',
    })
    expect(page).not.toContain('hemmelig')
    expect(pageIn(page).frame.warning).toBeNull()
    await save(visitor, FIELDS)
    const answer = await send()
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { trial: { kind: 'accepted', answer: '250 Queued as 7' } },
    ])
    expect(to).toEqual(['anne@example.dk'])
    expect(received[0]).toContain('Reply-To: post@nordhavn.example')
    expect(await logged()).toEqual([{ detail: 'accepted' }])

    const again = await send()
    expect([again.statusCode, Number(again.headers['retry-after']) > 0]).toEqual([429, true])
    expect(again.json<{ message: string }>().message).toMatch(/Prøv igen om \d+ sekunder/)
    expect(received).toHaveLength(1)
    await tried.db.updateTable('office').set({ mail_tried_at: null }).execute()
    const plain = await send(false)
    expect([plain.statusCode, plain.body.includes('Mailserveren har taget imod prøvemailen')]).toEqual([
      200,
      true,
    ])
  })

  it('shows the mail server’s refusal of a test mail in its own words', async () => {
    const url = await smtpServer({
      onRcptTo: (_address, _session, done) => done(refusal(550, '5.1.1 <b>Ukendt</b> modtager')),
    })
    const { send, logged } = await tryWith(url)
    const { body } = await send(false)
    expect(body).toContain('Mailserveren afviste prøvemailen.')
    expect(body).toContain('550 5.1.1 &lt;b&gt;Ukendt&lt;/b&gt; modtager')
    expect(await logged()).toEqual([{ detail: 'refused' }])
  })

  it('refuses a test mail without a mail server, and the page says that no mails are sent', async () => {
    const answer = await administrator.visitor.post('/settings/office/test-mail', {}, { script: true })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      409,
      { message: 'Der er ikke sat en mailserver op (SMTP_URL).' },
    ])
    const { body } = await administrator.visitor.get('/settings/office')
    expect(body).toContain('Der er ikke sat en mailserver op (SMTP_URL)')
    expect(body).not.toContain('Send en prøvemail')
    expect(await acts()).toEqual([])
  })

  const MAIL = { to: 'anne@example.dk', subject: 'Prøve', text: 'Prøve', html: '<p>Prøve</p>' }
  const trial = (smtpUrl: string, more = {}) =>
    tryMail(MAIL, { smtpUrl, from: 'a@example.dk', findPicture: async () => null, ...more })

  it('a test mail tells a wrong password from a refused mail', async () => {
    const url = await smtpServer({
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusal(535, 'Wrong password')),
    })
    expect(await trial(url.replace('//', '//bruger:forkert@'))).toEqual({
      kind: 'no-login',
      answer: '535 Wrong password',
    })
  })

  it('a test mail reports a closed port, or an unknown host', async () => {
    const server = createServer()
    await listen(server)
    const { port: free } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    expect(await trial(`smtp://127.0.0.1:${free}`)).toMatchObject({
      kind: 'unreachable',
      answer: expect.stringContaining('ECONNREFUSED') as string,
    })
    expect(await trial('smtp://findes-ikke.invalid')).toMatchObject({ kind: 'unreachable' })
  })

  it.each([
    ['never says anything', '', {}],
    ['says a word now and then', '220-Vent\r\n', { mostMs: 400, silenceMs: 60_000 }],
  ])('a test mail reports that a mail server %s', async (_what, words, more) => {
    const server = createServer((socket) => {
      const talking = words === '' ? undefined : setInterval(() => socket.write(words), 50)
      socket.on('error', () => undefined).on('close', () => clearInterval(talking))
    })
    await listen(server)
    onTestFinished(() => void server.close())
    const { port: silent } = server.address() as AddressInfo
    expect(await trial(`smtp://127.0.0.1:${silent}`, { silenceMs: 300, ...more })).toEqual({
      kind: 'silent',
      answer: '',
    })
  })

  it('a test mail reports that the connection cannot be made secure', async () => {
    const url = await smtpServer({})
    expect(await trial(url.replace('smtp:', 'smtps:'))).toMatchObject({ kind: 'insecure' })
  })
})
