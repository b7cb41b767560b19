import type { ReactNode } from 'react'
import { formatCount } from '../../base/counts.ts'
import { EmptyState } from '../basic/empty-state.tsx'

type Props<Item> = {
  /** Null while there is nothing yet. */
  items: readonly Item[] | null
  keyOf: (item: Item) => string | number
  render: (item: Item) => ReactNode
  /** Of how many; as many as there are, unless told. */
  total?: number
  /** S8.3 */
  empty?: ReactNode
  /** What can be done about an empty list. */
  action?: ReactNode
  /** While it is fetched again: what was there stays, dimmed. */
  busy?: boolean
  label?: string
}

/** Things under each other, and how many of how many they are. */
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
