import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { writeWord } from '../../test/files/office-documents.ts'
import { writePdf } from '../../test/files/pdf.ts'
import { countWords, LETTER, scannedLetter } from '../../test/files/scans.ts'
import { makeFile, makeProject, makeUser } from '../../test/make.ts'
import { findScanner, type Scanner } from '../server/reading/read-scan.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { purgeBlobs, removeBlob } from '../server/storage/blobs.db.ts'
import { addPageTexts, listPageTexts } from './page-texts.db.ts'
import { readTexts } from './read-texts.db.ts'
import { scanNext } from './scan-pages.db.ts'
import { restWhileReceiving, wantTexts } from './texts.db.ts'

const scanner = await findScanner()
const over = new AbortController().signal

let test: TestApp
let folder: number
let complaints: unknown[] = []

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  const project = await makeProject(test.db)
  const { rows } = await sql<{ id: number }>`
    select id from folders where project_id = ${project.id} order by id limit 1`.execute(test.db)
  folder = rows[0]!.id
})

beforeEach(async () => {
  complaints = []
  await sql`delete from texts`.execute(test.db)
})

const read = (by: Scanner | null = null, place: Pick<TestApp, 'db' | 'storage'> = test) =>
  readTexts(place, {
    signal: over,
    complain: (about) => complaints.push(about),
    findScanner: () => Promise.resolve(by),
  })

type Row = {
  kind: string
  state: string
  tries: number
  reason: string | null
  pages: number | null
  is_scan_wanted: boolean
  scanned_to: number
}

async function textOf(file: number): Promise<(Row & { read: string[] }) | undefined> {
  const { rows } = await sql<Row & { id: number }>`
    select texts.id, texts.kind, texts.state, tries, reason, pages, is_scan_wanted, scanned_to from files join blobs on blobs.id = files.blob_id join texts on texts.sha256 = blobs.sha256
    where files.id = ${file}`.execute(test.db)
  if (!rows[0]) return undefined
  const { id, ...row } = rows[0]
  const pages = (await listPageTexts(test.db, [id], 1000)).get(id) ?? []
  return { ...row, read: pages.map(({ page, text }) => `${page}: ${text}`) }
}

const dropFile = async (file: number) => {
  const { rows } = await sql<{ blob_id: number }>`
    delete from files where id = ${file} returning blob_id`.execute(test.db)
  return rows[0]!.blob_id
}

