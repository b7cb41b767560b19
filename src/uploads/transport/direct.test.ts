import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject } from '../../../test/make.ts'
import { withPosts } from '../../../test/neighbours/signed-disk.ts'
import type { FileStorage } from '../../server/storage/storage.ts'
import { keepHouse } from '../../work.ts'
import { clearDirectFile, finishDirectFile } from './direct.db.ts'

const LIMIT = 3_000_000
const PDF = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(500_000)])
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

let test: TestApp
let employee: Entered

beforeAll(async () => {
  test = await freshApp({
    env: {
      MAX_FILE_BYTES: String(LIMIT),
      TEMPORARY_BYTES_PER_USER: '5000000',
      REQUESTS_PER_MINUTE: '100000',
    },
    storageOf: withPosts,
  })
  employee = await enter(test, 'employee')
})
beforeEach(async () => {
  vi.restoreAllMocks()
  await sql`delete from temporary_files`.execute(test.db)
  await sql`truncate files cascade`.execute(test.db)
  await sql`update blobs set state = 'removing', created_at = now() - interval '26 hours'`.execute(test.db)
  await keepHouse(test)
})

type Signed = { signature: Record<string, string>; postEndpoint: string; hash_name: string }
type Conditions = (Record<string, unknown> | unknown[])[]

const ask = (fields: Record<string, unknown>, { visitor } = employee) =>
  visitor.post('/api/temp/sign', fields, { script: true })
async function sign(fields: Record<string, unknown> = {}, who = employee): Promise<Signed> {
  const said = { filePath: 'Stor.pdf', contentType: 'application/pdf', size: PDF.length }
  const answer = await ask({ ...said, ...fields }, who)
  expect(answer.statusCode).toBe(201)
  return answer.json()
}
const conditionsOf = ({ signature: { Policy } }: Signed) =>
  (JSON.parse(Buffer.from(Policy!, 'base64').toString()) as { conditions: Conditions }).conditions

const addressOf = (hash: string) => `/api/temp/direct/${hash}`
const say = (hash: string, { visitor } = employee) => visitor.post(addressOf(hash), {}, { script: true })
const state = (hash: string, { visitor } = employee) => visitor.get(addressOf(hash))
const remove = (hash: string) =>
  employee.visitor.post(`/api/temp/tus/${hash}`, {}, { script: true, method: 'DELETE' })

async function blobOf(hash: string) {
  const row = await test.db
    .selectFrom('temporary_files')
    .innerJoin('blobs', 'blobs.id', 'blob_id')
    .select(['blobs.id', 'key', 'state', 'size', 'sha256', 'type', 'announced', 'name', 'user_id'])
    .where('hash_name', '=', hash)
    .executeTakeFirst()
  return row!
}
const blobs = () => test.db.selectFrom('blobs').selectAll().orderBy('id').execute()
const rows = () => test.db.selectFrom('temporary_files').selectAll().execute()

/** Writes the bytes to the store, as a browser does. */
const put = (key: string, bytes: Buffer) => test.storage.append(key, 0, Readable.from([bytes]))
const deliver = async (hash: string, bytes = PDF) => put((await blobOf(hash)).key, bytes)
const isStored = async (hash: string) => (await state(hash)).json<{ state: string }>().state === 'stored'
async function send(fields: Record<string, unknown> = {}, who = employee): Promise<string> {
  const { hash_name: hash } = await sign(fields, who)
  await deliver(hash)
  expect((await say(hash, who)).statusCode).toBe(202)
  return hash
}
const jobs = async (hash: string) => {
  const { rows: found } = await sql<{ name: string; state: string; late: boolean }>`
    select name, state::text, start_after > now() + interval '24 hours' as late from jobs.job
    where data->>'hashName' = ${hash} or data->>'key' = (
      select key from blobs join temporary_files on blob_id = blobs.id where hash_name = ${hash}
    ) order by name`.execute(test.db)
  return found
}

