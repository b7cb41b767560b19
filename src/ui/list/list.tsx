import type { ReactNode } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { EmptyState } from '../basic/empty-state.tsx'

type Props<Item> = {
  /** Null until the first answer. */
  items: readonly Item[] | null
  keyOf: (item: Item) => string | number
  render: (item: Item) => ReactNode
  /** The total count; by default the number of items. */
  total?: number
  /** S8.3 */
  empty?: ReactNode
  /** An action for an empty list. */
  action?: ReactNode
  /** True while the list is fetched again: the old items stay, dimmed. */
  busy?: boolean
  label?: string
}

/** A list of items with its count. */
export function List<Item>({
  items,
  keyOf,
  render,
  total = items?.length ?? 0,
  empty = 'Intet fundet...',
  action,
  busy = false,
  label,
}: Props<Item>) {
  return (
    <div aria-busy={busy || items === null} className="rounded-card border border-line bg-surface">
      {items === null ? (
        <EmptyState text="Henter..." />
      ) : items.length === 0 ? (
        <EmptyState text={empty}>{action}</EmptyState>
      ) : (
        <>
          <ul aria-label={label} className={`divide-y divide-line ${busy ? 'opacity-70' : ''}`}>
            {items.map((item) => (
              <li key={keyOf(item)} className="flex min-h-11 items-center gap-3 px-4 py-2">
                {render(item)}
              </li>
            ))}
          </ul>
          {/* S9.9 gives it in English. */}
          <p lang="en" className="border-t border-line px-4 py-2 text-meta text-muted tabular-nums">
            Showing {formatCount(items.length)} of {formatCount(total)} total items
          </p>
        </>
      )}
    </div>
  )
}
