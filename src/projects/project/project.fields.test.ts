import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { listColumns } from '../../../test/rows/catalogue.ts'
import { freshDatabase } from '../../../test/database.ts'
import { namesOf, namesWith } from '../../base/fields/field.ts'
import { PROJECT_FIELDS } from './project.fields.ts'

/** Columns that nobody fills in. */
const NO_FIELDS = ['id', 'created_at', 'updated_at', 'files_count', 'changed_at', 'search']

it('every column of a project is a field, or is named as an exception', async () => {
  const { db } = await freshDatabase()
  const columns = (await listColumns(db)).filter(({ table }) => table === 'projects')
  expect(columns.map(({ name }) => name).sort()).toEqual([...namesOf(PROJECT_FIELDS), ...NO_FIELDS].sort())
})

it('the list of projects searches exactly the fields that its search box names', async () => {
  const { db } = await freshDatabase()
  const { rows } = await sql<{ made: string }>`
    select pg_get_expr(adbin, adrelid) as made from pg_attrdef
    where adrelid = 'projects'::regclass and pg_get_expr(adbin, adrelid) like 'search_key(%'`.execute(db)
  const searched = namesOf(PROJECT_FIELDS).filter((name) => new RegExp(`\\b${name}\\b`).test(rows[0]!.made))
  expect(searched).toEqual(namesWith(PROJECT_FIELDS, 'searchedAs'))
})
