import { readdir, rm } from 'node:fs/promises'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { freshApp, type TestApp } from '../../../test/app.ts'
import { asSuperuser } from '../../../test/database.ts'
import { enter } from '../../../test/enter.ts'
import { makeUser, PASSWORD } from '../../../test/make.ts'
import { Visitor } from '../../../test/visitor.ts'
import { whenOver } from './connections.ts'
import { DiskLow } from '../storage/disk-room.ts'
import { openDiskStorage } from '../storage/storage-disk.ts'

const FULL = 'Der er ikke mere plads på serveren, så det kunne ikke gemmes. Giv kontoret besked.'
const READ_ONLY = 'Serveren kan kun læse lige nu, så det kunne ikke gemmes. Giv kontoret besked.'
const SLOW = 'Det tog for lang tid. Intet er ændret. Prøv igen om lidt.'

let test: TestApp
let fault: () => Promise<unknown>
let begun: () => void
let ended: () => void

beforeAll(async () => {
  test = await freshApp({
    hasJobs: false,
    env: { REQUESTS_PER_MINUTE: '100000' },
    routes: (app) =>
      app
        .post('/api/known', { config: { right: 'visit' } }, () => fault())
        .get('/api/known', { config: { right: 'visit' } }, () => fault())
        .get('/api/left', { config: { right: 'visit' } }, (request, reply) => {
          const gone = new AbortController()
          whenOver(request.raw, reply.raw, () => gone.abort())
          return new Promise((_, reject) => {
            gone.signal.addEventListener('abort', () => {
              reject(gone.signal.reason as Error)
              ended()
            })
            begun()
          })
        }),
  })
})

const withCode = (code: string) => Object.assign(new Error('secret machinery'), { code })

describe('a known cause has its own message', () => {
  it.each([
    ['53100', withCode('53100'), 507, FULL],
    ['ENOSPC', withCode('ENOSPC'), 507, FULL],
    ['EDQUOT, inside another', new Error('outer', { cause: withCode('EDQUOT') }), 507, FULL],
    ['a disk with only its reserve left', new DiskLow('/data', 1, 2), 507, FULL],
    ['25006', withCode('25006'), 503, READ_ONLY],
    ['EROFS', withCode('EROFS'), 503, READ_ONLY],
    ['EPERM', withCode('EPERM'), 503, READ_ONLY],
    ['EACCES, inside another', new Error('outer', { cause: withCode('EACCES') }), 503, READ_ONLY],
    ['EIO', withCode('EIO'), 503, READ_ONLY],
    ['an I/O error of PostgreSQL', withCode('58030'), 503, READ_ONLY],
    ['57014', withCode('57014'), 503, SLOW],
    ['55P03', withCode('55P03'), 503, SLOW],
    ['anything else', withCode('42P01'), 500, 'Noget gik galt.'],
  ])('a known cause has its own message: %s', async (_name, error, status, message) => {
    fault = () => Promise.reject(error)
    const answer = await new Visitor(test.app).post('/api/known', {}, { script: true })
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { message }])
    expect(test.logged()).toContain('request failed')
  })

  it('work that ends because its reader has left is no failure, and the same without that is one', async () => {
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    const [there, left] = [
      new Promise<void>((resolve) => (begun = resolve)),
      new Promise<void>((resolve) => (ended = resolve)),
    ]
    const call = get({
      port: (test.app.server.address() as AddressInfo).port,
      path: '/api/left',
      agent: false,
    })
    call.on('error', () => undefined)
    await there
    call.destroy()
    await left
    fault = () => Promise.reject(withCode('57014')) // its line comes later
    await new Visitor(test.app).get('/api/known')
    expect(test.logged()).not.toContain('AbortError')
    fault = () => Promise.reject(AbortSignal.abort().reason as Error)
    await new Visitor(test.app).get('/api/known')
    expect(test.logged()).toContain('AbortError')
  })

  it('a reader is not told that nothing was saved', async () => {
    fault = () => Promise.reject(withCode('EIO'))
    const answer = await new Visitor(test.app).get('/api/known')
    expect([answer.statusCode, answer.json()]).toMatchObject([
      503,
      { message: 'Serveren kan ikke læse sine filer lige nu. Giv kontoret besked.' },
    ])
  })

  it('a lock that is really held has its own message', async () => {
    fault = () =>
      test.db.connection().execute(async (held) => {
        await sql`begin`.execute(held)
        await sql`lock table users`.execute(held)
        try {
          await test.db.transaction().execute(async (trx) => {
            await sql`set local statement_timeout = 100`.execute(trx)
            await sql`select from users`.execute(trx)
          })
        } finally {
          await sql`rollback`.execute(held)
        }
      })
    const answer = await new Visitor(test.app).post('/api/known', {}, { script: true })
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toMatchObject([
      503,
      { message: SLOW },
      '5',
    ])
  })
})

it('a read-only database is reported at sign-in and at saving, and /readyz fails', async () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined) // the jobs log errors too
  onTestFinished(() => quiet.mockRestore())
  const own = await freshApp({ hasJobs: false })
  const { db, app } = own
  const { visitor } = await enter(own, 'employee')
  const { email } = await makeUser(db)
  const name = (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]!.name
  await asSuperuser(`alter database ${name} set default_transaction_read_only = on`)
  await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  const again = new Visitor(app)
  await expect.poll(async () => (await again.get('/login')).statusCode).toBe(200)
  const signedIn = await again.signIn(email, PASSWORD, { script: true })
  expect([signedIn.statusCode, signedIn.json()]).toMatchObject([503, { message: READ_ONLY }])
  const saved = await visitor.post('/profile', { name: 'Ny' }, { script: true })
  expect([saved.statusCode, saved.json()]).toMatchObject([503, { message: READ_ONLY }])
  const page = await again.signIn(email, PASSWORD)
  expect([page.statusCode, page.body.includes(READ_ONLY)]).toEqual([503, true])
  expect((await app.inject('/readyz')).json()).toEqual({
    status: 'not ready',
    database: false,
    storage: true,
  })
  await asSuperuser(`alter database ${name} reset default_transaction_read_only`)
  await asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await expect.poll(async () => (await app.inject('/readyz')).statusCode).toBe(200)
})

describe('/readyz', () => {
  it('/readyz fails if a file cannot be written and read back', async () => {
    const { app, config } = await freshApp({ hasJobs: false })
    await rm(join(config.dataDir, 'files'), { recursive: true })
    const answer = await app.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { status: 'not ready', database: true, storage: false },
    ])
  })

  it('/readyz checks at most once a second, however often it is asked', async () => {
    let looks = 0
    const { app } = await freshApp({
      hasJobs: false,
      storageOf: (opened) => ({
        ...opened,
        check: async () => {
          looks++
          return opened.check()
        },
      }),
    })
    const began = performance.now()
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 20 }, () => app.inject('/readyz')))
    expect(looks).toBeLessThanOrEqual(1 + (performance.now() - began) / 1000)
    expect(looks).toBeGreaterThan(0)
  })

  it('/readyz leaves no probe file behind', async () => {
    const { config } = test
    const root = join(config.dataDir, 'files')
    const storage = await openDiskStorage(root)
    await Promise.all([storage.check(), storage.check()])
    expect(await storage.isEmpty()).toBe(true)
    expect((await readdir(root)).filter((name) => name.startsWith('.'))).toEqual([])
  })
})
