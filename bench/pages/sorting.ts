import { fileUrls } from '../../src/urls.ts'
import type { FilesOffice } from '../office/files-office.ts'
import type { Result } from '../measure/result.ts'
import { compareTimes, post } from './timed-calls.ts'

/** Measures the cost of sorting a large folder and a small one. */
export async function compareSorting(wide: FilesOffice): Promise<Result[]> {
  const [large, small] = [wide.folderId(2, 0), wide.folderId(2, 1)]
  const owner = { project: wide.projectIds[2]! }
  const ids = await idsIn(wide, large)
  const written: number[] = []
  /** Moves one file within a part of the large folder. */
  const sortPart = (part: number[]) => async (round: number) => {
    const [from, to] = [(round * 7) % part.length, (round * 7 + part.length / 2) % part.length]
    part.splice(to, 0, ...part.splice(from, 1))
    const before = await sequenceOf(wide)
    const time = await post(wide, fileUrls.updateOrder(owner, large), { newOrder: part })
    written.push(await writtenSince(wide, large, before))
    return time
  }
  const smallIds = await idsIn(wide, small)
  const orders = await compareTimes(
    'a new order of 1,000 out of 10,000 files, one moved',
    sortPart(ids.slice(3000, 4000)),
    'of 10',
    sortPart(ids.slice(6000, 6010)),
    5,
  )
  const moves = await compareTimes(
    'move-up among 10,000 files',
    (round) => post(wide, fileUrls.moveUp(owner, ids[8000 + round]!)),
    'among 10',
    // Always the second file: it changes places with the first.
    (round) => post(wide, fileUrls.moveUp(owner, smallIds[round % 2 === 1 ? 1 : 0]!)),
    2,
  )
  if (written.includes(0)) throw new Error('An order was not written.')
  return [
    orders,
    {
      what: 'rows written by each of these orders, at most',
      value: Math.max(...written),
      unit: '',
      aim: { value: 1 },
    },
    moves,
  ]
}

async function idsIn({ sql }: FilesOffice, folder: number): Promise<number[]> {
  const { rows } = await sql.query<{ id: string }>(
    'select id from files where folder_id = $1 order by position',
    [folder],
  )
  return rows.map(({ id }) => Number(id))
}

/** Returns the number of the next transaction. */
async function sequenceOf({ sql }: FilesOffice): Promise<string> {
  const { rows } = await sql.query<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  )
  return rows[0]!.next
}

async function writtenSince({ sql }: FilesOffice, folder: number, before: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    'select count(*)::integer as count from files where folder_id = $1 and xmin::text::bigint >= $2::bigint',
    [folder, before],
  )
  return rows[0]!.count
}
