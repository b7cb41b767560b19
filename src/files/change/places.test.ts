import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { freshDatabase } from '../../../test/database.ts'
import { between } from './positions.db.ts'

it('PostgreSQL finds the same places between two others as the package', async () => {
  const { db } = await freshDatabase()
  const [smallest, largest] = ['A' + '0'.repeat(26), 'z'.repeat(27)]
  const pairs: [string | null, string | null][] = [
    [null, smallest + 'V'],
    [null, smallest + '01'],
    [largest, null],
    [largest + 'V', null],
    ...(['Yzz Z0', 'Zz a0', 'az b00', 'a0 a0V', 'a0 a01', 'a0zz a1'] as const).map(
      (pair) => pair.split(' ') as [string, string],
    ),
  ]
  const keys: string[] = []
  for (let nth = 0; nth < 500; nth++) {
    const at = [0, keys.length, (nth * 7919) % (keys.length + 1)][nth % 3]!
    const pair = [keys[at - 1] ?? null, keys[at] ?? null] as const
    pairs.push([...pair])
    keys.splice(at, 0, between(...pair, 1)[0]!)
  }
  // Ever closer to each other.
  for (let [nth, lower, upper] = [0, 'a0', 'a1']; nth < 300; nth++) {
    const middle = between(lower, upper, 1)[0]!
    pairs.push([lower, upper])
    if (nth % 7 < 3) lower = middle
    else upper = middle
  }
  const { rows } = await sql<{ place: string }>`
    select place_between(lower, upper) as place
    from unnest(${pairs.map(([lower]) => lower)}::text[], ${pairs.map(([, upper]) => upper)}::text[])
      with ordinality as pair (lower, upper, nth) order by nth`.execute(db)
  expect(rows.map(({ place }) => place)).toEqual(pairs.map((pair) => between(...pair, 1)[0]))
})
