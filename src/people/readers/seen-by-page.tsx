import { forText } from '../../access/lent.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { countFiles } from '../../projects/folder.ts'
import { ROLE_NAMES, type Role } from '../../rights.ts'
import type { Column } from '../../ui/list/columns.ts'
import { SearchTable } from '../../ui/list/search-table.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import type { SeenFiles, SeenProject } from './readers.ts'

type SeenByPageProps = {
  person: { id: number; name: string; role: Role; sees: 'everything' | 'nothing' | 'some' }
  query: ListQuery
  page: Page<SeenProject>
  /** Whose own files the person sees. */
  files: SeenFiles[]
}

const NO_SORTS: string[] = []

/** Says everything that a person sees. */
export function SeenByPage({ person, query, page, files }: SeenByPageProps) {
  const { id, name, role, sees } = person
  return (
    <Shell
      title={`Hvad kan ${name} se?`}
      above={ROLE_NAMES[role]}
      crumbs={[
        { text: 'Personer', href: urls.users },
        { text: name, href: urls.user(id) },
      ]}
    >
      {sees === 'some' ? (
        <div className="grid gap-6">
          <SearchTable
            caption={`Projekter, som ${name} kan se`}
            search="Søg efter nummer eller navn"
            route={urls.listSeen(id)}
            sorts={NO_SORTS}
            columns={COLUMNS}
            page={page}
            query={query}
            none="Ingen projekter"
          />
          <section aria-labelledby="own" className="rounded-card border border-line bg-surface">
            <h2 id="own" className="border-b border-line px-4 py-3 text-section font-semibold">
              Egne filer
            </h2>
            {files.length === 0 ? (
              <p className="px-4 py-3 text-muted">Ingen.</p>
            ) : (
              <ul>
                {files.map((each) => (
                  <li
                    key={each.id}
                    className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-4 py-2 last:border-0"
                  >
                    <a
                      href={urls.user(each.id)}
                      className="inline-flex items-center wrap-anywhere hover:text-accent hover:underline pointer-coarse:min-h-11"
                    >
                      {each.id === id ? 'Sine egne' : forText([each.name])}
                    </a>
                    <span className="text-meta text-muted tabular-nums">{countFiles(each.files_count)}</span>
                  </li>
                ))}
              </ul>
            )}
          </section>
        </div>
      ) : (
        <p className="rounded-card border border-line bg-surface px-4 py-6 text-muted">
          {sees === 'everything'
            ? `${name} hører til kontoret og ser alle projekter og alle personers filer.`
            : `${name} er deaktiveret og kan ikke se noget.`}
        </p>
      )}
    </Shell>
  )
}

const COLUMNS: Column<SeenProject>[] = [
  { text: 'Nummer', name: 'number', class: '@max-list:hidden w-px min-w-28 tabular-nums align-top' },
  {
    text: 'Projekt',
    name: 'name',
    class: 'min-w-44 align-top',
    value: ({ id, number, name, lent_by: lentBy, folders }) => (
      <>
        <a
          href={urls.files(id)}
          className="inline-flex items-center font-medium hover:text-accent hover:underline pointer-coarse:min-h-11"
        >
          {name}
        </a>
        {lentBy && <span className="block text-meta text-muted">{forText(lentBy)}</span>}
        <span className="block text-meta @list:hidden">
          {number} · {foldersText(folders)}
        </span>
      </>
    ),
  },
  {
    text: 'Mapper',
    name: 'folders',
    class: '@max-list:hidden align-top',
    value: ({ folders }) => foldersText(folders),
  },
]

function foldersText(folders: SeenProject['folders']): string {
  if (folders.length === 0) return 'Ingen mapper'
  return folders
    .map(({ name, visible_to_investors: isShared }) => (isShared ? name : `${name} (skjult for investorer)`))
    .join(', ')
}
