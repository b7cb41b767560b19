import { formatBytes } from '../../base/bytes.ts'
import { cleanLine, rawLength } from '../../base/text.ts'
import type { Sureness } from '../../uploads/papers/judgement.ts'

const SURENESS_WORDS: Record<Sureness, string> = { sure: 'Sikker', maybe: 'Måske', unknown: 'Ved ikke' }

/** A file of an import, as the table and the report show it. */
export type TableRow = {
  id: number
  shown: string
  project: string | null
  person: string | null
  folder: string | null
  name: string | null
  state: string
  sureness: Sureness | null
  why: string
  size: number
  day: string | null
  is_by_hand: boolean
}

const COLUMNS = {
  id: { text: 'Nr.', width: 8 },
  shown: { text: 'Sti', width: 60 },
  project: { text: 'Projekt', width: 10 },
  person: { text: 'Person', width: 10 },
  folder: { text: 'Mappe', width: 20 },
  name: { text: 'Navn', width: 50 },
  take: { text: 'Tag med', width: 9 },
  sureness: { text: 'Sikkerhed', width: 11 },
  why: { text: 'Hvorfor', width: 60 },
  outcome: { text: 'Resultat', width: 20 },
  size: { text: 'Størrelse', width: 12 },
  day: { text: 'Dato', width: 12 },
}
type ColumnKey = keyof typeof COLUMNS
export type Column = { key: ColumnKey; text: string; width: number }
const pick = (...keys: ColumnKey[]): Column[] => keys.map((key) => ({ key, ...COLUMNS[key] }))

/** The table to correct. */
export const TABLE_COLUMNS = pick(
  'id',
  'shown',
  'project',
  'person',
  'folder',
  'name',
  'take',
  'sureness',
  'why',
  'size',
  'day',
)
/** The final sheet: every file of the tree, and its outcome. */
export const REPORT_COLUMNS = pick(
  'id',
  'shown',
  'outcome',
  'project',
  'person',
  'folder',
  'name',
  'why',
  'size',
  'day',
)

const OUTCOMES: Record<string, string> = {
  imported: 'Flyttet ind',
  there: 'Lå der allerede',
  left: 'Ikke taget med',
  waiting: 'Venter i tabellen',
  unread: 'Venter i tabellen',
  ready: 'Mangler at blive flyttet ind',
  found: 'Prøves igen',
  gone: 'Findes ikke længere',
  undone: 'Fortrudt',
}

/** Whether a file is imported, as the table says it: yes for a sure one, empty for one that needs a decision. */
function takeOf({ state }: Pick<TableRow, 'state'>): string {
  if (state === 'ready') return 'ja'
  return state === 'left' ? 'nej' : ''
}

export function cellsOf(row: TableRow, columns: readonly Column[]): string[] {
  const texts: Record<ColumnKey, string> = {
    id: String(row.id),
    shown: row.shown,
    project: row.project ?? '',
    person: row.person ?? '',
    folder: row.folder ?? '',
    name: row.name ?? '',
    take: takeOf(row),
    sureness: row.state === 'left' ? '' : row.sureness === null ? '' : SURENESS_WORDS[row.sureness],
    why: row.why,
    outcome: OUTCOMES[row.state] ?? '',
    size: formatBytes(row.size),
    day: row.day ?? '',
  }
  return columns.map(({ key }) => texts[key])
}

/** A row of a corrected table. */
export type Edit = {
  /** Its line in the sheet. */
  line: number
  id: number
  shown: string
  project: string
  person: string
  folder: string
  name: string
  take: string
}

const NEEDED = pick('id', 'shown', 'project', 'person', 'folder', 'name', 'take')
const MOST_LETTERS = 5000

/** Reads the rows of a corrected table: columns in any order, other columns ignored. Returns all faults. */
export function readTable(rows: readonly (readonly string[])[]): { edits: Edit[]; faults: string[] } {
  const head = (rows[0] ?? []).map((cell) => cleanLine(cell.slice(0, 200)).toLowerCase())
  const at = new Map(NEEDED.map(({ key, text }) => [key, head.indexOf(text.toLowerCase())]))
  const missing = NEEDED.filter(({ key }) => at.get(key) === -1)
  if (missing.length > 0)
    return {
      edits: [],
      faults: [`Tabellen mangler ${missing.map(({ text }) => `”${text}”`).join(', ')} i første række.`],
    }
  const edits: Edit[] = []
  const faults: string[] = []
  const lines = new Map<number, number>()
  for (const [index, row] of rows.slice(1).entries()) {
    const line = index + 2
    const cell = (key: ColumnKey) =>
      cleanLine((row[at.get(key) ?? -1] ?? '').slice(0, rawLength(MOST_LETTERS)))
    if (row.every((text) => text.trim() === '')) continue
    const number = cell('id')
    if (!/^\d{1,15}$/.test(number)) {
      faults.push(`Række ${line}: Nr. ”${number.slice(0, 20)}” er ikke et nummer.`)
      continue
    }
    const id = Number(number)
    const before = lines.get(id)
    if (before !== undefined) {
      faults.push(`Række ${line}: Nr. ${id} står også i række ${before}.`)
      continue
    }
    lines.set(id, line)
    edits.push({
      line,
      id,
      shown: cell('shown'),
      project: cell('project'),
      person: cell('person'),
      folder: cell('folder'),
      name: cell('name'),
      take: cell('take').toLowerCase(),
    })
  }
  return { edits, faults }
}
