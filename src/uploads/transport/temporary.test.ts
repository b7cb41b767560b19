import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { afterwards } from '../../../test/clean-up.ts'
import { enter } from '../../../test/enter.ts'
import { Visitor } from '../../../test/visitor.ts'
import { buildApp } from '../../app.ts'
import { PATIENCE, type Patience } from '../../server/process/patience.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { keepHouse } from '../../work.ts'
import type { TemporaryFile } from './temporary-file.ts'

const LIMIT = 100_000

let test: TestApp
let port: number
let employee: { id: number; visitor: Visitor }
let investor: { id: number; visitor: Visitor }

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: {
      MAX_FILE_BYTES: String(LIMIT),
      MAX_FILES_PER_SUBMIT: '5',
      TEMPORARY_BYTES_PER_USER: '250000',
      REQUESTS_PER_MINUTE: '100000',
    },
  })
  employee = await enter(test, 'employee')
  await test.app.listen({ port: 0, host: '127.0.0.1' })
  ;({ port } = test.app.server.address() as AddressInfo)
})
beforeEach(async () => {
  await sql`delete from temporary_files`.execute(test.db)
  await sql`update blobs set state = 'removing'`.execute(test.db)
  await keepHouse(test)
  investor = await enter(test, 'investor')
})

type Part = { field?: string; name?: string; bytes: Buffer | string; type?: string }
const BOUNDARY = 'xxxBOUNDARYxxx'

function bodyOf(parts: Part[], end = `--${BOUNDARY}--\r\n`): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ field = 'files[0]', name, bytes, type = 'application/pdf' }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${name === undefined ? '' : `; filename="${name}"`}\r\n` +
          `Content-Type: ${type}\r\n\r\n`,
      ),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ])
}

type Answer = { status: number; json: () => unknown }

/** Uses a real socket: an injected request hides broken connections. */
async function send(
  { visitor }: { visitor: Visitor },
  body: Buffer,
  { boundary = BOUNDARY, length = body.length }: { boundary?: string; length?: number } = {},
): Promise<Answer> {
  await visitor.get('/findes-ikke')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const token = decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!)
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/temp/upload',
        headers: {
          cookie,
          'x-xsrf-token': token,
          'x-requested-with': 'XMLHttpRequest',
          'content-type': `multipart/form-data; boundary=${boundary}`,
          'content-length': length,
        },
      },
      (response) => {
        void buffer(response).then((bytes) =>
          resolve({ status: response.statusCode!, json: () => JSON.parse(bytes.toString()) as unknown }),
        )
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

/** Starts a call that never continues. */
async function beginCall({ visitor }: { visitor: Visitor }, head: Part[] = [], to = port): Promise<Socket> {
  await visitor.get('/findes-ikke')
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const token = decodeURIComponent(visitor.cookies.get('XSRF-TOKEN')!)
  const socket = connect(to, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(
    `POST /api/temp/upload HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\nX-XSRF-TOKEN: ${token}\r\nX-Requested-With: XMLHttpRequest\r\n` +
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 1000000\r\n\r\n`,
  )
  socket.write(bodyOf([...head, { name: 'a.pdf', bytes: Buffer.alloc(50_000, 1) }], ''))
  socket.resume()
  return socket
}

const sumOf = (bytes: string) => createHash('sha256').update(bytes).digest('hex')

