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

/** Lists what the office has published or holds back, the newest first. */
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
        whenNone="Når du uploader filer, som andre end kontoret kan se, står de her."
      />
    </Shell>
  )
}

const plain = { sortable: false, class: '@max-list:hidden w-px whitespace-nowrap' } as const

const COLUMNS: Column<ReleaseRow>[] = [
  { text: 'Hvad', name: 'place', sortable: false, class: 'min-w-44', value: (row) => <Name row={row} /> },
  { text: 'Status', name: 'state', ...plain, value: ({ state }) => <StateChip state={state} /> },
  { text: 'Filer', name: 'files_count', type: 'number', ...plain },
  { text: 'Har åbnet', name: 'opened', align: 'right', ...plain, value: openedText },
  {
    text: 'Uploadet',
    name: 'made_at',
    align: 'right',
    ...plain,
    value: ({ made_at: at }) => <ShortDate at={at} withTime />,
  },
  { text: 'Af', name: 'made_by', ...plain },
]

function Name({ row }: { row: ReleaseRow }) {
  const { place, places } = row
  return (
    <>
      <a
        href={urls.release(row.id)}
        className="inline-flex items-center font-medium hover:text-accent hover:underline pointer-coarse:min-h-11"
      >
        {place ?? 'Slettede filer'}
        {places > 1 && ` og ${places - 1} mere`}
      </a>
      {row.publish_at !== null && (
        <span className="block text-meta text-muted">
          {row.state === 'waiting' ? 'Skal udgives' : 'Udgives'} <ShortDate at={row.publish_at} withTime />
        </span>
      )}
      <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-muted @list:hidden">
        <StateChip state={row.state} />
        <span>{countFiles(row.files_count)}</span>
        <ShortDate at={row.made_at} />
        {row.reached !== null && <span>{openedText(row)} har åbnet</span>}
      </span>
    </>
  )
}

/** '9 af 12', or nothing before it is published. */
function openedText({ opened, reached }: ReleaseRow): string {
  return reached === null ? '' : `${opened} af ${Math.max(reached, opened)}`
}