describe('the text of a file', () => {
  it.each([
    { name: 'Årsrapport.pdf', bytes: writePdf(), kind: 'pdf' },
    { name: 'Brev.docx', bytes: writeWord(['Kære alle']), kind: 'word' },
    { name: 'Referat.txt', bytes: 'Referat', kind: 'text' },
    { name: 'Referat.txt', bytes: Buffer.from('Referat \xe6', 'latin1'), kind: 'text' },
    { name: 'Brev.eml', bytes: 'Subject: Hej\n\nKære alle', kind: 'mail' },
    { name: 'Program.bin', bytes: Buffer.from([0, 1, 2, 3]), kind: undefined },
    { name: 'Pakke.zip', bytes: Buffer.from('PK\x05\x06'.padEnd(22, '\0')), kind: undefined },
  ])('stores a text as wanted of kind $kind: $name', async ({ name, bytes, kind }) => {
    const { id } = await makeFile(test, folder, { name, bytes })
    expect((await textOf(id))?.kind).toBe(kind)
    if (kind) expect(await textOf(id)).toMatchObject({ state: 'wanted', tries: 0, read: [] })
  })

  it('a text is read page by page, and pages without text have no row', async () => {
    const pdf = await makeFile(test, folder, { bytes: writePdf({ pages: 2 }) })
    const text = await makeFile(test, folder, { name: 'Notat.txt', bytes: 'en\f\ftre' })
    const empty = await makeFile(test, folder, { bytes: writePdf({ content: '' }) })
    expect(await read()).toBe(3)
    expect(await textOf(pdf.id)).toMatchObject({
      state: 'read',
      pages: 2,
      reason: null,
      is_scan_wanted: false,
      read: ['1: Aarsrapport', '2: Aarsrapport'],
    })
    expect(await textOf(text.id)).toMatchObject({ read: ['1: en', '3: tre'] })
    expect(await textOf(empty.id)).toMatchObject({
      state: 'read',
      pages: 1,
      is_scan_wanted: true,
      read: [],
    })
  })

  it('files with the same bytes share one text, which is deleted with the last of them', async () => {
    const bytes = 'Samme bytes'
    const first = await makeFile(test, folder, { name: 'En.txt', bytes })
    const second = await makeFile(test, folder, { name: 'To.txt', bytes })
    expect(await read()).toBe(1)
    const count = async () => (await sql`select from texts`.execute(test.db)).rows.length
    await removeBlob(test.db, test.storage, await dropFile(first.id))
    expect([await count(), (await textOf(second.id))?.read]).toEqual([1, ['1: Samme bytes']])
    await sql`update blobs set state = 'removing' where id = ${await dropFile(second.id)}`.execute(test.db)
    await purgeBlobs(test.db, test.storage)
    expect(await count()).toBe(0)
    expect((await sql`select from page_texts`.execute(test.db)).rows).toHaveLength(0)
  })

  it('a text stays if the same bytes come while the last of them go', async () => {
    const bytes = 'De samme bytes kommer og går'
    const { id } = await makeFile(test, folder, { name: 'En.txt', bytes })
    const gone = await dropFile(id)
    const next = await makeFile(test, folder, { name: 'To.bin', bytes: Buffer.from([0, 1]) })
    const { removal } = await test.db.transaction().execute(async (trx) => {
      // The upload has begun, and is not done yet.
      await sql`
        with same as (insert into blobs (key, state, size, sha256, type)
          select md5('to'), 'stored', size, sha256, type from blobs where id = ${gone} returning id)
        update files set blob_id = same.id, name = 'To.txt' from same where files.id = ${next.id}`.execute(
        trx,
      )
      const waiting = sql`delete from blobs where id = ${gone}`.execute(test.db)
      await expect
        .poll(async () => {
          const { rows } = await sql`
            select from pg_stat_activity where wait_event_type = 'Lock' and query like 'delete from blobs%'
              and datname = current_database()`.execute(test.db)
          return rows.length
        })
        .toBe(1)
      return { removal: waiting }
    })
    await removal
    expect(await textOf(next.id)).toMatchObject({ state: 'wanted' })
  })

  it('a new version’s bytes are read', async () => {
    const { id } = await makeFile(test, folder, { name: 'Notat.txt', bytes: 'Første udgave' })
    const other = await makeFile(test, folder, { name: 'Andet.txt', bytes: 'Anden udgave' })
    const blob = await dropFile(other.id)
    await sql`delete from texts`.execute(test.db)
    await sql`update files set blob_id = ${blob} where id = ${id}`.execute(test.db)
    await read()
    expect((await textOf(id))?.read).toEqual(['1: Anden udgave'])
  })

  it('a text is read again after a restore', async () => {
    const { id } = await makeFile(test, folder, { name: 'Notat.txt', bytes: 'Efter en gendannelse' })
    await sql`delete from texts`.execute(test.db)
    await wantTexts(test.db, over)
    await wantTexts(test.db, over)
    expect(await textOf(id)).toMatchObject({ state: 'wanted', tries: 0 })
  })

  it('many files with the same bytes are read once', async () => {
    const { rows } =
      await sql`select want_texts(array_agg(blob_id), array_agg(name::text)) from files`.execute(test.db)
    expect(rows).toHaveLength(1)
  })
})