describe('S7.11 a signing request', () => {
  it('a signing request returns signature and postEndpoint for exactly this file, and reserves its room', async () => {
    const signed = await sign({ filePath: 'Årsrapport (1024) #1 50 %.pdf'.normalize('NFD') })
    const blob = await blobOf(signed.hash_name)
    expect(signed.postEndpoint).toMatch(/^https:\/\/lager\.example\/papirer\/?$/)
    expect(conditionsOf(signed)).toEqual(
      expect.arrayContaining([
        ['content-length-range', PDF.length, PDF.length],
        { 'Content-Type': 'application/pdf' },
        { key: `stykke/${blob.key}` },
      ]),
    )
    expect(signed.signature.key).toBe(`stykke/${blob.key}`)
    expect(blob).toMatchObject({
      state: 'pending',
      name: 'Årsrapport (1024) #1 50 %.pdf',
      announced: PDF.length,
      user_id: employee.id,
      size: null,
    })
  })

  it('a signing request may also be a form', async () => {
    await employee.visitor.get('/findes-ikke')
    const token = decodeURIComponent(employee.visitor.cookies.get('XSRF-TOKEN')!)
    const answer = await employee.visitor.get('/api/temp/sign', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        _token: token,
        filePath: 'a.pdf',
        contentType: 'application/pdf',
        size: '10',
      }).toString(),
    })
    expect(answer.statusCode).toBe(201)
    expect(conditionsOf(answer.json())).toContainEqual(['content-length-range', 10, 10])
  })

  it('a signing request without a size allows the largest file, and reserves that room until the size is known', async () => {
    const signed = await sign({ size: undefined })
    expect(conditionsOf(signed)).toContainEqual(['content-length-range', 1, LIMIT])
    expect((await ask({ filePath: 'b.pdf', contentType: '' })).statusCode).toBe(422) // no room for two of them
    await deliver(signed.hash_name)
    expect((await say(signed.hash_name)).statusCode).toBe(202)
    await expect.poll(() => isStored(signed.hash_name)).toBe(true)
    expect(await blobOf(signed.hash_name)).toMatchObject({ size: PDF.length, announced: PDF.length })
    expect((await ask({ filePath: 'b.pdf', contentType: '' })).statusCode).toBe(201)
  })

  it.each([
    ['mappe/under/Stor.pdf', 'Stor.pdf'],
    ['C:\\Papirer\\Bilag ø.pdf', 'Bilag ø.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['  a\u200bb.pdf ', 'ab.pdf'],
  ])('a signing request for %s uses only the last part of the path', async (filePath, name) => {
    expect(await blobOf((await sign({ filePath })).hash_name)).toMatchObject({ name })
  })

  it.each([
    ['application/x-evil', 'application/x-evil'],
    ['', 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ])('a signing request with the type %s allows only %s', async (contentType, type) => {
    const signed = await sign({ contentType })
    expect(conditionsOf(signed)).toContainEqual({ 'Content-Type': type })
    expect(signed.signature['Content-Type']).toBe(type)
  })

  const unfit = (name: string) => `Filnavnet ”${name}” må ikke indeholde skråstreger eller styretegn.`
  it.each([
    [{ size: 0 }, 422, 'files.0', 'a.pdf er tom.'],
    [{ size: LIMIT + 1 }, 413, 'files.0', 'a.pdf er for stor. En fil må højst fylde 2.86 MB.'],
    [{ filePath: '' }, 422, 'files.0', 'Filen har intet navn.'],
    [{ filePath: undefined }, 422, 'files.0', 'Filen har intet navn.'],
    [{ filePath: 'mappe/' }, 422, 'files.0', 'Filen har intet navn.'],
    [{ filePath: 'x'.repeat(256) }, 422, 'files.0', 'Filnavnet må højst være på 255 tegn.'],
    [{ filePath: 'a\x90b.pdf' }, 422, 'files.0', unfit('ab.pdf')],
    [{ filePath: ['a'] }, 422, 'filePath', 'Filens navn skal være en tekst.'],
    [{ size: -1 }, 422, 'size', 'Størrelsen skal være et tal.'],
    [{ size: 1.5 }, 422, 'size', 'Størrelsen skal være et tal.'],
    [{ size: '1e3' }, 422, 'size', 'Størrelsen skal være et tal.'],
    [{ contentType: 'pdf"; x' }, 422, 'contentType', 'Filens type kan ikke læses.'],
    [{ contentType: `a/${'b'.repeat(200)}` }, 422, 'contentType', 'Filens type er for lang.'],
  ])('refuses the signing request %j', async (fields, status, field, message) => {
    const answer = await ask({ filePath: 'a.pdf', contentType: 'application/pdf', size: 10, ...fields })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      status,
      { message, errors: { [field]: [message] } },
    ])
    expect([await rows(), await blobs()]).toEqual([[], []])
  })

  it('a signing request is granted only while there is room, even if many come at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => ask({ filePath: `${n}.bin`, contentType: '', size: 2_000_000 })),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(2)
    const refused = answers.find(({ statusCode }) => statusCode === 422)!
    expect(refused.json<{ message: string }>().message).toMatch(
      /^Der er ikke plads til \d\.bin: Du må højst have 4\.77 MB, der ikke er gemt\.$/,
    )
  })

  it('a signing request that cannot be signed takes no room', async () => {
    vi.spyOn(test.storage.posts!, 'sign').mockRejectedValue(new Error('no credentials'))
    expect((await ask({ filePath: 'a.pdf', contentType: '', size: 10 })).statusCode).toBe(500)
    expect(await rows()).toEqual([])
  })

  it('only people who may send files get a signature, with the token', async () => {
    const auditor = await enter(test, 'auditor')
    expect((await ask({ filePath: 'a.pdf', size: 10 }, auditor)).statusCode).toBe(403)
    const { statusCode } = await employee.visitor.post(
      '/api/temp/sign',
      { filePath: 'a.pdf', size: 10 },
      { script: true, noToken: true },
    )
    expect(statusCode).toBe(403)
    expect((await ask({ filePath: 'a.pdf', size: 10 }, await enter(test, 'investor'))).statusCode).toBe(201)
  })

  it('a signing request answers 404 if files are stored on the disk; only otherwise may the page send to the store', async () => {
    const plain = await freshApp()
    const other = await enter(plain, 'employee')
    expect((await ask({ filePath: 'a.pdf', size: 10 }, other)).statusCode).toBe(404)
    const connect = async ({ visitor }: Entered) => {
      const { headers, body } = await visitor.get('/upload')
      const policy = String(headers['content-security-policy'])
      return [/connect-src ([^;]*)/.exec(policy)?.[1], /"isDirect":(\w+)/.exec(body)?.[1]]
    }
    expect(await connect(other)).toEqual(["'self'", 'false'])
    expect(await connect(employee)).toEqual(["'self' https://lager.example", 'true'])
  })
})

