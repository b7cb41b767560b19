import { writeDay } from '../../base/time/days.ts'
import { DUTY_STATES, STATE_NAMES } from '../obligations/duty-state.ts'
import { formatCount } from '../../base/danish/counts.ts'
import type { PageInfo } from '../../base/pagination.ts'
import { periodText, readPeriod, periodKeyText } from '../../base/time/period.ts'

/** The state of a duty, or of a paper that no duty asks for. Others than the office see only whether it has come or will not come. */
export const CELL_STATES = [...DUTY_STATES, 'not-yet'] as const
export type CellState = (typeof CELL_STATES)[number]

/** The words on the screen. A paper is in its place; what has no paper is done. */
export function stateName(state: CellState, isOurs: boolean, isPaper = true): string {
  if (state === 'not-yet') return 'Ikke kommet endnu'
  if (state === 'done' && isPaper) return isOurs ? 'På plads' : 'Kommet'
  return state === 'excused' && !isOurs ? 'Undtaget af kontoret' : STATE_NAMES[state]
}

/** A duty of a period, or a folder's period that has files. */
export type OverviewCell = {
  /** Null if no duty asks for it. */
  duty: number | null
  /** Null if no paper ends it. */
  folder: number | null
  /** The folder's name, or the obligation's title: the same in all projects of a column. */
  name: string
  period: string
  state: CellState
  /** The last day in time; null for others than the office, and where nothing is expected. */
  due_on: string | null
  /** Whether its accounting year began in the year before. */
  crosses_new_year: boolean
  /** How many files of the period the reader sees. */
  files: number
  /** How many of them only the office sees. */
  drafts: number
  /** The first of them. */
  file: { id: number; path: string; name: string } | null
  /** Why no paper will come. Null for others than the office. */
  excuse: string | null
}

/** How many papers are expected, and how many of those are there. */
type Tally = { expected: number; there: number }

export type OverviewRow = Tally & {
  id: number
  number: string
  name: string
  /** For an adviser: through whom they see it. */
  lent_by: string[] | null
  cells: OverviewCell[]
}

/** A period of all folders with the same name, or of an obligation. */
export type OverviewColumn = Tally & { name: string; isPaper: boolean; period: string }

/** What a cell and its column have in common. */
export const columnKey = (name: string, isPaper: boolean, period: string) => `${period} ${isPaper} ${name}`
export const columnOf = ({ name, folder, period }: Pick<OverviewCell, 'name' | 'folder' | 'period'>) =>
  columnKey(name, folder !== null, period)

export type Overview = {
  rows: OverviewRow[]
  meta: PageInfo
  /** Sums of all projects that are found, not only of the page. */
  columns: OverviewColumn[]
}

/** '11 af 13'; nothing where nothing is expected. */
export const tallyText = ({ expected, there }: Tally) =>
  expected === 0 ? '' : `${formatCount(there)} af ${formatCount(expected)}`

export function tallyOf(tallies: readonly Tally[]): Tally {
  const sum = (name: keyof Tally) => tallies.reduce((total, each) => total + each[name], 0)
  return { expected: sum('expected'), there: sum('there') }
}

/** The head of a column in the overview of one year: 'Året', '3. kvartal', '1. halvår', 'Omlægning'; the day of an event. */
export function shortPeriod(key: string): string {
  const period = readPeriod(key)
  if (!period) return writeDay(key)
  if (period.part === null) return 'Året'
  return periodText(period).replace(/ \d{4}$/, '')
}

/** The name that puts a file into its cell: 'Årsrapport (1024) 2025', '2024-25' where a slash would not do. */
export function wantedName(cell: Pick<OverviewCell, 'name' | 'period' | 'crosses_new_year'>, number: string) {
  return `${cell.name} (${number}) ${periodKeyText(cell.period, cell.crosses_new_year).replace('/', '-')}`
}

/** The id of a cell on the page. */
export const cellId = ({ duty, folder, period }: Pick<OverviewCell, 'duty' | 'folder' | 'period'>) =>
  folder === null ? `duty-${duty}` : `paper-${folder}-${period}`
