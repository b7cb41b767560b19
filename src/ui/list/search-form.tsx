import type { ReactNode } from 'react'
import type { ListQuery } from '../../base/list-query.ts'
import type { Direction, Sort } from '../../base/sort.ts'
import { Button } from '../basic/button.tsx'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { SearchBox } from '../form/search-box.tsx'
import { isSortable, type Column, type TableRow } from './columns.ts'

/** The kinds of rows, what the choice between them is called, and the text of all kinds. */
export type Kinds = { label: string; all: string; names: Readonly<Record<string, string>> }

type Props<Row extends TableRow> = {
  path: string
  /** The things that are searched, for the field's label. */
  search: string
  list: {
    query: ListQuery
    text: string
    type: (q: string) => void
    search: (q: string) => void
    choose: (name: 'kind', value: string | null) => void
    sortBy: (sort: Sort) => void
  }
  columns: readonly Column<Row>[]
  kinds: Kinds | undefined
  /** The order now; absent if no column sorts. */
  now: Sort | undefined
  /** Stands at the end of its line. */
  beside?: ReactNode
}

/** Searches a list, and chooses the kind of its rows and their order. Without JavaScript it is sent. */
export function SearchForm<Row extends TableRow>({
  path,
  search,
  list,
  columns,
  kinds,
  now,
  beside,
}: Props<Row>) {
  const { query } = list
  return (
    <form
      action={path}
      onSubmit={(event) => event.preventDefault()}
      className="flex flex-wrap gap-3 print:hidden"
    >
      <SearchBox label={search} text={list.text} onType={list.type} onSearch={list.search} />
      {query.sort && (
        <>
          <input type="hidden" name="sort[column]" value={query.sort.column} />
          <input type="hidden" name="sort[direction]" value={query.sort.direction} />
        </>
      )}
      {query.filter && <input type="hidden" name="filter" value={query.filter} />}
      {kinds && (
        <KindChoice kinds={kinds} now={query.kind ?? null} onKind={(kind) => list.choose('kind', kind)} />
      )}
      {now && <SortChoice columns={columns} now={now} onSort={list.sortBy} />}
      {beside && <span className="ml-auto">{beside}</span>}
    </form>
  )
}

type KindChoiceProps = { kinds: Kinds; now: string | null; onKind: (kind: string | null) => void }

function KindChoice({ kinds: { label, all, names }, now, onKind }: KindChoiceProps) {
  return (
    <>
      <select
        name="kind"
        aria-label={label}
        value={now ?? ''}
        onChange={({ currentTarget }) => onKind(currentTarget.value || null)}
        className={`${INPUT_LOOK} sm:w-auto`}
      >
        <option value="">{all}</option>
        {Object.entries(names).map(([kind, text]) => (
          <option key={kind} value={kind}>
            {text}
          </option>
        ))}
      </select>
      <noscript>
        <Button type="submit" kind="secondary">
          Vis
        </Button>
      </noscript>
    </>
  )
}

type SortChoiceProps<Row extends TableRow> = {
  columns: readonly Column<Row>[]
  now: Sort
  onSort: (sort: Sort) => void
}

/** Sorts by any column on a phone, where most heads are hidden. */
function SortChoice<Row extends TableRow>({ columns, now, onSort }: SortChoiceProps<Row>) {
  const choices = columns.filter(isSortable).flatMap(({ name, text }) => [
    { value: `${name} asc`, text: `Sorter: ${text.toLowerCase()}, stigende` },
    { value: `${name} desc`, text: `Sorter: ${text.toLowerCase()}, faldende` },
  ])
  return (
    <select
      aria-label="Sorter efter"
      value={`${now.column} ${now.direction}`}
      onChange={({ currentTarget }) => {
        const [column, direction] = currentTarget.value.split(' ') as [string, Direction]
        onSort({ column, direction })
      }}
      className={`${INPUT_LOOK} sm:w-auto @list:hidden noscript:hidden`}
    >
      {choices.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
