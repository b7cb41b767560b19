import { COLUMN_NAMES, textsOf, type Texts } from './cell-text.ts'
import type { Company, CompanyColumn } from '../company/company.ts'
import type { VersionRow } from './differences.ts'

/** A note says what became of a text. An `early` one was found here, before the server saw it. */
export type CellFault = { text: string; kind: 'note' | 'early' | 'refused' }

/** A row as the table draws it. The texts in its cells are not part of it, so that typing redraws nothing. */
export type SheetRow = {
  /** Stays the same when the row is saved. */
  id: string
  /** Null for a new row. */
  company: number | null
  locked: boolean
  editable: readonly CompanyColumn[]
  deletable: boolean
  faults: Readonly<Partial<Record<CompanyColumn, CellFault>>>
}

export type Kept = { id: string; row: SheetRow; texts: Texts }

export const NEW_ROW: Omit<SheetRow, 'id'> = {
  company: null,
  locked: false,
  editable: COLUMN_NAMES,
  deletable: true,
  faults: {},
}

export const keyOf = ({ id }: Company) => `nr-${id}`

export function rowOf(company: Company): Kept {
  const { id, locked, editable, deletable, ...values } = company
  const row = {
    id: keyOf(company),
    company: id,
    locked,
    editable,
    deletable: String(deletable) === 'true', // S3.5
    faults: {},
  }
  return { id: row.id, row, texts: textsOf(values) }
}

export function versionOf({ id, locked, editable, deletable }: SheetRow, texts: Texts): VersionRow {
  return { key: id, texts, locked, editable, deletable }
}
