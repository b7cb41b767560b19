import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, open as openFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { chanceOf } from '../../../test/chance.ts'
import { connectTo, readSome } from '../../../test/connection.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeFile, makeManyFiles, makeProject, makeUserFolder } from '../../../test/make.ts'
import type { Visitor } from '../../../test/visitor.ts'
import { readZip, windowsFault } from '../../../test/formats/zip-reader.ts'
import { fileUrls, urls, zipOf } from '../../urls.ts'

type Person = 'office' | 'auditor' | 'member' | 'outsider'

let test: TestApp
let people: Record<Person, Entered>
let office: Visitor
let project: number
let folders: Record<string, number>

beforeAll(async () => {
  test = await freshApp({ hasJobs: false, env: { REQUESTS_PER_MINUTE: '1000000' } })
  people = {
    office: await enter(test, 'employee'),
    auditor: await enter(test, 'auditor'),
    member: await enter(test, 'investor'),
    outsider: await enter(test, 'investor'),
  }
  office = people.office.visitor
  await test.app.listen({ port: 0, host: '127.0.0.1' })
})

beforeEach(async () => {
  const members = [people.auditor.id, people.member.id]
  project = (await makeProject(test.db, { name: 'K/S Nordhavn', members })).id
  folders = await foldersByName(test.db, project)
})

const put = (folder: string, name: string, bytes: Buffer | string = name) =>
  makeFile(test, folders[folder]!, { name, bytes })

const zipUrl = () => fileUrls.zip({ project })

async function fetchZip(
  visitor: Visitor,
  url: string,
  headers: Record<string, string> = {},
  method: 'GET' | 'HEAD' = 'GET',
) {
  const answer = await visitor.get(url, { headers, method })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload, body: answer.body }
}

const namesIn = (bytes: Buffer) => readZip(bytes).map(({ name }) => name)

/** Returns the names in an archive, or the status of a refusal. */
async function contentsFor(who: Visitor, url: string): Promise<string[] | number> {
  const { status, bytes } = await fetchZip(who, url)
  return status === 200 ? namesIn(bytes) : status
}

describe('an archive', () => {
  it('an archive has the files of a project by folder, and the answer has its length', async () => {
    const bytes = { large: randomBytes(1_300_000), empty: Buffer.alloc(0) }
    await put('Budget', 'Budget.pdf')
    await put('Diverse', 'Æblegrød: "spørgsmål?".pdf', bytes.large)
    await put('Budget', 'tom.txt', bytes.empty)
    await put('Budget', 'BUDGET.pdf', 'en anden')
    const answer = await fetchZip(office, zipUrl())
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(answer.bytes.length),
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-accel-buffering': 'no',
    })
    const read = readZip(answer.bytes)
    expect(read.map(({ name, bytes: { length } }) => [name, length])).toEqual([
      ['Budget/Budget.pdf', 10],
      ['Budget/tom.txt', 0],
      ['Budget/BUDGET (2).pdf', 8],
      ['Diverse/Æblegrød_ _spørgsmål__.pdf', 1_300_000],
    ])
    expect(read[3]!.bytes.equals(bytes.large)).toBe(true)
    for (const { name, isUtf8 } of read) expect([windowsFault(name), isUtf8]).toEqual([null, true])
  })

  it('an archive is named after its content', async () => {
    const number = (
      await test.db
        .selectFrom('projects')
        .select('number')
        .where('id', '=', project)
        .executeTakeFirstOrThrow()
    ).number
    const { id } = await put('Budget', 'Årsbudget 2025.pdf')
    const user = people.member.id
    await makeFile(test, await makeUserFolder(test.db, user), { name: 'Pas.pdf' })
    const { name } = await test.db
      .selectFrom('users')
      .select('name')
      .where('id', '=', user)
      .executeTakeFirstOrThrow()
    for (const [url, called] of [
      [zipUrl(), `K_S Nordhavn ${number}`],
      [zipOf({ project }, { folder: folders.Budget! }), `K_S Nordhavn ${number} Budget`],
      [zipOf({ project }, { year: 2025 }), `K_S Nordhavn ${number} 2025`],
      [zipOf({ project }, { files: [id] }), `K_S Nordhavn ${number} udvalg`],
      [fileUrls.zip({ user }), `Filer ${name}`],
    ] as const) {
      const { headers } = await fetchZip(office, url, {}, 'HEAD')
      expect(headers['content-disposition']).toContain(`filename="${called}.zip"`)
    }
  })

  it('an archive of one folder has no directory, and one of a year has the folders’', async () => {
    const [one, two] = [await put('Budget', 'Budget 2025.pdf'), await put('Budget', 'Budget 2024.pdf')]
    const other = await put('Diverse', 'Notat 2025.pdf')
    const found = (part: Parameters<typeof zipOf>[1]) => contentsFor(office, zipOf({ project }, part))
    expect(await found({ folder: folders.Budget! })).toEqual(['Budget 2025.pdf', 'Budget 2024.pdf'])
    expect(await found({ files: [two.id, one.id, two.id] })).toEqual(['Budget 2025.pdf', 'Budget 2024.pdf'])
    expect(await found({ files: [one.id, other.id] })).toEqual([
      'Budget/Budget 2025.pdf',
      'Diverse/Notat 2025.pdf',
    ])
    expect(await found({ year: 2025 })).toEqual(['Budget/Budget 2025.pdf', 'Diverse/Notat 2025.pdf'])
    expect(await found({ year: 2024 })).toEqual(['Budget/Budget 2024.pdf'])
  })

  it('an archive has the same bytes after a folder is sorted, and others after a file is renamed', async () => {
    const { id } = await put('Budget', 'a.pdf')
    await put('Budget', 'b.pdf')
    const tag = async () => (await fetchZip(office, zipUrl(), {}, 'HEAD')).headers.etag
    const before = await tag()
    await office.post(fileUrls.moveDown({ project }, id), {}, { script: true })
    expect(await tag()).toBe(before)
    await sql`update files set name = 'c.pdf' where id = ${id}`.execute(test.db)
    expect(await tag()).not.toBe(before)
  })

  it('an archive has the time of each file, both on the office’s clock and in UTC', async () => {
    const createdAt = new Date('2026-07-01T10:20:30Z')
    await makeFile(test, folders.Budget!, { name: 'a.pdf', createdAt })
    const { bytes } = await fetchZip(office, zipUrl())
    expect(readZip(bytes)[0]!.modified).toBe(createdAt.getTime() / 1000)
    expect(bytes.readUInt16LE(10)).toBe((12 << 11) | (20 << 5) | 15) // 12:20:30 in Denmark
  })
})

