import { FIRST_PAGE } from '../base/pagination.ts'
import { useFetchedList } from '../ui/list/use-fetched-list.ts'
import { useSameStep } from '../ui/list/use-same-step.ts'
import { urls } from '../urls.ts'
import type { Question } from './answer/results.ts'
import { readSearch, writeSearch } from './answer/search-address.ts'
import type { SearchList } from './answer/search-answer.ts'

/** A search with its filters and pages, kept in the address. */
export function useSearch(list: SearchList, atFirst: Question) {
  const { query, shown, isBusy, hasFailed, refused, go, load } = useFetchedList<Question, SearchList>({
    route: urls.searchAnswers,
    read: (address) => readSearch(address).question,
    write: writeSearch,
    answer: list,
    query: atFirst,
  })
  const isSameStep = useSameStep()
  return {
    /** The newest question, also before its answer has come. */
    question: query,
    list: shown.answer,
    /** The question that the list answers. */
    answered: shown.query,
    isBusy,
    hasFailed,
    refused,
    change: (next: Partial<Question>) =>
      go({ ...query, page: FIRST_PAGE, ...next }, isSameStep(Object.keys(next).sort().join())),
    retry: () => void load(query),
  }
}
