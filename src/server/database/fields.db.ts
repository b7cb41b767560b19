import { sql, type RawBuilder } from 'kysely'
import { namesOf, type Field, type Fields } from '../../base/fields/field.ts'

const SQL_TYPES: Partial<Record<Field['kind'], string>> = { month: 'integer', day: 'date' }

const typeOf = (field: Field) => sql.raw(SQL_TYPES[field.kind] ?? 'text')

const eachOf = (fields: Fields, make: (name: string, field: Field) => RawBuilder<unknown>) =>
  namesOf(fields).map((name) => make(name, fields[name]!))

/** `number, name, held_from` */
export const columnNames = (fields: Fields) => sql.join(eachOf(fields, (name) => sql.ref(name)))

/** `number text, name text, held_from date`, for `json_to_recordset`. */
export const columnTypes = (fields: Fields) =>
  sql.join(eachOf(fields, (name, field) => sql`${sql.ref(name)} ${typeOf(field)}`))

/** The fields as TypeScript has them: days are texts. */
export const columnValues = (fields: Fields, table: string) =>
  sql.join(
    eachOf(fields, (name, field) => {
      const column = sql.ref(`${table}.${name}`)
      return field.kind === 'day' ? sql`${column}::text as ${sql.ref(name)}` : column
    }),
  )

/** The fields under their Danish headings, with the words of choices. */
export const columnsInDanish = (fields: Fields) =>
  sql.join(
    eachOf(fields, (name, field) => {
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

/** A JSON object of the fields. */
export const columnsAsJson = (fields: Fields) =>
  sql`jsonb_build_object(${sql.join(
    eachOf(fields, (name, field) =>
      field.kind === 'day'
        ? sql`${sql.lit(name)}, ${sql.ref(name)}::text`
        : sql`${sql.lit(name)}, ${sql.ref(name)}`,
    ),
  )})`

/** A field of the JSON object `json` as SQL has it, or the column's own value if the object omits it. */
export const valueIn = (json: RawBuilder<unknown>, column: string, name: string, field: Field) => sql`
  case when (${json} -> ${sql.lit(name)}) is null then ${sql.ref(column)}
    else (${json} ->> ${sql.lit(name)})::${typeOf(field)} end`
