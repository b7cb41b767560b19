import { useImperativeHandle, useState, type Ref } from 'react'
import { LookContent } from '../../files/look/look-content.tsx'
import { LookFrame } from '../../files/look/look-frame.tsx'
import type { Step } from '../../files/look/walk.ts'
import { type ReleasePaper } from '../release/release-paper.ts'
import { countPeople } from '../release/release.ts'

export type PapersLookHandle = { openLook: (paper: ReleasePaper) => void }

export type PapersLookProps = {
  ref: Ref<PapersLookHandle>
  /** The papers that the panel walks through. */
  papers: readonly ReleasePaper[]
}

/** Shows a paper beside the list, with whom it is for. */
export function PapersLook({ ref, papers }: PapersLookProps) {
  const [shown, setShown] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const at = papers.findIndex(({ id }) => id === shown)
  const paper = papers[at]
  useImperativeHandle(ref, () => ({ openLook: ({ id }) => setShown(id === paper?.id ? null : id) }))

  function walk(step: Step): void {
    const next = papers[at + step]
    if (next) setShown(next.id)
    setAnnouncement(
      next ? `Viser ${next.name}` : step > 0 ? 'Det er sidens sidste papir.' : 'Det er sidens første papir.',
    )
  }

  // Another page of the list has other papers, and closes it.
  if (!paper) return null
  return (
    <LookFrame
      file={paper}
      where={`${paper.folder.name} · ${paper.place}`}
      place={{ nth: at + 1, total: papers.length }}
      walk={walk}
      onClose={() => setShown(null)}
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
  const names = NAMES.format(total > first.length ? [...first, `${total - first.length} til`] : first)
  if (version !== null) return `Ny version. ${countPeople(total)} ser den forrige indtil da: ${names}.`
  return `Kan ses af ${countPeople(total)}${held === null ? '' : ', når det er udgivet'}: ${names}.`
}

const NAMES = new Intl.ListFormat('da')
