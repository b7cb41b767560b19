import { ChevronDown, ChevronUp } from 'lucide-react'
import { useImperativeHandle, useState, type Ref } from 'react'
import { LookContent } from '../files/look/look-content.tsx'
import { LookFrame } from '../files/look/look-frame.tsx'
import type { Step } from '../files/look/walk.ts'
import { IconButton } from '../ui/icon/icon-button.tsx'
import { atPage, hasPages } from './answer/at-page.ts'
import { MarkedText } from './answer/marked-text.tsx'
import { placeText } from './answer/places.ts'
import type { FileHit, PageHit } from './answer/results.ts'

export type SearchLookHandle = { openLook: (file: FileHit, hit: PageHit | null) => void }

export type SearchLookProps = {
  ref: Ref<SearchLookHandle>
  /** The results that the panel walks through. */
  files: readonly FileHit[]
  setLooked: (file: number | null) => void
}

type Shown = { file: number; nth: number }

/** Shows a result beside the list, at the page where the words stand. */
export function SearchLook({ ref, files, setLooked }: SearchLookProps) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const at = shown ? files.findIndex(({ id }) => id === shown.file) : -1
  const file = files[at]

  function show(next: Shown | null): void {
    setShown(next)
    setLooked(next?.file ?? null)
  }

  useImperativeHandle(ref, () => ({
    openLook: (next, hit) =>
      show(next.id === file?.id ? null : { file: next.id, nth: hit ? next.pages.indexOf(hit) : 0 }),
  }))

  function walk(step: Step): void {
    const next = files[at + step]
    if (!next)
      return setAnnouncement(step > 0 ? 'Det er sidens sidste resultat.' : 'Det er sidens første resultat.')
    show({ file: next.id, nth: 0 })
    return setAnnouncement(`Viser ${next.name}`)
  }

  // Another search has other results, and closes it.
  if (!shown || !file) return null
  const hit = file.pages[shown.nth]
  return (
    <LookFrame
      file={file}
      where={placeText(file)}
      place={{ nth: at + 1, total: files.length }}
      walk={walk}
      onClose={() => show(null)}
      announcement={announcement}
    >
      {() => (
        <LookContent
          key={file.id}
          owner={file.owner}
          file={file}
          onRead={() => undefined}
          at={atPage(hit)}
          above={
            hit && <HitStrip file={file} nth={shown.nth} onHit={(nth) => show({ file: file.id, nth })} />
          }
        />
      )}
    </LookFrame>
  )
}

type StripProps = { file: FileHit; nth: number; onHit: (nth: number) => void }

/** The words on the page that is shown, and the way to the file's other pages that were found. */
function HitStrip({ file, nth, onHit }: StripProps) {
  const { pages } = file
  const { page, pieces } = pages[nth]!
  return (
    <section
      aria-label="Fundet i filen"
      className="flex items-start gap-1 border-b border-line bg-surface py-1 pr-2 pl-4"
    >
      <p aria-live="polite" className="my-2 line-clamp-3 min-w-0 flex-1 wrap-anywhere">
        {hasPages(file) && <span className="font-medium">Side {page}: </span>}
        <MarkedText pieces={pieces} />
      </p>
      {pages.length > 1 && (
        <>
          <IconButton
            label="Forrige fund"
            icon={ChevronUp}
            disabled={nth === 0}
            onClick={() => onHit(nth - 1)}
          />
          <IconButton
            label="Næste fund"
            icon={ChevronDown}
            disabled={nth === pages.length - 1}
            onClick={() => onHit(nth + 1)}
          />
        </>
      )}
    </section>
  )
}