describe('who gets what', () => {
  it('an archive has what its reader sees, and nothing reveals the rest', async () => {
    const shared = await put('Budget', 'delt.pdf')
    const hidden = await put('Diverse', 'skjult.pdf')
    const held = await makeFile(test, folders.Budget!, { name: 'kladde.pdf', isHeldBack: true })
    const gone = await put('Budget', 'slettet.pdf')
    await sql`update files set deleted_at = now() where id = ${gone.id}`.execute(test.db)
    const of = (who: Person, url: string) => contentsFor(people[who].visitor, url)
    const pick = (...files: { id: number }[]) => zipOf({ project }, { files: files.map(({ id }) => id) })
    const both = ['Budget/delt.pdf', 'Diverse/skjult.pdf']
    expect(await of('office', zipUrl())).toEqual([
      'Budget/delt.pdf',
      'Budget/kladde.pdf',
      'Diverse/skjult.pdf',
    ])
    expect(await of('auditor', zipUrl())).toEqual(both)
    expect(await of('member', zipUrl())).toEqual(['Budget/delt.pdf'])
    expect(await of('outsider', zipUrl())).toBe(404)
    expect(await of('auditor', pick(shared, hidden))).toEqual(both)
    expect(await of('member', pick(shared, hidden))).toBe(404)
    expect(await of('member', pick(shared, held))).toBe(404)
    expect(await of('office', pick(shared, gone))).toBe(404)
    expect(await of('member', zipOf({ project }, { folder: folders.Diverse! }))).toBe(404)
    const [hiddenFolder, noFolder] = [folders.Diverse!, 999_999].map((folder) =>
      zipOf({ project }, { folder }),
    )
    const texts = await Promise.all(
      [hiddenFolder!, noFolder!].map(async (url) => (await people.member.visitor.get(url)).body),
    )
    const plain = (text: string) => text.replace(/[\da-f]{12}|"token":"[^"]*"|folder=\d+/g, '')
    expect(plain(texts[0]!)).toBe(plain(texts[1]!))
  })

  it('only the person and the office get an archive of a person’s files', async () => {
    const user = people.outsider.id
    const { id } = await makeFile(test, await makeUserFolder(test.db, user), { name: 'Pas.pdf' })
    const url = fileUrls.zip({ user })
    expect(await contentsFor(people.outsider.visitor, url)).toEqual(['Pas.pdf'])
    expect(await contentsFor(office, url)).toEqual(['Pas.pdf'])
    expect(await contentsFor(people.member.visitor, url)).toBe(404)
    expect(await contentsFor(people.auditor.visitor, url)).toBe(403)
    expect(await contentsFor(office, zipOf({ project }, { files: [id] }))).toBe(404)
  })

  it('an empty archive is a page that says so', async () => {
    for (const part of [{ year: 1999 }, { folder: folders.Budget! }]) {
      const { status, body, headers } = await fetchZip(office, zipOf({ project }, part))
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('Der er ingen filer at hente')
    }
  })

  it.each([
    ['files=', 404],
    ['files=x', 404],
    ['files=1,,2', 404],
    ['files=0', 404],
    ['files=1&files=2', 404],
    ['folder=1&year=2025', 404],
    ['year=25', 404],
    ['selection=x', 404],
    ['selection=00000000-0000-0000-0000-000000000000', 404],
    ['andet=1', 404],
    [`files=${Array.from({ length: 501 }, (_, index) => index + 1).join(',')}`, 422],
  ])('answers an archive for ?%s with %i', async (query, status) => {
    expect((await office.get(`${zipUrl()}?${query}`)).statusCode).toBe(status)
  })
})

