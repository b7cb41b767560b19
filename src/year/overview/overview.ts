import { formatCount } from '../../base/counts.ts'
import type { PageInfo } from '../../base/pagination.ts'
import { periodText, readPeriod, periodKeyText } from '../../base/time/period.ts'

/**
 * The state of a paper, for the office: there, a draft, excused, not followed (`projects.followed_from`), late, missing (its
 * period has ended), coming. Others see only whether it has come or will not come. Late is a paper after the `dueOn` of projects/expected/expected.ts, weekends included.
 */
export const CELL_STATES = [
  'there',
  'draft',
  'excused',
  'unfollowed',
  'late',
  'missing',
  'coming',
  'not-yet',
] as const
export type CellState = (typeof CELL_STATES)[number]

/** The words on the screen. */
const STATE_NAMES: Record<CellState, string> = {
  there: 'På plads',
  draft: 'Kladde',
  excused: 'Undtaget',
  unfollowed: 'Ikke fulgt',
  late: 'Forsinket',
  missing: 'Mangler',
  coming: 'Kommer',
  'not-yet': 'Ikke kommet endnu',
}

/** The same for others than the office, who are not told why. */
const OTHERS_NAMES: Partial<Record<CellState, string>> = { there: 'Kommet', excused: 'Undtaget af kontoret' }

export const stateName = (state: CellState, isOurs: boolean) =>
  (isOurs ? undefined : OTHERS_NAMES[state]) ?? STATE_NAMES[state]

/** Which projects the overview shows: those with a cell like this, or with all that is expected. */
export const STATUSES = ['missing', 'late', 'draft', 'excused', 'complete'] as const
export type OverviewStatus = (typeof STATUSES)[number]

export const STATUS_FILTERS: Record<OverviewStatus, string> = {
  missing: 'Mangler',
  late: 'Forsinket',
  draft: 'Kladde',
  excused: 'Undtaget',
  complete: 'Komplet',
}

/** A folder's period that is expected or has files. */
export type OverviewCell = {
  /** Null if no duty asks for it. */
  duty: number | null
  folder: number
  /** The folder's name, which is the same in all projects of a column. */
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

/** A period of all folders with the same name. */
export type OverviewColumn = Tally & { folder: string; period: string }

export type Overview = {
  rows: OverviewRow[]
  meta: PageInfo
  /** Sums of all projects that are found, not only of the page. */
  columns: OverviewColumn[]
  counts: Record<CellState, number>
  /** The folders that can be chosen. */
  folders: string[]
}

/** '11 af 13'; nothing where nothing is expected. */
export const tallyText = ({ expected, there }: Tally) =>
  expected === 0 ? '' : `${formatCount(there)} af ${formatCount(expected)}`

export function tallyOf(tallies: readonly Tally[]): Tally {
  const sum = (name: keyof Tally) => tallies.reduce((total, each) => total + each[name], 0)
  return { expected: sum('expected'), there: sum('there') }
}

/** The head of a column in the overview of one year: 'Året', '3. kvartal', '1. halvår', 'Omlægning'. */
export function shortPeriod(key: string): string {
  const period = readPeriod(key)
  if (!period || period.part === null) return 'Året'
  return periodText(period).replace(/ \d{4}$/, '')
}

/** The name that puts a file into its cell: 'Årsrapport (1024) 2025', '2024-25' where a slash would not do. */
export function wantedName(cell: Pick<OverviewCell, 'name' | 'period' | 'crosses_new_year'>, number: string) {
  return `${cell.name} (${number}) ${periodKeyText(cell.period, cell.crosses_new_year).replace('/', '-')}`
}

/** The id of a cell on the page. */
export const cellId = ({ folder, period }: Pick<OverviewCell, 'folder' | 'period'>) =>
  `paper-${folder}-${period}`
