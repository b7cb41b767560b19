import { cellOf, letterOf, rowOf, workbookOf, worksheetOf } from '../../report/workbook.ts'
import type { CheckedSheet } from './read/checked-sheet.ts'
import { KIND_NAMES, SHEET_KINDS, WRONG_HEADING, type SheetKind } from './read/sheet-columns.ts'
import type { Plan } from './plan/plan.ts'

/** The rows of a sheet that were not imported, with their original cells and faults. */
export type Rest = {
  kind: SheetKind
  head: string[]
  rows: { cells: (string | null)[]; faults: { at: number | null; text: string }[] }[]
}[]

/** Returns the wrong rows; an empty list if all are right. */
export function restOf(
  { given = {}, tables }: Pick<CheckedSheet, 'given' | 'tables'>,
  { rows }: Pick<Plan, 'rows'>,
): Rest {
  const wrong = Map.groupBy(
    rows.filter(({ state }) => state === 'wrong'),
    ({ kind }) => kind,
  )
  return SHEET_KINDS.flatMap((kind) => {
    const [cells, own] = [given[kind], wrong.get(kind)]
    if (!cells || !own) return []
    const letters = tables[kind]?.letters ?? {}
    const places = new Map(cells.head.map((_, at) => [letterOf(at), at]))
    return [
      {
        kind,
        head: cells.head.map((text) => text ?? ''),
        rows: own.map(({ row, faults }) => ({
          cells: cells.rows[row] ?? [],
          faults: faults.map(({ field, text }) => ({
            at: (field === null ? undefined : places.get(letters[field] ?? '')) ?? null,
            text,
          })),
        })),
      },
    ]
  })
}

/**
 * Returns the parts of the Excel file with the wrong rows: the original columns, and one that names the faults and
 * their cells.
 */
export function restSheet(rest: Rest, office: string): { name: string; text: string }[] {
  return workbookOf(
    rest.map(({ kind, head, rows }, at) => ({
      name: KIND_NAMES[kind],
      sheet: sheetOf({ head, rows }, KIND_NAMES[kind], office, at === 0),
    })),
  )
}

function sheetOf(
  { head, rows }: Pick<Rest[number], 'head' | 'rows'>,
  title: string,
  office: string,
  isShown: boolean,
): string {
  // Drops the faults of an earlier try.
  const old = head.indexOf(WRONG_HEADING)
  const kept = head.flatMap((_, at) => (at === old ? [] : [at]))
  const place = (at: number | null, row: number) => {
    const column = at === null ? -1 : kept.indexOf(at)
    return column < 0 ? '' : `${letterOf(column)}${row}: `
  }
  const last = letterOf(kept.length)
  return worksheetOf(
    {
      rows: [
        rowOf(
          1,
          [...kept.map((at) => head[at]!), WRONG_HEADING].map((text, column) =>
            cellOf(column, 1, 'head', text),
          ),
        ),
        ...rows.map(({ cells, faults }, index) => {
          const row = index + 2
          const wrong = new Set(faults.map(({ at }) => at))
          const text = faults.map((fault) => `${place(fault.at, row)}${fault.text}`).join(' ')
          return rowOf(row, [
            ...kept.map((at, column) =>
              cellOf(column, row, wrong.has(at) ? 'fault' : 'text', cells[at] ?? null),
            ),
            cellOf(kept.length, row, 'note', text),
          ])
        }),
      ],
      widths: [...kept.map(() => 22), 80],
      title,
      office,
      isText: true,
      numbersAsText: `A1:${last}${rows.length + 1}`,
    },
    isShown,
  )
}

/** 'Personer.csv' becomes 'Personer, ikke flyttet ind.xlsx'. */
export const restName = (name: string) => `${name.replace(/\.[a-z]{1,5}$/i, '')}, ikke flyttet ind.xlsx`
