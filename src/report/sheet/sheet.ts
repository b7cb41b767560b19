import { COLUMN_NAMES, faultOf, meaningOf, settleText, textsOf, type Texts } from './cell-text.ts'
import { MOST_COMPANIES, type CompanyColumn, type CompanyReport } from '../company/company.ts'
import { countDropped, differencesOf, keepMine, type Difference, type Versions } from './differences.ts'
import { placeBlock, type PlacedBlock } from './pasted-block.ts'
import { keyOf, NEW_ROW, rowOf, versionOf, type CellFault, type Kept, type SheetRow } from './sheet-row.ts'
import { SheetState } from './sheet-state.ts'

type Written = { row: string; column: CompanyColumn; text: string; before: string }

/** The rows as they were sent, to see later what has changed since. */
export type Sent = { order: string[]; texts: Map<string, Texts>; locked: Map<string, boolean> }

/** Notes on a row's cells survive saving, because the user may not have read them yet. */
const notesOf = ({ faults }: SheetRow): SheetRow['faults'] =>
  Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault.kind === 'note'))

/** The report while it is edited: its rows, and separately the texts in the cells. */
export class Sheet extends SheetState {
  /** Takes a typed text. */
  type(row: string, column: CompanyColumn, text: string): void {
    this.setText(row, column, text)
    this.clearFault(row, column)
    this.checkState()
  }

  /** Formats a cell's text when the cell is left, and announces what was changed. */
  leave(row: string, column: CompanyColumn, isPasted = false): { text: string; said?: CellFault } {
    const { text, note, fault } = settleText(column, this.textOf(row, column), isPasted)
    this.setText(row, column, text)
    this.checkState()
    if (fault !== undefined) return { text, said: { text: fault, kind: 'early' } }
    return { text, ...(note !== undefined && { said: { text: note, kind: 'note' } }) }
  }

  /** Adds a note to a cell, which stays until the cell is edited again. */
  say(row: string, column: CompanyColumn, said: CellFault): void {
    this.setFaults(new Map([[row, { [column]: said }]]), false)
  }

  /** Tells listeners that the row's name has changed. */
  rename(row: string): void {
    this.setRows(this.rows.map((each) => (each.id === row ? { ...each } : each)))
  }

  add(count = 1): SheetRow[] {
    const room = Math.max(0, MOST_COMPANIES - this.rows.length)
    const added = Array.from({ length: Math.min(count, room) }, () => this.newRow())
    this.setRows([...this.rows, ...added])
    return added
  }

  move(from: number, to: number): void {
    const row = this.rows[from]
    if (!row || to < 0 || to >= this.rows.length) return
    this.setRows(this.rows.toSpliced(from, 1).toSpliced(to, 0, row))
  }

  /** Removes a row. Returns a function that puts it back. */
  remove(id: string): () => void {
    const index = this.rows.findIndex((row) => row.id === id)
    const row = this.rows[index]
    if (!row) return () => undefined
    const below = new Set(this.rows.slice(index + 1).map((each) => each.id))
    this.setRows(this.rows.toSpliced(index, 1))
    return () => {
      if (this.rows.some((each) => each.id === id)) return
      // The report was saved without the row meanwhile, so the row is new.
      const company = this.keptById.has(id) ? row.company : null
      // Inserts it before the first row that was below it and still exists.
      const at = this.rows.findIndex((each) => below.has(each.id))
      this.setRows(this.rows.toSpliced(at < 0 ? this.rows.length : at, 0, { ...row, company }))
    }
  }

  setLocked(id: string, locked: boolean): void {
    this.setRows(this.rows.map((row) => (row.id === id ? { ...row, locked } : row)))
  }

  /** Pastes a block, starting at one cell; `undo` removes it again. */
  paste(
    block: readonly (readonly string[])[],
    row: string,
    column: CompanyColumn,
  ): PlacedBlock & { undo: () => void } {
    const at = this.rows.findIndex(({ id }) => id === row)
    const placed = placeBlock(block, { row: at, column }, this.rows, MOST_COMPANIES)
    const added = new Set(this.add(placed.added).map(({ id }) => id))
    const cells = placed.cells.map(({ row: index, column: into, text }): Written => {
      const { id } = this.rows[index]!
      return { row: id, column: into, text, before: this.textOf(id, into) }
    })
    this.#writeAll(cells)
    return {
      ...placed,
      undo: () => {
        // Later edits stay.
        const untouched = cells.filter(({ row: id, column: into, text }) => this.textOf(id, into) === text)
        this.#writeAll(untouched.map((cell) => ({ ...cell, text: cell.before })))
        const isEmpty = (id: string) => COLUMN_NAMES.every((each) => this.textOf(id, each) === '')
        this.setRows(this.rows.filter(({ id }) => !(added.has(id) && isEmpty(id))))
      },
    }
  }

