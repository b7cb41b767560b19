import { FIRST_PAGE } from '../base/pagination.ts'
import { useFetchedList } from '../ui/list/use-fetched-list.ts'
import { useSameStep } from '../ui/list/use-same-step.ts'
import type { LogAnswer } from './words/entry.ts'
import { readLogQuery, writeLogQuery, type LogFilter, type LogQuery } from './words/filter.ts'

/** The log with its filters and pages. */
export function useLog(route: string, answer: LogAnswer, queryAtFirst: LogQuery) {
  const { query, shown, isBusy, hasFailed, go, load, refresh } = useFetchedList({
    route,
    read: (address) => readLogQuery(address).query,
    write: writeLogQuery,
    answer,
    query: queryAtFirst,
  })
  const isSameStep = useSameStep()
  const change = (next: LogQuery, changed: string) => go(next, isSameStep(changed))

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
