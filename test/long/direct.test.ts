import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page, type Request } from '@playwright/test'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { findChromium } from '../../scripts/chromium.ts'
import { verify } from '../../src/copies/verify.db.ts'
import type { Database } from '../../src/server/database/database.ts'
import { Bucket } from '../../src/server/storage/s3-bucket.ts'
import { pieceName, wholeName } from '../../src/server/storage/s3-pieces.ts'
import type { SignedPost } from '../../src/server/storage/storage.ts'
import { clearDirectFile } from '../../src/uploads/transport/direct.db.ts'
import { keepHouse } from '../../src/work.ts'
import { freshApp, type TestApp } from '../app.ts'
import { afterwards } from '../clean-up.ts'
import { freshDatabase } from '../database.ts'
import { freshDirectory } from '../directory.ts'
import { dropFromDisk } from '../e2e/drop.ts'
import { enter, type Entered } from '../enter.ts'
import { foldersByName, makeProject, makeUser, PASSWORD } from '../make.ts'
import { startProcess, type RunningProcess } from '../start/processes.ts'
import { freePort } from '../neighbours/free-port.ts'
import { startRadosgw, type Radosgw } from '../neighbours/radosgw.ts'

const MB = 1_000_000
const PATIENT = { timeout: 120_000 }
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const pdf = (size: number) => Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(size - 9)])

let rgw: Radosgw
let browser: Browser
/** An app in this process, for the tests that tamper with it. */
let test: TestApp
let bucket: Bucket
let me: Entered
beforeAll(async () => {
  rgw = await startRadosgw()
  afterwards(() => rgw.stop())
  const name = `manipuleret-${randomUUID()}`
  await rgw.makeBucket(name)
  for (const [variable, value] of Object.entries(rgw.env(name))) vi.stubEnv(variable, value)
  test = await freshApp({ env: { ...rgw.env(name), DIRECT_UPLOAD: 'true' } })
  bucket = test.bucket!
  me = await enter(test, 'employee')
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  afterwards(() => browser.close())
}, 240_000)

type Office = {
  origin: string
  db: Database
  email: string
  page: string
  start: () => RunningProcess
  server: RunningProcess
  bucket: Bucket
}

/** Starts Ringbind in its own process, with a bucket that accepts or refuses uploads from browsers. */
async function openOffice({ cors }: { cors: boolean }): Promise<Office> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const name = `papirer-${port}`
  const rule = { AllowedOrigins: [origin], AllowedMethods: ['POST'], AllowedHeaders: ['*'] }
  await rgw.makeBucket(name, cors ? { cors: [rule] } : {})
  const { db, name: database } = await freshDatabase()
  const { email } = await makeUser(db, { role: 'employee' })
  const project = await makeProject(db)
  const { Budget: folder } = await foldersByName(db, project.id)
  const dataDir = await freshDirectory()
  const start = () =>
    startProcess({
      ...rgw.env(name),
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://ringbind@localhost/${database}?host=${encodeURIComponent(inject('socket'))}`,
      DIRECT_UPLOAD: 'true',
      PORT: String(port),
    })
  const server = start()
  await server.url
  const { endpoint, region, credentials } = rgw
  const page = `/projects/${project.id}/uploads/folder/${folder}`
  return {
    origin,
    db,
    email,
    page,
    start,
    server,
    bucket: new Bucket({ bucket: name, endpoint, region, credentials }),
  }
}

/** Signs in, opens the page where files are dropped, and records the browser's requests. */
async function openUploadPage({
  origin,
  email,
  page: address,
}: Office): Promise<{ page: Page; asked: Request[] }> {
  const context = await browser.newContext({ baseURL: origin, locale: 'en-US' })
  afterwards(() => context.close())
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Adgangskode').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log ind' }).click()
  await page.getByRole('heading', { name: /^Hej / }).waitFor()
  await page.goto(address)
  await page.locator('html[data-hydrated]').waitFor()
  const asked: Request[] = []
  page.on('request', (request) => asked.push(request))
  return { page, asked }
}