describe('a sender’s SHA-256', () => {
  const small = 'lille '.repeat(100)
  it.each([
    ['small', small],
    ['larger', 'stor '.repeat(60_000)],
  ])(
    'the SHA-256 of a %s file is compared, and a difference refuses the whole call',
    async (_size, bytes) => {
      const { maxFileBytes, temporaryBytesPerUser } = test.config
      Object.assign(test.config, { maxFileBytes: 1_000_000, temporaryBytesPerUser: 10_000_000 })
      const sum = (place: number, content: string): Part => ({ field: `sha256[${place}]`, bytes: content })
      const file = (place: number, content: string): Part => ({
        field: `files[${place}]`,
        name: `${place}.pdf`,
        bytes: content,
      })
      const right = [
        sum(0, sumOf(small)),
        file(0, small),
        sum(1, sumOf(bytes)),
        file(1, bytes),
        file(2, small),
      ]
      expect((await upload(employee, ...right)).status).toBe(200)
      const before = [await rows(), await test.db.selectFrom('blobs').select('id').execute()]
      const wrong = [sum(0, sumOf(small)), file(0, small), sum(1, sumOf(`${bytes}x`)), file(1, bytes)]
      const words = '1.pdf kom ikke frem, som den blev sendt. Prøv igen.'
      const answer = await upload(employee, ...wrong)
      expect([answer.status, answer.json()]).toMatchObject([
        460,
        { message: words, errors: { 'files.1': [words] } },
      ])
      expect([await rows(), await test.db.selectFrom('blobs').select('id').execute()]).toEqual(before)
      Object.assign(test.config, { maxFileBytes, temporaryBytesPerUser })
    },
  )
})

/** Starts another app on the same database. */
async function buildAnother(patience: Patience, storage = test.storage) {
  const config = { ...test.config, maxFileBytes: 1_000_000, temporaryBytesPerUser: 100_000_000 }
  const app = await buildApp({ ...test, config, patience, storage })
  afterwards(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app }
}

const upload = (who: { visitor: Visitor }, ...parts: Part[]) => send(who, bodyOf(parts))
const rows = () => test.db.selectFrom('temporary_files').selectAll().execute()
const blobs = () => test.db.selectFrom('blobs').select(['state', 'size']).execute()
const PDF = '%PDF-1.7 en lille fil'

