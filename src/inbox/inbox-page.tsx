import { useRef, useState } from 'react'
import { formatCount } from '../base/danish/counts.ts'
import { EVERYTHING, writeListQuery, type ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import type { PaperNote } from '../files/file/paper-note.ts'
import { EmptyState } from '../ui/basic/empty-state.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { SearchBox } from '../ui/form/search-box.tsx'
import { ListFault } from '../ui/list/list-fault.tsx'
import { ListPager } from '../ui/list/list-pager.tsx'
import { NothingFound } from '../ui/list/nothing-found.tsx'
import { useList } from '../ui/list/use-list.ts'
import { useNewerNumber } from '../ui/shell/newer-numbers.ts'
import { Shell } from '../ui/shell/shell.tsx'
import type { Fresh } from '../ui/live/fresh.ts'
import { useLive } from '../ui/live/use-live.ts'
import { changesOf, urls } from '../urls.ts'
import { InboxRow } from './inbox-row.tsx'
import {
  FILTER_NAMES,
  INBOX_FILTERS,
  MOST_KEPT,
  type InboxCounts,
  type InboxFilter,
  type InboxItem,
} from './inbox.ts'

type InboxPageProps = {
  filter: InboxFilter
  query: ListQuery
  page: Page<InboxItem> & { counts: InboxCounts }
  /** The notes of each item, by its id. */
  notes: Record<number, PaperNote[]>
}

const NO_SORTS: string[] = []

const NONE: Record<InboxFilter, string> = {
  all: 'Indbakken er tom',
  new: 'Der er ikke noget nyt',
  mine: 'Du har ikke taget noget',
  done: 'Ingen er færdige endnu',
}

/** Lists what investors have sent, the newest first, with who takes care of it. */
export function InboxPage({ filter, query: atFirst, page, notes }: InboxPageProps) {
  const { path } = useFrame()
  const list = useList({ route: urls.listInbox(filter), columns: NO_SORTS, page, query: atFirst })
  const { answer, by } = list.shown
  // The answers to our own acts, until the server sends the list again.
  const [acted, setActed] = useState<{ by: object; counts: InboxCounts } | null>(null)
  const counts = acted?.by === by ? acted.counts : answer.counts
  useNewerNumber('inbox', counts.new)
  const { rows, keep, refreshKept } = useKeptRows(list.rows, list.query)
  useLive(changesOf('inbox'), async (fresh) => {
    const [hasNewList, hasNewKept] = [await list.refresh(fresh), await refreshKept(fresh)]
    return hasNewList === null || hasNewKept === null ? null : hasNewList || hasNewKept
  })
  const top = useRef<HTMLDivElement>(null)
  const { q } = list.query
  return (
    <Shell title="Indbakke">
      <div ref={top} className="@container grid scroll-mt-4 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <nav aria-label="Vis" className="flex flex-wrap gap-1">
            {INBOX_FILTERS.map((each) => (
              <a
                key={each}
                href={urls.inbox(each) + writeListQuery({ ...EVERYTHING, q })}
                aria-current={each === filter ? 'page' : undefined}
                className="flex min-h-9 items-center rounded-control px-3 text-muted hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent pointer-coarse:min-h-11"
              >
                {FILTER_NAMES[each]}
                {(each === 'new' || each === 'mine') && counts[each] > 0 && ` (${formatCount(counts[each])})`}
              </a>
            ))}
          </nav>
          <form action={path} onSubmit={(event) => event.preventDefault()} className="max-sm:w-full">
            <SearchBox
              label="Søg efter person eller filnavn"
              text={list.text}
              onType={list.type}
              onSearch={list.search}
            />
          </form>
        </div>
        <ListFault list={list} message="Indbakken kunne ikke hentes." />
        <div aria-busy={list.isBusy} className="relative rounded-card border border-line bg-surface">
          {list.isBusy && <span className="busy-bar" aria-hidden="true" />}
          {rows.length === 0 ? (
            <EmptyState
              text={
                <NothingFound
                  clearHref={list.shown.query.q === '' ? null : path}
                  onClear={() => list.search('')}
                  none={NONE[filter]}
                >
                  {filter === 'all' && <p>Her står det, der sendes til kontoret.</p>}
                </NothingFound>
              }
            />
          ) : (
            <>
              <ul aria-label="Modtaget" className={`divide-y divide-line ${list.isBusy ? 'opacity-70' : ''}`}>
                {rows.map((item) => (
                  <InboxRow
                    key={item.id}
                    item={item}
                    by={by}
                    notes={notes[item.id]}
                    onItem={keep}
                    onCounts={(now) => setActed({ by, counts: now })}
                  />
                ))}
              </ul>
              <p className="border-t border-line px-4 py-2 text-meta text-muted tabular-nums">
                Viser {formatCount(rows.length)} af{' '}
                {formatCount(list.info.total + rows.length - list.rows.length)} resultater
              </p>
            </>
          )}
        </div>
        <ListPager list={list} top={top} />
      </div>
    </Shell>
  )
}

/** Keeps the rows that the reader has acted on in their places, also when the list is fetched again without them. */
function useKeptRows(rows: readonly InboxItem[], query: ListQuery) {
  const [kept, setKept] = useState<{ query: ListQuery; items: readonly InboxItem[] }>({ query, items: [] })
  const items = kept.query === query ? kept.items : []
  const missing = items.filter(({ id }) => !rows.some((row) => row.id === id))

  /** Somebody else may have acted on them since. */
  async function refreshKept(fresh: Fresh): Promise<boolean | null> {
    if (items.length === 0) return false
    const came = await fresh.get<InboxItem[]>(`${urls.readInbox}?ids=${items.map(({ id }) => id).join(',')}`)
    if (!came) return null
    const next = fresh.reuse(
      items,
      items.map((item) => came.find(({ id }) => id === item.id) ?? item),
    )
    setKept((now) => (now.items === items ? { query, items: next } : now))
    return next !== items
  }

  return {
    rows: missing.length === 0 ? rows : [...rows, ...missing].sort((a, b) => b.id - a.id),
    keep: (item: InboxItem) =>
      setKept({ query, items: [...items.filter(({ id }) => id !== item.id), item].slice(-MOST_KEPT) }),
    refreshKept,
  }
}
