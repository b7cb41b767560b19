import { formatCount } from '../../base/danish/counts.ts'
import { isPlainClick } from '../basic/plain-click.ts'

type Props = {
  filters: Readonly<Record<string, string>>
  /** How many rows each has. A filter without rows is left out, unless it is in use. */
  counts?: Readonly<Record<string, number>> | undefined
  /** The filter in use, or null for all rows. */
  now: string | null
  hrefOf: (filter: string | null) => string
  onFilter: (filter: string | null) => void
}

/** Links that show a part of a list, each with its own address. */
export function FilterLinks({ filters, counts, now, hrefOf, onFilter }: Props) {
  const offered = Object.entries(filters).filter(([name]) => name === now || counts?.[name] !== 0)
  const choices: [string | null, string][] = [[null, 'Alle'], ...offered]
  return (
    <nav aria-label="Filter" className="print:hidden">
      <ul className="flex flex-wrap gap-2">
        {choices.map(([filter, text]) => (
          <li key={filter ?? ''}>
            <a
              href={hrefOf(filter)}
              aria-current={filter === now ? 'true' : undefined}
              onClick={(event) => {
                if (!isPlainClick(event)) return
                event.preventDefault()
                onFilter(filter)
              }}
              className={`inline-flex min-h-8 items-center rounded-control border px-3 pointer-coarse:min-h-11 ${
                filter === now
                  ? 'border-accent bg-accent-soft font-medium text-accent'
                  : 'border-line text-muted hover:bg-hover hover:text-ink'
              }`}
            >
              {text}
              {counts && filter !== null && (
                <span className="ml-1.5 tabular-nums">{formatCount(counts[filter] ?? 0)}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <output className="sr-only">{now !== null && `Viser kun: ${filters[now]}`}</output>
    </nav>
  )
}
