import { shortDateTime } from '../base/time/dates.ts'
import { ACT_NAMES } from './words/act-names.ts'
import { isAct } from './words/act.ts'
import { csvLine } from './csv.ts'
import type { LogEntry } from './words/entry.ts'
import { sentenceOf, textOf, whoOf } from './words/sentence.ts'

/** The heading and the content of each column in the exported log. */
const COLUMNS: [head: string, cell: (entry: LogEntry, timeZone: string) => string][] = [
  ['Nr.', ({ id }) => String(id)],
  ['Tidspunkt', ({ at }, timeZone) => shortDateTime(at, timeZone, { inSheet: true })],
  ['Hvem', whoOf],
  ['Hvem-id', ({ user }) => (user ? String(user.id) : '')],
  ['Hvem-e-mail', ({ user }) => user?.email ?? ''],
  ['Handling', ({ act }) => (isAct(act) ? ACT_NAMES[act].text : 'Ukendt handling')],
  ['Hvad', (entry) => textOf(sentenceOf(entry))],
  ['Person', ({ subject }) => subject?.name ?? ''],
  ['Person-id', ({ subject }) => (subject ? String(subject.id) : '')],
  ['Person-e-mail', ({ subject }) => subject?.email ?? ''],
  ['Projektnummer', ({ project }) => project?.number ?? ''],
  ['Projekt', ({ project }) => project?.name ?? ''],
  ['Mappe', ({ folder }) => folder?.name ?? ''],
  ['Fil', ({ file }) => file?.name ?? ''],
  ['Adresse', ({ address }) => address ?? ''],
]

export const EXPORT_HEADS = COLUMNS.map(([head]) => head)
export const EXPORT_HEAD = csvLine(EXPORT_HEADS)

export function exportLine(entry: LogEntry, timeZone: string): string {
  return csvLine(exportCells(entry, timeZone))
}

export function exportCells(entry: LogEntry, timeZone: string): string[] {
  return COLUMNS.map(([, cell]) => cell(entry, timeZone))
}
