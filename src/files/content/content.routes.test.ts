import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readlinkSync, statSync } from 'node:fs'
import { chmod, open as openFile, truncate } from 'node:fs/promises'
import { Agent, get, request as httpRequest, type IncomingMessage } from 'node:http'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { InjectOptions } from 'fastify'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { asOwner } from '../../../test/database.ts'
import {
  foldersByName,
  makeFile,
  makeProject,
  makeUser,
  makeUserFolder,
  PASSWORD,
} from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import type { Role } from '../../rights.ts'
import { fileUrls } from '../../urls.ts'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')

type Person = Visitor & { id: number }

let test: TestApp
let project: number
let folders: Record<string, number>
let people: Record<
  'administrator' | 'employee' | 'auditor' | 'member' | 'outsider' | 'strangeAuditor',
  Person
>
let office: Person
let origin: string

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '100000' } })
  const person = async (role: Role): Promise<Person> => {
    const user = await makeUser(test.db, { role })
    const visitor = new Visitor(test.app)
    await visitor.signIn(user.email, PASSWORD)
    return Object.assign(visitor, { id: user.id })
  }
  people = {
    administrator: await person('administrator'),
    employee: await person('employee'),
    auditor: await person('auditor'),
    member: await person('investor'),
    outsider: await person('investor'),
    strangeAuditor: await person('auditor'),
  }
  office = people.employee
  project = (await makeProject(test.db, { members: [people.auditor.id, people.member.id] })).id
  folders = await foldersByName(test.db, project)
  origin = await test.app.listen({ port: 0, host: '127.0.0.1' })
})

const inFolder = (name: string, content: Parameters<typeof makeFile>[2] = {}) =>
  makeFile(test, folders[name]!, content)
const open = (path: string) => fileUrls.open({ project }, path)
const download = (path: string) => fileUrls.download({ project }, path)

/** Makes a file in a shared folder. Returns its address too, and a function with which the office fetches it. */
async function stored(content: Parameters<typeof makeFile>[2] = {}) {
  const file = await inFolder('Budget', content)
  const address = open(file.path)
  const fetch = (headers: Record<string, string> = {}, method: InjectOptions['method'] = 'GET') =>
    office.get(address, { headers, method })
  return { ...file, address, fetch }
}

describe('S2.2 who may open and download a file of a project', () => {
  it.each([
    ['administrator', 200, 200],
    ['employee', 200, 200],
    ['auditor', 200, 200],
    ['member', 200, 404],
    ['outsider', 404, 404],
    ['strangeAuditor', 404, 404],
  ] as const)('the %s gets %i in a shared folder, and %i in a hidden one', async (who, shared, hidden) => {
    const files = { shared: await inFolder('Budget'), hidden: await inFolder('Diverse') }
    for (const at of [open, download]) {
      const answers = [
        await people[who].get(at(files.shared.path)),
        await people[who].get(at(files.hidden.path)),
      ]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([shared, hidden])
      for (const { statusCode, body } of answers)
        expect(body.includes(statusCode === 200 ? '%PDF-1.7' : 'Filen findes ikke.')).toBe(true)
    }
  })

  it('redirects people who are not signed in', async () => {
    const { path } = await inFolder('Budget')
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await new Visitor(test.app).get(open(path), { method })
      expect([statusCode, headers.location]).toEqual([303, `/login?next=${encodeURIComponent(open(path))}`])
    }
  })

  it('access ends with the membership, the sharing or the file', async () => {
    const { path, id } = await inFolder('Lejekontrakter')
    const status = async () => (await people.member.get(open(path))).statusCode
    expect(await status()).toBe(200)
    const share = (visible: boolean) =>
      test.db
        .updateTable('folders')
        .set({ visible_to_investors: visible })
        .where('id', '=', folders.Lejekontrakter!)
        .execute()
    await share(false)
    expect(await status()).toBe(404)
    await share(true)
    await test.db.deleteFrom('project_members').where('user_id', '=', people.member.id).execute()
    expect(await status()).toBe(404)
    await test.db
      .insertInto('project_members')
      .values({ project_id: project, user_id: people.member.id })
      .execute()
    expect(await status()).toBe(200)
    await test.db.updateTable('files').set({ deleted_at: new Date() }).where('id', '=', id).execute()
    expect(await status()).toBe(404)
    expect((await office.get(download(path))).statusCode).toBe(404)
  })
})