describe('what cannot be read', () => {
  it('a file that cannot be read is tried twice, its reason is stored, and the others are read', async () => {
    const before = await makeFile(test, folder, { name: 'Før.txt', bytes: 'Før' })
    const broken = await makeFile(test, folder, { bytes: '%PDF-1.7 og så ikke mere, i to forsøg' })
    const after = await makeFile(test, folder, { name: 'Efter.txt', bytes: 'Efter' })
    expect(await read()).toBe(2)
    expect(await textOf(broken.id)).toMatchObject({
      state: 'failed',
      tries: 2,
      reason: 'Filen er beskadiget.',
    })
    for (const { id } of [before, after]) expect((await textOf(id))?.state).toBe('read')
    expect(complaints).toEqual([])
  })

  it('a file is not tried again if that cannot help', async () => {
    const { id } = await makeFile(test, folder, {
      name: 'Låst.docx',
      bytes: Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]),
    })
    await read()
    expect(await textOf(id)).toMatchObject({
      state: 'failed',
      tries: 1,
      reason: 'Filen er låst med en adgangskode.',
    })
  })

  it('a file that is too large is not even opened', async () => {
    const { id } = await makeFile(test, folder, { bytes: '%PDF-1.7 stor' })
    await sql`update blobs set size = 3e8::bigint from files where files.blob_id = blobs.id and files.id = ${id}`.execute(
      test.db,
    )
    await read(null, { ...test, storage: { open: () => Promise.reject(new Error('opened')) } as never })
    expect(await textOf(id)).toMatchObject({ state: 'failed', reason: 'Filen er for stor.' })
  })

  it('reports that the bytes of a file are missing', async () => {
    const { id } = await makeFile(test, folder, { name: 'Væk.txt', bytes: 'Væk' })
    const { rows } = await sql<{ key: string }>`
      select blobs.key from blobs join files on files.blob_id = blobs.id where files.id = ${id}`.execute(
      test.db,
    )
    await test.storage.remove(rows[0]!.key)
    await read()
    expect(await textOf(id)).toMatchObject({ state: 'failed', reason: 'Filens indhold mangler på serveren.' })
  })

  it('a text whose reader was killed is begun again, once', async () => {
    const { id } = await makeFile(test, folder, { name: 'Notat.txt', bytes: 'Dræbt undervejs' })
    const kill = (ago: string) =>
      sql`update texts set tries = tries + 1, tried_at = now() - ${ago}::interval`.execute(test.db)
    await kill('1 second')
    await read()
    expect(await textOf(id)).toMatchObject({ state: 'wanted', tries: 1 }) // somebody may be at it
    await kill('1 hour')
    await read()
    expect(await textOf(id)).toMatchObject({ state: 'wanted', tries: 2 }) // it has brought down two
    await sql`update texts set tries = 1`.execute(test.db)
    await read()
    expect(await textOf(id)).toMatchObject({ state: 'read', tries: 0 })
  })

  it('unavailable storage does not count as a fault of the document', async () => {
    const { id } = await makeFile(test, folder, { name: 'Notat.txt', bytes: 'Lageret er væk' })
    await read(null, { ...test, storage: { open: () => Promise.reject(new Error('away')) } as never })
    expect(await textOf(id)).toMatchObject({ state: 'wanted', tries: 0 })
    expect(complaints).toHaveLength(1)
  })

  it('a text that is being read is unchanged when Ringbind stops', async () => {
    const stop = new AbortController()
    const { id } = await makeFile(test, folder, { name: 'Notat.txt', bytes: 'Stop' })
    const storage = {
      open: (key: string) => {
        stop.abort()
        return test.storage.open(key)
      },
    } as never
    await readTexts(
      { ...test, storage },
      {
        signal: stop.signal,
        complain: (about) => complaints.push(about),
        findScanner: () => Promise.resolve(null),
      },
    )
    expect(await textOf(id)).toMatchObject({ state: 'wanted', tries: 0 })
    expect(complaints).toEqual([])
    expect(await read()).toBe(1)
  })
})

