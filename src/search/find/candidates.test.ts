import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshApp } from '../../../test/app.ts'
import { chanceOf } from '../../../test/chance.ts'
import { isLong } from '../../../test/long-only.ts'
import { makeRandomOffice, type RandomOffice } from '../../../test/seeing/random-office.ts'
import { seesFile } from '../../access/seen.ts'
import { isOffice } from '../../rights.ts'
import type { Database } from '../../server/database/database.ts'
import { indexFiles } from '../index-files.db.ts'
import { segmentMark, segmentOf } from '../words/marks.ts'
import { hasOneOf, listAmongSeen, listMarksSeen } from './candidates.db.ts'

/** One condition that all files fulfil, and one that some do. */
async function conditionsIn(db: Database, { files }: RandomOffice) {
  const { rows } = await sql<{ word: number }>`
    select distinct word from file_words, unnest(words) as word where word > 0 and file_id % 2 = 0`.execute(
    db,
  )
  const segments = new Set(files.map(({ id }) => segmentOf(id)))
  return [
    hasOneOf([...segments].map(segmentMark)),
    ...(rows.length > 0 ? [hasOneOf(rows.map(({ word }) => word))] : []),
  ]
}

it('a reader of many projects finds the newest files with a word among those they see', async () => {
  const { db } = await freshApp({ hasJobs: false })
  let found = 0
  for (let seed = 1; seed <= (isLong ? 12 : 3); seed++) {
    const office = await makeRandomOffice(db, chanceOf(seed))
    await indexFiles(db)
    for (const condition of await conditionsIn(db, office))
      for (const reader of office.people.filter(({ role }) => !isOffice(role))) {
        const marks = (await listMarksSeen(db, reader))!
        const having = await sql<{ file_id: number }>`
          select file_id from file_words where ${condition} order by file_id desc`.execute(db)
        const expected = having.rows.map(({ file_id: id }) => id).filter((id) => seesFile(office, reader, id))
        const ask = (most: number) =>
          db.transaction().execute((trx) => listAmongSeen(trx, { reader, marks }, [condition], most))
        expect([seed, reader.role, await ask(1000)]).toEqual([seed, reader.role, expected])
        expect(await ask(1)).toEqual(expected.slice(0, 1))
        found += expected.length
      }
  }
  expect(found).toBeGreaterThan(isLong ? 20 : 4)
})