async function onDisk(files: Record<string, Buffer>): Promise<string[]> {
  const directory = await freshDirectory()
  return Object.entries(files).map(([name, bytes]) => {
    writeFileSync(join(directory, name), bytes)
    return join(directory, name)
  })
}

const toStore = (asked: Request[]) => asked.filter((each) => each.method() === 'POST' && isStore(each))
const isStore = (request: Request) => request.url().startsWith(rgw.endpoint)
const pieces = (asked: Request[]) => asked.filter((each) => each.method() === 'PATCH')
const stored = (db: Database) =>
  db.selectFrom('blobs').select(['sha256', 'state', 'type']).orderBy('size').execute()

/** Saves the dropped files, and downloads them again. */
async function saveAndRead(page: Page, count: number): Promise<string[]> {
  await page.getByRole('button', { name: `Gem ${count} fil` }).click()
  await page.waitForURL(/\/uploads\?open=/, PATIENT)
  const links = page.locator('a[href*="/uploads/"]').filter({ hasText: '.pdf' })
  await expect.poll(() => links.count()).toBe(count)
  const sums: string[] = []
  for (const link of await links.all()) {
    const answer = await page.request.get((await link.getAttribute('href'))!, PATIENT)
    expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'application/pdf'])
    sums.push(sha256(await answer.body()))
  }
  return sums
}

async function objectsOf(of: Bucket): Promise<string[]> {
  const all = await Array.fromAsync(of.list())
  return all.map(({ name }) => name).filter((name) => !['.probe', 'installation'].includes(name))
}

