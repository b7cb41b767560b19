import { UserRoundPlus } from 'lucide-react'
import { USER_FIELDS } from '../accounts/users/user.fields.ts'
import { namesWith } from '../base/fields/field.ts'
import { eitherOf } from '../base/danish/listed.ts'
import type { ListQuery } from '../base/list-query.ts'
import { MailingNotes } from '../releases/mailings/mailing-notes.tsx'
import type { Mailing, MailLeaving } from '../releases/mailings/mailing.ts'
import { may, ROLE_NAMES } from '../rights.ts'
import { Avatar } from '../ui/basic/avatar.tsx'
import { Chip } from '../ui/basic/chip.tsx'
import { fieldColumns, type Column } from '../ui/list/columns.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { SearchTable } from '../ui/list/search-table.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { changesOf, urls } from '../urls.ts'
import { ActsOnMany, InviteAll } from './many/acts-on-many.tsx'
import { SelectPerson } from './many/select-person.tsx'
import { PEOPLE_FILTERS, type PeopleList } from './user/people-list.ts'
import { USER_COLUMNS, type UserRow } from './user/user-row.ts'

type UsersPageProps = {
  page: PeopleList
  query: ListQuery
  /** Invitations to many that have not left. */
  mailings: Mailing[]
  leaving: MailLeaving
}

export function UsersPage({ page, query, mailings, leaving }: UsersPageProps) {
  const mayEdit = may(useFrame().user!.role, 'editUsers')
  return (
    <Shell
      title="Personer"
      dropTo={{ address: urls.uploadToUsers, name: 'Upload til investorer' }}
      actions={
        mayEdit && (
          <LinkButton href={urls.newUser} icon={UserRoundPlus}>
            Ny person
          </LinkButton>
        )
      }
    >
      {mailings.length > 0 && (
        <div className="mb-6">
          <MailingNotes
            mailings={mailings}
            sendsMail={leaving.sendsMail}
            regret={({ id }) => urls.regretInvitations(id)}
          />
        </div>
      )}
      <SearchTable<UserRow, PeopleList>
        caption="Personer"
        search={`Søg efter ${eitherOf(SEARCHED)}`}
        route={urls.listPeople}
        live={changesOf('users')}
        sorts={USER_COLUMNS}
        own={{ column: 'name', direction: 'asc' }}
        filters={PEOPLE_FILTERS}
        countsOf={({ counts }) => counts}
        kinds={ROLE_KINDS}
        columns={mayEdit ? EDITED_COLUMNS : COLUMNS}
        page={page}
        query={query}
        none="Ingen personer endnu"
        renderAbove={(shown) => <InviteAll {...shown} leaving={leaving} />}
        renderBelow={mayEdit ? (shown) => <ActsOnMany {...shown} leaving={leaving} /> : undefined}
      />
    </Shell>
  )
}

const LOOKS: Partial<Record<string, Partial<Column<UserRow>>>> = {
  name: { class: 'min-w-44', value: (row) => <Person row={row} /> },
  numbers: { text: 'Nummer', class: '@max-list:hidden w-px min-w-36 tabular-nums' },
  role: { class: '@max-list:hidden w-px whitespace-nowrap' },
}

const COLUMNS = fieldColumns(USER_FIELDS, USER_COLUMNS, LOOKS)

/** Without JavaScript nothing can be selected. */
const EDITED_COLUMNS: Column<UserRow>[] = [
  {
    text: 'Vælg',
    name: 'select',
    type: 'actions',
    class: 'w-px pr-0 pl-2 noscript:hidden',
    value: (row) => <SelectPerson row={row} />,
  },
  ...COLUMNS,
]

const ROLE_KINDS = { label: 'Rolle', all: 'Alle roller', names: ROLE_NAMES }

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
            pending && <Chip tone="warn" text={PEOPLE_FILTERS.never} />
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
