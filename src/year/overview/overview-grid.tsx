import { useRef } from 'react'
import { isOffice, may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { urls } from '../../urls.ts'
import { PaperCell } from './paper-cell.tsx'
import {
  shortPeriod,
  tallyOf,
  tallyText,
  type Overview,
  type OverviewColumn,
  type OverviewRow,
} from './overview.ts'
import { useGridWalk } from './use-grid-walk.ts'

type Props = { overview: Overview; year: number; query: string }

/** Projects down, folders and their periods across. A narrow screen shows a card for each project. */
export function OverviewGrid({ overview: { rows, columns }, year, query }: Props) {
  const { role } = useFrame().user!
  const mayChange = may(role, 'changeFiles')
  const table = useRef<HTMLTableElement>(null)
  useGridWalk(table)
  const isScripted = useHydrated()
  const groups = [...Map.groupBy(columns, ({ folder }) => folder)]
  const keys = columns.map((column) => ({ ...column, key: keyOf(column.folder, column.period) }))
  return (
    <div className="year-box">
      <table ref={table} {...(isScripted && { role: 'grid' })} className="year-grid">
        <caption className="sr-only">Papirer for {year}</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={2} className="year-name">
              Projekt
            </th>
            {groups.map(([folder, periods]) => (
              <FolderHead key={folder} folder={folder} periods={periods} />
            ))}
            <th scope="col" rowSpan={2} className="year-sum">
              I alt
            </th>
          </tr>
          <tr>
            {groups.flatMap(([folder, periods]) =>
              isWholeYear(periods)
                ? []
                : periods.map(({ period }) => (
                    <th key={keyOf(folder, period)} scope="col">
                      {shortPeriod(period)}
                    </th>
                  )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ProjectRow key={row.id} {...{ row, query, mayChange }} keys={keys.map(({ key }) => key)} />
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

const keyOf = (folder: string, period: string) => `${period} ${folder}`

const isWholeYear = (periods: OverviewColumn[]) => periods.length === 1 && periods[0]!.period.length === 4

function FolderHead({ folder, periods }: { folder: string; periods: OverviewColumn[] }) {
  return isWholeYear(periods) ? (
    <th scope="col" rowSpan={2}>
      {folder}
    </th>
  ) : (
    <th scope="colgroup" colSpan={periods.length} className="year-folder">
      {folder}
    </th>
  )
}

type RowProps = { row: OverviewRow; keys: string[]; query: string; mayChange: boolean }

function ProjectRow({ row, keys, query, mayChange }: RowProps) {
  const cells = new Map(row.cells.map((cell) => [keyOf(cell.name, cell.period), cell]))
  return (
    <tr>
      <th scope="row" className="year-name">
        <a href={urls.files(row.id)} className="year-project">
          {row.name}
        </a>
        <span className="block text-meta font-normal text-muted tabular-nums">{row.number}</span>
      </th>
      {keys.map((key) => {
        const cell = cells.get(key)
        return cell ? (
          <PaperCell key={key} row={row} cell={cell} query={query} mayChange={mayChange} />
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
