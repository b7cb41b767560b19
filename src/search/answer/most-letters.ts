/** How long a search may be. Its own file, because the box at the top of every page needs nothing else. */
export const MOST_LETTERS = 200
