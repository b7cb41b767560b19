import { isPlainClick } from '../basic/plain-click.ts'

type Props = {
  filters: Readonly<Record<string, string>>
  /** The filter in use, or null for all rows. */
  now: string | null
  hrefOf: (filter: string | null) => string
  onFilter: (filter: string | null) => void
}

/** Links that show a part of a list, each with its own address. */
export function FilterLinks({ filters, now, hrefOf, onFilter }: Props) {
  const choices: [string | null, string][] = [[null, 'Alle'], ...Object.entries(filters)]
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
            </a>
          </li>
        ))}
      </ul>
      <output className="sr-only">{now !== null && `Viser kun: ${filters[now]}`}</output>
    </nav>
  )
}
