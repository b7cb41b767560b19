import { once } from 'node:events'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freshApp, type TestApp } from '../../test/app.ts'
import { freshDirectory } from '../../test/directory.ts'
import { enter } from '../../test/enter.ts'
import { makeUser } from '../../test/make.ts'
import { Visitor } from '../../test/visitor.ts'
import { watchMails } from '../accounts/mails/failed-mails.db.ts'
import { nameOfCopy } from '../copies/keep.ts'
import { SecondPlaceFailed } from '../copies/second-place.server.ts'
import { raiseNotice } from '../log/notices/notices.db.ts'
import { backUpTo } from '../scheduled-backups.ts'
import { startJobs } from '../server/work/jobs.ts'
import { DiskLow } from '../server/storage/disk-room.ts'
import { Bucket } from '../server/storage/s3-bucket.ts'
import { urls } from '../urls.ts'
import { copyFaultOf, findCopyState, saveCopyEnd, setCopiesWanted } from './copy-state.db.ts'
import { FactFinder, type Watched } from './facts.db.ts'

const silent = { info: () => undefined, error: () => undefined }

function finderOf(test: TestApp, more: Partial<Watched> = {}): FactFinder {
  return new FactFinder({ ...test, startedAt: new Date(), isDemo: false, complain: () => undefined, ...more })
}

describe('the status page', () => {
  it('the status page says what is wrong and what to do, and is only for administrators', async () => {
    const test = await freshApp({ hasJobs: false, env: { SMTP_URL: 'smtp://u:hemmelig@mail.example.dk' } })
    const { visitor } = await enter(test, 'administrator')
    await raiseNotice(test.db, 'damaged-files', { count: 2 })
    const { statusCode, body } = await visitor.get(urls.status)
    expect(statusCode).toBe(200)
    expect(body).toContain('Der laves ingen sikkerhedskopier')
    expect(body).toContain('sætte BACKUP_DIR')
    expect(body).toContain('2 filer er beskadiget eller mangler')
    expect(body).toContain('PostgreSQL')
    expect(body).toContain('mail.example.dk')
    expect(body).not.toContain('hemmelig')
    expect((await visitor.get(urls.office)).body).toContain(`href="${urls.status}"`)
    for (const role of ['employee', 'auditor', 'investor', 'adviser'] as const)
      expect((await (await enter(test, role)).visitor.get(urls.status)).statusCode).toBe(403)
    expect((await new Visitor(test.app).get(urls.status)).statusCode).toBe(303)
  })

  it('the status page says that all is well', async () => {
    const directory = await freshDirectory()
    const test = await freshApp({
      hasJobs: false,
      env: { SMTP_URL: 'smtp://mail.example.dk', BACKUP_DIR: directory, DISK_RESERVE_BYTES: '0' },
      // The tester's disk may be nearly full.
      storageOf: (storage) => ({
        ...storage,
        room: { ...storage.room!, look: () => Promise.resolve({ free: 50, left: 50, total: 100 }) },
      }),
    })
    await backUpTo(test, directory, silent)
    const { body } = await (await enter(test, 'administrator')).visitor.get(urls.status)
    expect(body).toContain('Alt er, som det skal være.')
    expect(body).toContain('for lidt siden')
  })
})

it.each([
  ['EPERM', 'Ringbind må ikke læse og skrive i mappen med filerne.'],
  ['EACCES', 'Ringbind må ikke læse og skrive i mappen med filerne.'],
  ['EIO', 'Disken med filerne melder fejl.'],
  ['EROFS', 'Disken med filerne kan kun læses.'],
])('a disk that answers %s is reported, also to whoever saves a file', async (code, says) => {
  const fault = () => Promise.reject(Object.assign(new Error('the disk'), { code }))
  const test = await freshApp({
    hasJobs: false,
    storageOf: (storage) => ({ ...storage, check: fault, put: fault, append: fault }),
  })
  const { visitor } = await enter(test, 'administrator')
  const { body } = await visitor.get(urls.status)
  expect(body).toContain('Der kan ikke gemmes filer på serveren')
  expect(body).toContain(says)
  const saved = await visitor.postFile(urls.temporaryUpload, 'Notat.txt', 'abc', 'files[0]')
  expect([saved.statusCode, saved.json()]).toMatchObject([
    503,
    { message: 'Serveren kan kun læse lige nu, så det kunne ikke gemmes. Giv kontoret besked.' },
  ])
})

it('one unusable directory of the files is a trouble, though the others work', async () => {
  const test = await freshApp({ hasJobs: false })
  await rm(join(test.config.dataDir, 'files', 'a7'), { recursive: true })
  const { body } = await (await enter(test, 'administrator')).visitor.get(urls.status)
  expect(body).toContain('Der kan ikke gemmes filer på serveren')
  expect(body).toContain('En af mapperne med filer mangler.')
})

