import { createHash, randomBytes } from 'node:crypto'
import { appendFile, open as openFile, truncate } from 'node:fs/promises'
import { request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Upload } from 'tus-js-client'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { makeUser, PASSWORD } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { buildApp } from '../../app.ts'
import { poolOf } from '../../server/database/database.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { keepHouse } from '../../work.ts'

const LIMIT = 3_000_000
const PIECE = 'application/offset+octet-stream'

type Person = { id: number; visitor: Visitor }
let test: TestApp
let port: number
let employee: Person

async function enter(role: 'employee' | 'investor' | 'auditor'): Promise<Person> {
  const { id, email } = await makeUser(test.db, { role })
  const visitor = new Visitor(test.app)
  await visitor.signIn(email, PASSWORD)
  await visitor.get('/findes-ikke') // for the token
  return { id, visitor }
}

const listen = async (app: FastifyInstance) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: {
      MAX_FILE_BYTES: String(LIMIT),
      TEMPORARY_BYTES_PER_USER: '5000000',
      REQUESTS_PER_MINUTE: '1000',
      SHUTDOWN_SECONDS: '5',
    },
  })
  employee = await enter('employee')
  port = await listen(test.app)
})
beforeEach(async () => {
  await sql`delete from temporary_files`.execute(test.db)
  await sql`update blobs set state = 'removing'`.execute(test.db)
  await keepHouse(test)
})

type HeaderFields = Record<string, string | number>
type Answer = { status: number; headers: IncomingHttpHeaders; json: () => unknown }
type Call = { headers?: HeaderFields; body?: Buffer; at?: number; noToken?: boolean }

function headersOf({ visitor }: Person): HeaderFields {
  return {
    cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN') ?? ''),
    'x-requested-with': 'XMLHttpRequest',
  }
}

/** Uses a real socket: an injected request hides broken connections. */
function open(who: Person, method: string, path: string, { headers, at = port, noToken }: Call = {}) {
  const { 'x-xsrf-token': token, ...own } = headersOf(who)
  const all = { ...own, ...(!noToken && { 'x-xsrf-token': token }), 'tus-resumable': '1.0.0', ...headers }
  const call = httpRequest({ host: '127.0.0.1', port: at, method, path, headers: all as HeaderFields })
  const answer = new Promise<Answer>((resolve, reject) => {
    call.on('error', reject)
    call.on('response', (response) => {
      void buffer(response).then((bytes) =>
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          json: () => JSON.parse(bytes.toString()) as unknown,
        }),
      )
    })
  })
  answer.catch(() => undefined)
  return { call, answer }
}

function send(who: Person, method: string, path: string, options: Call = {}): Promise<Answer> {
  const length = options.body && { 'content-length': options.body.length }
  const { call, answer } = open(who, method, path, { ...options, headers: { ...length, ...options.headers } })
  call.end(options.body)
  return answer
}

const named = (name: string) => `filename ${Buffer.from(name).toString('base64')}`
const announce = (who: Person, size: number | string, name = 'stor.bin', headers: HeaderFields = {}) =>
  send(who, 'POST', '/api/temp/tus', {
    headers: { 'upload-length': size, 'upload-metadata': named(name), ...headers },
  })
const begin = async (size: number, name?: string, who = employee) => {
  const { status, headers } = await announce(who, size, name)
  expect(status).toBe(201)
  return headers.location!
}
const patch = (path: string, offset: number, body: Buffer, { headers, ...more }: Call = {}, who = employee) =>
  send(who, 'PATCH', path, {
    body,
    headers: { 'content-type': PIECE, 'upload-offset': offset, ...headers },
    ...more,
  })
const head = (path: string, who = employee, at = port) => send(who, 'HEAD', path, { at })
const offsetOf = async (path: string) => Number((await head(path)).headers['upload-offset'])