describe('scanned pages', () => {
  it('scans wait where nothing can read them, as pages and as pictures', async () => {
    const pdf = await makeFile(test, folder, { bytes: writePdf({ content: '', pages: 3 }) })
    const photo = await makeFile(test, folder, { name: 'Foto.jpg', bytes: LETTER.png })
    await read()
    for (const { id } of [pdf, photo])
      expect(await textOf(id)).toMatchObject({
        state: 'read',
        is_scan_wanted: true,
        scanned_to: 0,
        read: [],
      })
  })

  it.skipIf(!scanner)(
    'scans are read by tesseract, last of all (skipped without tesseract-ocr-dan)',
    async () => {
      const photo = await makeFile(test, folder, {
        name: 'Brev.png',
        bytes: LETTER.png,
      })
      const text = await makeFile(test, folder, { name: 'Notat.txt', bytes: 'Læses først' })
      await read(scanner)
      expect(await textOf(text.id)).toMatchObject({ state: 'read' })
      const found = await textOf(photo.id)
      expect(found).toMatchObject({ state: 'read', is_scan_wanted: false, scanned_to: 1 })
      expect(countWords(found!.read[0]!)).toBeGreaterThan(5)
    },
  )

  it.skipIf(!scanner?.pageDrawer)(
    'scanned pages of a PDF are read one by one, and only those without text (skipped without tesseract-ocr-dan)',
    async () => {
      const { id } = await makeFile(test, folder, { bytes: await scannedLetter(3) })
      // Pretends that the second has its own text.
      await sql`update texts set state = 'read', pages = 3, is_scan_wanted = true`.execute(test.db)
      const { rows } = await sql<{ id: number }>`select id from texts`.execute(test.db)
      await addPageTexts(test.db, rows[0]!.id, [{ page: 2, text: 'Egen tekst' }])
      expect(await scanNext(test, scanner!, over)).toBe(true)
      const half = await textOf(id)
      expect(half).toMatchObject({ scanned_to: 1, is_scan_wanted: true, tries: 0 })
      expect(half!.read.map((page) => page.slice(0, 2))).toEqual(['1:', '2:'])
      expect(countWords(half!.read[0]!)).toBeGreaterThan(5)
      await read(scanner)
      const whole = await textOf(id)
      expect(whole).toMatchObject({ scanned_to: 3, is_scan_wanted: false, tries: 0 })
      expect(whole!.read[1]).toBe('2: Egen tekst')
      expect(countWords(whole!.read[2]!)).toBeGreaterThan(5)
    },
  )

  it('a scan that crashes its reader twice is skipped, and the next is read', async () => {
    const { id } = await makeFile(test, folder, { bytes: writePdf({ pages: 2, content: '' }) })
    await read()
    await sql`update texts set tries = 2`.execute(test.db)
    const none = { tesseract: '/bin/false', pageDrawer: '/bin/false' }
    expect(await scanNext(test, none, over)).toBe(true)
    expect(await textOf(id)).toMatchObject({ scanned_to: 1, is_scan_wanted: true, tries: 0 })
    expect(await scanNext(test, none, over)).toBe(true)
    expect(await textOf(id)).toMatchObject({ scanned_to: 2, is_scan_wanted: false, tries: 0, read: [] })
    expect(await scanNext(test, none, over)).toBe(false)
  })
})

it('reading pauses while files come in', async () => {
  await sql`update blobs set created_at = now() - interval '1 hour'`.execute(test.db)
  await restWhileReceiving(test.db, over)
  const { rows } = await sql<{
    id: number
  }>`insert into blobs (key) values (md5('kommer')) returning id`.execute(test.db)
  const stop = new AbortController()
  let isOver = false
  const rest = restWhileReceiving(test.db, stop.signal).then(() => (isOver = true))
  await sql`select pg_sleep(0.2)`.execute(test.db)
  expect(isOver).toBe(false)
  await sql`delete from blobs where id = ${rows[0]!.id}`.execute(test.db)
  await rest
})

it('a file is read automatically after it is stored', async () => {
  const env = { READ_DOCUMENTS: 'true', READ_SCANS: 'false' }
  const running = await freshApp({ env, jobsEverySeconds: 0.5 })
  const { id: project } = await makeProject(running.db)
  const { rows } = await sql<{ id: number }>`
    select id from folders where project_id = ${project} order by id limit 1`.execute(running.db)
  await makeFile(running, rows[0]!.id, { name: 'Notat.txt', bytes: 'Læst af sig selv' })
  const texts = async () => {
    const { rows: known } = await sql<{ id: number }>`select id from texts`.execute(running.db)
    const ids = known.map(({ id }) => id)
    const pages = await listPageTexts(running.db, ids, 10)
    return [...pages.values()]
  }
  await expect.poll(texts).toEqual([[{ page: 1, text: 'Læst af sig selv' }]])
})