describe('S7.11 a file that a browser has sent to the store', () => {
  it('a file is pending until the server has read it: it cannot be saved, continued or seen before', async () => {
    const project = await makeProject(test.db)
    const folder = (await foldersByName(test.db, project.id)).Budget!
    const save = async () => {
      const { statusCode } = await employee.visitor.post(
        `/projects/${project.id}/uploads/folder/${folder}`,
        { submission: randomUUID(), files: { a: { name: 'Stor.pdf', data: hash, mime: '' } } },
        { script: true },
      )
      return statusCode
    }
    const { hash_name: hash } = await sign()
    expect((await state(hash)).json()).toEqual({ state: 'pending', type: null, size: PDF.length })
    await deliver(hash)
    expect([await save(), (await blobOf(hash)).state]).toEqual([422, 'pending'])
    const tus = { 'tus-resumable': '1.0.0', 'upload-offset': '0' }
    const url = `/api/temp/tus/${hash}`
    expect((await employee.visitor.get(url, { method: 'HEAD', headers: tus })).statusCode).toBe(404)
    const patched = await employee.visitor.post(
      url,
      {},
      {
        script: true,
        method: 'PATCH',
        headers: { ...tus, 'content-type': 'application/offset+octet-stream' },
      },
    )
    expect([patched.statusCode, (await blobOf(hash)).state]).toEqual([404, 'pending'])

    const answer = await say(hash)
    expect([answer.statusCode, answer.json()]).toEqual([
      202,
      { state: 'pending', type: null, size: PDF.length },
    ])
    await expect.poll(() => isStored(hash)).toBe(true)
    expect((await state(hash)).json()).toEqual({
      state: 'stored',
      type: 'application/pdf',
      size: PDF.length,
    })
    expect(await blobOf(hash)).toMatchObject({ state: 'stored', sha256: sha256(PDF) })
    expect(await save()).toBe(200)
    expect((await state(hash)).statusCode).toBe(404)
    const files = await employee.visitor.get(`/api/projects/${project.id}/folder/${folder}/files`)
    const [{ path }] = files.json<{ data: [{ path: string }] }>().data
    const opened = await employee.visitor.get(`/projects/${project.id}/uploads/${path}`)
    expect(opened.rawPayload.equals(PDF)).toBe(true)
  })

  it('a file gets its type from its bytes, whatever type was signed for', async () => {
    const hash = await send({ contentType: 'text/html' })
    await expect.poll(() => isStored(hash)).toBe(true)
    expect((await blobOf(hash)).type).toBe('application/pdf')
  })

  it('a file is read once, however often it is asked for', async () => {
    const opened = vi.spyOn(test.storage, 'open')
    const { hash_name: hash } = await sign()
    await deliver(hash)
    const answers = await Promise.all([1, 2, 3, 4].map(() => say(hash)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202])
    await expect.poll(() => isStored(hash)).toBe(true)
    const again = await say(hash)
    expect([again.statusCode, again.json<{ state: string }>().state]).toEqual([202, 'stored'])
    expect((await jobs(hash)).map(({ name, late }) => [name, late])).toEqual([
      ['clear-direct', true],
      ['read-direct', false],
    ])
    expect(opened).toHaveBeenCalledTimes(1)
  })

  it('a file is refused if it has not arrived, and refused and removed if it is not as signed for', async () => {
    const { hash_name: hash } = await sign()
    const nothing = await say(hash)
    expect([nothing.statusCode, nothing.json()]).toMatchObject([
      409,
      { message: 'Filen er ikke kommet frem endnu.' },
    ])
    await deliver(hash, PDF.subarray(1))
    const message = 'Stor.pdf fylder ikke det, som den skulle. Send filen igen.'
    const wrong = await say(hash)
    expect([wrong.statusCode, wrong.json()]).toEqual([
      422,
      { message, code: 'invalid', errors: { 'files.0': [message] } },
    ])
    expect([(await state(hash)).statusCode, await rows(), await test.storage.isEmpty()]).toEqual([
      404,
      [],
      true,
    ])
  })

  it('a file belongs only to its sender', async () => {
    const { hash_name: hash } = await sign()
    await deliver(hash)
    const other = await enter(test, 'administrator')
    expect([(await say(hash, other)).statusCode, (await state(hash, other)).statusCode]).toEqual([404, 404])
    const { statusCode } = await employee.visitor.post(addressOf(hash), {}, { script: true, noToken: true })
    expect([statusCode, await jobs(hash)]).toEqual([403, []])
    for (const none of ['f'.repeat(32), 'x', '%00', 'A'.repeat(32)])
      expect((await state(none)).statusCode).toBe(404)
  })

  it('a file waits a day for its form, and no longer', async () => {
    const hash = await send()
    await expect.poll(() => isStored(hash)).toBe(true)
    await sql`update temporary_files set created_at = now() - interval '25 hours'`.execute(test.db)
    expect([(await state(hash)).statusCode, (await say(hash)).statusCode]).toEqual([404, 404])
    await keepHouse(test)
    expect([await rows(), await blobs(), await test.storage.isEmpty()]).toEqual([[], [], true])
  })
})