const rows = () => test.db.selectFrom('temporary_files').selectAll().execute()
const blobs = () => test.db.selectFrom('blobs').selectAll().execute()
const stored = async () => {
  const [blob] = await blobs()
  return { ...blob!, bytes: await buffer(await test.storage.open(blob!.key)) }
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const sumsOf = (bytes: Buffer) => ({ sha256: sha256(bytes), crc32: crc32(bytes) })
const PDF = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(500_000)])

describe('a file in pieces', () => {
  it('a file in pieces becomes the same temporary file as one sent whole', async () => {
    const path = await begin(PDF.length, 'Årsrapport (1024) 2023.pdf'.normalize('NFD'))
    expect(path).toMatch(/^\/api\/temp\/tus\/[0-9a-f]{32}$/)
    const first = await patch(path, 0, PDF.subarray(0, 200_000))
    expect([first.status, first.headers['upload-offset'], first.headers['x-file-type']]).toEqual([
      204,
      '200000',
      undefined,
    ])
    const half = await head(path)
    expect([half.status, half.headers['upload-offset'], half.headers['upload-length']]).toEqual([
      200,
      '200000',
      String(PDF.length),
    ])
    expect(half.headers['cache-control']).toBe('no-store')
    expect(half.headers['access-control-allow-origin']).toBeUndefined()
    expect((await blobs())[0]!.state).toBe('pending')
    const last = await patch(path, 200_000, PDF.subarray(200_000))
    expect([last.status, last.headers['upload-offset'], last.headers['x-file-type']]).toEqual([
      204,
      String(PDF.length),
      'application/pdf',
    ])
    const blob = await stored()
    expect(blob).toMatchObject({ state: 'stored', size: PDF.length, ...sumsOf(PDF) })
    expect(blob.bytes.equals(PDF)).toBe(true)
    expect(await rows()).toMatchObject([
      { name: 'Årsrapport (1024) 2023.pdf', user_id: employee.id, hash_name: path.split('/').at(-1) },
    ])
  })

  it('a whole file is not read again if it was hashed as it came', async () => {
    const opened = vi.spyOn(test.storage, 'open')
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 100_000))
    await patch(path, 100_000, PDF.subarray(100_000))
    expect(opened).not.toHaveBeenCalled()
    opened.mockRestore()
    expect(await stored()).toMatchObject({ ...sumsOf(PDF), type: 'application/pdf' })
  })

  it('a whole file says so, with its type, as often as it is asked after a lost answer', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF)
    for (const _ of [1, 2]) {
      const { headers } = await head(path)
      expect([headers['upload-offset'], headers['x-file-type']]).toEqual([
        String(PDF.length),
        'application/pdf',
      ])
    }
    expect((await patch(path, PDF.length, Buffer.alloc(0))).status).toBe(204)
    expect((await patch(path, PDF.length, Buffer.from('x'))).status).toBe(413)
  })

  it('a file continues where a broken connection stopped', async () => {
    const path = await begin(PDF.length)
    const { call } = openPatch(path, 0, PDF.length)
    call.write(PDF.subarray(0, 300_000))
    await expect.poll(() => lengthOf()).toBeGreaterThan(100_000)
    call.destroy()
    const offset = await offsetOf(path)
    expect(offset).toBeGreaterThan(100_000)
    expect((await patch(path, offset, PDF.subarray(offset))).status).toBe(204)
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it('another process that has hashed none of a file continues it', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 200_000))
    await withSecondApp(test.storage, async (at) => {
      expect((await head(path, employee, at)).headers['upload-offset']).toBe('200000')
      expect((await patch(path, 200_000, PDF.subarray(200_000), { at })).status).toBe(204)
    })
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF), type: 'application/pdf' })
  })

  it('the first process, which had hashed less, continues a file again', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 200_000))
    await withSecondApp(test.storage, async (at) => {
      await patch(path, 200_000, PDF.subarray(200_000, 300_000), { at })
    })
    expect((await patch(path, 200_000, PDF.subarray(200_000))).status).toBe(409)
    expect((await patch(path, 300_000, PDF.subarray(300_000))).status).toBe(204)
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it('two processes continue a file in turn, though neither has hashed all of it', async () => {
    const path = await begin(PDF.length)
    await withSecondApp(test.storage, async (at) => {
      for (let offset = 0, piece = 0; offset < PDF.length; offset += 60_000, piece++) {
        const to = piece % 2 === 0 ? {} : { at }
        const { status } = await patch(path, offset, PDF.subarray(offset, offset + 60_000), to)
        expect([offset, status]).toEqual([offset, 204])
      }
    })
    const blob = await stored()
    expect(blob).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
    expect(blob.bytes.equals(PDF)).toBe(true)
  })

  it('giving up a file at one process leaves none of the bytes that another was receiving', async () => {
    const path = await begin(PDF.length)
    let isWriting = false
    // Like a store without open files: late bytes bring the file back.
    const late: FileStorage = {
      ...test.storage,
      async append(key, offset, bytes) {
        isWriting = true
        const chunks = await Array.fromAsync(bytes)
        return test.storage.append(key, offset, Readable.from(chunks))
      },
    }
    await withSecondApp(late, async (at) => {
      const { call, answer } = openPatch(path, 0, PDF.length, at)
      call.write(PDF.subarray(0, 100_000))
      await expect.poll(() => isWriting).toBe(true)
      expect((await send(employee, 'DELETE', path)).status).toBe(204)
      call.end(PDF.subarray(100_000))
      expect((await answer).status).toBeGreaterThanOrEqual(400)
    })
    expect([await rows(), await blobs(), await test.storage.isEmpty()]).toEqual([[], [], true])
  })

  it('each further piece takes two queries: who sends it, and to acknowledge it', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 100_000))
    const counts: number[] = []
    const count = () => counts.push(counts.pop()! + 1)
    poolOf(test.db)!.on('acquire', count)
    for (let from = 100_000; from < 500_000; from += 50_000) {
      counts.push(0)
      expect((await patch(path, from, PDF.subarray(from, from + 50_000))).status).toBe(204)
    }
    poolOf(test.db)!.off('acquire', count)
    expect(Math.min(...counts)).toBe(2) // jobs are looked for meanwhile, now and then
  })

  it('a piece of a file that another process has removed answers 404, and leaves no bytes', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 100_000))
    await withSecondApp(test.storage, async (at) => {
      expect((await send(employee, 'DELETE', path, { at })).status).toBe(204)
    })
    expect((await patch(path, 100_000, PDF.subarray(100_000, 200_000))).status).toBe(404)
    expect([await rows(), await blobs(), await test.storage.isEmpty()]).toEqual([[], [], true])
    expect(test.logged()).not.toContain('has lost bytes')
  })

  it('a file continues from what the database knows if the last acknowledgement was lost', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 100_000))
    await patch(path, 100_000, PDF.subarray(100_000, 200_000))
    await sql`update temporary_files set acknowledged = 100000`.execute(test.db)
    expect((await patch(path, 200_000, PDF.subarray(200_000, 300_000))).status).toBe(409)
    expect(await offsetOf(path)).toBe(100_000)
    expect((await patch(path, 100_000, PDF.subarray(100_000))).status).toBe(204)
    expect((await stored()).bytes.equals(PDF)).toBe(true)
  })

  it.each([
    ['HEAD', (path: string) => head(path)],
    ['an empty PATCH', (path: string) => patch(path, PDF.length, Buffer.alloc(0))],
  ])('a file that was whole but unfinished at a crash is finished by the next %s', async (_what, ask) => {
    const path = await begin(PDF.length)
    const crashing: FileStorage = { ...test.storage, seal: () => Promise.reject(new Error('crash')) }
    await withSecondApp(crashing, async (at) => {
      expect((await patch(path, 0, PDF, { at })).status).toBe(500)
      expect((await head(path, employee, at)).status).toBe(500)
    })
    expect((await blobs())[0]!.state).toBe('pending')
    const { status, headers } = await ask(path)
    expect([status < 300, headers['upload-offset'], headers['x-file-type']]).toEqual([
      true,
      String(PDF.length),
      'application/pdf',
    ])
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it('tus-js-client can send a file', async () => {
    const { 'x-xsrf-token': token, ...headers } = headersOf(employee)
    const last = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(PDF, {
        endpoint: `http://127.0.0.1:${port}/api/temp/tus`,
        headers: { ...(headers as Record<string, string>), 'X-XSRF-TOKEN': String(token) },
        chunkSize: 200_000,
        metadata: { filename: 'Bilag ø.pdf', filetype: 'application/x-evil' },
        onSuccess: () => resolve(upload.url!),
        onError: reject,
      })
      upload.start()
    })
    expect(await rows()).toMatchObject([{ name: 'Bilag ø.pdf', hash_name: last.split('/').at(-1) }])
    expect(await stored()).toMatchObject({ ...sumsOf(PDF), type: 'application/pdf' })
  })

  it('answers with its tus extensions', async () => {
    const { status, headers } = await send(employee, 'OPTIONS', '/api/temp/tus')
    expect([status, headers['tus-version'], headers['tus-extension'], headers['tus-max-size']]).toEqual([
      204,
      '1.0.0',
      'creation,expiration,termination,checksum',
      String(LIMIT),
    ])
    expect(headers['tus-checksum-algorithm']).toBe('sha256')
  })
})

