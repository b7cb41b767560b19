import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import type { Database } from './database.ts'
import { prepare } from './prepared.ts'

let db: Database

beforeAll(async () => {
  db = (await freshDatabase()).db
  await sql`create table things (id integer primary key, name text not null)`.execute(db)
  await sql`insert into things values (1, 'en'), (2, 'to'), (3, 'tre')`.execute(db)
})

describe('a prepared query', () => {
  it('a prepared query runs with the values of each call, in the order and as often as the text has them', async () => {
    const find = prepare<{ first: number; last: number }, { name: string }>(
      ({ first, last }) =>
        sql`select name from things where id between ${first} and ${last} and id >= ${first} and name <> ${'to'} order by id`,
    )
    expect(await find(db, { first: 1, last: 3 })).toEqual([{ name: 'en' }, { name: 'tre' }])
    expect(await find(db, { first: 3, last: 3 })).toEqual([{ name: 'tre' }])
    expect(await find(db, { last: 1, first: 1 })).toEqual([{ name: 'en' }])
  })

  it('a prepared query is built once, however often it runs', async () => {
    let built = 0
    const count = prepare<object, { count: number }>(() => {
      built++
      return sql`select count(*) as count from things`
    })
    for (let run = 0; run < 20; run++) expect(await count(db, {})).toEqual([{ count: 3 }])
    expect(built).toBe(1)
  })

  it('a connection plans a prepared query once', async () => {
    const find = prepare<{ id: number }, { name: string }>(
      ({ id }) => sql`select name from things where id = ${id} and 'planned' <> ''`,
    )
    for (let run = 0; run < 20; run++) await find(db, { id: 1 })
    const plans = await sql<{ plans: number }>`
      select generic_plans as plans from pg_prepared_statements where statement like '%planned%'`.execute(db)
    expect(plans.rows.map(({ plans: count }) => count)).toEqual([15])
  })

  it('a connection plans a prepared query once, in transactions too', async () => {
    const find = prepare<{ id: number }, { name: string }>(
      ({ id }) => sql`select name from things where id = ${id} and 'within' <> ''`,
    )
    for (let run = 0; run < 20; run++) await db.transaction().execute((trx) => find(trx, { id: 1 }))
    const plans = await sql<{ plans: number }>`
      select generic_plans as plans from pg_prepared_statements where statement like '%within%'`.execute(db)
    expect(plans.rows.map(({ plans: count }) => count)).toEqual([15])
  })

  it('a prepared query sees the rows of its own transaction', async () => {
    const find = prepare<{ id: number }, { name: string }>(
      ({ id }) => sql`select name from things where id = ${id}`,
    )
    await db.transaction().execute(async (trx) => {
      await sql`insert into things values (4, 'fire')`.execute(trx)
      expect(await find(trx, { id: 4 })).toEqual([{ name: 'fire' }])
      expect(await find(db, { id: 4 })).toEqual([])
    })
    expect(await find(db, { id: 4 })).toEqual([{ name: 'fire' }])
  })

  it('a prepared query continues when a column is added to its table', async () => {
    const find = prepare<{ id: number }, { name: string }>(
      ({ id }) => sql`select things.name from things where things.id = ${id}`,
    )
    for (let run = 0; run < 10; run++) await find(db, { id: 1 })
    await sql`alter table things add note text`.execute(db)
    expect(await find(db, { id: 1 })).toEqual([{ name: 'en' }])
  })

  it('a prepared query that fails can run again, and others are unaffected', async () => {
    const divide = prepare<{ by: number }, { result: number }>(
      ({ by }) => sql`select 1 / ${by}::integer as result`,
    )
    await expect(divide(db, { by: 0 })).rejects.toThrow(/division by zero/)
    expect(await divide(db, { by: 1 })).toEqual([{ result: 1 }])
  })
})
