import type { MouseEvent } from 'react'
import { periodKeyText } from '../../base/time/period.ts'
import { writeDay } from '../../base/time/days.ts'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { isPlainClick } from '../../ui/basic/plain-click.ts'
import { modals } from '../../ui/overlay/modals.ts'
import { fileUrls, folderAnchor, urls } from '../../urls.ts'
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
  cell: OverviewCell
  /** The end of the overview's address. */
  query: string
  mayChange: boolean
}

/**
 * A paper of one project: its state, as a link to it or to the missing upload. A page has hundreds of them, so each has
 * as few elements as possible.
 */
export function PaperCell({ row, cell, query, mayChange }: Props) {
  const { state, name, period } = cell
  const isHole = isMissing(state)
  const paper = mayChange ? urls.paper(cell.folder, period) + query : ''
  const ask = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    modals.open(EXCUSE_MODAL, { row, cell })
  }
  const words = (
    <>
      <StateIcon state={state} />
      {wordsOf(cell, mayChange)}
      {state === 'there' && cell.drafts > 0 && (
        <>
          <StateIcon state="draft" />
          <span className="sr-only">, en del kladder</span>
        </>
      )}
    </>
  )
  const link = linkOf(row, cell, mayChange)
  return (
    <td
      id={cellId(cell)}
      data-state={state}
      data-label={`${name}, ${shortPeriod(period).toLowerCase()}`}
      className="year-cell"
    >
      {link ? (
        <a {...link} className="year-link">
          {words}
        </a>
      ) : state === 'excused' && mayChange ? (
        <a href={paper} onClick={ask} title={cell.excuse ?? undefined} className="year-link">
          {words}
        </a>
      ) : (
        <span className="year-link">{words}</span>
      )}
      {mayChange && state !== 'excused' && (
        <a
          href={paper}
          {...(isHole && { onClick: ask })}
          aria-label={`${isHole ? 'Undtag' : 'Mere om'} ${name} ${periodKeyText(period, cell.crosses_new_year)} i ${row.number}`}
          data-tooltip=""
          className="year-more"
        >
          ⋯
        </a>
      )}
    </td>
  )
}

const isMissing = (state: OverviewCell['state']) =>
  state === 'late' || state === 'missing' || state === 'coming' || state === 'unfollowed'

/** One file opens, several are in their folder; a missing one leads to the upload, which says the file's name. */
function linkOf({ id, number }: OverviewRow, cell: OverviewCell, mayChange: boolean) {
  const { folder, file, files, state, due_on: due } = cell
  if (file)
    return files === 1
      ? { href: fileUrls.open({ project: id }, file.path), title: file.name, ...IN_NEW_TAB }
      : { href: `${urls.files(id)}?open=${folder}#${folderAnchor(folder)}` }
  if (!mayChange || !isMissing(state)) return null
  return {
    href: `${urls.uploadTo(id, folder)}?name=${encodeURIComponent(wantedName(cell, number))}`,
    title: `Upload. Senest ${due === null ? '' : writeDay(due)}`,
  }
}

/** 'På plads', '3 filer', 'Kommet', 'Forsinket'. */
function wordsOf({ state, files }: OverviewCell, isOurs: boolean): string {
  return state === 'there' && files > 1 ? `${files} filer` : stateName(state, isOurs)
}
