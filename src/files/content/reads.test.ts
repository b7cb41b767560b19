import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asOwner, freshDatabase } from '../../../test/database.ts'
import { makeUser } from '../../../test/make.ts'
import { connect, type Database } from '../../server/database/database.ts'
import { ReadLog, type FileRead } from './reads.db.ts'

let db: Database
let user: number
beforeAll(async () => {
  ;({ db } = await freshDatabase())
  user = (await makeUser(db)).id
})
beforeEach(async () => {
  await asOwner(db, sql`delete from log`)
})

const entries = async () =>
  (await db.selectFrom('log').select('file_id').orderBy('id').execute()).map(({ file_id: id }) => id)

const read = (fileId: number, act: FileRead['act'] = 'file-opened'): FileRead => ({
  act,
  actor: { userId: user, address: null },
  owner: { user },
  folderId: 1,
  fileId,
  version: null,
  lenderId: null,
})

function openLog(on: Database, options: { most?: number; everyMs?: number; retryMs?: number } = {}) {
  const complaints: [Record<string, unknown>, string][] = []
  const log = new ReadLog(on, {
    complain: (...complaint) => void complaints.push(complaint),
    ...options,
  })
  return { log, complaints }
}

describe('S2.2 the log of reads', () => {
  it('writes reads to the log in batches, and the rest at the end', async () => {
    const { log } = openLog(db, { everyMs: 50 })
    for (let id = 1; id <= 300; id++) log.add(read(id % 3))
    expect(await entries()).toEqual([])
    await expect.poll(entries).toEqual([1, 2, 0])
    log.add(read(7))
    await log.close()
    expect(await entries()).toEqual([1, 2, 0, 7])
  })

  it('logs one entry per read, however many instances write at once', async () => {
    const logs = Array.from({ length: 8 }, () => openLog(db).log)
    for (const log of logs) for (let id = 1; id <= 20; id++) log.add(read(id))
    await Promise.all(logs.map((log) => log.close()))
    expect(await entries()).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  })

  it('logs opening and downloading separately, and for each person', async () => {
    const { log } = openLog(db)
    const other = (await makeUser(db)).id
    await asOwner(db, sql`delete from log`)
    log.add(read(1))
    log.add(read(1, 'file-downloaded'))
    log.add({ ...read(1), actor: { userId: other, address: '2001:db8::1' } })
    await log.close()
    expect(await entries()).toEqual([1, 1, 1])
  })

  it('keeps reads while the database is down, drops those above the limit, and reports both', async () => {
    const gone = connect({
      connection: { host: '127.0.0.1', port: 1, user: 'x', database: 'x' },
      onError: () => undefined,
    })
    let now: Database = gone
    const switching = { transaction: () => now.transaction() } as Database
    const { log, complaints } = openLog(switching, { everyMs: 20, retryMs: 20, most: 5 })
    for (let id = 1; id <= 9; id++) log.add(read(id))
    await expect.poll(() => complaints.length).toBeGreaterThan(1)
    expect(complaints[0]).toMatchObject([{ waiting: 5 }, 'reads of files could not be written'])
    now = db
    await expect.poll(entries).toEqual([1, 2, 3, 4, 5])
    expect(complaints.at(-1)).toEqual([{ lost: 4 }, 'reads of files were lost'])
    await log.close()
    await gone.destroy()
  })

  it('closes even if the database never answers', async () => {
    const stuck = {
      transaction: () => ({ execute: () => new Promise(() => undefined) }),
    } as unknown as Database
    const { log, complaints } = openLog(stuck)
    log.add(read(1))
    await log.close()
    expect(complaints).toEqual([[{ lost: 1 }, 'reads of files were lost']])
  })
})
