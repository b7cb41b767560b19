import type { MouseEvent } from 'react'
import { periodKeyText } from '../../base/time/period.ts'
import { writeDay } from '../../base/time/days.ts'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { isPlainClick } from '../../ui/basic/plain-click.ts'
import { modals } from '../../ui/overlay/modals.ts'
import { fileUrls, folderAnchor, urls } from '../../urls.ts'
import { ALL_DUTIES, writeDutyQuery } from '../obligations/duty.ts'
import {
  cellId,
  shortPeriod,
  stateName,
  wantedName,
  type OverviewCell,
  type OverviewRow,
} from './overview.ts'
import { EXCUSE_MODAL } from './excuse-modal.tsx'
import { StateIcon } from './state-icons.tsx'

type Props = {
  row: OverviewRow
  /** Most often one; more if several obligations ask for the same paper. */
  cells: OverviewCell[]
  mayChange: boolean
}

/** What a project owes of a period. A page has hundreds of them, so each has as few elements as possible. */
export function PaperCell({ row, cells, mayChange }: Props) {
  const [{ name, period, state }] = cells as [OverviewCell]
  return (
    <td
      id={cellId(cells[0]!)}
      data-state={state}
      data-label={`${name}, ${shortPeriod(period).toLowerCase()}`}
      className="year-cell"
    >
      {cells.map((cell) => (
        <OneCell key={cell.duty} {...{ row, cell, mayChange }} />
      ))}
    </td>
  )
}

type CellProps = Omit<Props, 'cells'> & { cell: OverviewCell }

/** Its state, as a link to the paper, to the missing upload, or to where it is done. */
function OneCell({ row, cell, mayChange }: CellProps) {
  const { state, name, period, folder } = cell
  const isHole = isMissing(state)
  const page = folder === null ? inList(row, cell) : urls.paper(folder, period)
  const ask = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    modals.open(EXCUSE_MODAL, { row, cell })
  }
  const words = (
    <>
      <StateIcon state={state} />
      {wordsOf(cell, mayChange)}
      {state === 'done' && cell.drafts > 0 && (
        <>
          <StateIcon state="draft" />
          <span className="sr-only">, en del kladder</span>
        </>
      )}
    </>
  )
  const link = linkOf(row, cell, mayChange)
  return (
    <>
      {link ? (
        <a {...link} className="year-link">
          {words}
        </a>
      ) : state === 'excused' && mayChange ? (
        <a href={page} onClick={ask} title={cell.excuse ?? undefined} className="year-link">
          {words}
        </a>
      ) : (
        <span className="year-link">{words}</span>
      )}
      {mayChange && state !== 'excused' && (isHole || folder !== null) && (
        <a
          href={page}
          {...(isHole && { onClick: ask })}
          aria-label={`${isHole ? 'Undtag' : 'Mere om'} ${name} ${periodKeyText(period, cell.crosses_new_year)} i ${row.number}`}
          data-tooltip=""
          className="year-more"
        >
          ⋯
        </a>
      )}
    </>
  )
}

const isMissing = (state: OverviewCell['state']) =>
  state === 'late' || state === 'missing' || state === 'coming' || state === 'unfollowed'

/** Where a duty without a paper is done. */
const inList = ({ number }: OverviewRow, { name, period, state }: OverviewCell) =>
  urls.yearList +
  writeDutyQuery({
    ...ALL_DUTIES,
    state: state === 'not-yet' ? 'open' : state,
    year: Number(period.slice(0, 4)),
    rule: name,
    q: number,
  })

/** One file opens, several are in their folder; a missing one leads to the upload, which says the file's name. */
function linkOf(row: OverviewRow, cell: OverviewCell, mayChange: boolean) {
  const { folder, file, files, state, due_on: due } = cell
  if (folder === null) return state === 'excused' ? null : { href: inList(row, cell) }
  if (file)
    return files === 1
      ? { href: fileUrls.open({ project: row.id }, file.path), title: file.name, ...IN_NEW_TAB }
      : { href: `${urls.files(row.id)}?open=${folder}#${folderAnchor(folder)}` }
  if (!mayChange || !isMissing(state)) return null
  return {
    href: `${urls.uploadTo(row.id, folder)}?name=${encodeURIComponent(wantedName(cell, row.number))}`,
    title: `Upload. Senest ${due === null ? '' : writeDay(due)}`,
  }
}

/** 'På plads', '3 filer', 'Kommet', 'Udført', 'Forsinket'. */
function wordsOf({ state, files }: OverviewCell, isOurs: boolean): string {
  if (state === 'done' && files > 1) return `${files} filer`
  return stateName(state, isOurs, files > 0)
}
