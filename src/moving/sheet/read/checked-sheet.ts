import type { ColumnValues } from '../../../accounts/users/user.fields.ts'
import type { ProjectValues } from '../../../projects/project/project.fields.ts'
import type { Field, SheetColumns, SheetKind } from './sheet-columns.ts'

/** The most rows in one import. */
export const MOST_ROWS = 25_000
export const MOST_SHEET_BYTES = 20 * 1024 * 1024

/** A fault of a row, and the field where it is shown; null for the whole row. */
export type RowFault = { field: Field | null; text: string }

/** A row of the sheet. A missing field is empty or wrong. */
export type ProjectRow = Partial<ProjectValues> & {
  row: number
  faults: RowFault[]
}

/** The name is without titles. */
export type PersonRow = Partial<ColumnValues> & {
  row: number
  /** The titles that stood with the name. */
  title?: string
  numbers: string[]
  /** The numbers of projects. */
  projects: string[]
  faults: RowFault[]
}

export type GivenCells = { head: (string | null)[]; rows: Record<number, (string | null)[]> }

/** A sheet whose rows are read, and checked as far as possible without the database. */
export type CheckedSheet = {
  /** What the sheets are called, and the letters of their columns. */
  tables: Partial<Record<SheetKind, { name: string; letters: Partial<Record<Field, string>> }>>
  /** The original cells by row, for the sheet with the wrong rows. Missing before 1.1. */
  given?: Partial<Record<SheetKind, GivenCells>>
  /** The columns of each sheet, and their fields. Missing before 1.1. */
  columns?: SheetColumns[]
  projects: ProjectRow[]
  people: PersonRow[]
  /** What is wrong with a sheet as a whole. */
  faults: string[]
  /** What is left out. */
  notes: string[]
}

/** 'Personer, C14', or 'Personer, række 14' if no column says it. */
export function placeOf({ tables }: CheckedSheet, kind: SheetKind, row: number, field: Field | null): string {
  const { name = '', letters = {} } = tables[kind] ?? {}
  const letter = field === null ? undefined : letters[field]
  return `${name}, ${letter === undefined ? `række ${row}` : `${letter}${row}`}`
}

/** Whether a field of a row is wrong, so that it does not also count as missing. */
export const isFaulty = ({ faults }: { faults: RowFault[] }, field: Field) =>
  faults.some((fault) => fault.field === field)
