import { UserRoundPlus } from 'lucide-react'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { eitherOf, namesWith } from '../base/fields/field.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { may, ROLE_NAMES } from '../rights.ts'
import { Avatar } from '../ui/basic/avatar.tsx'
import { Chip } from '../ui/basic/chip.tsx'
import { fieldColumns, type Column } from '../ui/list/columns.ts'
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
      dropTo={{ address: urls.uploadToUsers, name: 'Upload til investorer' }}
      actions={
        mayEdit && (
          <LinkButton href={urls.newUser} icon={UserRoundPlus}>
            Ny bruger
          </LinkButton>
        )
      }
    >
      <SearchTable
        caption="Brugere"
        search={`Søg efter ${eitherOf(SEARCHED)}`}
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

const LOOKS: Partial<Record<string, Partial<Column<UserRow>>>> = {
  name: { class: 'min-w-44', value: (row) => <Person row={row} /> },
  numbers: { text: 'Nummer', class: '@max-list:hidden w-px whitespace-nowrap tabular-nums' },
  role: { class: '@max-list:hidden w-px whitespace-nowrap' },
}

const COLUMNS = fieldColumns(USER_FIELDS, USER_COLUMNS, LOOKS)

/** The number, by which people are known, comes first. */
const SEARCHED = [...new Set(['numbers', ...namesWith(USER_FIELDS, 'searchedAs')] as const)].map(
  (name) => USER_FIELDS[name].searchedAs,
)

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
