import { cellOf, rowOf, workbookOf, worksheetOf } from '../../report/workbook.ts'
import {
  columnKey,
  columnOf,
  shortPeriod,
  stateName,
  tallyOf,
  type Overview,
  type OverviewCell,
} from './overview.ts'

/** Returns the parts of an Excel file: the overview as on its page, a row for each project. */
export function overviewSheet(
  { rows, columns }: Pick<Overview, 'rows' | 'columns'>,
  { title, office, isOurs }: { title: string; office: string; isOurs: boolean },
): { name: string; text: string }[] {
  const heads = [
    'Nummer',
    'Projekt',
    ...columns.map(({ name, period }) => `${name}, ${shortPeriod(period).toLowerCase()}`),
    isOurs ? 'På plads' : 'Kommet',
    'Forventet',
  ]
  const numbers = heads.length - 2
  const line = (row: number, values: (string | number)[], isSum = false) =>
    rowOf(
      row,
      values.map((value, at) =>
        cellOf(at, row, at < numbers ? (isSum ? 'sumText' : 'text') : isSum ? 'sum' : 'year', value),
      ),
    )
  const total = tallyOf(columns)
  const sheet = worksheetOf({
    rows: [
      rowOf(
        1,
        heads.map((text, at) => cellOf(at, 1, at < numbers ? 'head' : 'figureHead', text)),
        ' ht="32" customHeight="1"', // two lines
      ),
      ...rows.map((row, index) => {
        const cells = new Map(row.cells.map((cell) => [columnOf(cell), cell]))
        const texts = columns.map(({ name, isPaper, period }) =>
          textOf(cells.get(columnKey(name, isPaper, period)), isOurs),
        )
        return line(index + 2, [row.number, row.name, ...texts, row.there, row.expected])
      }),
      line(
        rows.length + 2,
        [
          'I alt',
          '',
          ...columns.map(({ expected, there }) => (expected === 0 ? '' : `${there} af ${expected}`)),
          total.there,
          total.expected,
        ],
        true,
      ),
    ],
    widths: [12, 32, ...columns.map(() => 16), 12, 12],
    title,
    office,
    numbersAsText: `A1:A${rows.length + 2}`,
  })
  return workbookOf([{ name: 'Året', sheet }])
}

/** 'Kladde', 'Undtaget: Ingen drift i året'; nothing where nothing is expected. */
function textOf(cell: OverviewCell | undefined, isOurs: boolean): string {
  if (!cell) return ''
  const name = stateName(cell.state, isOurs, cell.files > 0)
  return cell.state === 'excused' && cell.excuse ? `${name}: ${cell.excuse}` : name
}
