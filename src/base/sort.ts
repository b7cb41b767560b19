export type Direction = 'asc' | 'desc'
export type Sort = { column: string; direction: Direction }

export const DEFAULT_DIRECTION: Direction = 'desc' // S9.5

/** The first click on a column sorts descending, further clicks toggle: S4.14. */
export function toggleSort(now: Sort | null, column: string): Sort {
  if (now?.column !== column) return { column, direction: DEFAULT_DIRECTION }
  return { column, direction: now.direction === 'desc' ? 'asc' : 'desc' }
}
