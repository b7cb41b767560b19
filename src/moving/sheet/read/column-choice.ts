import { fieldsOf, SHEET_KINDS, type ChosenColumns, type SheetColumns } from './sheet-columns.ts'

/** The names of the form's fields. */
export const kindName = (table: number) => `kind-${table}`
export const columnName = (table: number, at: number) => `column-${table}-${at}`

/** Reads the posted choice. If the kind of rows changes for a sheet, its columns are guessed again. */
export function readChoices(
  sheets: readonly SheetColumns[],
  body: Record<string, unknown>,
): Record<number, ChosenColumns> {
  return Object.fromEntries(sheets.map((sheet) => [sheet.table, choiceOf(sheet, body)]))
}

function choiceOf(
  { table, kind: before, columns }: SheetColumns,
  body: Record<string, unknown>,
): ChosenColumns {
  const kind = SHEET_KINDS.find((each) => each === body[kindName(table)]) ?? null
  if (kind === null || kind !== before) return { kind, fields: null }
  const fields: ChosenColumns['fields'] = []
  for (const { at } of columns) {
    while (fields.length < at) fields.push(null)
    fields[at] = fieldsOf(kind).find(({ field }) => field === body[columnName(table, at)])?.field ?? null
  }
  return { kind, fields }
}
