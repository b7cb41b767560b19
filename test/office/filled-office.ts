import type { Client } from 'pg'
import { openSession, quoted } from '../../src/copies/session.db.ts'
import { connect } from '../../src/server/database/database.ts'
import { afterwards } from '../clean-up.ts'
import type { TestDatabase } from '../database.ts'
import { columnKey, type Column } from '../rows/catalogue.ts'

/** Columns whose words are known only to the code. */
const WORDS: Record<string, string[]> = {
  'log.act': ['project-changed', 'project-added'],
  'files.period': ['2025', '2026-Q1'],
  'file_versions.period': ['2025', '2026-Q1'],
}
/** Every table has these rows: the first has a value in each column, the second only in required ones. */
const ROWS = [1, 2]

/**
 * Connects to a database of a test as one who may do anything to it, takes away whatever refuses a row (constraints, triggers),
 * and fills two rows of every table. Row 1 of a table refers to row 1 of others, row 2 to row 2.
 */
export async function openFilled({ connection }: TestDatabase, columns: readonly Column[]): Promise<Client> {
  const db = connect({ connection: { ...connection, user: 'postgres' }, onError: () => undefined })
  const client = await openSession(db)
  afterwards(async () => {
    await client.end()
    await db.destroy()
  })
  await client.query(`set session_replication_role = replica`)
  await client.query(REFUSE_NOTHING)
  for (const [table, all] of Map.groupBy(columns, (column) => column.table)) {
    const own = all.filter(({ isMade }) => !isMade)
    const names = own.map(({ name }) => quoted(name)).join()
    await client.query(`delete from ${quoted(table)}`)
    for (const row of ROWS)
      await client.query(
        `insert into ${quoted(table)} (${names}) select ${own.map((column, at) => valueOf(column, row, at)).join()}`,
      )
  }
  // A second file in a folder: its place says something only beside another.
  const own = columns.filter(({ table, isMade }) => table === 'files' && !isMade)
  const list = (of: (column: Column, at: number) => string) => own.map(of).join()
  await client.query(
    `insert into files (${list(({ name }) => quoted(name))})
     select ${list((column, at) => valueOf(column, column.isOwnId || column.name === 'position' ? 3 : 2, at))}`,
  )
  return client
}

const REFUSE_NOTHING = `
  do $$ declare each record; begin
    for each in select conrelid::regclass as on_table, conname from pg_constraint
      where connamespace = 'public'::regnamespace and conrelid <> 0 and contype in ('c', 'f', 'p', 'u', 'x') order by contype <> 'f'
    loop execute format('alter table %s drop constraint %I cascade', each.on_table, each.conname); end loop;
    for each in select indexrelid::regclass as name from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace and indisunique
    loop execute format('drop index %s', each.name); end loop;
    for each in select attrelid::regclass as on_table, attname from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attidentity <> ''
    loop execute format('alter table %s alter %I drop identity', each.on_table, each.attname); end loop;
  end $$`

const wordsOf = (column: Column) => WORDS[columnKey(column)] ?? (column.type === 'text' ? column.words : [])

/** A value that no other column has, as far as its type allows. */
function valueOf(column: Column, row: number, at: number): string {
  const { type, isNullable, isId } = column
  if (isNullable && row > 1) return 'null'
  if (isId) return String(row)
  const words = wordsOf(column)
  if (words.length > 0) return `'${words[(row - 1) % words.length]}'`
  const number = 10 * (at + 1) + row
  switch (type) {
    case 'boolean':
      return String(row === 1)
    case 'date':
      return `date '2020-01-01' + ${number}`
    case 'timestamp with time zone':
      return `timestamptz '2020-01-01 12:00Z' + interval '${number} hours'`
    case 'bytea':
      return `'${columnKey(column)} ${row}'::bytea`
    case 'jsonb':
      return `jsonb_build_array(${row})`
    case 'uuid':
      return `gen_random_uuid()`
    case 'inet':
      return `inet '10.0.0.${row}'`
    case 'text':
      return `'${columnKey(column)} ${row}'`
    default:
      if (type.endsWith('[]')) return `array[${type === 'text[]' ? `'${columnKey(column)}'` : row}]::${type}`
      return `${number}::${type}`
  }
}

/** SQL that gives the column of every row another value. Ids are swapped, so that rows find each other as before. */
export function changeOf(column: Column, { alsoEmpty }: { alsoEmpty: boolean }): string {
  const name = quoted(column.name)
  return `update ${quoted(column.table)} set ${name} = ${otherValue(column, name)} ${alsoEmpty ? '' : `where ${name} is not null`}`
}

function otherValue(column: Column, name: string): string {
  const { type, isId } = column
  if (isId) return `case ${name} when 1 then 2 when 3 then 3 else 1 end`
  const words = wordsOf(column)
  if (words.length > 1) return `case ${name} when '${words[0]}' then '${words[1]}' else '${words[0]}' end`
  switch (type) {
    case 'boolean':
      return `${name} is not true`
    case 'date':
      return `coalesce(${name}, date '2030-01-01') + 400`
    case 'timestamp with time zone':
      return `coalesce(${name}, timestamptz '2030-01-01Z') + interval '400 days'`
    case 'bytea':
      return `coalesce(${name}, '') || '!'::bytea`
    case 'jsonb':
      return `jsonb_build_array(jsonb_build_object('name', 'changed', 'why', 'changed'))`
    case 'uuid':
      return `gen_random_uuid()`
    case 'inet':
      return `inet '10.9.9.9'`
    case 'text':
      return `'changed ' || translate(coalesce(${name}, ''), '123', '321')` // comes in another order
    default:
      if (type.endsWith('[]'))
        return `array_append(${name}, ${type === 'text[]' ? `'changed'` : 2}::${type.slice(0, -2)})`
      return `coalesce(${name}, 0) + 1`
  }
}
