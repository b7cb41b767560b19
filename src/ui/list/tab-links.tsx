import { useEffect, useRef, type ReactNode } from 'react'

type Props = {
  /** The name for screen readers. */
  label: string
  /** The parts of a page, or pages that belong together, each with its own address. */
  tabs: readonly { text: string; href: string; isHere: boolean; mark?: ReactNode }[]
  className?: string
}

/** Tabs that are links. Where there is no room they scroll, and show the one that is open. */
export function TabLinks({ label, tabs, className = '' }: Props) {
  const here = useRef<HTMLAnchorElement>(null)
  // Only the tabs move: the page stays where it is, as after a reload.
  useEffect(() => {
    const row = here.current?.closest('nav')
    if (row) row.scrollLeft += middleOf(here.current!) - middleOf(row)
  }, [])
  return (
    <nav aria-label={label} className={`overflow-x-auto border-b border-line print:hidden ${className}`}>
      <ul className="flex gap-1 max-sm:gap-0">
        {tabs.map(({ text, href, isHere, mark }) => (
          <li key={href}>
            <a
              ref={isHere ? here : null}
              href={href}
              aria-current={isHere ? 'page' : undefined}
              className="flex min-h-10 items-center gap-2 border-b-2 border-transparent px-3 max-sm:gap-1 max-sm:px-2 whitespace-nowrap text-muted hover:text-ink aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11"
            >
              {text}
              {mark}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}