describe('S7.11 from a real browser', () => {
  it(
    'large files go directly to the store, are read there, saved and opened',
    { timeout: 300_000 },
    async () => {
      const office = await openOffice({ cors: true })
      const { page, asked } = await openUploadPage(office)
      const [middle, large] = [pdf(30 * MB), pdf(100 * MB)]
      await page.evaluate(() => {
        new MutationObserver(() => {
          if (document.body.textContent?.includes('Kontrolleres…')) document.body.dataset.seen = 'yes'
        }).observe(document.body, { subtree: true, childList: true, characterData: true })
      })
      await dropFromDisk(
        page,
        await onDisk({ 'Bilag æøå #1 50 %.pdf': middle, 'Årsrapport stor.pdf': large }),
      )
      await expect.poll(() => page.getByText('Klar', { exact: true }).count(), PATIENT).toBe(2)
      expect(await page.evaluate(() => document.body.dataset.seen)).toBe('yes')

      expect(toStore(asked)).toHaveLength(2)
      expect(pieces(asked)).toEqual([])
      expect(asked.filter((each) => /\/api\/temp\/(tus|upload)/.test(each.url()))).toEqual([])
      for (const each of toStore(asked)) {
        const headers = await each.allHeaders()
        expect(Object.keys(headers).filter((name) => /^(cookie|x-)/.test(name))).toEqual([])
      }
      expect(await stored(office.db)).toEqual([
        { sha256: sha256(middle), state: 'stored', type: 'application/pdf' },
        { sha256: sha256(large), state: 'stored', type: 'application/pdf' },
      ])
      expect((await saveAndRead(page, 2)).sort()).toEqual([sha256(middle), sha256(large)].sort())
    },
  )

  it('files go through the server if the store refuses browsers', { timeout: 300_000 }, async () => {
    const office = await openOffice({ cors: false })
    const { page, asked } = await openUploadPage(office)
    const [first, second] = [pdf(5 * MB), pdf(6 * MB)]
    await dropFromDisk(page, await onDisk({ 'En.pdf': first }))
    await expect.poll(() => page.getByText('Klar', { exact: true }).count(), PATIENT).toBe(1)
    await dropFromDisk(page, await onDisk({ 'To.pdf': second }))
    await expect.poll(() => page.getByText('Klar', { exact: true }).count(), PATIENT).toBe(2)
    expect(toStore(asked).length).toBeLessThanOrEqual(1)
    expect(asked.filter((each) => each.url().endsWith('/api/temp/sign'))).toHaveLength(1)
    expect(pieces(asked).length).toBeGreaterThan(2) // they grow on a quick connection
    expect((await saveAndRead(page, 2)).sort()).toEqual([sha256(first), sha256(second)].sort())
    const left = await office.db.selectFrom('temporary_files').selectAll().execute()
    expect(left).toEqual([])
  })

  it('an upload survives the death of the store, and nothing is damaged', { timeout: 300_000 }, async () => {
    const office = await openOffice({ cors: true })
    const { page, asked } = await openUploadPage(office)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 8 * MB }
    await session.send('Network.emulateNetworkConditions', slow)
    const large = pdf(30 * MB)
    await dropFromDisk(page, await onDisk({ 'Stor.pdf': large }))
    await expect.poll(() => page.getByText(/^[1-9]\d? %$/).count(), PATIENT).toBeGreaterThan(0)
    await rgw.kill()
    await rgw.start()
    await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await expect.poll(() => page.getByText('Klar', { exact: true }).count(), PATIENT).toBe(1)
    expect(toStore(asked).length).toBeGreaterThan(0)
    expect(await saveAndRead(page, 1)).toEqual([sha256(large)])
  })

  it('a file that is removed during its upload leaves nothing anywhere', { timeout: 300_000 }, async () => {
    const office = await openOffice({ cors: true })
    const { page } = await openUploadPage(office)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 4 * MB }
    await session.send('Network.emulateNetworkConditions', slow)
    await dropFromDisk(page, await onDisk({ 'Stor.pdf': pdf(30 * MB) }))
    await expect.poll(() => page.getByText(/^[1-9]\d? %$/).count(), PATIENT).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Fjern Stor.pdf' }).click()
    await expect.poll(() => office.db.selectFrom('temporary_files').selectAll().execute()).toEqual([])
    expect(await stored(office.db)).toMatchObject([{ state: 'removing' }])
    await expect.poll(() => objectsOf(office.bucket)).toEqual([])
  })

  it('a server that is killed while it reads continues after a restart', { timeout: 300_000 }, async () => {
    const office = await openOffice({ cors: true })
    const { page } = await openUploadPage(office)
    const large = pdf(200 * MB)
    await dropFromDisk(page, await onDisk({ 'Stor.pdf': large }))
    const isActive = async () => {
      const { rows } =
        await sql`select from jobs.job where name = 'read-direct' and state = 'active'`.execute(office.db)
      return rows.length
    }
    await expect.poll(isActive, { ...PATIENT, interval: 5 }).toBe(1)
    office.server.child.kill('SIGKILL')
    await office.server.ended
    expect(await stored(office.db)).toMatchObject([{ state: 'pending' }])
    await office.start().url
    await expect.poll(() => page.getByText('Klar', { exact: true }).count(), { timeout: 240_000 }).toBe(1)
    expect(await saveAndRead(page, 1)).toEqual([sha256(large)])
  })
})