describe('a selection of many', () => {
  it('stores a selection of many files for its person, and answers its address', async () => {
    const [one, two] = [await put('Budget', 'a.pdf'), await put('Diverse', 'b.pdf')]
    const files = [one.id, two.id]
    const kept = await office.post(zipUrl(), { files }, { script: true })
    const { redirect } = kept.json<{ redirect: string }>()
    expect(redirect).toMatch(/\/zip\?selection=[\da-f-]{36}$/)
    expect(await contentsFor(office, redirect)).toEqual(['Budget/a.pdf', 'Diverse/b.pdf'])
    expect(await contentsFor(people.auditor.visitor, redirect)).toBe(404)
    const plain = await office.post(zipUrl(), { files: `${one.id}` })
    expect([plain.statusCode, plain.headers.location]).toEqual([303, expect.stringContaining('?selection=')])
    expect(await contentsFor(office, String(plain.headers.location))).toEqual(['a.pdf'])
    await sql`update files set deleted_at = now() where id = ${two.id}`.execute(test.db)
    expect(await contentsFor(office, redirect)).toBe(404)
  })

  it.each([
    [{}, 422],
    [{ files: [] }, 422],
    [{ files: ['x'] }, 422],
    [{ files: [1.5] }, 422],
    [{ files: [[1]] }, 422],
    [{ files: 'abc' }, 422],
    [{ files: [999_999] }, 404],
  ])('answers the selection %j with %i', async (fields, status) => {
    expect((await office.post(zipUrl(), fields, { script: true })).statusCode).toBe(status)
  })

  it('a selection has at most 20,000 files', async () => {
    const ids = (many: number) => Array.from({ length: many }, (_, index) => 1_000_000 + index)
    expect((await office.post(zipUrl(), { files: ids(20_000) }, { script: true })).statusCode).toBe(404)
    expect((await office.post(zipUrl(), { files: ids(20_001) }, { script: true })).statusCode).toBe(422)
  })

  it('refuses to store a selection of files that the person does not see', async () => {
    const { id } = await put('Diverse', 'skjult.pdf')
    const { visitor } = people.member
    expect((await visitor.post(zipUrl(), { files: [id] }, { script: true })).statusCode).toBe(404)
  })

  it('keeps the newest twenty selections of each person', async () => {
    const { id } = await put('Budget', 'a.pdf')
    for (let round = 0; round < 25; round++) await office.post(zipUrl(), { files: [id] }, { script: true })
    const { rows } = await sql`select from zip_selections where user_id = ${people.office.id}`.execute(
      test.db,
    )
    expect(rows).toHaveLength(20)
  })
})

