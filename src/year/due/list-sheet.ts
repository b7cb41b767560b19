import { writeDay } from '../../base/time/days.ts'
import { cellOf, rowOf, workbookOf, worksheetOf } from '../../report/workbook.ts'
import { STATE_NAMES } from '../obligations/duty-state.ts'
import { dutyPeriod, type Duty } from '../obligations/duty.ts'

const HEADS = [
  'Nummer',
  'Projekt',
  'Pligt eller papir',
  'Periode',
  'Frist',
  'Status',
  'Ansvarlig',
  'Bemærkning',
]
const WIDTHS = [12, 32, 36, 18, 12, 12, 24, 40]

/** Returns the parts of an Excel file: the list as on its page, a row for each duty. */
export function listSheet(duties: Duty[], { office }: { office: string }): { name: string; text: string }[] {
  const sheet = worksheetOf({
    rows: [HEADS, ...duties.map(valuesOf)].map((values, index) =>
      rowOf(
        index + 1,
        values.map((value, at) => cellOf(at, index + 1, index === 0 ? 'head' : 'text', value)),
      ),
    ),
    widths: WIDTHS,
    title: 'Året',
    office,
    numbersAsText: `A1:A${duties.length + 1}`,
  })
  return workbookOf([{ name: 'Året', sheet }])
}

const valuesOf = (duty: Duty): string[] => [
  duty.project.number,
  duty.project.name,
  duty.title,
  dutyPeriod(duty),
  writeDay(duty.due_on),
  STATE_NAMES[duty.state],
  duty.responsible?.name ?? '',
  duty.excused?.reason ?? duty.done?.note ?? '',
]
