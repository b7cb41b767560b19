import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { foldersByName, makeFile, makeProject } from '../../test/make.ts'
import { scanPdf } from '../../test/papers/read.ts'
import { simplePaper } from '../../test/papers/simple-paper.ts'
import { findScanner } from '../server/reading/read-scan.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { listPageTexts } from './page-texts.db.ts'
import { EagerReader } from './eager-reader.db.ts'

const scanner = await findScanner()

let test: TestApp
let folder: number
let complaints: unknown[]

beforeAll(async () => {
  test = await freshApp({ hasJobs: false })
  folder = (await foldersByName(test.db, (await makeProject(test.db)).id)).Budget!
})
beforeEach(async () => {
  complaints = []
  await sql`delete from texts`.execute(test.db)
})

const readerOf = (atOnce: number, place: Pick<TestApp, 'db' | 'storage'> = test) =>
  new EagerReader(place, {
    atOnce,
    complain: (about) => complaints.push(about),
    findScanner: () => Promise.resolve(scanner),
  })

async function textOf(bytes: Buffer): Promise<number> {
  const { id } = await makeFile(test, folder, { bytes })
  const { rows } = await sql<{ id: number }>`
    select texts.id from files join blobs on blobs.id = files.blob_id join texts on texts.sha256 = blobs.sha256
    where files.id = ${id}`.execute(test.db)
  return rows[0]!.id
}

const states = async (ids: number[]) => {
  const { rows } = await sql<{ state: string }>`
    select state from texts where id = any (${ids}) order by array_position(${ids}::bigint[], id)`.execute(
    test.db,
  )
  return rows.map(({ state }) => state)
}

it('reads each wanted text once, however often it is asked for', async () => {
  const ids = await Promise.all([1, 2, 3, 4].map((number) => textOf(simplePaper([`Papir ${number}`]))))
  const reader = readerOf(2)
  for (let asked = 0; asked < 3; asked++) reader.want(ids)
  await expect.poll(() => states(ids)).toEqual(['read', 'read', 'read', 'read'])
  const pages = await listPageTexts(test.db, ids, 10)
  const texts = [...pages.values()].flat().map(({ text }) => text)
  expect(texts.sort()).toEqual(['Papir 1', 'Papir 2', 'Papir 3', 'Papir 4'])
  expect(complaints).toEqual([])
})

it('reads nothing while the disk is full, and resumes when it has room', async () => {
  const ids = [await textOf(simplePaper(['Papir uden plads']))]
  let isFull = true
  let asked = 0
  const ensure = () => {
    asked++
    return isFull ? Promise.reject(new DiskLow('/', 0, 1)) : Promise.resolve()
  }
  const reader = readerOf(1, { db: test.db, storage: { ...test.storage, room: { ensure } } as never })
  reader.want(ids)
  await expect.poll(() => asked).toBe(1)
  expect(await states(ids)).toEqual(['wanted'])
  isFull = false
  const isRead = async () => {
    reader.want(ids)
    return states(ids)
  }
  await expect.poll(isRead).toEqual(['read'])
  expect(complaints).toEqual([])
})

it('skips texts that others are reading, and continues after a storage error', async () => {
  const [first, second] = [await textOf(simplePaper(['En'])), await textOf(simplePaper(['To']))]
  await sql`update texts set tries = 1, tried_at = now() where id = ${first}`.execute(test.db)
  let fails = 1
  const storage = new Proxy(test.storage, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key)
      if (key === 'open' && fails-- > 0) return () => Promise.reject(new Error('The disk is away.'))
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  const reader = readerOf(1, { db: test.db, storage })
  reader.want([first, second])
  await expect.poll(() => complaints.length).toBe(1)
  const { rows } = await sql`select from texts where id = ${second} and tries = 0`.execute(test.db)
  expect(rows).toHaveLength(1) // the document is not at fault
  await sql`update texts set tried_at = null where id = ${second}`.execute(test.db)
  reader.want([first, second])
  await expect.poll(() => states([first, second])).toEqual(['wanted', 'read'])
})

it.runIf(scanner?.pageDrawer)('reads the first pages of scans', async () => {
  const { scan } = await scanPdf(
    simplePaper(['Forside', '', 'Lejekontrakt for lokaler']),
    scanner!.pageDrawer!,
  )
  const id = await textOf(scan)
  readerOf(2).want([id])
  const pages = async () => {
    const read = await listPageTexts(test.db, [id], 10)
    return read.get(id)?.map(({ text }) => text)
  }
  await expect.poll(pages).toEqual(['Forside', 'Lejekontrakt for lokaler'])
})