describe('S2.2 who may open and download a file of a person', () => {
  it.each([
    ['administrator', 200],
    ['employee', 200],
    ['member', 200],
    ['outsider', 404],
    ['auditor', 403],
  ] as const)('the %s gets %i for a file of a person', async (who, status) => {
    const user = people.member.id
    const { path } = await makeFile(test, await makeUserFolder(test.db, user))
    for (const url of [fileUrls.open({ user }, path), fileUrls.download({ user }, path)])
      expect((await people[who].get(url)).statusCode).toBe(status)
  })
})

describe('S2.2 a file that is not found', () => {
  const other = async () => {
    const elsewhere = (await makeProject(test.db)).id
    return makeFile(test, (await foldersByName(test.db, elsewhere)).Budget!)
  }

  it('answers 404 with the same text, whatever the reason', async () => {
    const { path, id } = await inFolder('Budget')
    const [key] = path.split('/')
    const deleted = await inFolder('Budget')
    await test.db.updateTable('files').set({ deleted_at: new Date() }).where('id', '=', deleted.id).execute()
    const removing = await inFolder('Budget')
    await test.db
      .updateTable('blobs')
      .set({ state: 'removing' })
      .where('id', 'in', test.db.selectFrom('files').select('blob_id').where('id', '=', removing.id))
      .execute()
    const persons = await makeFile(test, await makeUserFolder(test.db, office.id))
    const paths = [
      `${'0'.repeat(32)}/Fil.pdf`,
      deleted.path,
      removing.path,
      (await other()).path,
      persons.path,
      key!,
      `${key}/`,
      `${key}/Andet navn.pdf`,
      `${path}/`,
      `${path}x`,
      `x/${path}`,
      path.toUpperCase(),
      String(id),
    ]
    const answers = await Promise.all(
      paths.flatMap((each) => [office.get(open(each)), office.get(download(each))]),
    )
    const clean = (body: string) => body.match(/Filen findes ikke\./g)?.length
    for (const { statusCode, body } of answers)
      expect([statusCode, clean(body)]).toEqual([404, clean(answers[0]!.body)])
    expect(clean(answers[0]!.body)).toBeGreaterThan(0)
    expect((await office.get(open(path))).statusCode).toBe(200)
  })

  it('answers 404 if the address names a person but the file belongs to a project', async () => {
    const { path } = await inFolder('Budget')
    expect((await office.get(fileUrls.open({ user: people.member.id }, path))).statusCode).toBe(404)
  })

  it.each([
    '',
    '/',
    '..',
    '../',
    '%2e%2e',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '../../../etc/passwd',
    '%00',
    `${'a'.repeat(32)}/%00`,
    `${'a'.repeat(32)}%00/x`,
    `${'a'.repeat(32)}/../x`,
    'a'.repeat(10_000),
    `${'a'.repeat(32)}/${'%C3%A5'.repeat(2000)}`,
    '%ED%A0%80', // half a character
    '%zz',
    '%',
  ])('a wrong address never causes a server error: %#', async (path) => {
    const home = `/projects/${project}/uploads`
    for (const address of [`${home}/${path}`, `${home}/download/${path}`, `/users/1/uploads/${path}`]) {
      const raw = await rawStatus(address)
      expect([404, 400, 414]).toContain(raw)
      if (!/%(zz|$|ED)/.test(path)) expect(raw).toBe(404)
    }
  })

  it.each(['abc', '0', '-1', '1.5', '99999999999999999999', '%00'])(
    'answers 404 for the project or person %s',
    async (id) => {
      const { path } = await inFolder('Budget')
      expect(await rawStatus(`/projects/${id}/uploads/${encodeURI(path)}`)).toBe(404)
      expect(await rawStatus(`/users/${id}/uploads/${encodeURI(path)}`)).toBe(404)
    },
  )

  /** Sends the address as it is, because an HTTP client would normalize it. */
  async function rawStatus(address: string): Promise<number> {
    const socket = createConnection(Number(new URL(origin).port), '127.0.0.1')
    socket.write(
      `GET ${address} HTTP/1.1\r\nHost: x\r\nCookie: ${cookieOf(office)}\r\nConnection: close\r\n\r\n`,
    )
    return Number((await text(socket)).slice(9, 12))
  }
})

