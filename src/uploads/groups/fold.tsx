import { ChevronRight } from 'lucide-react'
import { useId, type ReactNode } from 'react'

type Props = {
  heading: 'h2' | 'h3'
  title: ReactNode
  /** Counts and marks on the same line. */
  facts: ReactNode
  /** Buttons beside the line. */
  acts?: ReactNode
  isOpen: boolean
  onToggle: () => void
  /** Drawn only while it is open: a pile may have thousands of files. */
  children: () => ReactNode
}

/** One line that opens to its details. */
export function Fold({ heading: Heading, title, facts, acts, isOpen, onToggle, children }: Props) {
  const id = useId()
  return (
    <li>
      <div className={`flex flex-wrap items-center gap-x-3 gap-y-1 ${acts ? 'pr-4' : ''}`}>
        <Heading className="min-w-0 flex-1 basis-72">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
            className="flex min-h-11 w-full cursor-pointer flex-wrap items-center gap-x-3 py-1.5 pr-4 pl-3 text-left hover:bg-hover"
          >
            <ChevronRight
              size={16}
              strokeWidth={1.75}
              aria-hidden="true"
              className={`shrink-0 text-muted ${isOpen ? 'rotate-90' : ''}`}
            />
            <span className="min-w-0 flex-1 basis-56 wrap-anywhere">{title}</span>
            <span className="flex flex-wrap items-center gap-x-3 text-meta text-muted tabular-nums max-sm:pl-7">
              {facts}
            </span>
          </button>
        </Heading>
        {acts && <div className="max-sm:pb-3 max-sm:pl-10 sm:ml-auto sm:py-1">{acts}</div>}
      </div>
      {isOpen && (
        <div id={id} className="border-t border-line">
          {children()}
        </div>
      )}
    </li>
  )
}