describe('the facts', () => {
  it('all facts are known in an installation that works', async () => {
    const test = await freshApp({ hasJobs: false })
    const facts = await finderOf(test).find()
    expect(Object.values(facts)).not.toContain('unknown')
    expect(facts).toMatchObject({
      database: { version: expect.stringMatching(/^\d+/), connections: expect.any(Number) },
      copies: null,
      certificate: null,
      bucket: null,
      throttled: 0,
      scanner: null,
    })
  })

  it('facts come in time although the bucket does not answer, and it is not asked again meanwhile', async () => {
    const server = createServer()
    let asked = 0
    server.on('connection', () => asked++)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const bucket = new Bucket({
      bucket: 'papers',
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'us-east-1',
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    })
    const test = await freshApp({ hasJobs: false })
    const complaints: string[] = []
    const finder = finderOf(test, { bucket, limitMs: 1500, complain: ({ fact }) => complaints.push(fact) })
    const facts = await finder.find()
    expect(facts.bucket).toEqual({ name: 'papers', answers: false })
    expect(facts.disk).not.toBe('unknown')
    expect(facts.mails).not.toBe('unknown')
    expect(complaints).toEqual(['bucket'])
    const before = asked
    expect((await finder.find()).bucket).toEqual({ name: 'papers', answers: false })
    expect(asked).toBe(before)
  })

  it('facts include the newest good copy of this office, and how the last one ended', async () => {
    const parent = await freshDirectory()
    const directory = join(parent, 'copies')
    await mkdir(directory)
    const test = await freshApp({ hasJobs: false, env: { BACKUP_DIR: directory } })
    const copiesOf = async () => (await finderOf(test).find()).copies
    await setCopiesWanted(test.db, true)
    expect(await copiesOf()).toMatchObject({ newest: null, failed: null })
    const { made } = await backUpTo(test, directory, silent)
    const at = new Date('2026-01-05T02:00:03Z')
    await rename(join(directory, made), join(directory, nameOfCopy(at, false)))
    const other = await freshApp({ hasJobs: false })
    await backUpTo({ ...other, config: test.config }, directory, silent) // somebody else's is newer
    await saveCopyEnd(test.db, 'no-room')
    expect(await copiesOf()).toMatchObject({ newest: at.toISOString(), failed: { reason: 'no-room' } })
    await saveCopyEnd(test.db, null)
    expect(await copiesOf()).toMatchObject({ failed: null })
    const ahead = nameOfCopy(new Date(Date.now() + 30 * 86_400_000), false)
    await rename(join(directory, nameOfCopy(at, false)), join(directory, ahead))
    expect(await copiesOf()).toMatchObject({ newest: null, ahead: [ahead] })
    await rename(directory, join(parent, 'gone'))
    expect(await copiesOf()).toBe('unknown')
    await setCopiesWanted(test.db, false)
    expect(await findCopyState(test.db)).toBeNull()
  })

  it('failing mails count from the first one until another mail is sent or refused', async () => {
    const test = await freshApp({ hasJobs: false })
    const { email } = await makeUser(test.db)
    const watch = watchMails(test.db)
    const failing = async () => {
      const { mails } = await finderOf(test).find()
      return mails === 'unknown' ? mails : { failed: mails.failed, isFailing: mails.failingSince !== null }
    }
    const fail = (how: { isFinal: boolean; isRefused: boolean }) =>
      watch.failed('x@example.dk', crypto.randomUUID(), how)
    await fail({ isFinal: true, isRefused: true })
    expect(await failing()).toEqual({ failed: 1, isFailing: false })
    await fail({ isFinal: false, isRefused: false })
    expect(await failing()).toEqual({ failed: 2, isFailing: true })
    await fail({ isFinal: true, isRefused: true }) // the server answers
    expect(await failing()).toEqual({ failed: 3, isFailing: false })
    await fail({ isFinal: true, isRefused: false })
    expect(await failing()).toEqual({ failed: 4, isFailing: true })
    await watch.sent(email, crypto.randomUUID())
    expect(await failing()).toEqual({ failed: 4, isFailing: false })
    await fail({ isFinal: true, isRefused: false })
    await sql`update failed_mails set at = now() - interval '25 hours'`.execute(test.db)
    expect(await failing()).toEqual({ failed: 5, isFailing: false })
  })

  it('facts name jobs that fail until they succeed, and count accounts that must wait', async () => {
    const test = await freshApp({ hasJobs: false, jobsEverySeconds: 0.5 })
    let isBroken = true
    const job = { name: 'house-keeping', retryLimit: 0, retrySeconds: 0 }
    await test.jobs.stop()
    const jobs = await startJobs({
      db: test.db,
      timeZone: 'UTC',
      onError: () => undefined,
      everySeconds: 0.5,
    })
    onTestFinished(() => jobs.stop())
    await jobs.work(job, () => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()))
    const find = async () => (await finderOf(test).find()).jobs
    const enqueue = () => test.db.transaction().execute((trx) => jobs.enqueue(trx, job, {}))
    await enqueue()
    await expect.poll(find).toEqual([{ name: 'house-keeping', waiting: 0, failed: 1, isFailing: true }])
    isBroken = false
    await enqueue()
    await expect.poll(find).toEqual([{ name: 'house-keeping', waiting: 0, failed: 1, isFailing: false }])

    const visitor = new Visitor(test.app)
    const { email } = await makeUser(test.db)
    for (let tries = 0; tries < 10; tries++) await visitor.signIn(email, 'x')
    expect((await finderOf(test).find()).throttled).toBe(1)
  })
})

it.each([
  [Object.assign(new Error('full'), { code: 'ENOSPC' }), 'no-room'],
  [new DiskLow('/data', 1, 2), 'no-room'],
  [Object.assign(new Error('gone'), { code: 'ENOENT' }), 'no-directory'],
  [Object.assign(new Error('read-only'), { code: 'EROFS' }), 'not-allowed'],
  [new Error('something else'), 'other'],
  [
    new SecondPlaceFailed('a.tar', Object.assign(new Error('gone'), { code: 'ENOENT' })),
    'second-no-directory',
  ],
])('the error %s is reported as %s', (error, fault) => {
  expect(copyFaultOf(error)).toBe(fault)
})