describe('S7.11 reading the file', () => {
  const finish = (hash: string, more: Partial<FileStorage> = {}) =>
    finishDirectFile({ db: test.db, storage: { ...test.storage, ...more } }, hash)
  const crash = () => Promise.reject(new Error('crash'))

  it.each(['length', 'seal', 'open'] as const)(
    'reading runs again after a crash or a storage error at %s',
    async (at) => {
      const { hash_name: hash } = await sign()
      await deliver(hash)
      await expect(finish(hash, { [at]: crash })).rejects.toThrow('crash')
      expect((await blobOf(hash)).state).toBe('pending')
      await finish(hash)
      await finish(hash)
      expect(await blobOf(hash)).toMatchObject({ state: 'stored', sha256: sha256(PDF) })
    },
  )

  it('reading may run several times at once', async () => {
    const { hash_name: hash } = await sign()
    await deliver(hash)
    await Promise.all([finish(hash), finish(hash), finish(hash)])
    expect(await blobOf(hash)).toMatchObject({ state: 'stored', sha256: sha256(PDF) })
  })

  it('the job retries reading', async () => {
    vi.spyOn(test.storage, 'seal').mockImplementationOnce(crash)
    const hash = await send()
    const soon = () => sql`update jobs.job set start_after = now() where state = 'retry'`.execute(test.db)
    await expect.poll(() => soon().then(() => isStored(hash))).toBe(true)
  })

  it.each([
    ['another size', PDF.subarray(1)],
    ['no bytes', null],
  ])('reading gives up a file that has %s by then', async (_what, bytes) => {
    const { hash_name: hash } = await sign()
    if (bytes) await deliver(hash, bytes)
    await finish(hash)
    expect([(await state(hash)).statusCode, await rows(), await test.storage.isEmpty()]).toEqual([
      404,
      [],
      true,
    ])
  })

  it('reading does not bring back a file that is given up meanwhile', async () => {
    const { hash_name: hash } = await sign()
    await deliver(hash)
    await finish(hash, {
      async open(key) {
        expect((await remove(hash)).statusCode).toBe(204)
        return Readable.from([PDF]).on('close', () => key)
      },
    })
    await finish(hash)
    expect([await rows(), await test.storage.isEmpty()]).toEqual([[], true])
    expect(await blobs()).toMatchObject([{ state: 'removing' }])
  })
})

