import { useCallback, useEffect, useRef, useState } from 'react'
import { FIRST_PAGE } from '../base/pagination.ts'
import { send } from '../ui/overlay/request.ts'
import type { LogAnswer, LogHome } from './entry.ts'
import { readLogQuery, writeLogQuery, type LogFilter, type LogQuery } from './filter.ts'

/** Who walks through a choice, or types a date, takes one step and not one for every key. */
const ONE_STEP_MS = 1000

/**
 * The log, whose filters and page are in the address, so that a reload, a link and the Back button show the same. An
 * answer that a newer request has overtaken is dropped.
 */
export function useLog({ page, list }: LogHome, answerAtFirst: LogAnswer, queryAtFirst: LogQuery) {
  const [query, setQuery] = useState(queryAtFirst)
  const [answer, setAnswer] = useState(answerAtFirst)
  const [state, setState] = useState<'still' | 'busy' | 'fault'>('still')
  const newest = useRef<AbortController | null>(null)
  const wanted = useRef(queryAtFirst)
  const step = useRef({ changed: '', at: 0 })

  const load = useCallback(
    async function load(next: LogQuery): Promise<void> {
      newest.current?.abort()
      const mine = new AbortController()
      newest.current = mine
      wanted.current = next
      setQuery(next)
      setState('busy')
      try {
        const response = await send('GET', list + writeLogQuery(next), null, mine.signal)
        if (!response.ok) throw new Error(`The log answered ${response.status}.`)
        const came = (await response.json()) as LogAnswer
        if (newest.current !== mine) return
        const { last_page: last } = came.meta
        if (came.data.length === 0 && next.page > last) {
          // Past the end: the last page is the nearest.
          const nearest = { ...next, page: last }
          history.replaceState(null, '', page + writeLogQuery(nearest))
          return await load(nearest)
        }
        setAnswer(came)
        setState('still')
      } catch {
        if (newest.current === mine) setState('fault')
      }
    },
    [page, list],
  )

  useEffect(() => {
    const asked = () => readLogQuery(new URLSearchParams(location.search)).query
    const goBack = () => void load(asked())
    addEventListener('popstate', goBack)
    // Somebody may have gone back before there was anybody to listen.
    if (writeLogQuery(asked()) !== writeLogQuery(wanted.current)) goBack()
    return () => {
      removeEventListener('popstate', goBack)
      newest.current?.abort()
    }
  }, [load])

  function go(next: LogQuery, changed: string): void {
    const address = page + writeLogQuery(next)
    const isSameStep = step.current.changed === changed && performance.now() - step.current.at < ONE_STEP_MS
    step.current = { changed, at: performance.now() }
    if (isSameStep) history.replaceState(null, '', address)
    else if (address !== location.pathname + location.search) history.pushState(null, '', address)
    void load(next)
  }

  return {
    query,
    ...answer,
    isBusy: state === 'busy',
    hasFailed: state === 'fault',
    filterBy: (change: Partial<LogFilter>) =>
      go({ ...query, ...change, page: FIRST_PAGE }, Object.keys(change).sort().join()),
    turnTo: (to: number) => go({ ...query, page: to }, `page ${to}`),
    retry: () => void load(query),
  }
}
