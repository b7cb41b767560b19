import { useRef } from 'react'
import { isOffice, may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { urls } from '../../urls.ts'
import { PaperCell } from './paper-cell.tsx'
import {
  columnKey,
  columnOf,
  shortPeriod,
  tallyOf,
  tallyText,
  type Overview,
  type OverviewColumn,
  type OverviewRow,
} from './overview.ts'
import { useGridWalk } from './use-grid-walk.ts'

type Props = { overview: Overview; year: number }

/** Projects down, what they owe and its periods across. A narrow screen shows a card for each project. */
export function OverviewGrid({ overview: { rows, columns }, year }: Props) {
  const { role } = useFrame().user!
  const mayChange = may(role, 'changeFiles')
  const table = useRef<HTMLTableElement>(null)
  useGridWalk(table)
  const isScripted = useHydrated()
  const groups = [...Map.groupBy(columns, ({ name, isPaper }) => columnKey(name, isPaper, ''))]
  const keys = columns.map((column) => ({
    ...column,
    key: columnKey(column.name, column.isPaper, column.period),
  }))
  return (
    <div className="year-box">
      <table ref={table} {...(isScripted && { role: 'grid' })} className="year-grid">
        <caption className="sr-only">Året {year}</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className="year-name">
              Projekt
            </th>
            {groups.map(([key, periods]) => (
              <ColumnsHead key={key} periods={periods} />
            ))}
            <th scope="col" rowSpan={2} className="year-sum">
              I alt
            </th>
          </tr>
          <tr>
            {groups.flatMap(([key, periods]) =>
              isWholeYear(periods)
                ? []
                : periods.map(({ period }) => (
                    <th key={`${key} ${period}`} scope="col">
                      {shortPeriod(period)}
                    </th>
                  )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ProjectRow key={row.id} {...{ row, mayChange }} keys={keys.map(({ key }) => key)} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="year-name">
              {isOffice(role) ? 'På plads i alt' : 'Kommet i alt'}
            </th>
            {keys.map(({ key, ...column }) => (
              <td key={key}>{tallyText(column)}</td>
            ))}
            <td className="year-sum">{tallyText(tallyOf(columns))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

const isWholeYear = (periods: OverviewColumn[]) => periods.length === 1 && periods[0]!.period.length === 4

function ColumnsHead({ periods }: { periods: OverviewColumn[] }) {
  const { name } = periods[0]!
  return isWholeYear(periods) ? (
    <th scope="col" rowSpan={2}>
      {name}
    </th>
  ) : (
    <th scope="colgroup" colSpan={periods.length} className="year-folder">
      {name}
    </th>
  )
}

type RowProps = { row: OverviewRow; keys: string[]; mayChange: boolean }

function ProjectRow({ row, keys, mayChange }: RowProps) {
  const cells = Map.groupBy(row.cells, columnOf)
  return (
    <tr>
      <th scope="row" className="year-name">
        <a href={urls.files(row.id)} className="year-project">
          {row.name}
        </a>
        <span className="block text-meta font-normal text-muted tabular-nums">{row.number}</span>
      </th>
      {keys.map((key) => {
        const those = cells.get(key)
        return those ? (
          <PaperCell key={key} row={row} cells={those} mayChange={mayChange} />
        ) : (
          <td key={key} className="year-none" aria-label="Forventes ikke">
            –
          </td>
        )
      })}
      <td className="year-sum" data-label="I alt">
        {tallyText(row)}
      </td>
    </tr>
  )
}
