import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rm, truncate } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { readSums } from '../../src/server/storage/read-blob.ts'
import { fileUrls, urls } from '../../src/urls.ts'
import { freshApp, type TestApp } from '../app.ts'
import { startBuckets } from '../neighbours/buckets.ts'
import { chanceOf } from '../chance.ts'
import { freshDirectory } from '../directory.ts'
import { enter, type Entered } from '../enter.ts'
import { foldersByName, makeFile, makeProject } from '../make.ts'
import { readZip } from '../formats/zip-reader.ts'
import { tryArchive } from '../formats/zip-programs.ts'

const GIB = 2 ** 30

/** Asks over a real connection, and leaves the body to be read. */
async function connect(
  { app }: TestApp,
  { visitor }: Entered,
  url: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const [response] = (await once(
    get(origin + url, { headers: { cookie, ...headers }, agent: false }),
    'response',
  )) as [IncomingMessage]
  return response
}

describe('archives beyond the old format', () => {
  let test: TestApp
  let office: Entered
  beforeAll(async () => {
    test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    office = await enter(test, 'employee')
  })

  it(
    'archives of more than 4 GiB are accepted, and end in the middle of a file where they should',
    { timeout: 30 * 60_000 },
    async () => {
      const project = (await makeProject(test.db)).id
      const { Budget } = await foldersByName(test.db, project)
      await makeFile(test, Budget!, { name: 'Lille.pdf' })
      const { id } = await makeFile(test, Budget!, { name: 'Stor.bin', bytes: 'begynder' })
      await makeFile(test, Budget!, { name: 'Sidst.pdf' })
      await stretch(id, 5 * GIB)
      const directory = await freshDirectory()
      const archive = join(directory, 'arkiv.zip')
      const response = await connect(test, office, fileUrls.zip({ project }))
      await pipeline(response, createWriteStream(archive))
      expect(tryArchive(archive)).toEqual(['Budget/Lille.pdf', 'Budget/Stor.bin', 'Budget/Sidst.pdf'])
      const size = Number(response.headers['content-length'])
      const rest = await connect(test, office, fileUrls.zip({ project }), {
        range: `bytes=${size - 5000}-`,
        'if-range': String(response.headers.etag),
      })
      expect(rest.statusCode).toBe(206)
      await using handle = await open(archive)
      const end = Buffer.alloc(5000)
      await handle.read(end, 0, 5000, size - 5000)
      expect((await buffer(rest)).equals(end)).toBe(true)
      await rm(archive)
    },
  )

  /** Makes a stored file longer with zeros, which take no room on the disk. */
  async function stretch(file: number, size: number): Promise<void> {
    const { rows } = await sql<{ id: number; key: string }>`
      select blobs.id, blobs.key from blobs join files on blob_id = blobs.id where files.id = ${file}`.execute(
      test.db,
    )
    const { id, key } = rows[0]!
    const path = join(test.config.dataDir, 'files', key.slice(0, 2), key.slice(2))
    await truncate(path, size)
    const hash = createHash('sha256')
    for await (const chunk of await test.storage.open(key)) hash.update(chunk as Buffer)
    const sha256 = hash.digest('hex')
    const sums = await readSums(test.storage, { key, size, sha256 })
    if ('fault' in sums) throw new Error(sums.fault)
    await sql`update blobs set size = ${size}, sha256 = ${sha256}, crc32 = ${sums.crc32} where id = ${id}`.execute(
      test.db,
    )
  }

  it('archives of more than 65,535 files are accepted', { timeout: 30 * 60_000 }, async () => {
    const project = (await makeProject(test.db)).id
    const { Budget } = await foldersByName(test.db, project)
    const [parts, each] = [66, 1000] // in parts: all at once take longer than a statement may on a busy machine
    const many = parts * each
    for (let part = 0; part < parts; part++)
      await sql`
        with made as (
          insert into blobs (key, state, size, sha256, crc32, type)
          select md5(random()::text || n), 'stored', 0, encode(sha256(''), 'hex'), 0, 'text/plain'
          from generate_series(1, ${each}::integer) as n returning id
        )
        insert into files (folder_id, blob_id, name, key, position)
        select ${Budget!}, id, 'Bilag.txt', md5(random()::text || id), 'z' || lpad(id::text, 9, '0') from made`.execute(
        test.db,
      )
    const archive = join(await freshDirectory(), 'arkiv.zip')
    await pipeline(await connect(test, office, fileUrls.zip({ project })), createWriteStream(archive))
    const names = tryArchive(archive)
    expect([names.length, names[0], names.at(-1)]).toEqual([
      many,
      'Budget/Bilag.txt',
      `Budget/Bilag (${many}).txt`,
    ])
  })
})