describe('S7.11 against tampering, with a real store', () => {
  beforeEach(async () => {
    await sql`delete from temporary_files`.execute(test.db)
    await sql`update blobs set state = 'removing', created_at = now() - interval '26 hours'`.execute(test.db)
    await keepHouse(test)
  })

  const objects = () => objectsOf(bucket)
  const BYTES = pdf(9 * MB)
  type SignedUpload = SignedPost & { hash: string; key: string }

  async function sign(fields: Record<string, unknown> = {}): Promise<SignedUpload> {
    const asked = { filePath: 'a.pdf', contentType: 'application/pdf', size: BYTES.length, ...fields }
    const answer = await me.visitor.post('/api/temp/sign', asked, { script: true })
    expect(answer.statusCode).toBe(201)
    const {
      signature,
      postEndpoint,
      hash_name: hash,
    } = answer.json<{
      signature: Record<string, string>
      postEndpoint: string
      hash_name: string
    }>()
    const { key } = await test.db
      .selectFrom('temporary_files')
      .innerJoin('blobs', 'blobs.id', 'blob_id')
      .select('key')
      .where('hash_name', '=', hash)
      .executeTakeFirstOrThrow()
    return { fields: signature, postEndpoint, hash, key }
  }
  async function post(
    { postEndpoint, fields }: SignedPost,
    bytes = BYTES,
    other: Record<string, string | undefined> = {},
  ): Promise<number> {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, ...other }))
      if (value !== undefined) form.set(name, value)
    form.set('file', new Blob([new Uint8Array(bytes)]), 'file')
    return (await fetch(postEndpoint, { method: 'POST', body: form })).status
  }
  const say = (hash: string, { visitor } = me) =>
    visitor.post(`/api/temp/direct/${hash}`, {}, { script: true }).then(({ statusCode }) => statusCode)
  const stateOf = async (hash: string) =>
    (await me.visitor.get(`/api/temp/direct/${hash}`)).json<{ state: string }>().state
  async function keep(signed: SignedUpload): Promise<void> {
    expect([await post(signed), await say(signed.hash)]).toEqual([204, 202])
    await expect.poll(() => stateOf(signed.hash)).toBe('stored')
  }
  const readAll = async (key: string) =>
    Buffer.concat(await Array.fromAsync((await test.storage.open(key)) as AsyncIterable<Buffer>))

  const forged = (policy: string) => {
    const said = JSON.parse(Buffer.from(policy, 'base64').toString()) as { conditions: unknown[] }
    const conditions = said.conditions.filter((each) => !Array.isArray(each))
    return Buffer.from(JSON.stringify({ ...said, conditions })).toString('base64')
  }

  it('the store accepts a file with the right signature', async () => {
    const signed = await sign()
    await keep(signed)
    expect(await objects()).toEqual([wholeName(signed.key)])
    expect((await readAll(signed.key)).equals(BYTES)).toBe(true)
  })

  it.each([
    ['another key', () => ({ key: pieceName('ab'.repeat(16), 0) })],
    ['the name of the whole', ({ key }: SignedUpload) => ({ key: wholeName(key) })],
    ['another type', () => ({ 'Content-Type': 'text/html' })],
    ['no type', () => ({ 'Content-Type': undefined })],
    ['another policy', ({ fields }: SignedUpload) => ({ Policy: forged(fields.Policy!) })],
    ['another signature', () => ({ 'X-Amz-Signature': '0'.repeat(64) })],
    ['no signature', () => ({ 'X-Amz-Signature': undefined, Policy: undefined })],
    ['more rights', () => ({ acl: 'public-read' })],
  ] as [string, (signed: SignedUpload) => Record<string, string | undefined>][])(
    '%s is refused by the store',
    async (_what, change) => {
      const signed = await sign()
      expect(await post(signed, BYTES, change(signed))).toBeGreaterThanOrEqual(400)
      expect([await objects(), await say(signed.hash)]).toEqual([[], 409])
    },
  )

  it.each([
    ['a byte more', Buffer.concat([BYTES, Buffer.from('x')])],
    ['a byte less', BYTES.subarray(1)],
    ['nothing', Buffer.alloc(0)],
  ])('%s is refused by the store', async (_what, bytes) => {
    const signed = await sign()
    expect(await post(signed, bytes)).toBe(400)
    expect([await objects(), await say(signed.hash)]).toEqual([[], 409])
  })

  it('an expired signature is refused by the store', async () => {
    const signed = await sign()
    const allowed = { least: BYTES.length, most: BYTES.length, type: 'application/pdf', seconds: 1 }
    const short = await test.storage.posts!.sign(signed.key, allowed)
    await sleep(2500)
    expect([await post(short), await objects()]).toEqual([403, []])
  })

  it('bytes that are sent again after the file was read change nothing and are removed', async () => {
    const signed = await sign()
    await keep(signed)
    const other = pdf(BYTES.length)
    expect(await post(signed, other)).toBe(204) // a signature is valid for an hour
    expect([await say(signed.hash), await stateOf(signed.hash)]).toEqual([202, 'stored'])
    expect(await test.storage.length(signed.key)).toBe(BYTES.length)
    expect((await readAll(signed.key)).equals(BYTES)).toBe(true)
    const blob = await test.db.selectFrom('blobs').selectAll().executeTakeFirstOrThrow()
    expect(blob).toMatchObject({ state: 'stored', sha256: sha256(BYTES) })
    expect(await objects()).toEqual([wholeName(signed.key), pieceName(signed.key, 0)])
    expect((await verify(test)).faults).toEqual([])
    await clearDirectFile(test, blob.id, blob.key)
    expect(await objects()).toEqual([wholeName(signed.key)])
    expect((await readAll(signed.key)).equals(BYTES)).toBe(true)
  })

  it('if bytes are sent again during the reading, one version is stored, with its own SHA-256', async () => {
    const signed = await sign()
    const other = pdf(BYTES.length)
    await post(signed)
    expect(await say(signed.hash)).toBe(202)
    for (const bytes of [other, BYTES, other, BYTES, other]) await post(signed, bytes)
    const soon = () => sql`update jobs.job set start_after = now() where state = 'retry'`.execute(test.db)
    await expect.poll(() => soon().then(() => stateOf(signed.hash)), PATIENT).toBe('stored')
    const { sha256: sum } = await test.db.selectFrom('blobs').select('sha256').executeTakeFirstOrThrow()
    expect(sha256(await readAll(signed.key))).toBe(sum)
    expect([sha256(BYTES), sha256(other)]).toContain(sum)
  })

  it('another person can neither finish nor save a file', async () => {
    const signed = await sign()
    await post(signed)
    const other = await enter(test, 'employee')
    expect(await say(signed.hash, other)).toBe(404)
    expect(await say(signed.hash)).toBe(202)
    await expect.poll(() => stateOf(signed.hash)).toBe('stored')
    const project = await makeProject(test.db)
    const { Budget: folder } = await foldersByName(test.db, project.id)
    const saved = await other.visitor.post(
      `/projects/${project.id}/uploads/folder/${folder}`,
      { submission: randomUUID(), files: { a: { name: 'a.pdf', data: signed.hash } } },
      { script: true },
    )
    expect(saved.statusCode).toBe(422)
  })

  it('a file that is cancelled during its upload does not stay in the store', async () => {
    const signed = await sign()
    const { end, status } = beginPost(signed)
    await sleep(500)
    const gone = await me.visitor.post(`/api/temp/tus/${signed.hash}`, {}, { script: true, method: 'DELETE' })
    expect(gone.statusCode).toBe(204)
    end()
    expect(await status).toBe(204)
    expect(await objects()).toEqual([pieceName(signed.key, 0)])
    expect((await verify(test)).faults).toEqual([]) // its row still exists
    await keepHouse(test)
    expect([await objects(), await blobStates()]).toEqual([[], ['removing']])
    await sql`update blobs set created_at = now() - interval '26 hours'`.execute(test.db)
    await keepHouse(test)
    expect([await objects(), await blobStates()]).toEqual([[], []])
  })
  const blobStates = async () =>
    (await test.db.selectFrom('blobs').select('state').execute()).map(({ state }) => state)

  /** Sends half of a post; `end` sends the rest. */
  function beginPost({ postEndpoint, fields }: SignedPost) {
    const edge = 'kant'
    const part = (name: string, more = '') =>
      `--${edge}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
    const before = Object.entries(fields).map(([name, value]) => `${part(name)}${value}\r\n`)
    const head = Buffer.from(`${before.join('')}${part('file', '; filename="file"')}`)
    const tail = Buffer.from(`\r\n--${edge}--\r\n`)
    const call = httpRequest(postEndpoint, {
      method: 'POST',
      headers: {
        'content-type': `multipart/form-data; boundary=${edge}`,
        'content-length': head.length + BYTES.length + tail.length,
      },
    })
    const status = new Promise<number>((resolve, reject) => {
      call.on('error', reject)
      call.on('response', (response) => resolve(response.resume().statusCode!))
    })
    const half = BYTES.length / 2
    call.write(head)
    call.write(BYTES.subarray(0, half))
    return { status, end: () => call.end(Buffer.concat([BYTES.subarray(half), tail])) }
  }
})
