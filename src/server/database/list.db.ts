import { sql, type RawBuilder } from 'kysely'
import type { ListQuery } from '../../base/list-query.ts'
import { pageInfo, type Page } from '../../base/pagination.ts'
import type { Database } from './database.ts'

const PER_PAGE = 25

type Source<Row extends { id: number | string }> = {
  /** `from … where …` of all rows that match. */
  found: RawBuilder<unknown>
  /** The number of matching rows, if it is known without counting. */
  total?: RawBuilder<number>
  id: RawBuilder<Row['id']>
  order: RawBuilder<unknown>
  perPage?: number
  /** Reads the rows of one page, in any order. */
  read: (ids: Row['id'][]) => Promise<Row[]>
}

/** Reads one page. It first finds the ids by an index alone, so that late pages stay cheap, then reads those rows. */
export async function readPage<Row extends { id: number | string }>(
  db: Database,
  { page }: ListQuery,
  { found, total: known, id, order, read, perPage = PER_PAGE }: Source<Row>,
): Promise<Page<Row>> {
  const counting = known
    ? sql<{ total: number }>`select ${known} as total`
    : sql<{ total: number }>`select count(*) as total ${found}`
  const counted = await counting.execute(db)
  const { total } = counted.rows[0]!
  const offset = (page - 1) * perPage
  const ids = offset < total ? await listIds(offset) : []
  const rows = new Map<Row['id'], Row>(ids.length > 0 ? (await read(ids)).map((row) => [row.id, row]) : [])
  const data = ids.flatMap((each) => rows.get(each) ?? [])
  return { data, meta: pageInfo({ page, perPage, total, rows: data.length }) }

  async function listIds(from: number): Promise<Row['id'][]> {
    const listed = await sql<{ id: Row['id'] }>`
      select ${id} as id ${found} order by ${order} limit ${perPage} offset ${from}`.execute(db)
    return listed.rows.map((row) => row.id)
  }
}
