import { formatMoney } from '../../base/money.ts'
import { COLUMN_NAMES, meaningOf, NO_TEXTS, readText, valuesOf, type Texts } from './cell-text.ts'
import type { CompanyColumn, CompanyReport, CompanyValues } from '../company/company.ts'
import { NEW_ROW, rowOf, type Kept, type SheetRow } from './sheet-row.ts'
import { AMOUNTS, sumsOf, type Sums } from './sums.ts'

type Write = (row: string, column: CompanyColumn, text: string) => void

/** How long after a key the sums follow. */
const SUMS_MS = 80

/** A sheet's state: its rows, separately the texts in the cells, and what of both was saved last. */
export class SheetState {
  rows: readonly SheetRow[] = []
  version = 0
  isDirty = false
  protected texts = new Map<string, Texts>()
  #values = new Map<string, CompanyValues>()
  protected kept: readonly Kept[] = []
  protected keptById = new Map<string, Kept>()
  #sums: Sums | null = null
  #longestAmount = 0
  protected changedCells = new Set<string>()
  #lastNew = 0
  #touched = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #listeners = new Map<string, Set<() => void>>()
  protected write: Write = () => undefined

  constructor(report: CompanyReport) {
    this.take(report, report.companies.map(rowOf))
  }

  /** Tells of 'rows', 'state', 'sums', or of one row's values by its id. */
  subscribe(topic: string, listener: () => void): () => void {
    const all = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, all.add(listener))
    return () => all.delete(listener)
  }

  /** Puts a text that was not typed into its cell. */
  writeBy(write: Write): void {
    this.write = write
  }

  textOf = (row: string, column: CompanyColumn): string => this.texts.get(row)?.[column] ?? ''
  valuesOf = (row: string): CompanyValues | undefined => this.#values.get(row)
  get sums(): Sums {
    return (this.#sums ??= sumsOf(this.rows.map(({ id }) => this.#values.get(id)!)))
  }

  /** The most letters that an amount or sum has had: a column that has grown does not shrink while the user types. */
  get longestAmount(): number {
    let [least, most] = [0, 0]
    const compare = (amount: number) => {
      if (amount < least) least = amount
      else if (amount > most) most = amount
    }
    for (const { id } of this.rows) for (const name of AMOUNTS) compare(this.#values.get(id)![name] ?? 0)
    for (const amount of Object.values(this.sums.amounts)) compare(amount)
    const lengths = [least, most].map((amount) => formatMoney(amount).length)
    return (this.#longestAmount = Math.max(this.#longestAmount, ...lengths))
  }

  protected take(report: CompanyReport, companies: Kept[]): void {
    const keys = new Map(this.kept.map(({ id, row }) => [row.company, id]))
    const kept = companies.map(({ row, texts }): Kept => {
      const id = keys.get(row.company) ?? row.id
      return { id, texts, row: { ...row, id } }
    })
    this.version = report.version
    this.keep(kept)
    this.changedCells.clear()
    for (const { id, texts } of kept) {
      const before = this.texts.get(id)
      this.texts.set(id, { ...texts })
      this.#values.set(id, valuesOf(texts))
      if (before) for (const column of COLUMN_NAMES) this.write(id, column, texts[column])
    }
    this.setRows(kept.map(({ row }) => row))
    this.tellSums()
  }

  protected keep(kept: Kept[]): void {
    this.kept = kept
    this.keptById = new Map(kept.map((each) => [each.id, each]))
  }

  protected newRow(): SheetRow {
    const id = `ny-${++this.#lastNew}`
    this.texts.set(id, { ...NO_TEXTS })
    this.#values.set(id, valuesOf(NO_TEXTS))
    return { ...NEW_ROW, id }
  }

  protected setText(row: string, column: CompanyColumn, text: string): void {
    const texts = this.texts.get(row) ?? { ...NO_TEXTS }
    texts[column] = text
    this.texts.set(row, texts)
    const values = this.#values.get(row) ?? valuesOf(texts)
    this.#values.set(row, { ...values, [column]: readText(column, text) ?? null })
    if (this.isChanged(row, column)) this.changedCells.add(`${row} ${column}`)
    else this.changedCells.delete(`${row} ${column}`)
    this.#sums = null
    this.#touched.add(row)
    this.#timer ??= setTimeout(() => this.tellSums(), SUMS_MS)
  }

  protected isChanged(row: string, column: CompanyColumn): boolean {
    const kept = this.keptById.get(row)
    return (
      kept !== undefined &&
      meaningOf(column, kept.texts[column]) !== meaningOf(column, this.textOf(row, column))
    )
  }

  protected tellSums(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const touched = [...this.#touched]
    this.#touched.clear()
    for (const row of touched) this.#tell(row)
    this.#tell('sums')
  }

  protected clearFault(row: string, column: CompanyColumn): void {
    const { [column]: gone, ...left } = this.rows.find(({ id }) => id === row)?.faults ?? {}
    if (gone) this.setFaults(new Map([[row, left]]), false, true)
  }

  /** Sets the faults of these rows, or of all rows: then the others have none. */
  protected setFaults(faults: Map<string, SheetRow['faults']>, isAll: boolean, isInstead = isAll): void {
    this.setRows(
      this.rows.map((row) => {
        const found = faults.get(row.id)
        if (found) return { ...row, faults: isInstead ? found : { ...row.faults, ...found } }
        return isAll && Object.keys(row.faults).length > 0 ? { ...row, faults: {} } : row
      }),
    )
  }

  protected setRows(rows: readonly SheetRow[]): void {
    this.rows = rows
    this.#sums = null
    this.#tell('rows')
    this.checkState()
    this.#timer ??= setTimeout(() => this.tellSums(), 0)
  }

  protected checkState(): void {
    const isDirty = this.changedCells.size > 0 || !this.#isSameRows()
    if (isDirty === this.isDirty) return
    this.isDirty = isDirty
    this.#tell('state')
  }

  #isSameRows(): boolean {
    return (
      this.rows.length === this.kept.length &&
      this.rows.every(({ id, locked }, index) => {
        const kept = this.kept[index]!
        return kept.id === id && kept.row.locked === locked
      })
    )
  }

  #tell(topic: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener()
  }
}
