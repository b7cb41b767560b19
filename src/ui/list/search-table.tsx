import { useRef, type ReactNode } from 'react'
import { EVERYTHING, writeListQuery, type ListQuery } from '../../base/list-query.ts'
import { FIRST_PAGE, type Page } from '../../base/pagination.ts'
import type { Direction, Sort } from '../../base/sort.ts'
import { isSortable, type Column, type TableRow } from './columns.ts'
import { FilterLinks } from './filter-links.tsx'
import { ListFault } from './list-fault.tsx'
import { useFrame } from '../basic/frame.ts'
import { INPUT_LOOK } from '../basic/input-look.ts'
import { Pager } from './pager.tsx'
import { NothingFound } from './nothing-found.tsx'
import { SearchBox } from '../form/search-box.tsx'
import { useLive } from '../live/use-live.ts'
import { Table } from './table.tsx'
import { useList } from './use-list.ts'

type Props<Row extends TableRow> = {
  caption: string
  /** The things that are searched, for the field's label. */
  search: string
  /** The address that the list is fetched from. */
  route: string
  /** The columns that the server can sort by. */
  sorts: readonly string[]
  /** The default order; absent if no column sorts. */
  own?: Sort
  /** The filters, with their texts. The list without a filter is 'Alle'. */
  filters?: Readonly<Record<string, string>>
  columns: readonly Column<Row>[]
  page: Page<Row>
  query: ListQuery
  /** A text below it. */
  whenNone?: ReactNode
  /** The text of an empty list: 'Ingen projekter endnu'. */
  none: string
  /** The address of the stream of changes. */
  live?: string
  /** Draws something that knows the rows that are shown, such as a panel. */
  renderBeside?: (rows: readonly Row[]) => ReactNode
}

const NO_FILTERS: Readonly<Record<string, string>> = {}

/** A table with search, filters, sort and pages, all kept in the address. */
export function SearchTable<Row extends TableRow>(props: Props<Row>) {
  const { caption, search, route, sorts, own, columns, whenNone, none, filters = NO_FILTERS } = props
  const { path } = useFrame()
  const top = useRef<HTMLDivElement>(null)
  const list = useList({
    route,
    columns: sorts,
    filters: Object.keys(filters),
    page: props.page,
    query: props.query,
  })
  useLive(props.live ?? null, list.refresh)
  const { query, info } = list
  const now = query.sort ?? own
  const hrefOf = (change: Partial<ListQuery>) => path + writeListQuery({ ...query, ...change })
  const isSearched = query.q !== '' || query.filter !== undefined

  function turnTo(page: number): void {
    list.turnTo(page)
    if (top.current && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView()
  }

  return (
    <div ref={top} className="@container grid scroll-mt-4 gap-4">
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
        {now && <SortChoice columns={columns} now={now} onSort={list.sortBy} />}
      </form>
      <output className="sr-only">{query.sort && sortText(columns, query.sort)}</output>
      {Object.keys(filters).length > 0 && (
        <FilterLinks
          filters={filters}
          now={query.filter ?? null}
          hrefOf={(filter) => {
            const { filter: _old, ...rest } = query
            return path + writeListQuery({ ...rest, page: FIRST_PAGE, ...(filter !== null && { filter }) })
          }}
          onFilter={list.filterBy}
        />
      )}
      <ListFault list={list} message="Listen kunne ikke hentes." />
      <Table
        caption={caption}
        columns={columns}
        rows={list.rows}
        total={info.total}
        isBusy={list.isBusy}
        {...(now && {
          sorting: { now, hrefOf: (sort: Sort) => hrefOf({ sort, page: FIRST_PAGE }), onSort: list.sortBy },
        })}
        empty={
          <NothingFound
            clearHref={isSearched ? path + writeListQuery({ ...EVERYTHING, sort: query.sort }) : null}
            clearText={query.q === '' ? 'Vis alle' : 'Ryd søgning'}
            onClear={() => (query.filter === undefined ? list.search('') : list.clear())}
            none={info.total === 0 ? none : 'Intet fundet...'}
          >
            {info.total === 0 && whenNone}
          </NothingFound>
        }
        beside={<Pager info={info} hrefOf={(page) => hrefOf({ page })} onTurn={turnTo} />}
      />
      {props.renderBeside?.(list.rows)}
    </div>
  )
}

function sortText<Row extends TableRow>(
  columns: readonly Column<Row>[],
  { column, direction }: Sort,
): string {
  const text = columns.find(({ name }) => name === column)?.text.toLowerCase()
  return `Sorteret efter ${text}, ${direction === 'asc' ? 'stigende' : 'faldende'}`
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
      className={`${INPUT_LOOK} @list:hidden noscript:hidden`}
    >
      {choices.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
