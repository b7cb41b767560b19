import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { receiveBlob } from '../../src/server/storage/blobs.db.ts'
import type { Bucket } from '../../src/server/storage/s3-bucket.ts'
import { urls, fileUrls } from '../../src/urls.ts'
import { keepHouse } from '../../src/work.ts'
import type { TemporaryFile } from '../../src/uploads/transport/temporary-file.ts'
import { freshApp, type TestApp } from '../app.ts'
import { sha256, startBuckets, type Buckets } from '../neighbours/buckets.ts'
import { enter } from '../enter.ts'
import { startFaultyProxy, type FaultyProxy } from '../neighbours/faulty-proxy.ts'
import { foldersByName, makeFiles, makeProject } from '../make.ts'

const AWAY = 'Fillageret svarer ikke lige nu. Prøv igen om lidt.'
const LIMITS = { connect: 1_000, silence: 2_000, answer: 20_000, attempts: 2 }
const TYPES: [string, Buffer][] = [
  ['Årsrapport #1 50 % æøå?.pdf', Buffer.from('%PDF-1.4\n'.padEnd(3000, 'x'))],
  ['side.html', Buffer.from('<!doctype html><script>alert(1)</script>')],
]

let buckets: Buckets
let proxy: FaultyProxy
let test: TestApp
let bucket: Bucket
beforeAll(async () => {
  buckets = await startBuckets()
  bucket = await buckets.fresh()
  proxy = await startFaultyProxy(buckets.radosgw.endpoint)
  const env = buckets.radosgw.env(bucket.name)
  for (const [name, value] of Object.entries(env)) if (name.startsWith('AWS_')) vi.stubEnv(name, value)
  test = await freshApp({
    env: { ...env, S3_ENDPOINT: proxy.endpoint, REQUESTS_PER_MINUTE: '100000', DIRECT_DOWNLOAD: 'true' },
    limits: LIMITS,
  })
  await test.app.listen({ port: 0, host: '127.0.0.1' })
}, 180_000)
beforeEach(() => {
  proxy.fault = () => null
})

const origin = () => `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`

async function enterOffice() {
  const { id, visitor } = await enter(test, 'employee')
  await visitor.get('/projects')
  const headers = {
    cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-requested-with': 'XMLHttpRequest',
    'x-xsrf-token': decodeURIComponent(visitor.cookies.get('XSRF-TOKEN') ?? ''),
  }
  const call = (path: string, init: RequestInit = {}) =>
    fetch(origin() + path, {
      redirect: 'manual',
      ...init,
      headers: { ...headers, ...(init.headers as Record<string, string>) },
    })
  const upload = (...files: Buffer[]) => {
    const form = new FormData()
    files.forEach((bytes, index) =>
      form.set(`files[${index}]`, new Blob([new Uint8Array(bytes)]), `${index}.bin`),
    )
    return call(urls.temporaryUpload, { method: 'POST', body: form })
  }
  return { id, call, upload }
}

/** Adds a file to a new project, and returns the addresses to download and open it. */
async function addFile(name: string, bytes: Buffer) {
  const project = (await makeProject(test.db)).id
  const folder = (await foldersByName(test.db, project)).Budget!
  const blob = await receiveBlob(test.db, test.storage, Readable.from([bytes]), 1e9)
  const [made] = await makeFiles(test.db, folder, [{ name, blobId: blob.id }])
  return {
    download: fileUrls.download({ project }, made!.path),
    open: fileUrls.open({ project }, made!.path),
    sha256: blob.sha256,
    id: made!.id,
  }
}

const tus = { 'tus-resumable': '1.0.0' }
const asPiece = (offset: number) => ({
  ...tus,
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
})

async function announce({ call }: Awaited<ReturnType<typeof enterOffice>>, size: number): Promise<string> {
  const metadata = `filename ${Buffer.from('Stor.bin').toString('base64')}`
  const answer = await call(urls.tus, {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(size), 'upload-metadata': metadata },
  })
  return answer.headers.get('location')!
}