describe('S2.4 the address of a file', () => {
  it('the address of a file begins with 32 hexadecimal digits, so that it never clashes with a folder’s', async () => {
    for (const name of ['folder', 'download', 'folder/1', 'Fil.pdf']) {
      const { path } = await inFolder('Budget', { name })
      expect(path).toMatch(/^[0-9a-f]{32}\//)
      expect((await office.get(open(path))).headers['content-disposition']).toMatch(/^(inline|attachment)/)
      expect((await office.get(download(path))).headers['content-disposition']).toMatch(/^attachment/)
      expect((await office.get(download(path))).statusCode).toBe(200)
    }
    await expect(
      sql`update files set key = 'folder' where id = (select max(id) from files)`.execute(test.db),
    ).rejects.toThrow(/violates check constraint/)
  })

  it.each([
    'Årsrapport 2020 (1024) endelig.pdf',
    'æøå ÆØÅ.pdf',
    'a#b.pdf',
    'a?b=c&d.pdf',
    '50 %.pdf',
    '%41.pdf',
    '%2e%2e.pdf',
    '%2525.pdf',
    'a+b c.pdf',
    `"citat" 'og'; mere.pdf`,
    'a/b.pdf',
    'download/x.pdf',
    '😀.pdf',
    '*.pdf',
    `${'å'.repeat(255)}.pdf`,
  ])('S2.2 opens a file named %j', async (name) => {
    const file = await inFolder('Budget', { name, bytes: `%PDF-1.7 ${name}` })
    for (const at of [open, download]) {
      const { statusCode, rawPayload, headers } = await office.get(at(file.path))
      expect([statusCode, String(rawPayload)]).toEqual([200, `%PDF-1.7 ${name}`])
      const given = /filename\*=UTF-8''(\S+)$/.exec(headers['content-disposition'] as string)![1]!
      expect(decodeURIComponent(given)).toBe(name)
    }
  })

  it('S2.2 opens a file whose name is decomposed, as from a Mac', async () => {
    const file = await inFolder('Budget', { name: 'Årsrapport é.pdf' })
    const decomposed = file.path.normalize('NFD')
    expect(decomposed).not.toBe(file.path)
    expect((await office.get(open(decomposed))).statusCode).toBe(200)
  })
})

describe('S2.2 the answer', () => {
  it('sends the whole file with all its headers', async () => {
    const { fetch, address } = await stored({ name: 'Referat.txt', bytes: 'Kære investor' })
    const { statusCode, headers, body } = await fetch({ 'accept-encoding': 'gzip, br' })
    expect([statusCode, body]).toEqual([200, 'Kære investor'])
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '14',
      'content-disposition': `inline; filename="Referat.txt"; filename*=UTF-8''Referat.txt`,
      'accept-ranges': 'bytes',
      etag: `"${sha256('Kære investor')}"`,
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox`,
    })
    expect(headers).not.toHaveProperty('content-encoding')
    expect(headers).not.toHaveProperty('last-modified')
    expect(address).toContain('/uploads/')
  })

  it.each([
    ['Årsrapport.pdf', '%PDF-1.7', 'inline', 'application/pdf', false],
    ['Side.html', '<!doctype html><script>alert(1)</script>', 'attachment', 'application/octet-stream', true],
    ['Side.txt', '<script>alert(1)</script>', 'attachment', 'application/octet-stream', true],
    ['Side.html', 'kun tekst', 'attachment', 'application/octet-stream', true],
    ['Tegning.svg', '<svg onload="alert(1)"/>', 'attachment', 'application/octet-stream', true],
    ['Billede.gif', 'GIF89a/*', 'inline', 'image/gif', true],
    ['Tal.csv', 'a;b', 'inline', 'text/plain; charset=utf-8', true],
  ] as const)(
    'a file named %s with %j is sent as %s, %s',
    async (name, bytes, disposition, type, isSandboxed) => {
      const file = await stored({ name, bytes })
      const opened = (await file.fetch()).headers
      expect(opened['content-disposition']).toMatch(new RegExp(`^${disposition};`))
      expect(opened['content-type']).toBe(type)
      expect(String(opened['content-security-policy']).includes('sandbox')).toBe(isSandboxed)
      const downloaded = (await office.get(download(file.path))).headers
      expect(downloaded['content-disposition']).toMatch(/^attachment;/)
      expect(downloaded['content-security-policy']).toContain('sandbox')
      expect(downloaded['content-type']).not.toMatch(/html|svg|xml/)
    },
  )

  it('never compresses a file, however long the text is', async () => {
    const bytes = 'Kære investor. '.repeat(10_000)
    const { headers, rawPayload } = await (
      await stored({ name: 'Langt.txt', bytes })
    ).fetch({ 'accept-encoding': 'br' })
    expect([headers['content-encoding'], rawPayload.length]).toEqual([undefined, Buffer.byteLength(bytes)])
  })

  it.each([256 * 1024, 256 * 1024 + 1, 1_000_000])('sends all %i bytes', async (size) => {
    const bytes = randomBytes(size)
    const { rawPayload } = await (await stored({ name: 'Stor.bin', bytes })).fetch()
    expect(rawPayload.equals(bytes)).toBe(true)
  })

  it('sends an empty file', async () => {
    const { fetch } = await stored({ name: 'Tom.txt', bytes: '' })
    for (const headers of [{}, { range: 'bytes=0-' }, { range: 'bytes=-1' }] as Record<string, string>[]) {
      const { statusCode, headers: got, body } = await fetch(headers)
      expect([statusCode, got['content-length'], body]).toEqual([200, '0', ''])
    }
  })

  it('a missing file has the security policy of a page', async () => {
    const { headers } = await office.get(open('nothing'))
    expect(headers['content-security-policy']).toContain(`script-src 'self'`)
    expect(headers['content-type']).toContain('text/html')
    expect(headers).not.toHaveProperty('content-disposition')
  })
})

describe('S2.2 HEAD', () => {
  it('HEAD has the headers of GET, and does not touch the storage', async () => {
    const { fetch, path } = await stored({ name: 'Stor.txt', bytes: 'x'.repeat(400_000) })
    await withStorage({ open: refuse, read: refuse }, async () => {
      const head = await fetch({}, 'HEAD')
      expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
      expect(head.headers['content-length']).toBe('400000')
      expect((await fetch({ range: 'bytes=0-1' }, 'HEAD')).headers['content-length']).toBe('400000')
      expect((await office.get(open(`${path}x`), { method: 'HEAD' })).statusCode).toBe(404)
    })
    const [head, got] = [await fetch({}, 'HEAD'), await fetch()]
    const own = ({ headers }: typeof head) => {
      const { date: _date, 'x-request-id': _id, ...rest } = headers
      return rest
    }
    expect(own(head)).toEqual(own(got))
    expect((await fetch({ 'if-none-match': '*' }, 'HEAD')).statusCode).toBe(304)
  })
})

describe('S2.2 conditions', () => {
  it('304 repeats the headers that keep the file harmless, and reads nothing', async () => {
    const { fetch } = await stored({ name: 'Notat.txt', bytes: 'abc' })
    const whole = await fetch()
    await withStorage({ open: refuse, read: refuse }, async () => {
      for (const tag of [whole.headers.etag!, `W/${whole.headers.etag}`, `"x", ${whole.headers.etag}`, '*']) {
        const { statusCode, headers, body } = await fetch({ 'if-none-match': tag })
        expect([statusCode, body]).toEqual([304, ''])
        for (const name of ['etag', 'cache-control', 'content-security-policy', 'content-disposition'])
          expect(headers[name]).toBe(whole.headers[name])
      }
    })
    expect((await fetch({ 'if-none-match': '"x"' })).body).toBe('abc')
  })

  it('answers 412 to another tag in If-Match', async () => {
    const { fetch } = await stored({ bytes: 'abc' })
    expect((await fetch({ 'if-match': '"x"' })).statusCode).toBe(412)
    expect((await fetch({ 'if-match': `"${sha256('abc')}"` })).statusCode).toBe(200)
  })

  it('checks the right before any condition', async () => {
    const { address, fetch } = await stored()
    const { etag } = (await fetch()).headers
    const { statusCode } = await people.outsider.get(address, {
      headers: { 'if-none-match': etag as string },
    })
    expect(statusCode).toBe(404)
  })
})

describe('S2.2 a range', () => {
  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=0-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=-0', 416, '', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['bytes=x', 200, '0123456789', undefined],
    ['bytes=4-2', 200, '0123456789', undefined],
  ] as const)('answers the range %s with %i', async (range, status, bytes, said) => {
    const { fetch } = await stored({ name: 'Tal.txt', bytes: '0123456789' })
    const { statusCode, body, headers } = await fetch({ range })
    expect([statusCode, body, headers['content-range'], headers['content-length']]).toEqual([
      status,
      bytes,
      said,
      String(bytes.length),
    ])
    if (status === 416) expect(headers).not.toHaveProperty('content-disposition')
    else expect(headers.etag).toBe(`"${sha256('0123456789')}"`)
  })

  it('sends a range with If-Range only for the same file', async () => {
    const { fetch } = await stored({ name: 'Tal.txt', bytes: '0123456789' })
    const etag = `"${sha256('0123456789')}"`
    expect((await fetch({ range: 'bytes=1-2', 'if-range': etag })).body).toBe('12')
    expect((await fetch({ range: 'bytes=1-2', 'if-range': '"x"' })).body).toBe('0123456789')
  })
})

describe('S2.3 over a real connection', () => {
  const bytes = randomBytes(20_000_000)
  let big: Awaited<ReturnType<typeof stored>>
  beforeAll(async () => {
    big = await stored({ name: 'Stor æ.bin', bytes })
  })

  it('S2.2 20 MB arrive unchanged, also twice on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const at of [open, download]) {
      const response = await fetchOver(at(big.path), {}, agent)
      expect(response.headers['content-length']).toBe('20000000')
      expect(sha256(await buffer(response))).toBe(sha256(bytes))
    }
    agent.destroy()
    await expect.poll(openFiles).toEqual([])
  })

  it('S2.2 a download can be resumed', async () => {
    for (const [first, last] of [
      [12_345_678, 19_999_999],
      [1, 300_000],
      [5_000_000, 5_000_000 + 256 * 1024 - 1],
    ] as const) {
      const response = await fetchOver(download(big.path), { range: `bytes=${first}-${last}` })
      expect(response.statusCode).toBe(206)
      expect((await buffer(response)).equals(bytes.subarray(first, last + 1))).toBe(true)
    }
  })

  it('S2.2 a client that disconnects leaves no file open', async () => {
    for (let round = 0; round < 5; round++) {
      const response = await fetchOver(download(big.path))
      await once(response, 'data')
      expect(openFiles().length).toBe(1)
      response.destroy()
      await expect.poll(openFiles).toEqual([])
    }
  })

  it('S2.2 a client that disconnects before the answer leaves no file open', async () => {
    for (let round = 0; round < 40; round++) {
      const asked = httpRequest(`${origin}${download(big.path)}`, { headers: { cookie: cookieOf(office) } })
      asked.on('error', () => undefined)
      asked.end()
      await new Promise((resolve) => setTimeout(resolve, round / 4))
      asked.destroy()
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    await expect.poll(openFiles).toEqual([])
    expect(test.logged()).not.toMatch(/TypeError.*content\.routes/)
  })

  it('S2.2 a storage fault in the middle breaks the connection', async () => {
    const broken = () =>
      Promise.resolve(
        Readable.from(
          (async function* () {
            yield bytes.subarray(0, 1_000_000)
            await new Promise((resolve) => setTimeout(resolve, 20))
            throw new Error('EIO: the disk is worn')
          })(),
        ),
      )
    await withStorage({ open: broken }, async () => {
      const response = await fetchOver(download(big.path))
      expect(response.statusCode).toBe(200)
      await expect(buffer(response)).rejects.toThrow(/aborted/)
      expect(response.complete).toBe(false)
    })
    expect(test.logged()).toMatch(/"blob":\d+,"msg":"stored bytes break off"/)
  })

  it('S2.2 a file that has become shorter breaks the connection', async () => {
    const file = await stored({ name: 'Afkortet.bin', bytes })
    const { blob_key: key, blob_id: id } = await blobOf(file.id)
    await shorten(key, 10_000_000)
    const response = await fetchOver(download(file.path))
    await expect(buffer(response)).rejects.toThrow(/aborted/)
    expect(test.logged()).toContain(`"blob":${id},"msg":"stored bytes break off"`)
    await expect.poll(openFiles).toEqual([])
  })

  /** Whether the office is told of all damaged files, this one among them. Earlier tests may be told of late. */
  const isNoticed = async (blobId: number) => {
    const { rows } = await sql<{ is_told: boolean }>`
      select exists (select from damaged_blobs where blob_id = ${blobId}) and
        (detail->>'count')::int = (select count(*) from damaged_blobs) as is_told
      from notices where kind = 'damaged-files'`.execute(test.db)
    return rows[0]?.is_told ?? false
  }

  it.each([300_000, 5_000_000])(
    'S2.2 a damaged file of %i bytes breaks off before its end, and the office is told',
    async (size) => {
      const file = await stored({ name: 'Beskadiget.bin', bytes: bytes.subarray(0, size) })
      const { blob_key: key, blob_id: id } = await blobOf(file.id)
      await flipByte(key, size - 100_000)
      const response = await fetchOver(download(file.path))
      let received = 0
      response.on('data', (chunk: Buffer) => (received += chunk.length))
      await expect(once(response, 'end')).rejects.toThrow(/aborted/)
      expect([response.statusCode, received < size]).toEqual([200, true])
      expect(test.logged()).toContain(`"blob":${id},"msg":"stored bytes break off"`)
      await expect.poll(() => isNoticed(id)).toBe(true)
      await expect.poll(openFiles).toEqual([])
      // A part of a file has no hash to compare it with.
      const half = await fetchOver(download(file.path), { range: 'bytes=1-' })
      expect([half.statusCode, (await buffer(half)).length]).toEqual([206, size - 1])
    },
  )

  it('S2.2 a small damaged file is not sent at all', async () => {
    const file = await stored({ name: 'Beskadiget.bin', bytes: 'a small paper' })
    const { blob_key: key, blob_id: id } = await blobOf(file.id)
    await flipByte(key, 3)
    const { statusCode, body } = await office.get(download(file.path))
    expect(statusCode).toBe(500)
    expect(body).toContain('Dens indhold er blevet beskadiget på serveren.')
    expect(body).not.toContain('er i behold')
    await expect.poll(() => isNoticed(id)).toBe(true)
  })

  it('S2.2 missing bytes have their own error text', async () => {
    const file = await stored({ name: 'Væk.bin', bytes: 'x' })
    await test.storage.remove((await blobOf(file.id)).blob_key)
    const said = 'Filen kan ikke hentes: Den er registreret, men dens indhold mangler på serveren.'
    const { body } = await office.get(file.address)
    expect(body).toContain(said)
    expect(body).toContain('Det hjælper ikke at prøve igen.')
    expect(body).not.toContain('er i behold')
  })

  it.each([
    ['the bytes are missing', 10, (key: string) => test.storage.remove(key)],
    ['the bytes of a big file are missing', 1_000_000, (key: string) => test.storage.remove(key)],
    ['a small file has become shorter', 10, (key: string) => shorten(key, 5)],
    ['a big file is empty', 1_000_000, (key: string) => shorten(key, 0)],
  ])('S2.2 answers 500 and logs the blob when %s', async (_what, size, spoil) => {
    const file = await stored({ name: 'Væk.bin', bytes: randomBytes(size) })
    const { blob_key: key, blob_id: id } = await blobOf(file.id)
    await spoil(key)
    const response = await fetchOver(open(file.path))
    expect([response.statusCode, response.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
    expect(response.headers).not.toHaveProperty('content-disposition')
    expect(await text(response)).toContain('Noget gik galt')
    expect(test.logged()).toContain(`The bytes of blob ${id} cannot be read.`)
    await expect.poll(openFiles).toEqual([])
    expect((await office.get(file.address, { method: 'HEAD' })).statusCode).toBe(200)
  })
})

describe('S2.2 the log', () => {
  const entriesOf = (fileId: number) =>
    test.db
      .selectFrom('log')
      .select(['act', 'user_id', 'subject_user_id', 'project_id', 'folder_id', 'file_id', 'address', 'at'])
      .where('file_id', '=', fileId)
      .where('act', 'in', ['file-opened', 'file-downloaded'])
      .orderBy('id')
      .execute()

  it('logs one entry for each person who opened or downloaded a file', async () => {
    const file = await stored({ name: 'Tal.txt', bytes: '0123456789' })
    for (let round = 0; round < 3; round++) {
      await file.fetch()
      await file.fetch({ range: `bytes=${round}-` })
      await office.get(download(file.path))
    }
    await people.member.get(file.address)
    await expect.poll(async () => (await entriesOf(file.id)).length).toBe(3)
    await file.fetch() // in its own batch
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const entries = await entriesOf(file.id)
    const about = { subject_user_id: null, project_id: project, folder_id: folders.Budget, file_id: file.id }
    expect(entries).toMatchObject([
      { ...about, act: 'file-opened', user_id: office.id, address: '127.0.0.1' },
      { ...about, act: 'file-downloaded', user_id: office.id, address: '127.0.0.1' },
      { ...about, act: 'file-opened', user_id: people.member.id, address: '127.0.0.1' },
    ])
    for (const { at } of entries) expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(20_000)
  })

  it('logs a second entry for the same file after ten minutes', async () => {
    const user = people.member.id
    const file = await makeFile(test, await makeUserFolder(test.db, user))
    const address = fileUrls.download({ user }, file.path)
    await office.get(address)
    await expect.poll(async () => (await entriesOf(file.id)).length).toBe(1)
    expect(await entriesOf(file.id)).toMatchObject([
      { act: 'file-downloaded', user_id: office.id, subject_user_id: user, project_id: null },
    ])
    await asOwner(test.db, sql`update log set at = at - interval '11 minutes' where file_id = ${file.id}`)
    await office.get(address)
    await expect.poll(async () => (await entriesOf(file.id)).length).toBe(2)
  })

  it('logs nothing for HEAD, 304, 404, 412, 416 and 500', async () => {
    const file = await stored({ name: 'Tal.txt', bytes: 'ikke læst' })
    const answers = [
      await file.fetch({}, 'HEAD'),
      await file.fetch({ 'if-none-match': '*' }),
      await file.fetch({ 'if-match': '"x"' }),
      await file.fetch({ range: 'bytes=100-' }),
      await people.outsider.get(file.address),
    ]
    await withStorage({ read: refuse }, async () => {
      answers.push(await file.fetch())
    })
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 304, 412, 416, 404, 500])
    const next = await stored()
    await next.fetch()
    await expect.poll(async () => (await entriesOf(next.id)).length).toBe(1)
    expect(await entriesOf(file.id)).toEqual([])
  })

  it('writes all reads to the log before the server closes', async () => {
    const own = await freshApp({ hasJobs: false })
    const user = await makeUser(own.db, { role: 'administrator' })
    const visitor = new Visitor(own.app)
    await visitor.signIn(user.email, PASSWORD)
    const folder = await makeUserFolder(own.db, user.id)
    const { path, id } = await makeFile(own, folder)
    expect((await visitor.get(fileUrls.open({ user: user.id }, path))).statusCode).toBe(200)
    await own.app.close()
    const entries = await own.db.selectFrom('log').select('act').where('file_id', '=', id).execute()
    expect(entries.map(({ act }) => act)).toEqual(['file-added', 'file-opened'])
  })
})

const refuse = () => Promise.reject(new Error('the store was touched'))

let storageBefore: TestApp['storage'] | undefined
afterEach(() => {
  if (storageBefore) Object.assign(test.storage, storageBefore)
})

/** Runs with some functions of the storage replaced. */
async function withStorage(replaced: Partial<TestApp['storage']>, work: () => Promise<void>): Promise<void> {
  storageBefore = { ...test.storage }
  Object.assign(test.storage, replaced)
  await work()
  Object.assign(test.storage, storageBefore)
}

async function blobOf(fileId: number) {
  return test.db
    .selectFrom('files')
    .innerJoin('blobs', 'blobs.id', 'files.blob_id')
    .select(['blobs.id as blob_id', 'blobs.key as blob_key'])
    .where('files.id', '=', fileId)
    .executeTakeFirstOrThrow()
}

async function shorten(key: string, size: number): Promise<void> {
  const file = join(test.config.dataDir, 'files', key.slice(0, 2), key.slice(2))
  await chmod(file, 0o600)
  await truncate(file, size)
  expect(statSync(file).size).toBe(size)
}

/** Changes one byte. */
async function flipByte(key: string, at: number): Promise<void> {
  const file = join(test.config.dataDir, 'files', key.slice(0, 2), key.slice(2))
  await chmod(file, 0o600)
  const handle = await openFile(file, 'r+')
  const { buffer: found } = await handle.read(Buffer.alloc(1), 0, 1, at)
  found[0]! ^= 1
  await handle.write(found, 0, 1, at)
  await handle.close()
  await chmod(file, 0o400)
}

const cookieOf = (visitor: Visitor) =>
  [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

async function fetchOver(
  path: string,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<IncomingMessage> {
  const asked = get(`${origin}${path}`, {
    headers: { cookie: cookieOf(office), ...headers },
    ...(agent && { agent }),
  })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return response
}

/** Lists the files of the storage that this process has open. */
function openFiles(): string[] {
  const directory = join(test.config.dataDir, 'files')
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`)
      return file.startsWith(directory) ? [file] : []
    } catch {
      return [] // closed meanwhile
    }
  })
}
