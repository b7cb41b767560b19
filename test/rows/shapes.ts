/**
 * The values that a type allows, as a number in `RowTypes.shapes`: types contain each other, and some contain
 * themselves.
 */
export type Shape = number

/** One alternative of a type. `anything` stands for unchecked types: unknown, any, a type parameter. */
export type Alternative =
  | 'anything'
  | 'null'
  | 'string'
  | 'number'
  | 'boolean'
  | 'Date'
  | 'Buffer'
  | { is: string | number | boolean }
  | { each: Shape }
  | { fields: Record<string, { shape: Shape; isOptional: boolean }>; others: Shape | null }

/** The place of a query in the code, and the type of its rows, or of its value if it is a part of another query. */
export type Place = { at: string; type: string; shape: Shape }

export type RowTypes = {
  shapes: Alternative[][]
  /** By the texts between the holes of the template, as `keyOf` joins them. Several places may have the same. */
  places: Record<string, Place[]>
}

/** Names a query by the texts between the holes of its template: at run time they are all that is left of its place. */
export const keyOf = (texts: readonly string[]) => texts.join('${}')

/** The file in the directory that a run shares. */
export const ROW_TYPES = 'row-types.json'
