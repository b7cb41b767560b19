import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { TABLE_TYPES, writeTableTypes } from '../../scripts/table-types.ts'
import { listColumns } from './catalogue.ts'
import { freshDatabase } from '../database.ts'
import { takeRowFaults } from './faults.ts'
import { claimEach } from '../../src/server/work/claim.db.ts'
import { CLAIMED_LIE, LIES, LYING_PIECE, preparedLie, TRUTHS } from './lies.ts'

const { db } = await freshDatabase()

it('the types of the tables are those of the migrated database', async () => {
  const expected = writeTableTypes(await listColumns(db))
  expect(readFileSync(TABLE_TYPES, 'utf8'), 'The tables have changed: run `npm run types`.').toBe(expected)
})

it.each(Object.entries(LIES))(
  'a query that returns something else than its type fails its test: %s',
  async (fault, lie) => {
    await lie.execute(db)
    await db.transaction().execute(async (trx) => void (await lie.execute(trx)))
    expect(takeRowFaults()).toEqual([expect.stringMatching(/^test\/rows\/lies\.ts:\d+:\d+ says /)])
    await lie.execute(db)
    expect(takeRowFaults()[0]).toContain(`: ${fault}`)
  },
)

it('a query that returns what its type says passes', async () => {
  for (const truth of TRUTHS) await truth.execute(db)
  expect(takeRowFaults()).toEqual([])
})

it('the rows that a claim takes are compared with the type of what they are taken from', async () => {
  expect(await claimEach(db, { rows: CLAIMED_LIE }, () => Promise.resolve())).toBe(0)
  expect(takeRowFaults()).toEqual([expect.stringContaining('the column name comes, which the type lacks')])
})

it('the rows of a prepared query are compared with the type that it was prepared with', async () => {
  await preparedLie(db, { id: 1 })
  expect(takeRowFaults()).toEqual([expect.stringContaining('the column id comes, which the type lacks')])
  await db.transaction().execute((trx) => preparedLie(trx, { id: 1 }))
  expect(takeRowFaults()).toEqual([expect.stringContaining('the column id comes, which the type lacks')])
})

it('a column that raw SQL computes in a query of Kysely is compared with its type', async () => {
  await db.selectFrom('users').select(LYING_PIECE.as('count')).execute()
  expect(takeRowFaults()).toEqual([expect.stringContaining('says number: count is a string, not number')])
})
