import { ROLE_NAMES } from '../../rights.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import type { Column } from '../../ui/list/columns.ts'
import { SearchTable } from '../../ui/list/search-table.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import { reasonText, type ReaderRow, type Thing } from './readers.ts'

type ReadersPageProps = {
  kind: 'project' | 'folder' | 'file'
  id: number
  thing: Thing
  query: ListQuery
  page: Page<ReaderRow>
}

const NO_SORTS: string[] = []

/** Says who sees a project, a folder or a file, and why. */
export function ReadersPage({ kind, id, thing, query, page }: ReadersPageProps) {
  return (
    <Shell
      title={`Hvem kan se ${thing.name}?`}
      crumbs={[thing.place]}
      {...(kind !== 'project' && { above: thing.place.text, aboveHref: thing.place.href })}
    >
      <div className="grid gap-6">
        <SearchTable
          caption={`Kan se ${thing.name}`}
          search="Søg efter navn, e-mail eller nummer"
          route={urls.listReaders(kind, id)}
          sorts={NO_SORTS}
          columns={COLUMNS}
          page={page}
          query={query}
          none="Ingen kan se det"
        />
        {thing.folders.length > 0 && (
          <section aria-labelledby="folders" className="rounded-card border border-line bg-surface">
            <h2 id="folders" className="border-b border-line px-4 py-3 text-section font-semibold">
              Hvem kan se den enkelte mappe?
            </h2>
            <ul className="columns-[14rem] gap-x-8 px-4 py-3">
              {thing.folders.map((folder) => (
                <li key={folder.id} className="break-inside-avoid py-1">
                  <a
                    href={urls.readers('folder', folder.id)}
                    className="inline-flex items-center text-accent underline-offset-2 wrap-anywhere hover:underline pointer-coarse:min-h-11"
                  >
                    {folder.name}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Shell>
  )
}

const COLUMNS: Column<ReaderRow>[] = [
  {
    text: 'Navn',
    name: 'name',
    class: 'min-w-44',
    value: ({ id, name, role, reason, lent_by }) => (
      <>
        <a
          href={urls.user(id)}
          className="inline-flex items-center font-medium hover:text-accent hover:underline pointer-coarse:min-h-11"
        >
          {name}
        </a>
        <span className="block text-meta text-muted @list:hidden">
          {ROLE_NAMES[role]} · {reasonText({ reason, lent_by })}
        </span>
      </>
    ),
  },
  {
    text: 'Rolle',
    name: 'role',
    class: '@max-list:hidden w-px whitespace-nowrap',
    value: ({ role }) => ROLE_NAMES[role],
  },
  { text: 'Hvorfor', name: 'reason', class: '@max-list:hidden min-w-56', value: reasonText },
]