describe('archives from a bucket', () => {
  let test: TestApp
  beforeAll(async () => {
    const buckets = await startBuckets()
    const bucket = await buckets.fresh()
    const env = buckets.radosgw.env(bucket.name)
    for (const [name, value] of Object.entries(env)) if (name.startsWith('AWS_')) vi.stubEnv(name, value)
    test = await freshApp({ env: { ...env, REQUESTS_PER_MINUTE: '1000000' } })
    await test.app.listen({ port: 0, host: '127.0.0.1' })
  }, 300_000)

  async function scene() {
    const reader = await enter(test, 'investor')
    const project = (await makeProject(test.db, { members: [reader.id] })).id
    const { Budget } = await foldersByName(test.db, project)
    const put = (name: string, bytes: Buffer) => makeFile(test, Budget!, { name, bytes })
    return { reader, project, folder: Budget!, put, url: fileUrls.zip({ project }) }
  }

  it(
    'an archive from a bucket that breaks off ten times is complete in the end',
    { timeout: 10 * 60_000 },
    async () => {
      const { reader, put, url } = await scene()
      const chance = chanceOf(11)
      for (let file = 0; file < 40; file++)
        await put(`Bilag ${file}.bin`, randomBytes(chance.number(400_000)))
      await put('Stor.bin', randomBytes(30_000_000))
      const whole = await buffer(await connect(test, reader, url))
      expect(readZip(whole)).toHaveLength(41)
      let [got, etag] = [Buffer.alloc(0), '']
      for (let breaks = 0; breaks <= 10; breaks++) {
        const range = { range: `bytes=${got.length}-`, 'if-range': etag }
        const response = await connect(test, reader, url, got.length > 0 ? range : {})
        etag = String(response.headers.etag)
        const most = breaks === 10 ? Infinity : chance.number((whole.length - got.length) / 4)
        const chunks: Buffer[] = [got]
        let length = 0
        for await (const chunk of response as AsyncIterable<Buffer>) {
          chunks.push(chunk)
          length += chunk.length
          if (length >= most) break
        }
        response.destroy()
        got = Buffer.concat(chunks)
      }
      expect(got.equals(whole)).toBe(true)
    },
  )

  const ENDS: [string, (scene: Awaited<ReturnType<typeof makeLong>>) => Promise<unknown>][] = [
    ['a session', ({ reader }) => reader.visitor.post(urls.logout, {}, { script: true })],
    [
      'a right',
      ({ reader }) => sql`delete from project_members where user_id = ${reader.id}`.execute(test.db),
    ],
    ['a file', ({ last }) => sql`update files set deleted_at = now() where id = ${last}`.execute(test.db)],
  ]

  async function makeLong() {
    const made = await scene()
    for (let file = 0; file < 4; file++) await made.put(`Stor ${file}.bin`, randomBytes(8_000_000))
    return { ...made, last: (await made.put('Sidst.pdf', Buffer.from('hemmelig'))).id }
  }

  it.each(ENDS)(
    'an archive from a bucket breaks off when %s ends in the middle',
    { timeout: 10 * 60_000 },
    async (_what, end) => {
      const made = await makeLong()
      const response = await connect(test, made.reader, made.url)
      expect(response.statusCode).toBe(200)
      await once(response, 'readable')
      await end(made)
      await expect(buffer(response)).rejects.toThrow('aborted')
    },
  )
})
