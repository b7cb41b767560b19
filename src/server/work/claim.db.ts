import { sql, type RawBuilder } from 'kysely'
import type { Database, Trx } from '../database/database.ts'

type Waiting<Row> = {
  /** Selects the rows that wait, in their order. */
  rows: RawBuilder<Row>
  /** 'no key update' lets others add rows that refer to it meanwhile. */
  lock?: 'update' | 'no key update'
  /** Takes the locks that come before that of the row. */
  before?: (trx: Trx) => Promise<unknown>
}

/**
 * Takes waiting rows one after the other, each in its own transaction, until none is left. `act` does the work and
 * marks the row, so that it no longer waits. Rows locked by others are skipped. Returns how many it took.
 */
export async function claimEach<Row>(
  db: Database,
  { rows: waiting, lock = 'update', before }: Waiting<Row>,
  act: (trx: Trx, row: Row) => Promise<unknown>,
): Promise<number> {
  const takeNext = (trx: Trx) => sql<Row>`${waiting} limit 1 for ${sql.raw(lock)} skip locked`.execute(trx)
  const claimNext = () =>
    db.transaction().execute(async (trx) => {
      await before?.(trx)
      const [row] = (await takeNext(trx)).rows
      if (row === undefined) return false
      await act(trx, row)
      return true
    })
  for (let taken = 0; ; taken++) if (!(await claimNext())) return taken
}