  #writeAll(cells: readonly Written[]): void {
    const changed = new Map<string, SheetRow['faults']>()
    const faults = new Map(this.rows.map((row) => [row.id, row.faults]))
    for (const { row, column, text } of cells) {
      this.setText(row, column, text)
      this.write(row, column, text)
      const { [column]: gone, ...left } = changed.get(row) ?? faults.get(row) ?? {}
      const fault = faultOf(column, text)
      if (fault !== undefined) changed.set(row, { ...left, [column]: { text: fault, kind: 'early' } })
      else if (gone) changed.set(row, left)
    }
    if (changed.size > 0) this.setFaults(changed, false, true)
    const renamed = new Set(cells.flatMap(({ row, column }) => (column === 'name' ? [row] : [])))
    if (renamed.size > 0) this.setRows(this.rows.map((row) => (renamed.has(row.id) ? { ...row } : row)))
    this.checkState()
    this.tellSums()
  }

  /** Takes the server's faults, by the positions that the rows had when they were sent. */
  refuse(errors: Readonly<Record<string, readonly string[]>>, sent: Sent): void {
    const faults = new Map<string, Partial<Record<CompanyColumn, CellFault>>>()
    for (const [path, texts] of Object.entries(errors)) {
      const [, index, column] = /^companies\.(\d+)\.(\w+)$/.exec(path) ?? []
      const id = sent.order[Number(index)]
      if (id === undefined) continue
      // A fault of the whole row is shown at its name.
      const name = isColumn(column) ? column : 'name'
      const before = faults.get(id)?.[name]
      const text = [before?.text, ...texts].filter(Boolean).join(' ')
      faults.set(id, { ...faults.get(id), [name]: { text, kind: 'refused' } })
    }
    this.setFaults(faults, true)
  }

  /** The faults that the server reported. */
  get faults(): { row: SheetRow; index: number; column: CompanyColumn; text: string }[] {
    return this.rows.flatMap((row, index) =>
      COLUMN_NAMES.flatMap((column) => {
        const fault = row.faults[column]
        return fault?.kind === 'refused' ? [{ row, index, column, text: fault.text }] : []
      }),
    )
  }

  snapshot(): Sent {
    return {
      order: this.rows.map(({ id }) => id),
      texts: new Map(this.rows.map(({ id }) => [id, { ...this.texts.get(id)! }])),
      locked: new Map(this.rows.map(({ id, locked }) => [id, locked])),
    }
  }

  /** Marks the sent rows as saved; later changes stay unsaved. */
  saved(report: CompanyReport, sent: Sent): void {
    const kept = report.companies.map((company, index): Kept => {
      const id = sent.order[index] ?? keyOf(company)
      return { id, texts: textsOf(company), row: { ...rowOf(company).row, id } }
    })
    this.version = report.version
    this.keep(kept)
    const byId = this.keptById
    for (const { id, texts } of kept) {
      if (!this.texts.has(id)) continue
      for (const column of COLUMN_NAMES)
        if (
          this.textOf(id, column) === sent.texts.get(id)?.[column] &&
          this.textOf(id, column) !== texts[column]
        ) {
          this.setText(id, column, texts[column])
          this.write(id, column, texts[column])
        }
    }
    this.changedCells = new Set(
      this.rows.flatMap(({ id }) =>
        COLUMN_NAMES.filter((column) => this.isChanged(id, column)).map((column) => `${id} ${column}`),
      ),
    )
    this.setRows(
      this.rows.map((row) => {
        const now = byId.get(row.id)?.row
        const faults = notesOf(row)
        if (!now) return { ...row, faults }
        const locked = row.locked === sent.locked.get(row.id) ? now.locked : row.locked
        return { ...now, locked, faults }
      }),
    )
  }

  /** Whether the stored report equals what was sent: then it was saved, and only the answer was lost. */
  isWhatWasSent({ companies }: CompanyReport, sent: Sent): boolean {
    return (
      companies.length === sent.order.length &&
      companies.every((company, index) => {
        const [texts, wanted] = [textsOf(company), sent.texts.get(sent.order[index]!)!]
        return COLUMN_NAMES.every(
          (column) => meaningOf(column, texts[column]) === meaningOf(column, wanted[column]),
        )
      })
    )
  }

  /** Returns the differences from what another person has saved. */
  differencesTo(theirs: CompanyReport): Difference[] {
    return differencesOf(this.#versions(theirs))
  }

  /** Continues from what another person has saved, with or without the changes made here. */
  takeTheirs(theirs: CompanyReport, mode: 'mine' | 'theirs'): { dropped: number } {
    const versions = this.#versions(theirs)
    const merged = mode === 'mine' ? keepMine(versions) : null
    this.take(theirs, theirs.companies.map(rowOf))
    if (!merged) return { dropped: 0 }
    const kept = this.keptById
    for (const { key, texts } of merged) {
      for (const column of COLUMN_NAMES) {
        this.setText(key, column, texts[column])
        this.write(key, column, texts[column])
      }
    }
    this.setRows(
      merged.map(({ key, isNew, locked }) => ({
        ...(isNew ? { ...NEW_ROW, id: key } : kept.get(key)!.row),
        locked,
      })),
    )
    this.tellSums()
    return { dropped: countDropped(versions, merged) }
  }

  #versions(theirs: CompanyReport): Versions {
    const mine = this.rows.map((row) => versionOf(row, this.texts.get(row.id)!))
    const before = this.kept.map(({ row, texts }) => versionOf(row, texts))
    // A new row keeps its key when saving gives it an id.
    const keys = new Map(this.kept.map(({ id, row }) => [row.company, id]))
    return {
      before,
      mine,
      theirs: theirs.companies.map((company) => {
        const { row, texts } = rowOf(company)
        return versionOf({ ...row, id: keys.get(company.id) ?? row.id }, texts)
      }),
    }
  }
}

const isColumn = (name: string | undefined): name is CompanyColumn =>
  COLUMN_NAMES.some((each) => each === name)
