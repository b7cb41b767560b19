import { useRef, type ReactNode } from 'react'
import { EVERYTHING, writeListQuery, type ListQuery } from '../../base/list-query.ts'
import { FIRST_PAGE, type Page, type PageInfo } from '../../base/pagination.ts'
import type { Sort } from '../../base/sort.ts'
import type { Column, TableRow } from './columns.ts'
import { FilterLinks } from './filter-links.tsx'
import { ListFault } from './list-fault.tsx'
import { useFrame } from '../basic/frame.ts'
import { Pager } from './pager.tsx'
import { NothingFound } from './nothing-found.tsx'
import { SearchForm, type Kinds } from './search-form.tsx'
import { useLive } from '../live/use-live.ts'
import { Table } from './table.tsx'
import { useList } from './use-list.ts'

type Props<Row extends TableRow, Answer extends Page<Row>> = {
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
  /** How many rows each filter has. */
  countsOf?: (answer: Answer) => Readonly<Record<string, number>>
  /** The kinds of rows, one of which can be chosen beside a filter. */
  kinds?: Kinds
  columns: readonly Column<Row>[]
  page: Answer
  query: ListQuery
  /** A text below it. */
  whenNone?: ReactNode
  /** The text of an empty list: 'Ingen projekter endnu'. */
  none: string
  /** The address of the stream of changes. */
  live?: string
  /** Draws something that knows the rows that are shown and turns to other pages, such as a panel. */
  renderBeside?: (rows: readonly Row[], info: PageInfo, onTurn: (page: number) => void) => ReactNode
  /** Stands at the end of the search's line. */
  besideSearch?: ReactNode
  /** Acts on all rows that are found, shown above them. */
  renderAbove?: Shown<Answer> | undefined
  /** The bar for selected rows, which stays at the bottom of the window. */
  renderBelow?: Shown<Answer> | undefined
}

type Shown<Answer> = (shown: { answer: Answer; query: ListQuery }) => ReactNode

const NO_FILTERS: Readonly<Record<string, string>> = {}

/** A table with search, filters, sort and pages, all kept in the address. */
export function SearchTable<Row extends TableRow, Answer extends Page<Row> = Page<Row>>(
  props: Props<Row, Answer>,
) {
  const { caption, search, route, sorts, own, columns, whenNone, none, kinds, filters = NO_FILTERS } = props
  const { path } = useFrame()
  const top = useRef<HTMLDivElement>(null)
  const list = useList({
    route,
    columns: sorts,
    filters: Object.keys(filters),
    kinds: Object.keys(kinds?.names ?? {}),
    page: props.page,
    query: props.query,
  })
  useLive(props.live ?? null, list.refresh)
  const { query, info } = list
  const now = query.sort ?? own
  const hrefOf = (change: Partial<ListQuery>) => path + writeListQuery({ ...query, ...change })
  const isSearched = query.q !== '' || query.filter !== undefined || query.kind !== undefined

  function turnTo(page: number): void {
    list.turnTo(page)
    if (top.current && top.current.getBoundingClientRect().top < 0) top.current.scrollIntoView()
  }

  return (
    <>
      <div ref={top} className="@container grid scroll-mt-4 gap-4">
        <SearchForm {...{ path, search, list, columns, kinds }} now={now} beside={props.besideSearch} />
        <output className="sr-only">{query.sort && sortText(columns, query.sort)}</output>
        {Object.keys(filters).length > 0 && (
          <FilterLinks
            filters={filters}
            counts={props.countsOf?.(list.shown.answer)}
            now={query.filter ?? null}
            hrefOf={(filter) => {
              const { filter: _old, ...rest } = query
              return path + writeListQuery({ ...rest, page: FIRST_PAGE, ...(filter !== null && { filter }) })
            }}
            onFilter={(filter) => list.choose('filter', filter)}
          />
        )}
        {props.renderAbove?.(list.shown)}
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
              onClear={() => ((query.filter ?? query.kind) ? list.clear() : list.search(''))}
              none={info.total === 0 ? none : 'Intet fundet...'}
            >
              {info.total === 0 && whenNone}
            </NothingFound>
          }
          beside={<Pager info={info} hrefOf={(page) => hrefOf({ page })} onTurn={turnTo} />}
        />
        {props.renderBeside?.(list.rows, info, list.turnTo)}
      </div>
      {props.renderBelow?.(list.shown)}
    </>
  )
}

function sortText<Row extends TableRow>(
  columns: readonly Column<Row>[],
  { column, direction }: Sort,
): string {
  const text = columns.find(({ name }) => name === column)?.text.toLowerCase()
  return `Sorteret efter ${text}, ${direction === 'asc' ? 'stigende' : 'faldende'}`
}
