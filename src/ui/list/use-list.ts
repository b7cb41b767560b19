import { useEffect, useRef, useState } from 'react'
import { parametersOf } from '../../base/filter-address.ts'
import { readListQuery, writeListQuery, type ListQuery } from '../../base/list-query.ts'
import { FIRST_PAGE, readPageInfo, type Page } from '../../base/pagination.ts'
import type { Sort } from '../../base/sort.ts'
import { useFrame } from '../basic/frame.ts'
import { useFetchedList } from './use-fetched-list.ts'

/** The pause in typing after which a search is sent. */
const PAUSE_MS = 250

type Options<Answer> = {
  /** The address that the list is fetched from. */
  route: string
  /** The columns that it can be sorted by. */
  columns: readonly string[]
  /** The filters that it has. */
  filters?: readonly string[]
  /** The kinds of rows. */
  kinds?: readonly string[]
  /** The answer that the server drew, and its query. */
  page: Answer
  query: ListQuery
}

/** A list with search, sort and pages. */
export function useList<Answer extends Page<unknown>>({
  route,
  columns,
  filters = [],
  kinds = [],
  page,
  query: atFirst,
}: Options<Answer>) {
  const { url } = useFrame()
  const [address] = useState(() => parametersOf(url))
  const [refusedAtFirst] = useState(
    () => readListQuery(address, columns, filters, kinds).errors.q?.[0] ?? null,
  )
  const [text, setText] = useState(refusedAtFirst === null ? atFirst.q : (address.get('q') ?? ''))
  const typed = usePause(searchFor)
  const isTyping = useRef(false)

  const { query, wanted, shown, isBusy, hasFailed, refused, ...list } = useFetchedList<ListQuery, Answer>({
    route,
    read: (search) => readListQuery(search, columns, filters, kinds).query,
    write: writeListQuery,
    answer: page,
    query: atFirst,
    refused: refusedAtFirst,
    onBack: ({ q }) => {
      typed.forget()
      isTyping.current = false
      setText(q)
    },
  })

  function load(next: ListQuery): Promise<void> {
    typed.forget()
    return list.load(next)
  }

  /** A search that is typed letter by letter is one step of the Back button. */
  function go(next: ListQuery, isTyped = false): void {
    typed.forget()
    list.go(next, isTyped && isTyping.current)
    isTyping.current = isTyped
  }

  function searchFor(q: string): void {
    typed.forget()
    if (q.trim() !== wanted.current.q) go({ ...wanted.current, q: q.trim(), page: FIRST_PAGE }, true)
  }

  /** The newest query with the text that is still being typed. */
  function now(): ListQuery {
    const q = typed.pending()?.trim() ?? wanted.current.q
    return q === wanted.current.q ? wanted.current : { ...wanted.current, q, page: FIRST_PAGE }
  }

  return {
    query,
    text,
    shown,
    rows: shown.answer.data as Answer['data'],
    info: readPageInfo(shown.answer),
    isBusy,
    hasFailed,
    refused,
    /** Searches after a pause in typing. */
    type: (q: string) => {
      setText(q)
      typed.start(q)
    },
    /** Searches at once. */
    search: (q: string) => {
      setText(q)
      searchFor(q)
    },
    sortBy: (sort: Sort) => go({ ...now(), sort, page: FIRST_PAGE }),
    /** Shows the rows of one filter or kind, or all rows for null. */
    choose: (name: 'filter' | 'kind', value: string | null) => {
      const { [name]: _old, ...rest } = now()
      go({ ...rest, page: FIRST_PAGE, ...(value !== null && { [name]: value }) })
    },
    /** Shows the whole list, without search, filter and kind. */
    clear: () => {
      setText('')
      go({ q: '', page: FIRST_PAGE, sort: wanted.current.sort })
    },
    // A page of the old search says nothing about the new one, whose first page is shown.
    turnTo: (number: number) => go(now() === wanted.current ? { ...wanted.current, page: number } : now()),
    retry: () => void load(wanted.current),
    /** Fetches the same query again, to show what has changed. */
    reload: () => load(wanted.current),
    /** Fetches again because of somebody else: `useLive`. */
    refresh: list.refresh,
  }
}

/** Holds a typed text until there is a pause in typing. */
function usePause(search: (text: string) => void) {
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const pending = useRef<string | null>(null)
  useEffect(() => () => clearTimeout(pause.current), [])
  function forget(): void {
    clearTimeout(pause.current)
    pending.current = null
  }
  return {
    pending: () => pending.current,
    forget,
    start(text: string): void {
      forget()
      pending.current = text
      pause.current = setTimeout(() => search(text), PAUSE_MS)
    },
  }
}
