import { useRef } from 'react'
import { FIRST_PAGE } from '../base/pagination.ts'
import { useFetchedList } from '../ui/list/use-fetched-list.ts'
import { urls } from '../urls.ts'
import type { Question } from './answer/results.ts'
import { readSearch, writeSearch } from './answer/search-address.ts'
import type { SearchList } from './answer/search-answer.ts'

/** Changes of one filter within this time are one step of the Back button, such as typing a date. */
const ONE_STEP_MS = 1000

/** A search with its filters and pages, kept in the address. */
export function useSearch(list: SearchList, atFirst: Question) {
  const { query, shown, isBusy, hasFailed, refused, go, load } = useFetchedList<Question, SearchList>({
    route: urls.searchAnswers,
    read: (address) => readSearch(address).question,
    write: writeSearch,
    answer: list,
    query: atFirst,
  })
  const step = useRef({ changed: '', at: 0 })

  function change(next: Partial<Question>): void {
    const [at, changed] = [performance.now(), Object.keys(next).sort().join()]
    const isSameStep = step.current.changed === changed && at - step.current.at < ONE_STEP_MS
    step.current = { changed, at }
    go({ ...query, page: FIRST_PAGE, ...next }, isSameStep)
  }

  return {
    /** The newest question, also before its answer has come. */
    question: query,
    list: shown.answer,
    /** The question that the list answers. */
    answered: shown.query,
    isBusy,
    hasFailed,
    refused,
    change,
    retry: () => void load(query),
  }
}
