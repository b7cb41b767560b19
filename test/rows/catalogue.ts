import { sql } from 'kysely'
import type { Database } from '../../src/server/database/database.ts'

/** A column of the migrated database. */
export type Column = {
  table: string
  name: string
  /** PostgreSQL's name of the type: 'text', 'bigint[]'. */
  type: string
  isNullable: boolean
  /** Whether PostgreSQL makes it of other columns. */
  isMade: boolean
  /** Whether a row that does not name it gets a value other than null. */
  isFilled: boolean
  /** Whether PostgreSQL alone gives it its value. */
  isFixed: boolean
  /** Whether it holds the id of a row, of its own table or of another. */
  isId: boolean
  /** Whether it identifies rows of its own table. */
  isOwnId: boolean
  /** The words that it may hold, if it may not hold others. */
  words: string[]
}

export const columnKey = ({ table, name }: Pick<Column, 'table' | 'name'>) => `${table}.${name}`

/** Reads every column of every table from the catalogue of the database. */
export async function listColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column & { checks: string | null }>`
    select relname::text as "table", attname::text as name, format_type(atttypid, null) as type, not attnotnull as "isNullable",
      attgenerated <> '' as "isMade", attidentity <> '' as "isOwnId", atthasdef or attidentity <> '' as "isFilled",
      attgenerated <> '' or attidentity = 'a' as "isFixed",
      attidentity <> '' or attname like '%\_id' and atttypid = 'bigint'::regtype or exists (
        select from pg_constraint where contype = 'f' and conrelid = attrelid and conkey = array[attnum]) as "isId",
      (select string_agg(pg_get_constraintdef(oid), ' ') from pg_constraint
        where contype = 'c' and conrelid = attrelid and conkey = array[attnum]) as checks
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and attnum > 0 and not attisdropped
    order by relname, attnum`.execute(db)
  return rows.map(({ checks, ...column }) => ({ ...column, words: wordsIn(checks ?? '') }))
}

/** CHECK ((state = ANY (ARRAY['new'::text, 'done'::text]))) allows 'new' and 'done'; so do <@ ARRAY[…] and <@ '{new,done}'. */
function wordsIn(check: string): string[] {
  const [, list, braced] = /(?:= ANY |<@ )\(?(?:ARRAY\[(.*?)\]|'\{(.*?)\}')/.exec(check) ?? []
  return braced?.split(',') ?? [...(list ?? '').matchAll(/'([^']*)'/g)].map(([, word]) => word!)
}
