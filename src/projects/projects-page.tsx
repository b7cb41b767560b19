import { Ellipsis, FolderCog, Pencil, Plus } from 'lucide-react'
import { namesWith } from '../base/fields/field.ts'
import { eitherOf } from '../base/danish/listed.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { may } from '../rights.ts'
import { fieldColumns, type Column } from '../ui/list/columns.ts'
import { Dropdown } from '../ui/menu/dropdown.tsx'
import { useFrame } from '../ui/basic/frame.ts'
import { IconButton } from '../ui/icon/icon-button.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { SearchTable } from '../ui/list/search-table.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { changesOf, urls } from '../urls.ts'
import { countFiles } from './folder.ts'
import { NewsAfterName } from './news/news-mark.tsx'
import { OWN_FIELDS } from './project/project.fields.ts'
import { PROJECT_COLUMNS, type ProjectWithNews } from './project/project.ts'
import { StatusChip } from './status-chip.tsx'

type ProjectsPageProps = {
  page: Page<ProjectWithNews>
  query: ListQuery
}

export function ProjectsPage({ page, query }: ProjectsPageProps) {
  const { user } = useFrame()
  const mayEdit = may(user!.role, 'editProjects')
  return (
    <Shell
      title="Projekter"
      actions={
        mayEdit && (
          <LinkButton href={urls.newProject} icon={Plus}>
            Nyt projekt
          </LinkButton>
        )
      }
    >
      <SearchTable
        caption="Projekter"
        search={`Søg efter ${eitherOf(SEARCHED)}`}
        route={urls.listProjects}
        live={changesOf('projects')}
        sorts={PROJECT_COLUMNS}
        own={{ column: 'number', direction: 'asc' }}
        columns={columnsFor(mayEdit)}
        page={page}
        query={query}
        none="Ingen projekter endnu"
        whenNone={mayEdit ? 'Opret det første projekt med knappen ovenfor.' : null}
      />
    </Shell>
  )
}

const SEARCHED = namesWith(OWN_FIELDS, 'searchedAs').map((name) => OWN_FIELDS[name].searchedAs)

const LOOKS: Partial<Record<string, Partial<Column<ProjectWithNews>>>> = {
  number: { class: '@max-list:hidden w-px min-w-28 tabular-nums' },
  name: { class: 'min-w-44', value: (row) => <Name row={row} /> },
  status: {
    class: '@max-list:hidden w-px whitespace-nowrap',
    value: ({ status }) => <StatusChip status={status} />,
  },
}

function columnsFor(mayEdit: boolean): Column<ProjectWithNews>[] {
  const columns: Column<ProjectWithNews>[] = [
    ...fieldColumns(OWN_FIELDS, namesWith(OWN_FIELDS, 'isListed'), LOOKS),
    {
      text: 'Filer',
      name: 'files_count',
      type: 'number',
      class: '@max-list:hidden w-px whitespace-nowrap',
    },
    {
      text: 'Senest ændret',
      name: 'updated_at',
      type: 'date',
      align: 'right',
      class: '@max-list:hidden w-px whitespace-nowrap',
    },
  ]
  if (!mayEdit) return columns
  return [
    ...columns,
    {
      text: 'Handlinger',
      name: 'actions',
      type: 'actions',
      align: 'right',
      class: '@max-list:px-2 w-px',
      value: (row) => <Actions row={row} />,
    },
  ]
}

function Name({ row }: { row: ProjectWithNews }) {
  return (
    <>
      <a
        href={urls.files(row.id)}
        className="inline-flex items-center font-medium hover:text-accent hover:underline pointer-coarse:min-h-11"
      >
        {row.name}
      </a>
      <NewsAfterName count={row.new_count} />
      <span className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-muted @list:hidden">
        <span className="tabular-nums">{row.number}</span>
        <StatusChip status={row.status} />
        <span>{countFiles(row.files_count)}</span>
        <ShortDate at={row.updated_at} />
      </span>
    </>
  )
}

function Actions({ row }: { row: ProjectWithNews }) {
  const items = [
    { key: 'folders', text: 'Mapper', href: urls.projectFolders(row.id), icon: FolderCog },
    { key: 'edit', text: 'Rediger', href: urls.editProject(row.id), icon: Pencil },
  ]
  return (
    <>
      <span className="hidden justify-end gap-1 @list:flex">
        {items.map(({ key, text, href, icon }) => (
          <IconButton key={key} label={`${text}: ${row.name}`} href={href} icon={icon} />
        ))}
      </span>
      <div className="flex justify-end @list:hidden">
        <Dropdown label={`Handlinger for ${row.name}`} items={items} icon={Ellipsis} iconOnly />
      </div>
    </>
  )
}
