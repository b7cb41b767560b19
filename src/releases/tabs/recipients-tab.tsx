import { Download } from 'lucide-react'
import { shortDateTime } from '../../base/time/dates.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { SearchTable } from '../../ui/list/search-table.tsx'
import { urls } from '../../urls.ts'
import {
  countPapers,
  MAIL_TEXTS,
  MOST_PERSON_FILES,
  PERSON_COLUMNS,
  PERSON_FILTERS,
  type Release,
  type ReleasePerson,
} from '../release/release.ts'

type Props = { release: Release; people: Page<ReleasePerson>; query: ListQuery; sendsMail: boolean }

/** Lists the people whom a release reaches, with what each of them has opened. */
export function RecipientsTab({ release, people, query, sendsMail }: Props) {
  const wasPublished = release.published_at !== null
  const { silent, ...afterwards } = PERSON_FILTERS
  return (
    <SearchTable
      caption="Personer"
      search="Søg efter person"
      route={urls.listReleasePeople(release.id)}
      sorts={PERSON_COLUMNS}
      own={{ column: 'name', direction: 'asc' }}
      filters={
        wasPublished ? { ...afterwards, ...(sendsMail && { silent }) } : sendsMail ? { silent } : NO_FILTERS
      }
      columns={wasPublished ? (sendsMail ? PEOPLE : WITHOUT_MAILS) : BEFORE}
      page={people}
      query={query}
      none="Ingen uden for kontoret"
      besideSearch={
        wasPublished && (
          <LinkButton kind="secondary" href={urls.releasePeopleCsv(release.id)} icon={Download}>
            Hent som CSV
          </LinkButton>
        )
      }
    />
  )
}

const NO_FILTERS = {}

const PEOPLE: Column<ReleasePerson>[] = [
  { text: 'Navn', name: 'name', class: 'min-w-44', value: (row) => <Person row={row} /> },
  {
    text: 'Papirer',
    name: 'files',
    type: 'number',
    sortable: false,
    class: '@max-list:hidden w-px whitespace-nowrap',
  },
  {
    text: 'Besked',
    name: 'mail',
    align: 'right',
    sortable: false,
    class: '@max-list:hidden w-px whitespace-nowrap',
    value: ({ mail, told_at: at }) =>
      at ? (
        <ShortDate at={at} withTime />
      ) : (
        mail && <span className={mail === 'failed' ? 'text-danger' : 'text-muted'}>{MAIL_TEXTS[mail]}</span>
      ),
  },
  {
    text: 'Åbnet',
    name: 'opened',
    align: 'right',
    class: 'w-px whitespace-nowrap tabular-nums',
    value: ({ opened, files }) =>
      opened === 0 ? (
        <span className="text-muted">Ikke endnu</span>
      ) : (
        `${opened} af ${Math.max(files, opened)}`
      ),
  },
  {
    text: 'Senest',
    name: 'opened_at',
    align: 'right',
    sortable: false,
    class: '@max-list:hidden w-px whitespace-nowrap',
    value: ({ opened_at: at }) => at && <ShortDate at={at} withTime />,
  },
]

/** Before it is published there is nothing to open. */
const BEFORE: Column<ReleasePerson>[] = PEOPLE.filter(({ name }) => name === 'name' || name === 'files').map(
  (column) =>
    column.name === 'name'
      ? { ...column, value: (row) => <Person row={row} wasPublished={false} /> }
      : { ...column, text: 'Får at se' },
)

/** Without a mail server a mail that was made was not sent. */
const WITHOUT_MAILS = PEOPLE.filter(({ name }) => name !== 'mail')

type PersonProps = { row: ReleasePerson; wasPublished?: boolean }

function Person({ row, wasPublished = true }: PersonProps) {
  return (
    <>
      <a href={urls.user(row.id)} className="font-medium hover:text-accent hover:underline">
        {row.name}
      </a>
      {row.never_in && (
        <span className="block text-meta text-muted">
          {row.is_invited ? 'Har ikke været logget ind endnu' : 'Er ikke inviteret og får ingen mail'}
        </span>
      )}
      {row.mail === 'failed' && (
        <span className="block text-meta wrap-anywhere text-danger">
          Mailen kom ikke frem{row.reason && `: ${row.reason}`}
        </span>
      )}
      {row.mail === 'waiting' && row.reason && (
        <span className="block text-meta wrap-anywhere text-muted">Mailen sendes igen: {row.reason}</span>
      )}
      <PersonFiles row={row} wasPublished={wasPublished} />
    </>
  )
}

/** Names the files that a person has opened, and when, and those that they have not. */
function PersonFiles({ row, wasPublished }: PersonProps) {
  const { timeZone } = useFrame()
  if (row.named.length === 0) return null
  const more = row.named.length < MOST_PERSON_FILES ? 0 : Math.max(row.files, row.opened) - row.named.length
  return (
    <details className="text-meta text-muted print:hidden">
      <summary className="w-fit cursor-pointer py-0.5 pointer-coarse:py-3">
        Papirer<span className="sr-only"> til {row.name}</span>
      </summary>
      <ul className="mb-1 grid gap-1 border-l-2 border-line pl-3">
        {row.named.map(({ id, name, opened_at: at }) => (
          <li key={id} className="wrap-anywhere">
            {!wasPublished ? name : `${name}: ${at ? `åbnet ${shortDateTime(at, timeZone)}` : 'ikke endnu'}`}
          </li>
        ))}
        {more > 0 && <li>… og {countPapers(more)} mere. Hent alle som CSV.</li>}
      </ul>
    </details>
  )
}
