import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { breather } from '../process/breather.ts'
import { confinedNode } from '../process/confined-node.ts'
import { ProgramFailed, runLimited } from '../process/limited-process.ts'
import { PROJECT } from '../process/project-directory.ts'
import { faultOf } from './read-pages.ts'
import { Unreadable } from './reading-fault.ts'
import type { CellTrouble, TableLine } from './table-writer.ts'

/** A sheet of a workbook, or a text with separated values. */
export type SheetTable = {
  /** '' for a text. */
  name: string
  isHidden: boolean
  /** Rows with something in them, by their number in the sheet. */
  rows: { row: number; cells: (string | null)[] }[]
  /** How many such rows there are, also beyond those that are kept. */
  rowsCount: number
  troubles: { trouble: CellTrouble; row: number; at: number }[]
  /** Merged cells, like 'A1:B2'. */
  merged: string[]
}

const PROGRAM = fileURLToPath(new URL('src/server/reading/tables-program.ts', PROJECT))
const LIMITS = { seconds: 60, clockSeconds: 300, megabytes: 1536, mostBytes: 64 * 1024 * 1024 }

/**
 * Reads the cells of an Excel workbook or a text with separated values, of each sheet `mostRows` rows. The bytes are a stranger's:
 * a confined program reads them. Throws `Unreadable`.
 */
export async function readTables(bytes: Buffer, mostRows: number): Promise<SheetTable[]> {
  try {
    const program: [string, ...string[]] = [...confinedNode(512), PROGRAM, String(mostRows)]
    return await tablesIn(await runLimited(program, Readable.from([bytes]), { ...LIMITS, isUrgent: true }))
  } catch (error) {
    throw error instanceof ProgramFailed ? new Unreadable(faultOf(error), error) : error
  }
}

const LINE_FEED = 0x0a

/** Reads line by line, with pauses: others wait for their answers. */
async function tablesIn(answer: Buffer): Promise<SheetTable[]> {
  const breathe = breather()
  const tables: SheetTable[] = []
  for (let at = 0; at < answer.length;) {
    await breathe()
    const end = answer.indexOf(LINE_FEED, at)
    // Written by our own program.
    addLine(tables, JSON.parse(answer.toString('utf8', at, end)) as TableLine)
    at = end + 1
  }
  return tables
}

function addLine(tables: SheetTable[], line: TableLine): void {
  if ('sheet' in line)
    tables.push({
      name: line.sheet,
      isHidden: line.isHidden,
      rows: [],
      rowsCount: 0,
      troubles: [],
      merged: [],
    })
  const table = tables.at(-1)
  if (!table || 'sheet' in line) return
  if ('cells' in line) table.rows.push(line)
  else if ('trouble' in line) table.troubles.push(line)
  else if ('merged' in line) table.merged.push(line.merged)
  else table.rowsCount = line.rowsCount
}
