/** A search that somebody has saved. `query` is the end of its address: '?q=budget&year=2025'. */
export type SavedSearch = { id: number; name: string; query: string }

/** How many a person can save. */
export const MOST_SAVED = 50
export const MOST_NAME_LETTERS = 100