describe('with its sender’s SHA-256', () => {
  const sum = (bytes: Buffer) => ({
    'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
  })
  const [first, rest] = [PDF.subarray(0, 200_001), PDF.subarray(200_001)]

  it('a piece that differs from its SHA-256 is refused, none of it is kept, and it may be sent again', async () => {
    const path = await begin(PDF.length)
    expect((await patch(path, 0, first, { headers: sum(first) })).status).toBe(204)
    const spoilt = Buffer.from(rest)
    spoilt[100_000]! ^= 1
    const answer = await patch(path, first.length, spoilt, { headers: sum(rest) })
    expect([answer.status, answer.json()]).toMatchObject([
      460,
      { message: 'Et stykke af filen kom ikke frem, som det blev sendt. Prøv igen.' },
    ])
    expect([await offsetOf(path), await lengthOf()]).toEqual([first.length, first.length])
    expect((await patch(path, first.length, rest, { headers: sum(rest) })).status).toBe(204)
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it('half a piece does not count, since it cannot be checked', async () => {
    const path = await begin(PDF.length)
    const { call } = open(employee, 'PATCH', path, {
      headers: { 'content-type': PIECE, 'upload-offset': 0, 'content-length': PDF.length, ...sum(PDF) },
    })
    call.write(PDF.subarray(0, 400_000)) // more than one write to the disk
    await expect.poll(() => lengthOf()).toBeGreaterThan(100_000)
    call.destroy()
    expect(await offsetOf(path)).toBe(0)
    expect((await patch(path, 0, PDF, { headers: sum(PDF) })).status).toBe(204)
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it('a process compares pieces that it did not receive, and gives up a file that differs', async () => {
    for (const isSpoilt of [false, true]) {
      const path = await begin(PDF.length)
      await patch(path, 0, first, { headers: sum(first) })
      const { key } = (await blobs()).find(({ state }) => state === 'pending')!
      const file = join(test.config.dataDir, 'files', key.slice(0, 2), key.slice(2))
      const handle = await openFile(file, 'r+')
      if (isSpoilt) await handle.write(Buffer.of(PDF[150_000]! ^ 1), 0, 1, 150_000)
      await handle.close()
      await withSecondApp(test.storage, async (at) => {
        const { status } = await patch(path, first.length, rest, { at, headers: sum(rest) })
        expect(status).toBe(isSpoilt ? 404 : 204)
        expect((await head(path, employee, at)).status).toBe(isSpoilt ? 404 : 200)
      })
    }
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it.each(['md5 1B2M2Y8AsgTpgAmY7PhCfg==', 'sha256', 'sha256 abc', `sha256 ${'ab'.repeat(32)}`])(
    'refuses an invalid checksum: %s',
    async (text) => {
      const path = await begin(100)
      const answer = await patch(path, 0, Buffer.from('abc'), { headers: { 'upload-checksum': text } })
      expect([answer.status, await offsetOf(path)]).toEqual([400, 0])
    },
  )
})

describe('after a power cut', () => {
  const fileOf = async () => {
    const { key } = (await blobs())[0]!
    return join(test.config.dataDir, 'files', key.slice(0, 2), key.slice(2))
  }
  /** Goes on as a sender does, at a newly started process. */
  async function goOn(path: string): Promise<number> {
    let asked = NaN
    await withSecondApp(test.storage, async (at) => {
      asked = Number((await head(path, employee, at)).headers['upload-offset'])
      expect((await patch(path, asked, PDF.subarray(asked), { at })).status).toBe(204)
    })
    return asked
  }

  it('after a power cut bytes that were never acknowledged do not count, however long the file is', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 200_000))
    // As ext4 leaves it: as long as the next piece's first block, but only zeros.
    await appendFile(await fileOf(), Buffer.alloc(4_800))
    expect(await goOn(path)).toBe(200_000)
    const blob = await stored()
    expect(blob).toMatchObject({ state: 'stored', size: PDF.length, ...sumsOf(PDF) })
    expect(blob.bytes.equals(PDF)).toBe(true)
  })

  it('after a power cut a file is not whole until all of it is acknowledged', async () => {
    const path = await begin(PDF.length)
    await patch(path, 0, PDF.subarray(0, 200_000))
    await appendFile(await fileOf(), Buffer.alloc(PDF.length - 200_000))
    expect(await goOn(path)).toBe(200_000)
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it('bytes beyond a file that was acknowledged whole are not part of it', async () => {
    const path = await begin(PDF.length)
    const crashing: FileStorage = { ...test.storage, seal: () => Promise.reject(new Error('crash')) }
    await withSecondApp(crashing, async (at) => {
      expect((await patch(path, 0, PDF, { at })).status).toBe(500)
    })
    await appendFile(await fileOf(), Buffer.alloc(3_000))
    expect(await offsetOf(path)).toBe(PDF.length)
    expect(await stored()).toMatchObject({ state: 'stored', size: PDF.length, ...sumsOf(PDF) })
  })

  it.each([100_000, 0])(
    'a file with only %i of its acknowledged bytes is given up, which is logged',
    async (left) => {
      const path = await begin(PDF.length)
      await patch(path, 0, PDF.subarray(0, 200_000))
      await truncate(await fileOf(), left)
      await withSecondApp(test.storage, async (at) => {
        expect((await patch(path, 200_000, PDF.subarray(200_000), { at })).status).toBe(404)
        expect((await head(path, employee, at)).status).toBe(404)
      })
      expect(test.logged()).toContain('has lost bytes that were acknowledged')
      expect([await rows(), await blobs(), await test.storage.isEmpty()]).toEqual([[], [], true])
    },
  )
})

const lengthOf = async () => test.storage.length((await blobs())[0]!.key)
const openPatch = (path: string, offset: number, length: number, at = port) =>
  open(employee, 'PATCH', path, {
    at,
    headers: { 'content-type': PIECE, 'upload-offset': offset, 'content-length': length },
  })

/** Starts a second app, as after a restart, or with a storage that fails. */
async function withSecondApp(storage: FileStorage, work: (at: number) => Promise<void>): Promise<void> {
  const app = await buildApp({ ...test, storage })
  try {
    await work(await listen(app))
  } finally {
    await app.close()
  }
}

describe('an upload is refused before its first byte', () => {
  it.each([
    ['an empty file', 0, 'tom.pdf', 422, 'tom.pdf er tom.'],
    [
      'a file that is too large',
      LIMIT + 1,
      'stor.bin',
      413,
      'stor.bin er for stor. En fil må højst fylde 2.86 MB.',
    ],
    ['a file without a name', 10, '', 422, 'Filen har intet navn.'],
    ['an invisible name', 10, '\u200b', 422, 'Filen har intet navn.'],
    [
      'half a letter',
      10,
      'a\ud800.pdf',
      422,
      'Filnavnet har tegn, der ikke kan læses. Omdøb filen, og prøv igen.',
    ],
    ['a long name', 10, 'x'.repeat(256), 422, 'Filnavnet må højst være på 255 tegn.'],
    ['a slash', 10, 'a/b.pdf', 422, 'Filnavnet ”a/b.pdf” må ikke indeholde skråstreger eller styretegn.'],
    [
      'a backslash',
      10,
      'a\\b.pdf',
      422,
      'Filnavnet ”a\\b.pdf” må ikke indeholde skråstreger eller styretegn.',
    ],
    [
      'a control character',
      10,
      'a\x90b.pdf',
      422,
      'Filnavnet ”ab.pdf” må ikke indeholde skråstreger eller styretegn.',
    ],
    [
      'a line break',
      10,
      'a\nb.pdf',
      422,
      'Filnavnet ”a b.pdf” må ikke indeholde skråstreger eller styretegn.',
    ],
  ])('refuses an upload with %s before its first byte', async (_what, size, name, status, message) => {
    const answer = await announce(employee, size, name)
    expect([answer.status, answer.json()]).toMatchObject([
      status,
      { message, errors: { 'files.0': [message] } },
    ])
    expect([await rows(), await blobs()]).toEqual([[], []])
  })

  it.each(['%00', 'a%00', 'x'.repeat(32), 'A'.repeat(32), 'a'.repeat(33)])(
    'refuses an invalid address: %s',
    async (hash) => {
      expect((await head(`/api/temp/tus/${hash}`)).status).toBe(404)
    },
  )

  it.each([
    ['no size', { 'upload-length': '' }, 400],
    ['a deferred size', { 'upload-length': '', 'upload-defer-length': '1' }, 400],
    ['an invalid size', { 'upload-length': '-1' }, 400],
    ['another version', { 'tus-resumable': '0.2.0' }, 412],
  ] as [string, HeaderFields, number][])('refuses an upload with %s', async (_what, headers, status) => {
    const answer = await announce(employee, 10, 'a.pdf', headers)
    expect(answer.status).toBe(status)
    expect(await rows()).toEqual([])
  })

  it('refuses more than a person may have waiting, even if many come at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => announce(employee, 2_000_000, `${n}.bin`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = answers.find(({ status }) => status === 422)!
    expect((refused.json() as { message: string }).message).toMatch(
      /^Der er ikke plads til \d\.bin: Du må højst have 4\.77 MB, der ikke er gemt\.$/,
    )
    const taken = answers.find(({ status }) => status === 201)!.headers.location!
    expect((await send(employee, 'DELETE', taken)).status).toBe(204)
    expect((await announce(employee, 2_000_000)).status).toBe(201)
    expect((await announce(await enter('investor'), 2_000_000)).status).toBe(201)
  })
})

describe('a piece is refused', () => {
  it.each([
    ['at the wrong offset', 50, 'abc', {}, 409],
    ['beyond the end', 0, 'x'.repeat(101), {}, 413],
    ['of another type', 0, 'abc', { 'content-type': 'application/octet-stream' }, 415],
    ['of a type that other routes take', 0, '{}', { 'content-type': 'application/json' }, 415],
    ['without an offset', 0, 'abc', { 'upload-offset': '' }, 400],
    ['of another version', 0, 'abc', { 'tus-resumable': '2.0.0' }, 412],
  ] as [string, number, string, HeaderFields, number][])(
    'refuses a piece %s',
    async (_what, offset, text, headers, status) => {
      const path = await begin(100)
      expect((await patch(path, offset, Buffer.from(text), { headers })).status).toBe(status)
      expect(await offsetOf(path)).toBe(0)
    },
  )

  it('refuses a piece without a length that is longer than announced', async () => {
    const path = await begin(100)
    const { call, answer } = open(employee, 'PATCH', path, {
      headers: { 'content-type': PIECE, 'upload-offset': 0, 'transfer-encoding': 'chunked' },
    })
    call.end('x'.repeat(101))
    expect((await answer).status).toBe(413)
    expect(await lengthOf()).toBeLessThanOrEqual(100)
    expect((await blobs())[0]!.state).toBe('pending')
  })

  it('refuses a piece if the disk is full, which is reported at the file', async () => {
    const path = await begin(PDF.length)
    const fullDisk: FileStorage = {
      ...test.storage,
      append: async (key, offset, bytes) => {
        await test.storage.append(key, offset, bytes)
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      },
    }
    await withSecondApp(fullDisk, async (at) => {
      const answer = await patch(path, 0, PDF.subarray(0, 1000), { at })
      expect([answer.status, answer.json()]).toMatchObject([
        507,
        {
          message: 'Der er ikke mere plads på serveren.',
          errors: { 'files.0': ['Der er ikke plads til stor.bin på serveren. Giv kontoret besked.'] },
        },
      ])
    })
    expect(await offsetOf(path)).toBe(0)
    expect((await patch(path, 0, PDF)).status).toBe(204)
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })
})

describe('access', () => {
  it('an upload answers 404 for another person, 401 if signed out, and 403 without the right to send', async () => {
    const path = await begin(PDF.length)
    const other = await enter('investor')
    const auditor = await enter('auditor')
    const nobody = { id: 0, visitor: new Visitor(test.app) }
    await nobody.visitor.get('/findes-ikke')
    for (const [who, status] of [
      [other, 404],
      [nobody, 401],
      [auditor, 403],
    ] as const) {
      expect((await head(path, who)).status).toBe(status)
      expect((await patch(path, 0, PDF, {}, who)).status).toBe(status)
      expect((await send(who, 'DELETE', path)).status).toBe(status)
    }
    expect((await announce(nobody, 10)).status).toBe(401)
    expect((await announce(auditor, 10)).status).toBe(403)
    expect(await offsetOf(path)).toBe(0)
  })

  it('S7.1 any change of an upload needs the token', async () => {
    const path = await begin(PDF.length)
    const noToken = true
    expect((await patch(path, 0, PDF, { noToken })).status).toBe(403)
    expect((await send(employee, 'DELETE', path, { noToken })).status).toBe(403)
    expect((await send(employee, 'POST', '/api/temp/tus', { noToken })).status).toBe(403)
    expect([await offsetOf(path), (await rows()).length]).toEqual([0, 1])
  })

  it('another person’s call does not stop the one in progress', async () => {
    const path = await begin(PDF.length)
    const { call, answer } = openPatch(path, 0, PDF.length)
    call.write(PDF.subarray(0, 300_000))
    await expect.poll(() => lengthOf()).toBeGreaterThan(100_000)
    expect((await head(path, await enter('investor'))).status).toBe(404)
    call.end(PDF.subarray(300_000))
    expect((await answer).status).toBe(204)
  })
})

describe('the end of an upload', () => {
  it.each(['unknown', 'f'.repeat(32), '..%2f..%2fx', "'--"])('an upload answers 404 for %s', async (hash) => {
    expect((await head(`/api/temp/tus/${hash}`)).status).toBe(404)
    expect((await patch(`/api/temp/tus/${hash}`, 0, PDF)).status).toBe(404)
  })

  it('giving up an upload, whole or not, ends it at once with its bytes', async () => {
    const [half, whole] = [await begin(PDF.length), await begin(PDF.length)]
    await patch(half, 0, PDF.subarray(0, 1000))
    await patch(whole, 0, PDF)
    for (const path of [half, whole]) {
      expect((await send(employee, 'DELETE', path)).status).toBe(204)
      expect((await send(employee, 'DELETE', path)).status).toBe(404)
      expect((await head(path)).status).toBe(404)
    }
    expect([await rows(), await blobs(), await test.storage.isEmpty()]).toEqual([[], [], true])
  })

  it('an upload ends a day after its start, whole or not, with its bytes', async () => {
    const [half, whole] = [await begin(PDF.length), await begin(PDF.length)]
    await patch(half, 0, PDF.subarray(0, 1000))
    await patch(whole, 0, PDF)
    await sql`update temporary_files set created_at = now() - interval '25 hours'`.execute(test.db)
    expect((await head(half)).status).toBe(404)
    expect((await patch(half, 1000, PDF.subarray(1000))).status).toBe(404)
    await keepHouse(test)
    expect([await rows(), await blobs(), await test.storage.isEmpty()]).toEqual([[], [], true])
  })
})

describe('calls at the same time', () => {
  it('a sender who comes back does not wait for the hanging connection', async () => {
    const path = await begin(PDF.length)
    const { call, answer } = openPatch(path, 0, PDF.length)
    call.write(PDF.subarray(0, 300_000))
    await expect.poll(() => lengthOf()).toBeGreaterThan(100_000)
    const offset = await offsetOf(path)
    expect((await patch(path, offset, PDF.subarray(offset))).status).toBe(204)
    await expect(answer).rejects.toThrow()
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })

  it('a sender who comes back learns of bytes that the hanging connection still wrote', async () => {
    const path = await begin(PDF.length)
    const got: Buffer[] = []
    const slow: FileStorage = {
      ...test.storage,
      async append(key, offset, bytes) {
        try {
          for await (const chunk of bytes) got.push(chunk)
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 300))
        }
        return test.storage.append(key, offset, Readable.from(got))
      },
    }
    await withSecondApp(slow, async (at) => {
      const { call } = openPatch(path, 0, PDF.length, at)
      call.write(PDF.subarray(0, 300_000))
      await expect.poll(() => got.length).toBeGreaterThan(0)
      const { headers } = await head(path, employee, at)
      expect(headers['upload-offset']).toBe(String(Buffer.concat(got).length))
    })
  })

  it('many calls with the same bytes damage nothing, and the file is whole in the end', async () => {
    const path = await begin(PDF.length)
    const one = async () => {
      for (let tries = 0; tries < 200; tries++) {
        const { headers } = await head(path).catch(() => ({ headers: {} as IncomingHttpHeaders }))
        const offset = Number(headers['upload-offset'] ?? NaN)
        if (offset === PDF.length) return
        if (!Number.isNaN(offset))
          await patch(path, offset, PDF.subarray(offset, offset + 50_000)).catch(() => undefined)
      }
    }
    await Promise.all([one(), one(), one()])
    expect(await offsetOf(path)).toBe(PDF.length)
    const blob = await stored()
    expect(blob).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
    expect(blob.bytes.equals(PDF)).toBe(true)
  })

  it('giving up stops a piece that is still coming', async () => {
    const path = await begin(PDF.length)
    const { call, answer } = openPatch(path, 0, PDF.length)
    call.write(PDF.subarray(0, 300_000))
    await expect.poll(() => lengthOf()).toBeGreaterThan(100_000)
    expect((await send(employee, 'DELETE', path)).status).toBe(204)
    await expect(answer).rejects.toThrow()
    expect(await test.storage.isEmpty()).toBe(true)
  })

  it('pieces have a higher limit per minute than other requests', async () => {
    const path = await begin(PDF.length)
    const app = await buildApp({ ...test, config: { ...test.config, requestsPerMinute: 10 } })
    try {
      const at = await listen(app)
      for (let piece = 0; piece < 30; piece++)
        expect(
          (await patch(path, piece * 10, PDF.subarray(piece * 10, piece * 10 + 10), { at })).status,
        ).toBe(204)
    } finally {
      await app.close()
    }
  })

  it('a server that stops finishes receiving a piece', async () => {
    const path = await begin(PDF.length)
    const app = await buildApp({ ...test })
    const { call, answer } = openPatch(path, 0, PDF.length, await listen(app))
    call.write(PDF.subarray(0, 300_000))
    await expect.poll(() => lengthOf()).toBeGreaterThan(100_000)
    const closed = app.close()
    await finishLater(call)
    expect((await answer).status).toBe(204)
    await closed
    expect(await stored()).toMatchObject({ state: 'stored', ...sumsOf(PDF) })
  })
})

async function finishLater(call: ClientRequest): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 200))
  call.end(PDF.subarray(300_000))
}
