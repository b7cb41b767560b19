import { monthName, writeDay } from '../time/days.ts'

/** How a value is kept and entered. */
type Kind =
  /** One line, or several. An optional one is null when it is empty. `called` begins its messages: 'Navnet'. */
  | { kind: 'line' | 'lines'; called: string; most: number; isOptional?: true }
  /** Several lines, rows of a table of their own. `called` and `most` are about each. */
  | { kind: 'texts'; called: string; most: number; mostTexts: number }
  | { kind: 'email' | 'cvr' }
  | { kind: 'choice'; choices: Readonly<Record<string, string>>; initial: string; fault: string }
  | { kind: 'month'; initial: number }
  | { kind: 'day' }

/** A field of a thing, described once. Forms, lists, pages, sheets, the export, the API and SQL read it. */
export type Field = Kind & {
  label: string
  help?: string
  /** Its text and example in the API's description. */
  description?: string
  example?: string
  /** Lists have a column of it, and sort by it. */
  isListed?: true
  /** The thing's own page shows it. */
  isFact?: true
  /** Its name in the list's search box. Set if the search covers it. */
  searchedAs?: string
  /** Its heading in the export, if it differs from the label. */
  exportedAs?: string
  /** Its column in the sheet with which an office moves in. */
  sheet: {
    /** Its heading, if it differs from the label. */
    heading?: string
    /** Other headings that mean this field, in the form of `headingKey`. */
    synonyms: readonly string[]
    /** The instruction above the column. */
    note: string
    example: string
    width: number
    /** Other words that mean each choice. */
    words?: Readonly<Record<string, readonly string[]>>
    /** The message for a word that means none, if it does not name all choices. */
    fault?: string
  }
}

/** The fields of a thing, by the names of their columns in SQL. */
export type Fields = Readonly<Record<string, Field>>

/** The value of any field. */
export type Value = string | number | readonly string[] | null

/** The value of a field. */
type ValueOf<Each extends Field> = Each extends { kind: 'choice'; choices: infer Choices }
  ? keyof Choices & string
  : Each extends { kind: 'month' }
    ? number
    : Each extends { kind: 'texts' }
      ? string[]
      : Each extends MustBeSaid
        ? string
        : string | null

/** A field without an initial value. A form that says no texts means none. */
type MustBeSaid = { kind: 'line' | 'lines'; isOptional?: never } | { kind: 'email' | 'texts' }

/** A thing's values, by the names of their fields. */
export type ValuesOf<All extends Fields> = { -readonly [Name in keyof All]: ValueOf<All[Name]> }

/** A thing's values as somebody sends them. Those that are left out stay, or get their initial value. */
export type SentValues<All extends Fields> = {
  readonly [Name in keyof All]?: ValueOf<All[Name]> | undefined
} & { readonly [Name in keyof All as All[Name] extends MustBeSaid ? Name : never]: ValueOf<All[Name]> }

/** The names of the fields that have a mark, such as `isListed`. */
type NamesWith<All extends Fields, Mark extends keyof Field> = {
  [Name in keyof All]: All[Name] extends Required<Pick<Field, Mark>> ? Name : never
}[keyof All] &
  string

export const namesOf = <All extends Fields>(fields: All) => Object.keys(fields) as (keyof All & string)[]

export const namesWith = <All extends Fields, Mark extends keyof Field>(fields: All, mark: Mark) =>
  namesOf(fields).filter((name) => fields[name]![mark] !== undefined) as NamesWith<All, Mark>[]

/** Returns the values of these fields alone. */
export const pickFields = <All extends Fields, Values extends { readonly [Name in keyof All]?: unknown }>(
  fields: All,
  values: Values,
) => Object.fromEntries(namesOf(fields).map((name) => [name, values[name]])) as Pick<Values, keyof All>

/** Returns the value that a new thing begins with; undefined if somebody must enter it. */
export function initialOf(field: Field): string | number | null | undefined {
  if (field.kind === 'choice' || field.kind === 'month') return field.initial
  if (field.kind === 'line' || field.kind === 'lines') return field.isOptional ? null : undefined
  return field.kind === 'email' || field.kind === 'texts' ? undefined : null
}

/** Returns the values of a new thing: those that are sent, and initial ones. */
export const newValues = <All extends Fields>(fields: All, sent: SentValues<All>) =>
  Object.fromEntries(
    namesOf(fields).map((name) => [name, sent[name] ?? initialOf(fields[name]!)]),
  ) as ValuesOf<All>

/** A value as a person writes it; '' for none. */
export function formatValue(field: Field, value: Value): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  if (field.kind === 'choice') return field.choices[String(value)] ?? ''
  if (field.kind === 'month') return monthName(Number(value))
  return field.kind === 'day' ? writeDay(String(value)) : String(value)
}

/** The labels of fields, and how to write their values, for a form that two people have changed. */
export const wordsOf = <All extends Fields>(fields: All) =>
  Object.fromEntries(
    namesOf(fields).map((name) => {
      const field = fields[name]!
      return [name, { label: field.label, say: (value: Value) => formatValue(field, value) }]
    }),
  ) as { [Name in keyof All]: { label: string; say: (value: Value) => string } }
