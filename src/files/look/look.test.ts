import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { freshDirectory } from '../../../test/directory.ts'
import { writePdf } from '../../../test/files/pdf.ts'
import { makeFile, makeProject, makeUser, makeUserFolder, PASSWORD } from '../../../test/make.ts'
import { startProcess } from '../../../test/start/processes.ts'
import { Visitor } from '../../../test/visitor.ts'
import { purgeBlobs } from '../../server/storage/blobs.db.ts'
import { findPageDrawer } from '../../server/storage/thumbnail.ts'
import { fileUrls } from '../../urls.ts'
import { wayToShow, type LookFacts } from './look.ts'
import { makeThumbnails, wantThumbnails } from './thumbnails.db.ts'

let test: TestApp
let project: number
let folders: { shared: number; hidden: number }
let people: Record<'administrator' | 'employee' | 'auditor' | 'investor' | 'stranger', Visitor>
let investorId: number

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  const make = async (role: 'administrator' | 'employee' | 'auditor' | 'investor', name: string) => {
    const user = await makeUser(test.db, { role, name })
    const visitor = new Visitor(test.app)
    await visitor.signIn(user.email, PASSWORD)
    return { id: user.id, visitor }
  }
  const [administrator, employee, auditor, investor, other, stranger] = await Promise.all([
    make('administrator', 'Anne Administrator'),
    make('employee', 'Else Ansat'),
    make('auditor', 'Rita Revisor'),
    make('investor', 'Åge Investor'),
    make('investor', 'Bo Investor'),
    make('investor', 'Fremmed'),
  ])
  people = {
    administrator: administrator.visitor,
    employee: employee.visitor,
    auditor: auditor.visitor,
    investor: investor.visitor,
    stranger: stranger.visitor,
  }
  investorId = investor.id
  project = (await makeProject(test.db, { members: [auditor.id, investor.id, other.id] })).id
  const { rows } = await sql<{ id: number; shared: boolean }>`
    select id, visible_to_investors as shared from folders where project_id = ${project} order by id`.execute(
    test.db,
  )
  folders = { shared: rows.find(({ shared }) => shared)!.id, hidden: rows.find(({ shared }) => !shared)!.id }
})

const factsOf = async (visitor: Visitor, file: number) =>
  visitor.get(fileUrls.look({ project }, file)).then((answer) => answer.json<LookFacts>())

describe('the facts in the panel', () => {
  it('shows the office who sees the file, who uploaded it, and its history', async () => {
    const { id } = await makeFile(test, folders.shared, { uploadedBy: investorId })
    const { file, office } = await factsOf(people.employee, id)
    expect(file.id).toBe(id)
    expect(file).not.toHaveProperty('sha256')
    expect(office!.uploaded_by).toBe('Åge Investor')
    expect(office!.readers.total).toBe(3)
    expect(office!.readers.first.map(({ name, role }) => `${name}, ${role}`)).toEqual([
      'Bo Investor, investor',
      'Rita Revisor, auditor',
      'Åge Investor, investor',
    ])
    expect(office!.history.map(({ act }) => act)).toEqual(['file-added'])
  })

  it.each([
    { where: 'hidden' as const, isHeldBack: false, readers: ['Rita Revisor'] },
    { where: 'shared' as const, isHeldBack: true, readers: [] },
  ])(
    'names only people who see the file: $where, held back: $isHeldBack',
    async ({ where, isHeldBack, readers }) => {
      const { id } = await makeFile(test, folders[where], { isHeldBack })
      const { office } = await factsOf(people.administrator, id)
      expect(office!.readers.first.map(({ name }) => name)).toEqual(readers)
      expect(office!.readers.total).toBe(readers.length)
    },
  )

  it('shows others the file alone', async () => {
    const { id, name } = await makeFile(test, folders.shared)
    for (const visitor of [people.investor, people.auditor]) {
      const facts = await factsOf(visitor, id)
      expect(facts.office).toBeNull()
      expect(facts.file.name).toBe(name)
    }
  })

  it.each([
    { who: 'stranger' as const, where: 'shared' as const, isHeldBack: false },
    { who: 'investor' as const, where: 'hidden' as const, isHeldBack: false },
    { who: 'investor' as const, where: 'shared' as const, isHeldBack: true },
    { who: 'auditor' as const, where: 'shared' as const, isHeldBack: true },
  ])(
    'answers 404 to a person who does not see the file: $who, $where, held back: $isHeldBack',
    async (given) => {
      const { id } = await makeFile(test, folders[given.where], { isHeldBack: given.isHeldBack })
      const answer = await people[given.who].get(fileUrls.look({ project }, id))
      expect(answer.statusCode).toBe(404)
    },
  )

  it('answers 404 for a deleted file, and for another owner', async () => {
    const { id } = await makeFile(test, folders.shared)
    const elsewhere = await people.administrator.get(fileUrls.look({ user: investorId }, id))
    expect(elsewhere.statusCode).toBe(404)
    await people.administrator.post(fileUrls.file({ project }, id), {}, { method: 'DELETE', script: true })
    const gone = await people.administrator.get(fileUrls.look({ project }, id))
    expect(gone.statusCode).toBe(404)
    expect(gone.json()).toMatchObject({ message: 'Filen findes ikke længere.' })
  })

  it.each([
    ['Årsrapport.pdf', 'application/pdf', 'pdf'],
    ['Foto.jpg', 'image/jpeg', 'picture'],
    ['Referat.txt', 'text/plain', 'text'],
    ['Side.html', 'text/html', null],
    ['Tegning.svg', 'image/svg+xml', null],
    ['Script.js', 'text/plain', null],
    ['Brev.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', null],
  ])('shows %s of the type %s as %s', (name, mime, way) => {
    expect(wayToShow({ name, mime })).toBe(way)
  })
})

