import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect } from '../../src/server/database/database.ts'
import { openDiskStorage } from '../../src/server/storage/storage-disk.ts'
import { newStorageKey } from '../../src/server/storage/storage.ts'
import { DANISH, danishOrder } from '../office/danish-order.ts'
import { freshDirectory } from '../directory.ts'
import { makeExternalPostgres, type ExternalPostgres } from './external-postgres.ts'
import { startProcess, statusOf } from '../start/processes.ts'

let postgres: ExternalPostgres
beforeAll(async () => {
  postgres = await makeExternalPostgres()
  console.log(`external: ${postgres.version}`)
})
afterAll(() => postgres.stop())

const startInstance = async (DATABASE_URL = postgres.url) =>
  startProcess({ DATA_DIR: join(await freshDirectory(), 'data'), DATABASE_URL })

it('if two start together on one empty database with separate disks, only one serves, and it sorts in Danish order', async () => {
  const instances = [await startInstance(), await startInstance()]
  const ends = await Promise.all(
    instances.map(({ url }) => url.then(statusOf, (error: Error) => error.message)),
  )
  expect(ends).toContain(200)
  expect(ends).toContainEqual(
    expect.stringMatching(/^ended with 1: The files of this database are on the disk in /),
  )
  const db = connect({ connection: { connectionString: postgres.url }, onError: () => undefined })
  expect(await danishOrder(db)).toEqual(DANISH)
  await db.destroy()
})

it('refuses an empty database when there are files, and a store that belongs to another database', async () => {
  const DATA_DIR = join(await freshDirectory(), 'data')
  const files = await openDiskStorage(join(DATA_DIR, 'files'))
  await files.put(newStorageKey(), [Buffer.from('x')])
  const DATABASE_URL = await postgres.makeDatabase('tom')
  const empty = startProcess({ DATA_DIR, DATABASE_URL })
  expect([await empty.ended, empty.output()]).toEqual([
    1,
    expect.stringContaining('there are files in the store: restore a copy') as string,
  ])
  const office = startProcess({ DATA_DIR: join(await freshDirectory(), 'data'), DATABASE_URL })
  await office.url
  const db = connect({ connection: { connectionString: DATABASE_URL }, onError: () => undefined })
  const stored = Array.from({ length: 5 }, () => ({
    key: newStorageKey(),
    state: 'stored' as const,
    size: 1,
    sha256: 'a'.repeat(64),
    type: 'text/plain',
  }))
  await db.insertInto('blobs').values(stored).execute()
  office.child.kill('SIGTERM')
  await office.ended
  await db.deleteFrom('installation').execute() // as a database from before this table
  const other = startProcess({ DATA_DIR, DATABASE_URL })
  expect([await other.ended, other.output()]).toEqual([
    1,
    expect.stringContaining('is not the one that the database belongs to') as string,
  ])
  await files.put(stored[4]!.key, [Buffer.from('x')]) // one file is enough, four may be missing
  expect(await statusOf(await startProcess({ DATA_DIR, DATABASE_URL }).url)).toBe(200)
  await db.destroy()
})

it('answers a Danish 503 while the database is down, and recovers when it is back', async () => {
  const url = await (await startInstance(await postgres.makeDatabase('borte'))).url
  await postgres.stop()
  const page = await fetch(url, { headers: { cookie: 'session=x' } })
  expect(page.status).toBe(503)
  expect(page.headers.get('retry-after')).toBe('5')
  expect(await page.text()).toContain('Ringbind er midlertidigt ude af drift')
  expect(await statusOf(`${url}/healthz`)).toBe(200)
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toEqual({ status: 'not ready', database: false, storage: true })
  await postgres.start()
  await expect.poll(() => statusOf(`${url}/readyz`)).toBe(200)
  expect((await fetch(url, { headers: { cookie: 'session=x' } })).url).toBe(`${url}/login`)
})
