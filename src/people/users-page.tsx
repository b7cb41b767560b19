import { FileUp, UserRoundPlus } from 'lucide-react'
import { ROLE_NAMES } from '../accounts/users/user.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { may } from '../rights.ts'
import { Avatar } from '../ui/basic/avatar.tsx'
import { Chip } from '../ui/basic/chip.tsx'
import type { Column } from '../ui/list/columns.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { SearchTable } from '../ui/list/search-table.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { changesOf, urls } from '../urls.ts'
import { USER_COLUMNS, type UserRow } from './user/user-row.ts'

type UsersPageProps = { page: Page<UserRow>; query: ListQuery }

export function UsersPage({ page, query }: UsersPageProps) {
  const mayEdit = may(useFrame().user!.role, 'editUsers')
  return (
    <Shell
      title="Brugere"
      actions={
        <span className="flex flex-wrap gap-3">
          <LinkButton kind={mayEdit ? 'secondary' : 'primary'} href={urls.uploadToUsers} icon={FileUp}>
            Upload til brugere
          </LinkButton>
          {mayEdit && (
            <LinkButton href={urls.newUser} icon={UserRoundPlus}>
              Ny bruger
            </LinkButton>
          )}
        </span>
      }
    >
      <SearchTable
        caption="Brugere"
        search="Søg efter nummer, navn eller e-mail"
        route={urls.listUsers}
        live={changesOf('users')}
        sorts={USER_COLUMNS}
        own={{ column: 'name', direction: 'asc' }}
        columns={COLUMNS}
        page={page}
        query={query}
        none="Ingen brugere endnu"
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

function Person({ row: { id, name, email, role, numbers, deactivated, pending, image } }: { row: UserRow }) {
  return (
    <span className="flex items-center gap-3">
      <Avatar name={name} image={image} />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <a
            href={urls.user(id)}
            className="inline-flex items-center font-medium hover:text-accent hover:underline pointer-coarse:min-h-11"
          >
            {name}
          </a>
          {deactivated ? (
            <Chip text="Deaktiveret" />
          ) : (
            pending && <Chip tone="warn" text="Ikke logget ind endnu" />
          )}
        </span>
        <span className="block text-meta text-muted @list:hidden">{email}</span>
        <span className="block text-meta text-muted @list:hidden">
          {[ROLE_NAMES[role], ...numbers].join(' · ')}
        </span>
      </span>
    </span>
  )
}