describe('lanes and turns', () => {
  const keyOf = async (file: number) => {
    const { rows } = await sql<{ key: string }>`
      select blobs.key from blobs join files on files.blob_id = blobs.id where files.id = ${file}`.execute(
      test.db,
    )
    return rows[0]!.key
  }
  const options = {
    signal: over,
    complain: (about: unknown) => complaints.push(about),
    findScanner: () => Promise.resolve(null),
  }
  /** A store that tells which bytes are opened, and whose stream never ends for some of them. */
  const watched = (endless: string[] = []) => {
    const opened: string[] = []
    const open = (key: string) => {
      opened.push(key)
      return endless.includes(key) ? Promise.resolve(new PassThrough()) : test.storage.open(key)
    }
    return { opened, place: { ...test, storage: { open } as unknown as TestApp['storage'] } }
  }

  it('senders take turns, however much one of them has sent', async () => {
    const [one, two] = [await makeUser(test.db), await makeUser(test.db)]
    const keys: string[] = []
    for (const [n, sender] of [two, one, one, one].entries()) {
      const { id } = await makeFile(test, folder, {
        name: `Tur ${n}.txt`,
        bytes: `Tur nummer ${n}`,
        uploadedBy: sender.id,
      })
      keys.push(await keyOf(id))
    }
    const { opened, place } = watched()
    expect(await readTexts(place, options)).toBe(4)
    expect(opened).toEqual([keys[3], keys[0], keys[2], keys[1]])
  })

  it('lanes count the bytes of their pages, however these come', async () => {
    const { id } = await makeFile(test, folder, { name: 'Talt.txt', bytes: 'Talt' })
    const { rows } = await sql<{ id: number }>`
      select texts.id from files join blobs on blobs.id = blob_id join texts using (sha256)
      where files.id = ${id}`.execute(test.db)
    const text = rows[0]!.id
    const counted = async () =>
      (
        await sql<{ kept: number; is: number }>`
          select packed_bytes as kept, (select sum(octet_length(packed)) from page_texts where text_id = texts.id)::bigint as is
          from texts where id = ${text}`.execute(test.db)
      ).rows[0]!
    const page = (number: number) => ({ page: number, text: `Side ${number} ${'abc'.repeat(number)}` })
    for (const pages of [[page(1), page(2)], [page(2), page(3)], [page(3)]]) {
      await addPageTexts(test.db, text, pages)
      const { kept, is } = await counted()
      expect(kept).toBe(is)
    }
    await sql`update texts set packed_bytes = null where id = ${text}`.execute(test.db)
    await addPageTexts(test.db, text, [page(4)])
    const { kept, is } = await counted()
    expect(kept).toBe(is)
  })

  it('lanes wait while the disk has no room', async () => {
    const { id } = await makeFile(test, folder, { name: 'Pladsløs.txt', bytes: 'Der er ingen plads' })
    const room = { ensure: () => Promise.reject(new DiskLow('/', 0, 1)) }
    const { place } = watched()
    await readTexts({ ...place, storage: { ...place.storage, room } as never }, options)
    expect(await textOf(id)).toMatchObject({ state: 'wanted', tries: 0 })
    await readTexts(place, options)
    expect(await textOf(id)).toMatchObject({ state: 'read' })
  })

  it('a slow text gets one short try and one long, and nothing waits for the long one', async () => {
    const slow = await makeFile(test, folder, { name: 'Langsom.txt', bytes: 'Langsom' })
    const key = await keyOf(slow.id)
    const { opened, place } = watched([key])
    await readTexts(place, { ...options, seconds: 1 }, 'first')
    expect(await textOf(slow.id)).toMatchObject({ state: 'wanted', tries: 1 })
    const stop = new AbortController()
    const long = readTexts(place, { ...options, signal: stop.signal }, 'second')
    await expect.poll(() => opened.length, { timeout: 60_000 }).toBe(2)
    const quick = await makeFile(test, folder, { name: 'Hurtig.txt', bytes: 'Hurtig' })
    const picture = await makeFile(test, folder, { name: 'Billede.png', bytes: PNG })
    await test.storage.remove(await keyOf(picture.id)) // so that nothing has to be drawn
    const drawsNothing = { pageDrawer: null } as unknown as Scanner
    const scan = { ...options, findScanner: () => Promise.resolve(drawsNothing) }
    expect(await readTexts(place, scan, 'first')).toBe(1)
    await readTexts(place, scan, 'scans')
    expect(await textOf(quick.id)).toMatchObject({ state: 'read' })
    expect(await textOf(picture.id)).toMatchObject({ scanned_to: 1, is_scan_wanted: false })
    stop.abort()
    await long
    await readTexts(place, { ...options, seconds: 1 }, 'second')
    expect(await textOf(slow.id)).toMatchObject({
      state: 'failed',
      reason: 'Det tog for lang tid at læse filen.',
    })
    expect(await readTexts(place, options)).toBe(0)
  })
})

/** The beginning of a PNG: enough to tell its type. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex')