describe('a stored file inside a page', () => {
  it.each([
    { name: 'Årsrapport.pdf', bytes: writePdf(), frames: ['SAMEORIGIN', `frame-ancestors 'self'`] },
    { name: 'Referat.txt', bytes: 'Referat', frames: ['SAMEORIGIN', `frame-ancestors 'self'`] },
    { name: 'Side.html', bytes: '<!doctype html><p>Hej', frames: ['DENY', `frame-ancestors 'none'`] },
  ])(
    'only our own pages may frame $name, and only if it cannot run scripts',
    async ({ name, bytes, frames }) => {
      const { path } = await makeFile(test, folders.shared, { name, bytes })
      const opened = await people.investor.get(fileUrls.show({ project }, path))
      expect(opened.headers['x-frame-options']).toBe(frames[0])
      expect(opened.headers['content-security-policy']).toContain(frames[1])
      const downloaded = await people.investor.get(fileUrls.download({ project }, path))
      expect(downloaded.headers['x-frame-options']).toBe('DENY')
      expect(downloaded.headers['content-security-policy']).toContain(`frame-ancestors 'none'`)
    },
  )
})

describe('thumbnails', () => {
  const over = new AbortController().signal
  const make = () => makeThumbnails(test, { signal: over, complain: (about) => complaints.push(about) })
  const complaints: unknown[] = []
  const stateOf = async (file: number) => {
    const { rows } = await sql<{ state: string; tries: number }>`
      select thumbnails.state, tries from thumbnails join files using (blob_id) where files.id = ${file}`.execute(
      test.db,
    )
    return rows[0]
  }
  const photo = () =>
    sharp({ create: { width: 600, height: 400, channels: 3, background: '#a00' } })
      .jpeg()
      .toBuffer()

  it('makes thumbnails of pictures and PDFs, for people who see the file', async () => {
    await sql`delete from thumbnails`.execute(test.db)
    const hidden = await makeFile(test, folders.hidden, { name: 'Foto.jpg', bytes: await photo() })
    const pdf = await makeFile(test, folders.shared, { bytes: writePdf() })
    const text = await makeFile(test, folders.shared, { name: 'Referat.txt', bytes: 'Referat' })
    expect(await stateOf(text.id)).toBeUndefined()
    expect(await factsOf(people.employee, hidden.id)).toMatchObject({ has_thumbnail: false })
    await make()
    expect(await factsOf(people.employee, hidden.id)).toMatchObject({ has_thumbnail: true })
    expect((await stateOf(pdf.id))!.state).toBe((await findPageDrawer()) ? 'made' : 'wanted')

    const address = fileUrls.thumbnail({ project }, hidden.id)
    const answer = await people.employee.get(address)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-cache',
    })
    expect((await sharp(answer.rawPayload).metadata()).width).toBe(320)
    const etag = String(answer.headers.etag)
    const again = await people.employee.get(address, { headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
    expect((await people.investor.get(address)).statusCode).toBe(404)
    expect((await people.stranger.get(address)).statusCode).toBe(404)
  })

  it('showing a thumbnail does not count as reading', async () => {
    const { id } = await makeFile(test, folders.shared, { name: 'Foto.jpg', bytes: await photo() })
    await make()
    await people.investor.get(fileUrls.look({ project }, id))
    expect((await people.investor.get(fileUrls.thumbnail({ project }, id))).statusCode).toBe(200)
    const { rows } = await sql`select from file_reads where file_id = ${id}`.execute(test.db)
    expect(rows).toHaveLength(0)
    expect(await factsOf(people.investor, id)).toMatchObject({ file: { is_new: true } })
  })

  it('tries to make a thumbnail twice, then no more', async () => {
    const { id } = await makeFile(test, folders.shared, {
      name: 'Foto.png',
      bytes: (await photo()).subarray(0, 300),
    })
    await make()
    expect(await stateOf(id)).toEqual({ state: 'failed', tries: 2 })
  })

  it('makes a thumbnail again once after its maker was killed', async () => {
    const { id } = await makeFile(test, folders.shared, { name: 'Foto.jpg', bytes: await photo() })
    const kill = (ago: string) =>
      sql`
      update thumbnails set tries = tries + 1, tried_at = now() - ${ago}::interval
      where blob_id = (select blob_id from files where id = ${id})`.execute(test.db)
    await kill('1 second')
    await make()
    expect(await stateOf(id)).toEqual({ state: 'wanted', tries: 1 }) // somebody may be at it
    await kill('1 hour')
    await make()
    expect(await stateOf(id)).toEqual({ state: 'wanted', tries: 2 }) // it has brought down two
    await sql`update thumbnails set tries = 1 where blob_id = (select blob_id from files where id = ${id})`.execute(
      test.db,
    )
    await make()
    expect(await stateOf(id)).toEqual({ state: 'made', tries: 2 })
  })

  it('a killed Ringbind leaves no bytes of thumbnails without a row, and makes them later', async () => {
    await sql`delete from thumbnails`.execute(test.db)
    const { id } = await makeFile(test, folders.shared, { bytes: writePdf() })
    // Draws its page only when it may.
    const directory = await freshDirectory()
    const picture = join(directory, 'page.jpg')
    const drawer = join(directory, 'pdftoppm')
    await writeFile(drawer, `#!/bin/sh\nwhile [ ! -e ${picture} ]; do sleep 0.1; done; cat ${picture}\n`, {
      mode: 0o755,
    })
    vi.stubEnv('PATH', `${directory}:${process.env.PATH}`)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(test.db)
    const { ended, child, output } = startProcess(
      {
        DATA_DIR: test.config.dataDir,
        PGHOST: inject('socket'),
        PGUSER: 'ringbind',
        PGDATABASE: rows[0]!.name,
      },
      { args: ['test/formats/thumbnail-maker.ts'] },
    )
    await expect.poll(() => stateOf(id), { timeout: 60_000 }).toEqual({ state: 'wanted', tries: 1 })
    child.kill('SIGKILL')
    expect([await ended, output()]).toEqual(['SIGKILL', ''])
    const made = await sql`select from thumbnails where webp is not null`.execute(test.db)
    expect(made.rows).toHaveLength(0)

    await writeFile(picture, await photo())
    await sql`update thumbnails set tried_at = now() - interval '1 hour'`.execute(test.db)
    await make()
    expect(await stateOf(id)).toEqual({ state: 'made', tries: 2 })
    vi.unstubAllEnvs()
  })

  it('does not blame the file for a thumbnail that failed because the storage was down', async () => {
    const { id } = await makeFile(test, folders.shared, { name: 'Foto.jpg', bytes: await photo() })
    const away = { ...test, storage: { open: () => Promise.reject(new Error('away')) } as never }
    await makeThumbnails(away, { signal: over, complain: (about) => complaints.push(about) })
    expect(await stateOf(id)).toEqual({ state: 'wanted', tries: 0 })
    expect(complaints).toHaveLength(1)
  })

  it('makes thumbnails again after a restore, and removes them with the bytes', async () => {
    const folder = await makeUserFolder(test.db, investorId)
    const { id: other } = await makeFile(test, folder, { name: 'Andet.jpg', bytes: await photo() })
    const { id } = await makeFile(test, folder, { name: 'Foto.jpg', bytes: await photo() })
    await sql`delete from thumbnails`.execute(test.db)
    await wantThumbnails(test.db, over, 1) // one file at a time
    await make()
    for (const each of [other, id]) expect(await stateOf(each)).toEqual({ state: 'made', tries: 1 })
    const { rows } = await sql<{
      blob_id: number
    }>`delete from files where id = ${id} returning blob_id`.execute(test.db)
    await sql`update blobs set state = 'removing' where id = ${rows[0]!.blob_id}`.execute(test.db)
    await purgeBlobs(test.db, test.storage)
    const left = await sql`select from thumbnails where blob_id = ${rows[0]!.blob_id}`.execute(test.db)
    expect(left.rows).toHaveLength(0)
  })
})