describe('parts of an archive', () => {
  async function stored() {
    await put('Budget', 'a.pdf', randomBytes(90_000))
    await put('Diverse', 'b.pdf', randomBytes(600_000))
    const { bytes, headers } = await fetchZip(office, zipUrl())
    return { whole: bytes, etag: headers.etag as string }
  }

  it('sends the requested parts of an archive', async () => {
    const { whole, etag } = await stored()
    const [size, last] = [whole.length, whole.length - 1]
    for (const [range, first, end] of [
      ['bytes=0-0', 0, 0],
      [`bytes=100-${last}`, 100, last],
      ['bytes=500000-', 500_000, last],
      ['bytes=-50', size - 50, last],
      [`bytes=10-${size * 2}`, 10, last],
    ] as const) {
      const part = await fetchZip(office, zipUrl(), { range, 'if-range': etag })
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${first}-${end}/${size}`])
      expect(part.headers['content-length']).toBe(String(end - first + 1))
      expect(part.bytes.equals(whole.subarray(first, end + 1))).toBe(true)
    }
  })

  it('sends the whole archive if it has changed, and 304 if it has not', async () => {
    const { whole, etag } = await stored()
    const asked = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
      fetchZip(office, zipUrl(), headers, method)
    const other = await asked({ range: 'bytes=5-', 'if-range': '"11111111-1111-1111-1111-111111111111"' })
    expect([other.status, other.bytes.equals(whole)]).toEqual([200, true])
    expect((await asked({ 'if-none-match': etag })).status).toBe(304)
    expect((await asked({ 'if-match': '"x"' })).status).toBe(412)
    const beyond = await asked({ range: `bytes=${whole.length}-` })
    expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${whole.length}`])
    const head = await asked({}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      String(whole.length),
      0,
    ])
  })
})

const connect = (visitor: Visitor, url: string, headers?: Record<string, string>) =>
  connectTo(test.app, visitor, url, headers)

/** Reads to the end, which must be an error: less than was announced. */
async function readBroken(response: IncomingMessage): Promise<number> {
  let length = 0
  await expect(
    (async () => {
      for await (const chunk of response as AsyncIterable<Buffer>) length += chunk.length
    })(),
  ).rejects.toThrow('aborted')
  expect(length).toBeLessThan(Number(response.headers['content-length']))
  return length
}

describe('a download that breaks off', () => {
  it('a download that breaks off ten times and resumes is complete in the end', async () => {
    const chance = chanceOf(7)
    for (let file = 0; file < 30; file++)
      await put(chance.of(['Budget', 'Diverse']), `Bilag ${file}.bin`, randomBytes(chance.number(300_000)))
    await put('Budget', 'Stor.bin', randomBytes(24_000_000))
    const { bytes: whole } = await fetchZip(office, zipUrl())
    let got = Buffer.alloc(0)
    let etag = ''
    for (let breaks = 0; breaks < 10; breaks++) {
      const range = { range: `bytes=${got.length}-`, 'if-range': etag }
      const response = await connect(office, zipUrl(), got.length > 0 ? range : {})
      expect(response.statusCode).toBe(got.length > 0 ? 206 : 200)
      etag = String(response.headers.etag)
      got = Buffer.concat([got, await readSome(response, chance.number((whole.length - got.length) / 4))])
      // What comes in between does not begin the archive again.
      if (breaks === 4) await put('Budget', 'Ny.pdf')
    }
    expect(got.length).toBeLessThan(whole.length)
    const rest = await connect(office, zipUrl(), { range: `bytes=${got.length}-`, 'if-range': etag })
    got = Buffer.concat([got, await readSome(rest)])
    expect(got.equals(whole)).toBe(true)
    expect(namesIn((await fetchZip(office, zipUrl())).bytes)).toContain('Budget/Ny.pdf')
  })

  it('a download starts again if one of its files is deleted meanwhile', async () => {
    const { id } = await put('Budget', 'a.pdf')
    await put('Budget', 'Stor.bin', randomBytes(20_000_000))
    const begun = await connect(office, zipUrl())
    const [etag, got] = [String(begun.headers.etag), await readSome(begun, 1000)]
    await sql`update files set deleted_at = now() where id = ${id}`.execute(test.db)
    const next = await connect(office, zipUrl(), { range: `bytes=${got.length}-`, 'if-range': etag })
    expect(next.statusCode).toBe(200)
    expect(namesIn(await readSome(next))).toEqual(['Budget/Stor.bin'])
  })
})

