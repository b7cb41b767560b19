import { ChevronRight } from 'lucide-react'
import { urls } from '../urls.ts'

export type Crumb = { text: string; href: string }

/** The way back: the start page, what lies between, and the page itself. Nothing on the start page. */
export function Breadcrumbs({ crumbs, title }: { crumbs: Crumb[]; title: string }) {
  if (crumbs.length === 0) return null
  return (
    <nav aria-label="Brødkrummesti" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-muted">
        {[{ text: 'Forside', href: urls.start }, ...crumbs].map(({ text, href }) => (
          <li key={href} className="flex items-center gap-1 whitespace-nowrap">
            <a href={href} className="hover:text-ink hover:underline">
              {text}
            </a>
            <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />
          </li>
        ))}
        <li aria-current="page" className="truncate">
          {title}
        </li>
      </ol>
    </nav>
  )
}