describe('S7.6 a temporary upload', () => {
  it('S3.3 returns name, size, type and hash_name of each file, in the order of files[n]', async () => {
    const { status, json } = await upload(
      employee,
      { field: 'files[2]', name: 'c.txt', bytes: 'tekst', type: 'application/x-evil' },
      { field: 'files[0]', name: 'Årsrapport (1024) 2023.pdf'.normalize('NFD'), bytes: PDF },
      { field: 'files[1]', name: 'b.html', bytes: '<html>', type: 'application/pdf' },
    )
    expect(status).toBe(200)
    const files = json() as TemporaryFile[]
    expect(files.map(({ name, size, type }) => [name, size, type])).toEqual([
      ['Årsrapport (1024) 2023.pdf', PDF.length, 'application/pdf'],
      ['b.html', 6, 'text/html'],
      ['c.txt', 5, 'text/plain'],
    ])
    expect(new Set(files.map(({ hash_name: hash }) => hash)).size).toBe(3)
    expect(files.every(({ hash_name: hash }) => /^[0-9a-f]{32}$/.test(hash))).toBe(true)
    expect((await rows()).map((row) => row.user_id)).toEqual([employee.id, employee.id, employee.id])
    const sums = await test.db.selectFrom('blobs').select('crc32').orderBy('size').execute()
    expect(sums.map((blob) => blob.crc32)).toEqual(['tekst', '<html>', PDF].map((text) => crc32(text)))
  })

  it('only the office and investors may send files', async () => {
    expect((await upload(investor, { name: 'a.pdf', bytes: PDF })).status).toBe(200)
    expect((await upload(await enter(test, 'auditor'), { name: 'a.pdf', bytes: PDF })).status).toBe(403)
  })

  it('accepts a file of exactly the limit, and not one byte more', async () => {
    expect((await upload(employee, { name: 'a.bin', bytes: Buffer.alloc(LIMIT, 1) })).status).toBe(200)
    const refused = await upload(
      employee,
      { field: 'files[0]', name: 'før.pdf', bytes: PDF },
      { field: 'files[1]', name: 'stor.bin', bytes: Buffer.alloc(LIMIT + 1, 1) },
    )
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      {
        message: 'stor.bin er for stor. En fil må højst fylde 97.66 KB.',
        errors: { 'files.1': ['stor.bin er for stor. En fil må højst fylde 97.66 KB.'] },
      },
    ])
    expect(await rows()).toHaveLength(1)
    await keepHouse(test)
    expect(await blobs()).toHaveLength(1)
  })

  it.each([
    ['an empty file', [{ name: 'tom.pdf', bytes: '' }], { 'files.0': ['tom.pdf er tom.'] }],
    ['a part without a name', [{ name: '', bytes: PDF }], { 'files.0': ['Filen har intet navn.'] }],
    ['nothing', [], { files: ['Der er ingen filer.'] }],
    [
      'another field',
      [{ field: 'andet', name: 'a.pdf', bytes: PDF }],
      { files: ['Filerne skal hedde files[0], files[1] og så videre.'] },
    ],
    [
      'the same field twice',
      [
        { name: 'a.pdf', bytes: PDF },
        { name: 'b.pdf', bytes: PDF },
      ],
      { 'files.0': ['b.pdf er sendt under samme nummer som en anden fil.'] },
    ],
    [
      'too many',
      Array.from({ length: 6 }, (_, index) => ({ field: `files[${index}]`, name: 'a.pdf', bytes: PDF })),
      { files: ['Der kan højst sendes 5 filer ad gangen.'] },
    ],
    [
      'half a letter in a name',
      [{ name: 'a\ud800.pdf', bytes: PDF }],
      { 'files.0': ['Filnavnet har tegn, der ikke kan læses. Omdøb filen, og prøv igen.'] },
    ],
    [
      'a name that is too long',
      [{ name: `${'x'.repeat(300)}.pdf`, bytes: PDF }],
      { 'files.0': ['Filnavnet må højst være på 255 tegn.'] },
    ],
  ] as [string, Part[], Record<string, string[]>][])(
    'refuses %s, and stores nothing of it',
    async (_what, parts, errors) => {
      const { status, json } = await upload(employee, ...parts)
      expect([status, (json() as { errors: unknown }).errors]).toEqual([422, errors])
      expect(await rows()).toEqual([])
      await keepHouse(test)
      expect(await blobs()).toEqual([])
    },
  )

  it('refuses more files than a person may have waiting', async () => {
    const bytes = Buffer.alloc(LIMIT, 1)
    for (const _ of [1, 2]) expect((await upload(employee, { name: 'a.bin', bytes })).status).toBe(200)
    const { status, json } = await upload(employee, { name: 'b.bin', bytes })
    expect([status, (json() as { message: string }).message]).toMatchObject([
      422,
      'Der er ikke plads til b.bin: Du må højst have 244.14 KB, der ikke er gemt.',
    ])
    expect((await upload(investor, { name: 'b.bin', bytes })).status).toBe(200)
  })

  it('files that come at the same time are counted together', async () => {
    const bytes = Buffer.alloc(LIMIT, 1)
    const answers = await Promise.all([1, 2, 3, 4].map(() => upload(employee, { name: 'a.bin', bytes })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toMatchObject([200, 200, 422, 422])
    expect(answers.find(({ status }) => status === 422)!.json()).toMatchObject({
      errors: {
        'files.0': ['Der er ikke plads til a.bin: Du må højst have 244.14 KB, der ikke er gemt.'],
      },
    })
    expect(await rows()).toHaveLength(2)
    await expect.poll(async () => (await blobs()).length).toBe(2)
  })

  it('a tiny file counts as the smallest unit of room', async () => {
    const tiny = Array.from({ length: 5 }, (_, n) => ({ field: `files[${n}]`, name: 'a.txt', bytes: 'x' }))
    for (const _ of Array(12)) expect((await upload(employee, ...tiny)).status).toBe(200)
    const { status, json } = await upload(employee, ...tiny)
    expect([status, Object.keys((json() as { errors: object }).errors)]).toMatchObject([422, ['files.1']])
    expect(await rows()).toHaveLength(60)
  })

  it('a person has at most four calls at a time, which do not delay others', async () => {
    const calls: Socket[] = []
    const fifth = () => upload(employee, { name: 'a.pdf', bytes: PDF })
    const one = async () => {
      calls.push(await beginCall(employee))
      return (await fifth()).status
    }
    await expect.poll(one, { interval: 200 }).toBe(429)
    expect(calls.length).toBeGreaterThanOrEqual(4)
    const refused = await fifth()
    expect([refused.status, refused.json()]).toMatchObject([
      429,
      { message: 'Du sender for meget på én gang. Vent et øjeblik, og prøv igen.' },
    ])
    expect((await upload(investor, { name: 'a.pdf', bytes: PDF })).status).toBe(200)
    for (const socket of calls) socket.destroy()
    await expect.poll(async () => (await upload(employee, { name: 'a.pdf', bytes: PDF })).status).toBe(200)
  })

  it('an upload that comes too slowly is ended, and leaves nothing', async () => {
    const { app } = await buildAnother({
      ...PATIENCE,
      upload: { graceMs: 100, windowMs: 200, leastBytes: 1000 },
    })
    const socket = await beginCall(employee, [], (app.server.address() as AddressInfo).port)
    let answer = ''
    socket.on('data', (words) => (answer += String(words)))
    const drip = setInterval(() => socket.write('a'), 30)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(drip)
    expect(answer).toMatch(/^HTTP\/1.1 408 /)
    await expect.poll(async () => (await blobs()).length).toBe(0)
    expect(await rows()).toEqual([])
  })

  it('a call whose sender has gone is not counted, even if the server still works on it', async () => {
    const hangs = { ...test.storage, put: () => new Promise<never>(() => undefined) } as FileStorage
    const { app } = await buildAnother(PATIENCE, Object.setPrototypeOf(hangs, test.storage) as FileStorage)
    const { port: there } = app.server.address() as AddressInfo
    const LARGE = { name: 'stor.pdf', bytes: Buffer.alloc(300_000), field: 'files[7]' }
    for (const _ of Array(7)) {
      const socket = await beginCall(employee, [LARGE], there)
      await new Promise((resolve) => setTimeout(resolve, 50))
      socket.destroy()
    }
    const status = async () => {
      const socket = await beginCall(employee, [], there)
      const [first] = (await Promise.race([once(socket, 'data'), sleep(1000, ['waits for more'])])) as [
        unknown,
      ]
      socket.destroy()
      return String(first)
    }
    await expect.poll(status).toBe('waits for more')
  })

  it.each([
    ['a wrong boundary', bodyOf([{ name: 'a.pdf', bytes: PDF }]), { boundary: 'andet' }],
    ['no end', bodyOf([{ name: 'a.pdf', bytes: PDF }], ''), {}],
    ['garbage', Buffer.from('xxxx'), {}],
  ])('refuses an upload with %s, and leaves nothing', async (_what, body, options) => {
    const { status } = await send(employee, body, options)
    expect([400, 422]).toContain(status)
    expect(await rows()).toMatchObject([])
    await keepHouse(test)
    expect(await blobs()).toEqual([])
  })

  it('an upload that breaks off leaves nothing', async () => {
    for (const head of [[], [{ name: 'hel.pdf', bytes: PDF, field: 'files[7]' }]]) {
      const socket = await beginCall(employee, head)
      await new Promise((resolve) => setTimeout(resolve, 200))
      socket.destroy()
      await expect.poll(async () => (await blobs()).length).toBe(0)
      expect(await rows()).toEqual([])
    }
    // A call that ended before it was read does not count among the four either.
    for (const _ of Array(5)) (await beginCall(employee)).destroy()
    await expect.poll(async () => (await upload(employee, { name: 'a.pdf', bytes: PDF })).status).toBe(200)
  })

  it('an upload that is not submitted is deleted after a day, with its bytes', async () => {
    await upload(employee, { name: 'gammel.pdf', bytes: PDF })
    await sql`update temporary_files set created_at = now() - interval '25 hours'`.execute(test.db)
    await upload(employee, { name: 'ny.pdf', bytes: PDF })
    await keepHouse(test)
    expect((await rows()).map(({ name }) => name)).toEqual(['ny.pdf'])
    expect(await blobs()).toHaveLength(1)
  })

  it('an upload needs the token', async () => {
    const { statusCode } = await employee.visitor.post(
      '/api/temp/upload',
      {},
      { noToken: true, script: true },
    )
    expect(statusCode).toBe(403)
  })
})
