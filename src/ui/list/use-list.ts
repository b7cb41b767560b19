import { useCallback, useEffect, useRef, useState } from 'react'
import { readListQuery, writeListQuery, type ListQuery } from '../../base/list-query.ts'
import { FIRST_PAGE, readPageInfo, type Page } from '../../base/pagination.ts'
import type { Sort } from '../../base/sort.ts'
import { useFrame } from '../basic/frame.ts'
import { send } from '../overlay/request.ts'

/** How long nothing is typed before a search goes out. */
const PAUSE_MS = 250

type Options<Answer> = {
  /** Where the list is fetched. */
  route: string
  /** What can be sorted by. */
  columns: readonly string[]
  /** What the server showed, and what it was asked. */
  page: Answer
  query: ListQuery
}

/**
 * A list whose search, sort and page are in the address, so that a reload, a link and the Back button show the same.
 * Every change fetches it again (S4.14); an answer that a newer request has overtaken is dropped.
 */
export function useList<Answer extends Page<unknown>>({
  route,
  columns,
  page,
  query: atFirst,
}: Options<Answer>) {
  const [query, setQuery] = useState(atFirst)
  const { url } = useFrame()
  const [address] = useState(() => addressOf(url))
  const [refused, setRefused] = useState(() => readListQuery(address, columns).errors.q?.[0] ?? null)
  const [text, setText] = useState(refused === null ? atFirst.q : (address.get('q') ?? ''))
  const [shown, setShown] = useState({ answer: page, query: atFirst })
  const [state, setState] = useState<'still' | 'busy' | 'fault'>('still')
  const newest = useRef<AbortController | null>(null)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wanted = useRef(atFirst)
  /** Typed, but not asked for yet. */
  const pending = useRef<string | null>(null)
  const isTyping = useRef(false)

  const load = useCallback(
    async function load(next: ListQuery): Promise<void> {
      clearTimeout(pause.current)
      pending.current = null
      newest.current?.abort()
      const mine = new AbortController()
      newest.current = mine
      wanted.current = next
      setQuery(next)
      setRefused(null)
      setState('busy')
      try {
        const response = await send('GET', route + writeListQuery(next), null, mine.signal)
        if (response.status === 422) {
          const { message } = (await response.json()) as { message: string }
          if (newest.current === mine) setRefused(message)
        }
        if (!response.ok) throw new Error(`The list answered ${response.status}.`)
        const answer = (await response.json()) as Answer
        if (newest.current !== mine) return
        const { last_page: last } = readPageInfo(answer)
        if (answer.data.length === 0 && next.page > last) {
          // The only row of the last page has gone: the page before is the last one now.
          const nearest = { ...next, page: last }
          history.replaceState(null, '', location.pathname + writeListQuery(nearest))
          return await load(nearest)
        }
        setShown({ answer, query: next })
        setState('still')
      } catch {
        if (newest.current === mine) setState('fault')
      }
    },
    [route],
  )

  /** Goes on to what is asked for. While a search is typed it is one step back, not one for every letter. */
  const go = useCallback(
    (next: ListQuery, typed = false): void => {
      const href = location.pathname + writeListQuery(next)
      if (typed && isTyping.current) history.replaceState(null, '', href)
      else if (href !== location.pathname + location.search) history.pushState(null, '', href)
      isTyping.current = typed
      void load(next)
    },
    [load],
  )

  useEffect(() => {
    const asked = () => readListQuery(new URLSearchParams(location.search), columns).query
    const goBack = () => {
      const next = asked()
      isTyping.current = false
      setText(next.q)
      void load(next)
    }
    addEventListener('popstate', goBack)
    // Somebody may have gone back before there was anybody to listen.
    if (writeListQuery(asked()) !== writeListQuery(wanted.current)) goBack()
    return () => {
      removeEventListener('popstate', goBack)
      clearTimeout(pause.current)
      newest.current?.abort()
    }
  }, [columns, load])

  function searchFor(q: string): void {
    clearTimeout(pause.current)
    pending.current = null
    if (q.trim() !== wanted.current.q) go({ ...wanted.current, q: q.trim(), page: FIRST_PAGE }, true)
  }

  /** What is asked for, together with what is still being typed. */
  function now(): ListQuery {
    const q = pending.current?.trim() ?? wanted.current.q
    return q === wanted.current.q ? wanted.current : { ...wanted.current, q, page: FIRST_PAGE }
  }

  return {
    query,
    text,
    /** All that came, and what it answers: not yet what is asked for, while that is being fetched. */
    shown,
    rows: shown.answer.data as Answer['data'],
    info: readPageInfo(shown.answer),
    isBusy: state === 'busy',
    hasFailed: state === 'fault' || refused !== null,
    /** Why the search was refused: another is needed, not another try. */
    refused,
    /** While somebody types. */
    type: (q: string) => {
      setText(q)
      clearTimeout(pause.current)
      pending.current = q
      pause.current = setTimeout(() => searchFor(q), PAUSE_MS)
    },
    /** At once. */
    search: (q: string) => {
      setText(q)
      searchFor(q)
    },
    sortBy: (sort: Sort) => go({ ...now(), sort, page: FIRST_PAGE }),
    // A page of the old search says nothing about the new one, whose first page is shown.
    turnTo: (number: number) => go(now() === wanted.current ? { ...wanted.current, page: number } : now()),
    retry: () => void load(wanted.current),
    /** Once more, to see what has changed. */
    reload: () => load(wanted.current),
  }
}

function addressOf(url: string): URLSearchParams {
  const mark = url.indexOf('?')
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark))
}
