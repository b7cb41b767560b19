import { FileText, TriangleAlert } from 'lucide-react'
import { memo, useEffect, useMemo, useSyncExternalStore, type KeyboardEvent } from 'react'
import { useNear } from '../../ui/basic/use-near.ts'
import { useRowDrag } from '../../ui/drag/use-row-drag.ts'
import type { PagePictures } from './page-pictures.ts'
import { reasonText } from './propose-pages.ts'
import type { SplitPage } from './split.ts'
import type { PageOwner } from './plan.ts'

/** The data of a drag. */
export type DraggedPage = { page: number }

export type TileActs = {
  toggle: (page: number, isRange: boolean) => void
  /** Asks who gets the page, or everything that is selected. */
  give: (page: number) => void
  leaveOut: (page: number) => void
  /** The pages that an act on this one is about: everything that is selected, if it is. */
  meantBy: (page: number) => readonly number[]
  ownerOf: (page: number) => PageOwner
}

type Props = {
  number: number
  page: SplitPage
  isSelected: boolean
  /** Whether the proposal still stands, and is worth a look. */
  isMaybe: boolean
  pictures: PagePictures | null
  acts: TileActs
}

/**
 * One page: its picture, and a check box that selects it. There may be thousands, so each renders only for its own
 * changes.
 */
export const PageTile = memo(function PageTile({ number, page, isSelected, isMaybe, pictures, acts }: Props) {
  const payload = useMemo((): DraggedPage => ({ page: number }), [number])
  const { target, handle, isDragged } = useRowDrag<HTMLLIElement>(number, undefined, { payload })
  const isNear = useNear(target, false)
  useEffect(() => {
    if (isNear) pictures?.want(number)
  }, [isNear, pictures, number])
  const picture = useSyncExternalStore(
    pictures?.listen ?? neverChanges,
    () => pictures?.find(number),
    () => undefined,
  )
  const why = reasonText(page.reason)

  return (
    <li ref={target} data-page={number} className={`w-20 ${isDragged ? 'opacity-50' : ''}`}>
      <label
        title={[why, page.words].filter(Boolean).join('\n')}
        className="grid cursor-pointer justify-items-center gap-1 rounded-control p-1 select-none hover:bg-hover has-checked:bg-accent-soft has-checked:outline-2 has-checked:outline-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
      >
        <span
          ref={handle}
          className="relative grid h-24 w-[68px] place-items-center overflow-hidden border border-line bg-sunken text-muted"
        >
          {picture ? (
            <img src={picture} alt="" draggable={false} className="max-h-full max-w-full" />
          ) : (
            <FileText size={20} strokeWidth={1.5} aria-hidden="true" />
          )}
          {isMaybe && (
            <span className="absolute top-0.5 right-0.5 rounded-control bg-warn-soft p-0.5 text-warn">
              <TriangleAlert size={12} strokeWidth={2} aria-hidden="true" />
            </span>
          )}
        </span>
        <span className="flex items-center gap-1.5 text-meta tabular-nums">
          <input
            type="checkbox"
            checked={isSelected}
            aria-label={`Side ${number}${isMaybe ? ', tjek den' : ''}: ${why} ${page.words}`.trim()}
            // A range needs the key that was held, which a change does not tell.
            onClick={(event) => acts.toggle(number, event.shiftKey)}
            onChange={doNothing}
            onKeyDown={(event) => pressed(event, number, acts)}
          />
          {number}
        </span>
      </label>
    </li>
  )
})

const neverChanges = () => () => undefined
const doNothing = () => undefined

const STEPS: Partial<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Arrows walk through all pages in the order of the page; Shift selects on the way. */
function pressed(event: KeyboardEvent<HTMLInputElement>, number: number, acts: TileActs): void {
  const step = STEPS[event.key]
  if (event.key === 'Enter') acts.give(number)
  else if (event.key === 'Delete' || event.key === 'Backspace') acts.leaveOut(number)
  else if (step !== undefined) {
    const all = [...document.querySelectorAll<HTMLInputElement>('[data-page] input')]
    const next = all[all.indexOf(event.currentTarget) + step]
    next?.focus()
    const page = Number(next?.closest<HTMLElement>('[data-page]')?.dataset.page)
    if (next && event.shiftKey) acts.toggle(page, true)
  } else return
  event.preventDefault()
}