describe('a download whose right ends midway', () => {
  const run = (statement: ReturnType<typeof sql>) => statement.execute(test.db)
  const ENDS: [string, (file: number, reader: Entered) => Promise<unknown>][] = [
    ['the session', (_file, { visitor }) => visitor.post(urls.logout, {}, { script: true })],
    ['the membership', (_file, { id }) => run(sql`delete from project_members where user_id = ${id}`)],
    [
      'the person’s access',
      (_file, { id }) => run(sql`update users set deactivated_at = now() where id = ${id}`),
    ],
    ['the person’s role', (_file, { id }) => run(sql`update users set role = 'auditor' where id = ${id}`)],
    [
      'the sharing of the folder',
      () => run(sql`update folders set visible_to_investors = false where id = ${folders.Budget!}`),
    ],
    [
      'a file that is not sent yet, deleted,',
      (file) => run(sql`update files set deleted_at = now() where id = ${file}`),
    ],
    [
      'a file that is not sent yet, moved,',
      (file) => run(sql`update files set folder_id = ${folders.Lejekontrakter!} where id = ${file}`),
    ],
    [
      'a file that is not sent yet, recalled,',
      (file) => run(sql`update files set is_held_back = true where id = ${file}`),
    ],
  ]

  it.each(ENDS)(
    'a download breaks off when this ends, and never looks complete: %s',
    { timeout: 120_000 },
    async (what, end) => {
      const reader = await enter(test, 'investor')
      const isOwn = what === 'the person’s role'
      await sql`insert into project_members (project_id, user_id) values (${project}, ${reader.id})`.execute(
        test.db,
      )
      const folder = isOwn ? await makeUserFolder(test.db, reader.id) : folders.Budget!
      const store = (name: string, bytes: Buffer) => makeFile(test, folder, { name, bytes })
      const url = isOwn ? fileUrls.zip({ user: reader.id }) : zipUrl()
      // More than the connection takes before anybody reads it.
      for (let file = 0; file < 4; file++) await store(`Stor ${file}.bin`, randomBytes(6_000_000))
      const { id } = await store('Sidst.pdf', Buffer.from('hemmelig'))
      const before = test.logged().length
      const response = await connect(reader.visitor, url)
      expect(response.statusCode).toBe(200)
      await once(response, 'readable')
      await end(id, reader)
      const length = await readBroken(response)
      // What is sent after the end is bounded: the archive waits for its next check after a pause, or asks each second.
      expect(length).toBeGreaterThan(0)
      expect(test.logged().slice(before)).toContain('may no longer have every file of the archive')
    },
  )

  it('a download breaks off at missing bytes too, and the office is told', { timeout: 60_000 }, async () => {
    await put('Budget', 'Stor.bin', randomBytes(3_000_000))
    const { id } = await put('Budget', 'Lille.pdf', randomBytes(1000))
    const { key, blob } = await test.db
      .selectFrom('files')
      .innerJoin('blobs', 'blobs.id', 'files.blob_id')
      .select(['blobs.key', 'blobs.id as blob'])
      .where('files.id', '=', id)
      .executeTakeFirstOrThrow()
    const path = join(test.config.dataDir, 'files', key.slice(0, 2), key.slice(2))
    await chmod(path, 0o600)
    await using handle = await openFile(path, 'r+')
    await handle.write(Buffer.from('X'), 0, 1, 10)
    await readBroken(await connect(office, zipUrl()))
    await expect
      .poll(
        async () =>
          (await sql`select from damaged_blobs where blob_id = ${blob}`.execute(test.db)).rows.length,
      )
      .toBe(1)
    const again = await fetchZip(office, zipUrl())
    expect([again.status, again.body.includes('Lille.pdf'), again.body.includes('beskadiget')]).toEqual([
      500,
      true,
      true,
    ])
    await sql`delete from damaged_blobs`.execute(test.db)
  })
})

