import { FolderArchive } from 'lucide-react'
import { formatBytes } from '../../base/bytes.ts'
import type { YearSum } from '../../files/zip/year-sum.ts'
import { countFiles } from '../../projects/folder.ts'
import { urls } from '../../urls.ts'

/** Lists years; each row downloads everything that the reader sees of one: "Årspakke 2025 · 14 filer · 23 MB". */
export function PackageList({ years }: { years: YearSum[] }) {
  if (years.length === 0) return null
  return (
    <section id="packages" aria-labelledby="packages-title" className="print:hidden">
      <h2 id="packages-title" className="mb-2 text-section font-semibold">
        Årspakker
      </h2>
      <ul className="rounded-card border border-line bg-surface">
        {years.map(({ year, sum }) => (
          <li
            key={year}
            className="relative flex min-h-11 flex-wrap items-center gap-x-3 gap-y-0.5 border-b border-line px-4 py-2 last:rounded-b-card last:border-0 hover:bg-hover"
          >
            <FolderArchive size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
            <a
              href={urls.yearPackage(year)}
              className="flex-1 font-medium tabular-nums after:absolute after:inset-0 hover:text-accent hover:underline"
            >
              Årspakke {year}
            </a>
            {sum && (
              <span className="text-meta text-muted tabular-nums">
                {countFiles(sum.files)} · {formatBytes(sum.bytes, 0)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
