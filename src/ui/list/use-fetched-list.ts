import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { readPageInfo, type Page } from '../../base/pagination.ts'
import { useLatest } from '../live/use-latest.ts'
import type { Fresh } from '../live/fresh.ts'
import { useNextAnswer } from '../live/use-next-answer.ts'
import { orNull, readJson, send } from '../overlay/request.ts'

type Options<Query, Answer> = {
  /** The address that the list is fetched from. */
  route: string
  /** The query that an address asks for. */
  read: (address: URLSearchParams) => Query
  /** The query as the end of an address; '' for the list as it comes. */
  write: (query: Query) => string
  /** The answer that the server drew, and its query. */
  answer: Answer
  query: Query
  /** Why the server refused a part of the address. */
  refused?: string | null
  /** Called before each fetch that the Back button causes. */
  onBack?: (query: Query) => void
}

/**
 * A list whose query is in the address, so that a reload, a link and the Back button show the same. Each change fetches
 * it again (S4.14); an answer that a newer request has overtaken is dropped.
 */
export function useFetchedList<Query extends { page: number }, Answer extends Page<unknown>>({
  route,
  read,
  write,
  answer,
  query: atFirst,
  refused: refusedAtFirst = null,
  onBack,
}: Options<Query, Answer>) {
  const [query, setQuery] = useState(atFirst)
  const [shown, setShown] = useState<Shown<Query, Answer>>({ answer, query: atFirst, by: {} })
  const latest = useLatest(shown)
  const [state, setState] = useState<'still' | 'busy' | 'fault'>('still')
  const [refused, setRefused] = useState(refusedAtFirst)
  const newest = useRef<AbortController | null>(null)
  const wanted = useRef(atFirst)
  const loading = useRef<Promise<void>>(undefined)

  const load = (next: Query): Promise<void> => (loading.current = loadNow(next))

  async function loadNow(next: Query): Promise<void> {
    newest.current?.abort()
    const mine = new AbortController()
    newest.current = mine
    wanted.current = next
    setQuery(next)
    setRefused(null)
    setState('busy')
    const response = await orNull(send('GET', route + write(next), null, mine.signal))
    const came = response && (await orNull(readJson<Answer & { message: string }>(response)))
    if (newest.current !== mine) return undefined
    if (response?.status === 422 && came) setRefused(came.message)
    if (!response?.ok || !came) return setState('fault')
    const nearest = lastPage(came, next)
    if (nearest) {
      history.replaceState(null, '', location.pathname + write(nearest))
      return loadNow(nearest)
    }
    setShown({ answer: came, query: next, by: {} })
    return setState('still')
  }

  /** Fetches the same query again because somebody else has changed something. Shows nothing until it has arrived. */
  async function refresh(fresh: Fresh): Promise<boolean | null> {
    await loading.current
    const [before, asked] = [newest.current, wanted.current]
    const came = await fresh.get<Answer>(route + write(asked))
    if (!came) return null
    if (newest.current !== before) return false // the user has asked for something meanwhile
    if (lastPage(came, asked)) {
      await load(asked) // leads to the page before
      return true
    }
    const next = fresh.reuse(latest.current.answer, came)
    setShown({ answer: next, query: asked, by: { fresh } })
    return next !== latest.current.answer
  }

  const isWanted = (other: Query) => write(other) === write(wanted.current)
  useNextAnswer(answer, () => {
    if (isWanted(atFirst)) setShown({ answer, query: atFirst, by: {} })
  })

  /** Asks for another query. Changes that belong to one step are one press on Back. */
  function go(next: Query, isSameStep: boolean): void {
    const address = location.pathname + write(next)
    if (isSameStep) history.replaceState(null, '', address)
    else if (address !== location.pathname + location.search) history.pushState(null, '', address)
    void load(next)
  }

  useBack(read, isWanted, (next) => {
    onBack?.(next)
    void load(next)
  })
  useEffect(() => () => newest.current?.abort(), [])

  return {
    query,
    /** The newest query, also before it is drawn. */
    wanted,
    /** The newest answer and its query, which is older than `query` while that is being fetched. */
    shown,
    isBusy: state === 'busy',
    hasFailed: state === 'fault' || refused !== null,
    /** Why the server refused the query: it takes another query, not another try. */
    refused,
    go,
    load,
    refresh,
  }
}

/** The last page, when the wanted one is empty because its only row was removed. */
function lastPage<Query extends { page: number }>(answer: Page<unknown>, query: Query): Query | null {
  const { last_page: last } = readPageInfo(answer)
  return answer.data.length === 0 && query.page > last ? { ...query, page: last } : null
}

/** Calls `goBack` with the query that the address asks for after the Back button. */
function useBack<Query>(
  read: (address: URLSearchParams) => Query,
  isWanted: (query: Query) => boolean,
  goBack: (query: Query) => void,
): void {
  const follow = useEffectEvent((isPressed: boolean) => {
    const next = read(new URLSearchParams(location.search))
    if (isPressed || !isWanted(next)) goBack(next)
  })
  useEffect(() => {
    const back = () => follow(true)
    addEventListener('popstate', back)
    // The user may have gone back before this listener was added.
    follow(false)
    return () => removeEventListener('popstate', back)
  }, [])
}

type Shown<Query, Answer> = {
  answer: Answer
  query: Query
  /** A new object with each answer, even an equal one. Has `fresh` if it was fetched because of somebody else. */
  by: { fresh?: Fresh }
}
