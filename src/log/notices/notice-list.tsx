import { TriangleAlert } from 'lucide-react'
import type { Notice } from './notice.ts'

/** Notices about the installation, at the top of the start page. */
export function NoticeList({ notices }: { notices: Notice[] }) {
  if (notices.length === 0) return null
  return (
    <section aria-label="Vigtigt" className="grid gap-3">
      {notices.map(({ kind, text }) => (
        <p
          key={kind}
          className="flex items-start gap-2 rounded-card border border-warn bg-warn-soft px-4 py-3 text-ink"
        >
          <TriangleAlert
            size={16}
            strokeWidth={1.75}
            aria-hidden="true"
            className="mt-0.5 shrink-0 text-warn"
          />
          {text}
        </p>
      ))}
    </section>
  )
}
