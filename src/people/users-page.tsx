import { FileUp } from 'lucide-react'
import { ROLE_NAMES } from '../accounts/user.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Chip } from '../ui/chips.tsx'
import type { Column } from '../ui/columns.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { SearchTable } from '../ui/search-table.tsx'
import { Shell } from '../ui/shell.tsx'
import { urls } from '../urls.ts'
import { USER_COLUMNS, type UserRow } from './user-row.ts'

export type UsersPageProps = { page: Page<UserRow>; query: ListQuery }

export function UsersPage({ page, query }: UsersPageProps) {
  return (
    <Shell
      title="Brugere"
      actions={
        <LinkButton href={urls.uploadToUsers} icon={FileUp}>
          Upload til brugere
        </LinkButton>
      }
    >
      <SearchTable
        caption="Brugere"
        search="Søg efter nummer, navn eller e-mail"
        route={urls.listUsers}
        sorts={USER_COLUMNS}
        own={{ column: 'name', direction: 'asc' }}
        columns={COLUMNS}
        page={page}
        query={query}
      />
    </Shell>
  )
}

const COLUMNS: Column<UserRow>[] = [
  { text: 'Navn', name: 'name', class: 'min-w-44', value: (row) => <Person row={row} /> },
  {
    text: 'Nummer',
    name: 'numbers',
    class: '@max-list:hidden w-px whitespace-nowrap tabular-nums',
    value: ({ numbers }) => numbers.join(', '),
  },
  { text: 'E-mail', name: 'email', class: '@max-list:hidden' },
  {
    text: 'Rolle',
    name: 'role',
    class: '@max-list:hidden w-px whitespace-nowrap',
    value: ({ role }) => ROLE_NAMES[role],
  },
]

function Person({ row: { name, email, role, numbers, deactivated, image } }: { row: UserRow }) {
  return (
    <span className="flex items-center gap-3">
      <Avatar name={name} image={image} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          {deactivated && <Chip text="Deaktiveret" />}
        </span>
        <span className="block text-meta text-muted @list:hidden">{email}</span>
        <span className="block text-meta text-muted @list:hidden">
          {[ROLE_NAMES[role], ...numbers].join(' · ')}
        </span>
      </span>
    </span>
  )
}
