import { useRef } from 'react'
import { FIRST_PAGE } from '../base/pagination.ts'
import { useFetchedList } from '../ui/list/use-fetched-list.ts'
import type { LogAnswer } from './words/entry.ts'
import { readLogQuery, writeLogQuery, type LogFilter, type LogQuery } from './words/filter.ts'

/** Changes of one filter within this time are one step of the Back button, such as typing a date. */
const ONE_STEP_MS = 1000

/** The log with its filters and pages. */
export function useLog(route: string, answer: LogAnswer, queryAtFirst: LogQuery) {
  const { query, shown, isBusy, hasFailed, go, load, refresh } = useFetchedList({
    route,
    read: (address) => readLogQuery(address).query,
    write: writeLogQuery,
    answer,
    query: queryAtFirst,
  })
  const step = useRef({ changed: '', at: 0 })

  function change(next: LogQuery, changed: string): void {
    const at = performance.now()
    const isSameStep = step.current.changed === changed && at - step.current.at < ONE_STEP_MS
    step.current = { changed, at }
    go(next, isSameStep)
  }

  return {
    query,
    ...shown.answer,
    isBusy,
    hasFailed,
    filterBy: (filter: Partial<LogFilter>) =>
      change({ ...query, ...filter, page: FIRST_PAGE }, Object.keys(filter).sort().join()),
    turnTo: (page: number) => change({ ...query, page }, `page ${page}`),
    retry: () => void load(query),
    refresh,
  }
}