describe('S7.11 giving up a file', () => {
  it('giving up a file frees its room at once, and removes later bytes too', async () => {
    const { hash_name: hash } = await sign({ size: 3_000_000 })
    const { key } = await blobOf(hash)
    expect((await remove(hash)).statusCode).toBe(204)
    expect([(await state(hash)).statusCode, (await say(hash)).statusCode]).toEqual([404, 404])
    expect((await remove(hash)).statusCode).toBe(404)
    await remove((await sign({ size: 3_000_000 })).hash_name)

    await put(key, PDF) // it was still being sent
    await keepHouse(test)
    expect([await test.storage.isEmpty(), (await blobs()).map((blob) => blob.state)]).toEqual([
      true,
      ['removing', 'removing'],
    ])
    await put(key, PDF) // it is sent again
    await sql`update blobs set created_at = now() - interval '26 hours'`.execute(test.db)
    await keepHouse(test)
    expect([await test.storage.isEmpty(), await blobs()]).toEqual([true, []])
  })

  it('giving up a file that was read already removes its row, like one that was sent in pieces', async () => {
    const hash = await send()
    await expect.poll(() => isStored(hash)).toBe(true)
    expect((await remove(hash)).statusCode).toBe(204)
    expect([await rows(), await blobs(), await test.storage.isEmpty()]).toEqual([[], [], true])
  })

  it('bytes that a signature adds beside a kept file later are removed, and the file stays', async () => {
    const hash = await send()
    await expect.poll(() => isStored(hash)).toBe(true)
    const { id, key } = await blobOf(hash)
    const [sealed, removed] = [vi.spyOn(test.storage, 'seal'), vi.spyOn(test.storage, 'remove')]
    await clearDirectFile(test, id, key)
    expect([sealed.mock.calls, removed.mock.calls]).toEqual([[[key]], []])
    await remove(hash)
    removed.mockClear()
    await clearDirectFile(test, id, key)
    expect(removed.mock.calls).toEqual([[key]])
  })
})
