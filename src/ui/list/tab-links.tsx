import { formatCount } from '../../base/counts.ts'

/** A part of a page with its own address. */
export type Tab = { text: string; href: string; count?: number | undefined }

type Props = {
  /** The name for screen readers. */
  label: string
  tabs: readonly Tab[]
  /** The address of the tab that is shown. */
  now: string
}

/** Links to the parts of a page. */
export function TabLinks({ label, tabs, now }: Props) {
  return (
    <nav aria-label={label} className="border-b border-line print:hidden">
      <ul className="-mb-px flex flex-wrap gap-x-1">
        {tabs.map(({ text, href, count }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={href === now ? 'page' : undefined}
              className="inline-flex min-h-10 items-center gap-1.5 border-b-2 border-transparent px-3 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-accent max-sm:px-2 pointer-coarse:min-h-11"
            >
              {text}
              {count !== undefined && <span className="text-meta tabular-nums">{formatCount(count)}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
