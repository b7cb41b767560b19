import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { countFiles } from '../projects/folder.ts'
import { ShortDate } from '../ui/basic/short-date.tsx'
import type { Column } from '../ui/list/columns.ts'
import { SearchTable } from '../ui/list/search-table.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { changesOf, urls } from '../urls.ts'
import { AskedActList, type AskedActs } from './approval/asked-acts.tsx'
import { HeldCard } from './held/held-card.tsx'
import type { HeldPapers } from './held/held.ts'
import type { ReleaseRow } from './release/release.ts'
import { StateChip } from './release/state-chip.tsx'

export type ReleasesPageProps = {
  page: Page<ReleaseRow>
  query: ListQuery
  held: HeldPapers
  asked: AskedActs
}

const NO_SORTS: string[] = []

/** Lists what the office has published or holds back: what waits for a colleague, then the newest. */
export function ReleasesPage({ page, query, held, asked }: ReleasesPageProps) {
  return (
    <Shell title="Udsendelser">
      {held.total > 0 && (
        <div className="mb-6">
          <HeldCard held={held} />
        </div>
      )}
      {asked.acts.length > 0 && (
        <section
          id="asked"
          aria-labelledby="asked-title"
          className="mb-6 rounded-card border border-line bg-surface"
        >
          <h2 id="asked-title" className="border-b border-line px-4 py-3 text-section font-semibold">
            Venter på godkendelse
          </h2>
          <AskedActList {...asked} />
        </section>
      )}
      <SearchTable
        caption="Udsendelser"
        search="Søg efter projekt, person eller filnavn"
        route={urls.listReleases}
        live={changesOf('releases')}
        sorts={NO_SORTS}
        columns={COLUMNS}
        page={page}
        query={query}
        none="Ingen udsendelser endnu"
        whenNone="Her står filer, som andre end kontoret kan se."
      />
    </Shell>
  )
}

const plain = { sortable: false, class: '@max-list:hidden w-px whitespace-nowrap' } as const

const COLUMNS: Column<ReleaseRow>[] = [
  { text: 'Hvad', name: 'name', sortable: false, class: 'min-w-44', value: (row) => <Name row={row} /> },
  { text: 'Status', name: 'state', ...plain, value: (row) => <State row={row} /> },
  { text: 'Har åbnet', name: 'opened', align: 'right', ...plain, value: (row) => <Opened row={row} /> },
  {
    text: 'Uploadet',
    name: 'made_at',
    align: 'right',
    ...plain,
    value: ({ made_at: at }) => <ShortDate at={at} />,
  },
  { text: 'Af', name: 'made_by', sortable: false, class: '@max-list:hidden w-px min-w-40' },
]

function Name({ row }: { row: ReleaseRow }) {
  return (
    <>
      <a
        href={urls.release(row.id)}
        className="inline-flex items-center font-medium hover:text-accent hover:underline pointer-coarse:min-h-11"
      >
        {row.name}
      </a>
      <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-muted @list:hidden">
        <State row={row} />
        <span>{countFiles(row.files_count)}</span>
        {row.publish_at === null && <ShortDate at={row.made_at} />}
        <Opened row={row} more=" har åbnet" />
      </span>
    </>
  )
}

/** 'Planlagt 01/12/2026 08.00' */
const State = ({ row: { state, publish_at: at } }: { row: ReleaseRow }) => (
  <>
    <StateChip state={state} />
    {at !== null && (
      <span className="text-meta text-muted tabular-nums">
        {' '}
        <ShortDate at={at} withTime />
      </span>
    )}
  </>
)

/** '9 af 12', which leads to those who have not; nothing before it is published. */
function Opened({ row: { id, opened, reached }, more = '' }: { row: ReleaseRow; more?: string }) {
  if (reached === null) return null
  const text = `${opened} af ${reached}${more}`
  return opened < reached ? (
    <a
      href={urls.unopened(id)}
      className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
    >
      {text}
    </a>
  ) : (
    text
  )
}