describe('the app on a bucket', () => {
  it(
    'the app stores small and large files in a bucket, together and in pieces, and removes them',
    { timeout: 120_000 },
    async () => {
      const office = await enterOffice()
      const [small, large] = [randomBytes(1000), randomBytes(20_000_000)]
      const sent = (await (await office.upload(small, large)).json()) as TemporaryFile[]
      expect(sent.map(({ size }) => size)).toEqual([1000, 20_000_000])
      const path = await announce(office, large.length)
      for (let offset = 0; offset < large.length; offset += 2_000_000) {
        const body = new Uint8Array(large.subarray(offset, offset + 2_000_000))
        const answer = await office.call(path, { method: 'PATCH', headers: asPiece(offset), body })
        expect(answer.status).toBe(204)
      }
      const rows = await test.db.selectFrom('blobs').select(['key', 'sha256', 'state']).execute()
      expect(rows.map(({ state }) => state)).toEqual(['stored', 'stored', 'stored'])
      expect(new Set(rows.map((row) => row.sha256))).toEqual(new Set([small, large].map(sha256)))
      expect((await Array.fromAsync(test.storage.list())).length).toBe(3)
      for (const name of [...sent.map((file) => file.hash_name), path.split('/').at(-1)!])
        await office.call(urls.temporaryFile(name), { method: 'DELETE', headers: tus })
      expect(await Array.fromAsync(test.storage.list())).toEqual([])
    },
  )

  it('the app redirects a browser to the bucket, with the same headers, for a minute', async () => {
    const office = await enterOffice()
    for (const [name, bytes] of TYPES) {
      const file = await addFile(name, bytes)
      for (const way of ['open', 'download'] as const) {
        const answer = await office.call(file[way])
        expect(answer.status).toBe(302)
        expect(answer.headers.get('cache-control')).toBe('no-store')
        const address = new URL(answer.headers.get('location')!)
        expect(address.searchParams.get('X-Amz-Expires')).toBe('60')
        const told = await fetch(address)
        expect(sha256(Buffer.from(await told.arrayBuffer()))).toBe(file.sha256)
        const isShown = way === 'open' && name.endsWith('.pdf')
        expect(told.headers.get('content-type')).toBe(
          name.endsWith('.pdf') ? 'application/pdf' : 'application/octet-stream',
        )
        const disposition = told.headers.get('content-disposition')!
        expect(disposition).toMatch(isShown ? /^inline; / : /^attachment; /)
        expect(decodeURIComponent(disposition.split("UTF-8''")[1]!)).toBe(name)
        expect(told.headers.get('cache-control')).toBe('private, no-cache')
        // The signed address is invalid after a change.
        address.searchParams.set('response-content-type', 'text/html')
        expect((await fetch(address)).status).toBe(403)
      }
    }
  })

  it('the app answers conditional, HEAD and forbidden requests itself, and logs as before', async () => {
    const office = await enterOffice()
    const file = await addFile('Budget.pdf', TYPES[0]![1])
    const etag = `"${file.sha256}"`
    const ask = async (headers: Record<string, string>, method = 'GET') =>
      (await office.call(file.download, { method, headers })).status
    expect(await ask({}, 'HEAD')).toBe(200)
    expect(await ask({ 'if-none-match': etag })).toBe(304)
    expect(await ask({ 'if-match': '"other"' })).toBe(412)
    expect(await ask({ 'if-match': etag })).toBe(200)
    expect(await ask({ range: 'bytes=99999-' })).toBe(416)
    expect(await ask({ range: 'bytes=0-9', 'if-range': etag })).toBe(206)
    expect(await ask({ range: 'bytes=0-9' })).toBe(302)
    const outsider = await enter(test, 'investor')
    expect((await outsider.visitor.get(file.download)).statusCode).toBe(404)
    await expect
      .poll(async () => {
        const entries = await test.db
          .selectFrom('log')
          .select('act')
          .where('user_id', '=', office.id)
          .where('act', '=', 'file-downloaded')
          .execute()
        return entries.length
      })
      .toBe(1)
  })
})

describe('a bucket that fails', () => {
  it.each(['status 500', 'silent', 'hangs up'] as const)(
    'a failing bucket gives a 503 in Danish, and works again afterwards: %s',
    { timeout: 120_000 },
    async (fault) => {
      const office = await enterOffice()
      const file = await addFile('Budget.pdf', TYPES[0]![1])
      const path = await announce(office, 4_000_000)
      const piece = new Uint8Array(randomBytes(2_000_000))
      const patch = (offset: number) =>
        office.call(path, { method: 'PATCH', headers: asPiece(offset), body: piece })
      expect((await patch(0)).status).toBe(204)
      const ready = async () => (await fetch(origin() + urls.ready)).status
      await expect.poll(ready).toBe(200)

      proxy.fault = () => fault
      await expect.poll(ready).toBe(503) // an answer is remembered for a moment
      const asked = [
        office.upload(randomBytes(1000)),
        office.upload(randomBytes(10_000_000)),
        office.call(file.download, { headers: { 'if-match': `"${file.sha256}"` } }),
        office.call(file.download),
        patch(2_000_000),
      ]
      for (const answer of await Promise.all(asked)) {
        expect(answer.status).toBe(503)
        expect(answer.headers.get('retry-after')).toBe('5')
        const text = await answer.text()
        expect(text).toContain(AWAY)
      }
      // Pages without files still work.
      expect((await office.call('/projects')).status).toBe(200)

      proxy.fault = () => null
      await expect.poll(ready).toBe(200)
      expect((await office.upload(randomBytes(1000))).status).toBe(200)
      expect((await office.call(file.download)).status).toBe(302)
      expect((await patch(2_000_000)).status).toBe(204)
      // Files that were never stored are not marked as stored, and are removed.
      await sleep(LIMITS.silence)
      await keepHouse(test)
      const rows = await test.db.selectFrom('blobs').select(['key', 'state']).execute()
      expect(rows.filter(({ state }) => state !== 'stored')).toEqual([])
      const kept = (await Array.fromAsync(test.storage.list())).map(({ key }) => key).sort()
      expect(kept).toEqual(rows.map(({ key }) => key).sort())
    },
  )
})
