import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { enter, type Entered } from '../../../test/enter.ts'
import { foldersByName, makeProject } from '../../../test/make.ts'
import { simplePaper } from '../../../test/papers/simple-paper.ts'
import { readHeld, shownAs } from '../../../test/office/read-held.ts'
import type { Project } from '../../projects/project/project.ts'
import { askClamd, NotScanned, scanBytes, ScannerAway } from '../../server/process/clamd.ts'
import { fileUrls, urls } from '../../urls.ts'
import { receiveTemporaryFile } from '../transport/temporary.db.ts'
import { readingText } from '../../releases/held/held.ts'
import { listHeld } from '../../releases/held/list-held.db.ts'
import { scanHeld } from './scan-held.db.ts'

// The harmless string that every scanner finds, made only here: a file with it in would be found on disks.
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE', '!$H+H*'].join('')

/** A text on which the scanner below hangs up, as clamd does on some bytes before its answer has arrived. */
const HANGS_UP = 'a paper that breaks the scanner'

/** Speaks clamd's protocol over a real socket: finds the string above, and refuses more than a megabyte. */
async function startClamd(path: string): Promise<Server> {
  const server = createServer((socket) => {
    let got = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      got = Buffer.concat([got, Buffer.from(piece)])
      if (got.subarray(0, 9).toString() === 'zVERSION\0')
        return socket.end('ClamAV 1.4.3/27654/Tue Nov 17 08:32:14 2026\0')
      const bytes: Buffer[] = []
      for (let at = 10; at + 4 <= got.length;) {
        const length = got.readUInt32BE(at)
        if (length === 0) {
          if (Buffer.concat(bytes).includes(HANGS_UP)) return socket.destroy()
          const isFound = Buffer.concat(bytes).includes(EICAR)
          return socket.end(isFound ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
        }
        if (got.length > 1 << 20) return socket.end('INSTREAM size limit exceeded. ERROR\0')
        bytes.push(got.subarray(at + 4, at + 4 + length))
        at += 4 + length
      }
      return undefined
    })
  })
  server.listen(path)
  await once(server, 'listening')
  return server
}

let test: TestApp
let path: string
let clamd: Server
let office: Entered
let investor: Entered
let project: Project

beforeAll(async () => {
  path = join(await freshDirectory(), 'clamd.ctl')
  clamd = await startClamd(path)
  test = await freshApp({
    hasJobs: false,
    env: { READ_DOCUMENTS: 'true', READ_SCANS: 'false', CLAMD: path, REQUESTS_PER_MINUTE: '100000' },
  })
  office = await enter(test, 'administrator')
  investor = await enter(test, 'investor')
})
afterAll(() => void clamd.close())
beforeEach(async () => {
  project = await makeProject(test.db, { members: [investor.id] })
})

let sent = 0
async function save(more: string): Promise<{ file: number; blob: number; name: string }> {
  const name = `Årsrapport (${project.number}) 2025 ${++sent}.pdf`
  const bytes = Buffer.concat([
    simplePaper([project.name, `Projekt nr. ${project.number}`, `Bilag ${sent}`]),
    Buffer.from(`\n% ${more}\n`),
  ])
  const { hash_name: data } = await receiveTemporaryFile(test, office.id, name, Readable.from([bytes]), 1e8)
  const { Årsrapport: folder } = await foldersByName(test.db, project.id)
  const files = { f0: { name, data, folder_id: folder } }
  const reply = await office.visitor.post(urls.upload, { files }, { script: true })
  expect(reply.statusCode).toBe(200)
  const { rows } = await sql<{ file: number; blob: number }>`
    select id as file, blob_id as blob from files where name = ${name}`.execute(test.db)
  return { ...rows[0]!, name }
}

const isSeen = async (file: number) => {
  const { rows } = await sql<{ path: string }>`
    select key || '/' || name as path from files where id = ${file}`.execute(test.db)
  const reply = await investor.visitor.get(fileUrls.open({ project: project.id }, rows[0]!.path))
  return reply.statusCode === 200
}

