import { sql } from 'kysely'
import { prepare } from '../../src/server/database/prepared.ts'

/** Queries that compile and return something else than their type says, and what `test/rows/rows.test.ts` expects to hear of each. */
export const LIES = {
  'the column title does not come': sql<{ id: number; title: string }>`select 1 as id, 'a' as name`,
  'the column more comes, which the type lacks': sql<{ id: number }>`select 1 as id, 2 as more`,
  'the column id comes twice': sql<{ id: number }>`select 1 as id, 2 as id`,
  'name is null, not string': sql<{ name: string }>`select name from (values ('a'), (null)) as people (name)`,
  'size is a string, not number': sql<{ size: number }>`select 1.5::numeric as size`,
  'at is a Date, not string': sql<{ at: string }>`select now() as at where false`,
  'ids[0] is "1", not number': sql<{ ids: number[] }>`select array['1'] as ids`,
  'state is "c", not "a" | "b"': sql<{ state: 'a' | 'b' }>`select 'c' as state`,
  'file.at is "2026-01-02", not Date': sql<{
    file: { at: Date }
  }>`select json_build_object('at', '2026-01-02') as file`,
  'file.name does not come': sql<{ file: { name: string } }>`select '{}'::jsonb as file`,
  'row.name is null, not string': sql<{ id: number; name: string } | { id: null }>`
    select * from (values (1, 'a'), (null, null), (2, null)) as rows (id, name)`,
}

/** Queries that are as their types say. */
export const TRUTHS = [
  sql<{ id: number; name?: string }>`select 1 as id`,
  sql<{ id: number | null; at: Date | null; bytes: Buffer }>`
    select null::int as id, null::timestamptz as at, ''::bytea as bytes`,
  sql<{ id: number; name: string } | { id: null }>`
    select * from (values (1, 'a'), (null, null)) as rows (id, name)`,
  sql<{ tree: Tree; words: Record<string, number> }>`
    select '{"name": "a", "children": [{"name": "b", "children": []}]}'::json as tree, '{"a": 1}'::json as words`,
  sql<{ ids: (number | null)[] }>`select array[1::bigint, null] as ids`,
  sql<object>`select 1 as anything`,
]

type Tree = { name: string; children: Tree[] }

/** A query whose type comes from `prepare`. */
export const preparedLie = prepare<{ id: number }, { name: string }>(
  ({ id }) => sql`select null::text as name, ${id}::int as id`,
)

/** A piece of raw SQL in a query of Kysely's own. */
export const LYING_PIECE = sql<number>`'seven'::varchar`

export const CLAIMED_LIE = sql<{ cron: string }>`select cron, name from schedules order by name`
