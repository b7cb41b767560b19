import { sql, type RawBuilder } from 'kysely'
import { namesOf, type Field, type Fields } from '../../base/fields/field.ts'

/** The fields as TypeScript has them: days are texts. */
export const columnValues = (fields: Fields, table: string) =>
  sql.join(
    namesOf(fields).map((name) => {
      const column = sql.ref(`${table}.${name}`)
      return fields[name]!.kind === 'day' ? sql`${column}::text as ${sql.ref(name)}` : column
    }),
  )

/** The fields under their Danish headings, with the words of choices. */
export const columnsInDanish = (fields: Fields) =>
  sql.join(
    Object.entries(fields).map(([name, field]) => {
      const value = field.kind === 'choice' ? inWords(sql.ref(name), field.choices) : sql.ref(name)
      return sql`${value} as ${sql.id(field.exportedAs ?? field.label)}`
    }),
  )

/** Returns the Danish word for a stored one. */
export function inWords(
  column: RawBuilder<unknown>,
  names: Readonly<Record<string, string>>,
): RawBuilder<string> {
  const cases = Object.entries(names).map(([word, name]) => sql`when ${sql.lit(word)} then ${sql.lit(name)}`)
  return sql<string>`case ${column} ${sql.join(cases, sql` `)} else ${column} end`
}

/** Returns the expression that sorts by a field: choices by the alphabetical order of their words. */
export function orderOf(field: Field, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (field.kind !== 'choice') return column
  const words = Object.entries(field.choices).toSorted(([, one], [, other]) => one.localeCompare(other, 'da'))
  return sql`array_position(array[${sql.join(words.map(([word]) => sql.lit(word)))}], ${column})`
}
