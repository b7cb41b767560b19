import type { CellType } from '../../ui/list/columns.ts'

/** The columns of an external K/S company that an investor owns a share of, in the table's order. */
export const COLUMNS = [
  { name: 'name', text: 'Selskab', type: 'text' },
  { name: 'cvr', text: 'CVR-nr.', type: 'text' },
  { name: 'share', text: 'Ejerandel %', type: 'number', min: 0 },
  { name: 'year', text: 'Regnskabsår', type: 'number', min: 1800 },
  { name: 'contribution', text: 'Indskud', type: 'currency', min: 0 },
  { name: 'liability', text: 'Resthæftelse', type: 'currency', min: 0 },
  { name: 'equity', text: 'Egenkapital', type: 'currency' },
  { name: 'debt', text: 'Gæld', type: 'currency', min: 0 },
  { name: 'result', text: 'Årets resultat', type: 'currency' },
] as const satisfies readonly { name: string; text: string; type: CellType; min?: number }[]

export type CompanyColumn = (typeof COLUMNS)[number]['name']

/** The values of a row; null for an empty cell. */
export type CompanyValues = {
  name: string
  cvr: string | null
  /** In percent, up to four decimals. */
  share: number | null
  year: number | null
  /** In whole kroner, like all amounts. */
  contribution: number | null
  liability: number | null
  equity: number | null
  debt: number | null
  result: number | null
}

/** A row for one reader: S3.5. */
export type Company = CompanyValues & {
  id: number
  /** Locked by the office. */
  locked: boolean
  /** The columns that this reader may edit. */
  editable: CompanyColumn[]
  deletable: boolean
}

/** The whole table. `version` counts the saves: a save based on an older version is refused. */
export type CompanyReport = { version: number; companies: Company[] }

/** The columns an investor may still edit in a row that the office has locked. */
export const EDITABLE_WHEN_LOCKED: readonly CompanyColumn[] = ['liability', 'equity', 'debt', 'result']

export const MOST_COMPANIES = 1000
/** The largest amount. Keeps every sum exact. */
export const MOST_KRONER = 1_000_000_000_000 - 1

/** Returns a row for one reader. Locks apply to the investor, not to the office. */
export function companyFor(row: CompanyValues & { id: number; locked: boolean }, isOffice: boolean): Company {
  const { id, locked, name, cvr, share, year, contribution, liability, equity, debt, result } = row
  const values = { name, cvr, share, year, contribution, liability, equity, debt, result }
  const isBound = locked && !isOffice
  const editable = isBound ? [...EDITABLE_WHEN_LOCKED] : COLUMNS.map((column) => column.name)
  return { id, ...values, locked, editable, deletable: !isBound }
}
