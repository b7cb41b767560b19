import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import type { Trx } from '../database/database.ts'
import { claimEach } from './claim.db.ts'

const { db } = await freshDatabase()
const rows = sql<{ name: string }>`select name from schedules where last_due is null order by name`

const mark = async (trx: Trx, name: string) =>
  void (await trx.updateTable('schedules').set({ last_due: new Date() }).where('name', '=', name).execute())

beforeEach(async () => {
  await sql`delete from schedules`.execute(db)
  await sql`insert into schedules (name, cron) values ('a', ''), ('b', ''), ('c', '')`.execute(db)
})

it('two processes that claim at once take each row once', async () => {
  const taken: string[] = []
  const claim = () =>
    claimEach(db, { rows }, async (trx, { name }) => {
      taken.push(name)
      await mark(trx, name)
    })
  const counts = await Promise.all([claim(), claim()])
  expect(counts[0] + counts[1]).toBe(3)
  expect(taken.toSorted()).toEqual(['a', 'b', 'c'])
})

it('a claim leaves a failed row unchanged, and the rows before it done', async () => {
  const fail = claimEach(db, { rows }, async (trx, { name }) => {
    await mark(trx, name)
    if (name === 'b') throw new Error('broken')
  })
  await expect(fail).rejects.toThrow('broken')
  expect((await rows.execute(db)).rows).toEqual([{ name: 'b' }, { name: 'c' }])
})

it('a claim skips a row that somebody else has locked', async () => {
  const taken: string[] = []
  await db.transaction().execute(async (other) => {
    await sql`select from schedules where name = 'a' for update`.execute(other)
    await claimEach(db, { rows, lock: 'no key update' }, async (trx, { name }) => {
      taken.push(name)
      await mark(trx, name)
    })
  })
  expect(taken).toEqual(['b', 'c'])
})
