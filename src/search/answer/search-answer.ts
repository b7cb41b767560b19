import type { Page } from '../../base/pagination.ts'
import type { FileHit, SearchAnswer, Suggestions } from './results.ts'
import type { SavedSearch } from './saved-search.ts'

/** The page of a search, and what it is fetched as. */
export type SearchList = Page<FileHit> & {
  about: Pick<SearchAnswer, 'isMore' | 'isCut' | 'unread' | 'corrected' | 'facets'>
  /** Projects, folders and people that were found. Null after the first page, and with filters, which only files have. */
  places: Places | null
  /** The names of what the filters mean. */
  picked: PickedFilters
}

export type Places = Pick<Suggestions, 'projects' | 'folders' | 'people'>

export type PickedFilters = {
  project: { id: number; number: string; name: string } | null
  by: { id: number; name: string } | null
}

/** The suggestions of the box. */
export type BoxAnswer = Suggestions & { saved: SavedSearch[] }
