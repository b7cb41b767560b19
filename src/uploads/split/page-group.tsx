import { useRef, type ReactNode } from 'react'
import { useDropArea } from '../../ui/drag/use-drop-area.ts'
import type { PagePictures } from './page-pictures.ts'
import { PageTile, type DraggedPage, type TileActs } from './page-tile.tsx'
import type { PageOwner } from './plan.ts'
import type { SplitPage } from './split.ts'

type Props = {
  /** Names the group, for screen readers. */
  label: string
  owner: PageOwner
  numbers: readonly number[]
  pages: readonly SplitPage[]
  selected: ReadonlySet<number>
  pictures: PagePictures | null
  acts: TileActs
  /** Takes dragged pages; without it none can be dropped here. */
  onDrop?: (pages: readonly number[]) => void
  fault?: string | undefined
  children: ReactNode
}

/** Whether a page is where it was proposed to be, for a reason that is worth a look. */
export const isMaybe = ({ sureness, person }: SplitPage, owner: PageOwner) =>
  sureness === 'maybe' && person === owner

/** Pages that belong together, with their texts and buttons; pages can be dragged here. */
export function PageGroup(props: Props) {
  const { label, owner, numbers, pages, selected, pictures, acts, onDrop, fault, children } = props
  const area = useRef<HTMLElement>(null)
  const { isOver } = useDropArea<DraggedPage>(
    area,
    onDrop && {
      accepts: ({ page }) => acts.ownerOf(page) !== owner,
      onDrop: ({ page }) => onDrop(acts.meantBy(page)),
    },
  )
  return (
    <article
      ref={area}
      aria-label={label}
      data-owner={owner ?? 'none'}
      className={`grid gap-x-4 gap-y-2 px-4 py-3 [contain-intrinsic-block-size:auto_150px] [content-visibility:auto] md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)] ${isOver ? 'bg-accent-soft' : ''}`}
    >
      <div className="grid content-start gap-2">
        {children}
        {fault && <p className="text-meta text-danger">{fault}</p>}
      </div>
      <ul className="flex flex-wrap content-start gap-1">
        {numbers.map((number) => {
          const page = pages[number - 1]!
          return (
            <PageTile
              key={number}
              number={number}
              page={page}
              isSelected={selected.has(number)}
              isMaybe={isMaybe(page, owner)}
              pictures={pictures}
              acts={acts}
            />
          )
        })}
      </ul>
    </article>
  )
}
