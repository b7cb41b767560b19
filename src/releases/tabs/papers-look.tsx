import { listed, withRest } from '../../base/danish/listed.ts'
import { useImperativeHandle, useState, type Ref } from 'react'
import type { PageInfo } from '../../base/pagination.ts'
import { LookContent } from '../../files/look/look-content.tsx'
import { LookFrame } from '../../files/look/look-frame.tsx'
import type { Step } from '../../files/look/walk.ts'
import { type ReleasePaper } from '../release/release-paper.ts'
import { countPeople } from '../release/release.ts'

export type PapersLookHandle = { openLook: (paper: ReleasePaper) => void }

export type PapersLookProps = {
  ref: Ref<PapersLookHandle>
  /** The papers of the page that is shown. The panel walks on to the other pages. */
  papers: readonly ReleasePaper[]
  info: PageInfo
  onTurn: (page: number) => void
}

/** Shows a paper beside the list, with whom it is for. */
export function PapersLook({ ref, papers, info, onTurn }: PapersLookProps) {
  const [shown, setShown] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  /** The page that the last step has turned to. */
  const [turned, setTurned] = useState<{ page: number; step: Step } | null>(null)
  const isHere = papers.some(({ id }) => id === shown)
  const first = !isHere && turned?.page === info.current_page ? papers.at(turned.step > 0 ? 0 : -1) : null
  const paper = first ?? papers.find(({ id }) => id === shown)
  const at = paper ? papers.indexOf(paper) : -1
  useImperativeHandle(ref, () => ({ openLook: ({ id }) => show(id === paper?.id ? null : id) }))

  function show(id: number | null): void {
    setShown(id)
    setTurned(null)
  }

  function walk(step: Step): void {
    const next = papers[at + step]
    const page = step > 0 ? info.next_page : info.prev_page
    if (next) show(next.id)
    else if (page !== null) {
      setTurned({ page, step })
      onTurn(page)
    }
    setAnnouncement(
      next
        ? `Viser ${next.name}`
        : page !== null
          ? `Henter side ${page}`
          : step > 0
            ? 'Det er det sidste papir.'
            : 'Det er det første papir.',
    )
  }

  // Another page that the list is turned to has other papers, and closes it.
  if (!paper) return null
  return (
    <LookFrame
      file={paper}
      where={`${paper.folder.name} · ${paper.place}`}
      place={{ nth: (info.from ?? 1) + at, total: info.total }}
      walk={walk}
      onClose={() => show(null)}
      announcement={announcement}
    >
      {() => (
        <LookContent
          key={paper.id}
          owner={paper.owner}
          file={paper}
          version={paper.held_version}
          onRead={() => undefined}
          above={
            <p className="border-b border-line px-4 py-2 text-meta wrap-anywhere">{readersText(paper)}</p>
          }
        />
      )}
    </LookFrame>
  )
}

/** 'Kan ses af 3 personer, når det er udgivet: Bo Holm, Ida Lund og Jens Vang.' */
function readersText({ readers: { total, first }, held, held_version: version }: ReleasePaper): string {
  if (total === 0) return 'Ingen uden for kontoret kan se det.'
  const names = listed(withRest(first, first.length, { total }))
  if (version !== null) return `Ny version. ${countPeople(total)} ser den forrige indtil da: ${names}.`
  return `Kan ses af ${countPeople(total)}${held === null ? '' : ', når det er udgivet'}: ${names}.`
}
