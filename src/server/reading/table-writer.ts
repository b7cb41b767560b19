/** A cell that says something else than the person who filled it in sees. */
const CELL_TROUBLES = ['formula', 'error', 'length', 'digits'] as const
export type CellTrouble = (typeof CELL_TROUBLES)[number]

/** A line that the program writes: a sheet begins, one of its rows, or something about it. */
export type TableLine =
  | { sheet: string; isHidden: boolean }
  | { row: number; cells: (string | null)[] }
  | { trouble: CellTrouble; row: number; at: number }
  | { merged: string }
  | { rowsCount: number }

/** More columns, merged cells, problems and sheets than these are dropped, and so are longer texts. */
const MOST_COLUMNS = 200
const MOST_OTHERS = 1000
const MOST_SHEETS = 20
const MOST_CELL_LETTERS = 5000

/** Writes tables line by line, and no more of them than is asked for. */
export class TableWriter {
  #write: (line: string) => void
  #mostRows: number
  #sheets = 0
  #rows = 0
  #others = 0

  constructor(mostRows: number, write: (line: string) => void) {
    this.#mostRows = mostRows
    this.#write = write
  }

  /** Begins a sheet. Returns false if there are too many. */
  begin(sheet: string, isHidden: boolean): boolean {
    if (this.#sheets >= MOST_SHEETS) return false
    this.#sheets++
    this.#rows = 0
    this.#others = 0
    this.#line({ sheet, isHidden })
    return true
  }

  /** Adds a row, if there is something in it. */
  addRow(row: number, all: readonly (string | undefined)[]): void {
    const cells = Array.from({ length: Math.min(all.length, MOST_COLUMNS) }, (_, at) =>
      this.#cellOf(row, at, all[at]),
    )
    while (cells.at(-1) === null) cells.pop()
    if (cells.length === 0) return
    this.#rows++
    if (this.#rows <= this.#mostRows) this.#line({ row, cells })
  }

  addTrouble(trouble: CellTrouble, row: number, at: number): void {
    if (at < MOST_COLUMNS) this.#other({ trouble, row, at })
  }

  /** Merged cells, like 'A1:B2'. */
  addMerged(merged: string): void {
    if (merged.length < 40) this.#other({ merged })
  }

  end(): void {
    this.#line({ rowsCount: this.#rows })
  }

  #cellOf(row: number, at: number, text: string | undefined): string | null {
    if (text === undefined || text.trim() === '') return null
    if (text.length <= MOST_CELL_LETTERS) return text
    this.addTrouble('length', row, at)
    return text.slice(0, 100)
  }

  #other(line: TableLine): void {
    this.#others++
    if (this.#others <= MOST_OTHERS) this.#line(line)
  }

  #line(line: TableLine): void {
    this.#write(`${JSON.stringify(line)}\n`)
  }
}
