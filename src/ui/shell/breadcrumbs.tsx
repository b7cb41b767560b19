import { ChevronLeft, ChevronRight } from 'lucide-react'
import { urls } from '../../urls.ts'

export type Crumb = { text: string; href: string }

/** Texts up to this length are never cut. */
const SHORT = 12

/** The path from the start page to this page. Empty on the start page. */
export function Breadcrumbs({ crumbs, title }: { crumbs: Crumb[]; title: string }) {
  if (crumbs.length === 0) return null
  return (
    <nav aria-label="Brødkrummesti" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-muted">
        {[{ text: 'Forside', href: urls.start }, ...crumbs].map(({ text, href }, index) => (
          // The middle parts are cut first, the page itself last.
          <li
            key={href}
            className={`flex items-center gap-1 ${text.length <= SHORT ? 'shrink-0' : 'min-w-14 shrink-[1000]'} ${hiddenWhere(index, crumbs.length)}`}
          >
            <ChevronLeft size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 sm:hidden" />
            <a href={href} className="truncate py-0.5 hover:text-ink hover:underline pointer-coarse:py-3">
              {text}
            </a>
            <ChevronRight
              size={16}
              strokeWidth={1.75}
              aria-hidden="true"
              className="shrink-0 max-sm:hidden"
            />
          </li>
        ))}
        <li aria-current="page" className="min-w-0 truncate max-sm:sr-only">
          {title}
        </li>
      </ol>
    </nav>
  )
}

/** A phone shows only one step back: the page's name is its heading. Smaller screens spare the start page, which the menu has. */
function hiddenWhere(index: number, last: number): string {
  if (index === last) return ''
  return index === 0 && last > 1 ? 'max-xl:hidden' : 'max-sm:hidden'
}