describe('the record of a download', () => {
  const logged = async (who: Entered) =>
    (
      await sql<{ file_id: number; folder_id: number; project_id: number; act: string }>`
        select file_id, folder_id, project_id, act from log
        where user_id = ${who.id} and project_id = ${project} order by file_id`.execute(test.db)
    ).rows
  const read = async (who: Entered) =>
    (
      await sql<{ file_id: number }>`
        select file_id from file_reads join files on files.id = file_id join folders on folders.id = folder_id
        where file_reads.user_id = ${who.id} and project_id = ${project} order by file_id`.execute(test.db)
    ).rows.map(({ file_id: id }) => id)

  it('records each file once, as downloaded and read', async () => {
    const files = [
      await put('Budget', 'a.pdf'),
      await put('Budget', 'b.pdf', ''),
      await put('Lejekontrakter', 'c.pdf'),
    ]
    const ids = files.map(({ id }) => id)
    const who = people.member
    await fetchZip(who.visitor, zipUrl(), {}, 'HEAD')
    await fetchZip(who.visitor, zipUrl(), { 'if-none-match': '*' })
    expect([await logged(who), await read(who)]).toEqual([[], []])
    await fetchZip(who.visitor, zipUrl())
    await fetchZip(who.visitor, zipUrl(), { range: 'bytes=100-' })
    expect(await logged(who)).toEqual(
      ids.map((id, index) => ({
        file_id: id,
        folder_id: index < 2 ? folders.Budget : folders.Lejekontrakter,
        project_id: project,
        act: 'file-downloaded',
      })),
    )
    expect(await read(who)).toEqual(ids)
  })

  it('records only what was sent', { timeout: 60_000 }, async () => {
    const first = await put('Budget', 'a.bin', randomBytes(16_000_000))
    for (let count = 0; count < 3; count++) await put('Budget', `b${count}.bin`, randomBytes(16_000_000))
    const last = await put('Budget', 'c.pdf')
    const who = people.member
    await readSome(await connect(who.visitor, zipUrl()), 1000)
    await expect.poll(() => read(who)).toContain(first.id)
    expect(await read(who)).not.toContain(last.id)
    expect((await logged(who)).map(({ file_id: id }) => id)).toEqual(await read(who))
    await fetchZip(who.visitor, zipUrl(), { range: 'bytes=-700' })
    expect(await read(who)).toContain(last.id)
  })
})

describe('files stored before they had a CRC-32', () => {
  const forget = () => sql`update blobs set crc32 = null`.execute(test.db)

  it('reads a few files without a CRC-32 at once', async () => {
    await put('Budget', 'a.pdf')
    await put('Budget', 'b.pdf', randomBytes(2_000_000))
    const { headers } = await fetchZip(office, zipUrl())
    await forget()
    const answer = await fetchZip(office, zipUrl())
    expect([answer.status, answer.headers.etag]).toEqual([200, headers.etag])
    expect(namesIn(answer.bytes)).toEqual(['Budget/a.pdf', 'Budget/b.pdf'])
    const { rows } = await sql`
      select from blobs join files on blob_id = blobs.id where crc32 is null and folder_id = ${folders.Budget!}`.execute(
      test.db,
    )
    expect(rows).toEqual([])
  })

  it('leaves many files without a CRC-32 to a job, and tells the person', { timeout: 60_000 }, async () => {
    const busy = await freshApp({ jobsEverySeconds: 0.5 })
    const { visitor } = await enter(busy, 'employee')
    const owner = { project: (await makeProject(busy.db)).id }
    const { Budget: folder } = await foldersByName(busy.db, owner.project)
    for (let count = 0; count < 201; count++) await makeFile(busy, folder!)
    await sql`update blobs set crc32 = null`.execute(busy.db)
    const { status, body, headers } = await fetchZip(visitor, fileUrls.zip(owner))
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([
      503,
      '30',
      'text/html; charset=utf-8',
    ])
    expect(body).toContain('ZIP-filen gøres klar')
    await expect
      .poll(async () => (await fetchZip(visitor, fileUrls.zip(owner), {}, 'HEAD')).status, {
        timeout: 50_000,
      })
      .toBe(200)
    const archive = await fetchZip(visitor, fileUrls.zip(owner))
    expect(readZip(archive.bytes)).toHaveLength(201)
  })

  it('names files without a CRC-32 whose bytes are gone', async () => {
    await makeManyFiles(test.db, folders.Budget!, 1)
    const { status, body } = await fetchZip(office, zipUrl())
    expect([status, body.includes('Bilag 1.pdf')]).toEqual([500, true])
    await sql`delete from damaged_blobs`.execute(test.db)
  })
})

it(
  'sends at most four archives to a person at a time, and says so at the fifth',
  { timeout: 60_000 },
  async () => {
    for (let count = 0; count < 2; count++) await put('Budget', `${count}.bin`, randomBytes(16_000_000))
    const running = await Promise.all([1, 2, 3, 4].map(() => connect(office, zipUrl())))
    const fifth = await fetchZip(office, zipUrl())
    expect([fifth.status, fifth.headers['retry-after'], fifth.headers.etag]).toEqual([429, '30', undefined])
    expect(fifth.body).toContain('Vent, til en af dem er hentet.')
    expect((await fetchZip(people.member.visitor, zipUrl())).status).toBe(200)
    running.forEach((response) => response.destroy())
    await expect.poll(async () => (await fetchZip(office, zipUrl())).status).toBe(200)
  },
)