const causes = async (blob: number) => {
  const { rows } = await sql<{ cause: string }>`
    select cause from held_papers where blob_id = ${blob} order by cause`.execute(test.db)
  return rows.map(({ cause }) => cause)
}

const scan = async (at = test.config.clamd) => {
  const complaints: unknown[] = []
  await scanHeld(test, at, (about) => void complaints.push(about), new AbortController().signal)
  return complaints
}

describe('with ClamAV', () => {
  it('with ClamAV a paper is shown when it is read and scanned, in either order', async () => {
    const one = await save('')
    const said = async () =>
      readingText(await listHeld(test.db, { id: office.id, role: 'administrator' }, 'all'))
    expect([await causes(one.blob), await said()]).toEqual([
      ['reading', 'scan'],
      '1 papir udgives, når det er læst.',
    ])
    await readHeld(test)
    expect(await said()).toBe('1 papir udgives, når det er scannet for virus.')
    expect([await causes(one.blob), await isSeen(one.file)]).toEqual([['scan'], false])
    expect([await scan(), await isSeen(one.file)]).toEqual([[], true])
    const other = await save('')
    expect([await scan(), await isSeen(other.file)]).toEqual([[], false])
    await readHeld(test)
    expect([await causes(other.blob), await isSeen(other.file)]).toEqual([[], true])
  })

  it('a paper with a virus stays held for good, the office is told, and nobody can accept it', async () => {
    const { file, blob, name } = await save(EICAR)
    await scan()
    await readHeld(test)
    expect([await causes(blob), await isSeen(file)]).toEqual([['virus'], false])
    const { body } = await office.visitor.get(urls.releases)
    expect(body).toContain('Eicar-Test-Signature')
    expect(body).not.toContain('Udgiv alligevel')
    expect((await office.visitor.get(urls.start)).body).toContain('Virusscanneren har fundet noget i én fil')
    const papers = await shownAs(test.db, [blob])
    const accept = await office.visitor.post(urls.acceptPapers, { papers }, { script: true })
    expect([accept.statusCode, await isSeen(file), name]).toEqual([409, false, name])
    const many = { files: [file] }
    await office.visitor.post(fileUrls.many({ project: project.id }, 'delete'), many, { script: true })
    await scan()
    expect((await office.visitor.get(urls.start)).body).not.toContain('Virusscanneren har fundet')
  })

  it('a paper that ClamAV cannot scan waits for a yes, and blocks nobody behind it', async () => {
    const large = await save('x'.repeat(2 << 20))
    const breaking = await save(HANGS_UP)
    const behind = await save('')
    await readHeld(test)
    expect(await scan()).toHaveLength(2)
    expect(await causes(large.blob)).toEqual(['unscanned'])
    expect(await causes(breaking.blob)).toEqual(['unscanned'])
    expect([await isSeen(large.file), await isSeen(breaking.file), await isSeen(behind.file)]).toEqual([
      false,
      false,
      true,
    ])
    const { body } = await office.visitor.get(urls.releases)
    expect(body).toContain('Virusscanneren kunne ikke scanne filen')
    const papers = await shownAs(test.db, [large.blob])
    const accept = await office.visitor.post(urls.acceptPapers, { papers }, { script: true })
    expect([accept.statusCode, await isSeen(large.file)]).toEqual([200, true])
    expect([await causes(breaking.blob), await isSeen(breaking.file)]).toEqual([['unscanned'], false])
  })

  it('accepting what a paper says does not accept a failed scan', async () => {
    const { blob, file } = await save(HANGS_UP)
    await scan()
    const reading = await shownAs(test.db, [blob], 'reading')
    const accept = await office.visitor.post(urls.acceptPapers, { papers: reading }, { script: true })
    expect([accept.statusCode, await causes(blob), await isSeen(file)]).toEqual([200, ['unscanned'], false])
  })

  it('an investor’s paper is hidden from others until it is scanned, and only the office learns of a virus', async () => {
    const adviser = await enter(test, 'adviser')
    await sql`
      insert into lendings (lender_id, adviser_id, is_everything)
      values (${investor.id}, ${adviser.id}, true)`.execute(test.db)
    const send = async (name: string, more: string) => {
      const bytes = Buffer.concat([simplePaper([name]), Buffer.from(`\n% ${more}\n`)])
      const { hash_name: data } = await receiveTemporaryFile(
        test,
        investor.id,
        name,
        Readable.from([bytes]),
        1e8,
      )
      const reply = await investor.visitor.post(
        urls.myFiles,
        { files: { f0: { name, data } } },
        { script: true },
      )
      expect(reply.statusCode).toBe(200)
      const { rows } = await sql<{ path: string }>`
        select key || '/' || name as path from files where name = ${name}`.execute(test.db)
      return rows[0]!.path
    }
    const owner = { user: investor.id }
    const clean = await send('Selvangivelse.pdf', '')
    const bad = await send('Faktura.pdf', EICAR)
    const statuses = async ({ visitor }: Entered) => {
      const replies = [
        await visitor.get(fileUrls.open(owner, clean)),
        await visitor.get(fileUrls.open(owner, bad)),
      ]
      return replies.map((reply) => reply.statusCode)
    }
    expect([await statuses(investor), await statuses(adviser)]).toEqual([
      [404, 404],
      [404, 404],
    ])
    expect((await investor.visitor.get(urls.myFiles)).body).toContain('2 filer scannes for virus')
    expect(await scan()).toEqual([])
    expect([await statuses(investor), await statuses(adviser), await statuses(office)]).toEqual([
      [200, 404],
      [200, 404],
      [200, 200],
    ])
    expect((await investor.visitor.get(urls.myFiles)).body).toContain(
      'fandt noget i én fil. Kontoret ved det.',
    )
    expect((await office.visitor.get(urls.inbox('new'))).body).toContain('Virus fundet')
    expect((await office.visitor.get(urls.user(investor.id))).body).toContain('Virus fundet')
    expect((await office.visitor.get(urls.start)).body).toContain('Virusscanneren har fundet noget i én fil')
    await sql`update files set deleted_at = now() where from_investor`.execute(test.db)
  })

  it('papers wait while ClamAV is away, and are shown when it is back', async () => {
    const { file, blob } = await save('')
    await readHeld(test)
    expect(await scan({ path: `${path}.gone` })).toHaveLength(1)
    expect([await causes(blob), await isSeen(file)]).toEqual([['scan'], false])
    await scan()
    expect(await isSeen(file)).toBe(true)
  })

  it('status shows ClamAV’s version, and the date of its signatures', async () => {
    const { body } = await office.visitor.get(urls.status)
    expect(body).toContain('ClamAV 1.4.3, opdateret')
  })
})

describe('clamd', () => {
  it('clamd answers with its version', async () => {
    expect(await askClamd({ path }, 10_000)).toEqual({
      version: 'ClamAV 1.4.3',
      signaturesAt: new Date('2026-11-17T08:32:14Z'),
    })
  })

  it('clamd gives no verdict on bytes that it refuses', async () => {
    const many = Readable.from([Buffer.alloc(3 << 20), Buffer.alloc(3 << 20)])
    await expect(scanBytes({ path }, many)).rejects.toThrow(NotScanned)
    await expect(scanBytes({ path: `${path}.gone` }, Readable.from([Buffer.from('x')]))).rejects.toThrow(
      ScannerAway,
    )
  })

  it.skipIf(!existsSync(process.env['RINGBIND_TEST_CLAMD'] ?? ''))('works with the real clamd', async () => {
    const real = { path: process.env['RINGBIND_TEST_CLAMD']! }
    expect((await askClamd(real, 10_000)).version).toContain('ClamAV')
    expect(await scanBytes(real, Readable.from([Buffer.from(EICAR)]))).not.toBeNull()
    expect(await scanBytes(real, Readable.from([Buffer.from('Årsrapport')]))).toBeNull()
  })
})
