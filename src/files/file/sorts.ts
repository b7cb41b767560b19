import type { SortBy } from '../change/order.ts'

/** A way to sort a folder once. */
export type FolderSort = { by: SortBy; direction: 'asc' | 'desc'; text: string }

export const SORTS: readonly FolderSort[] = [
  { by: 'name', direction: 'asc', text: 'Navn, A–Å' },
  { by: 'name', direction: 'desc', text: 'Navn, Å–A' },
  { by: 'year', direction: 'desc', text: 'Årstal, nyeste først' },
  { by: 'year', direction: 'asc', text: 'Årstal, ældste først' },
  { by: 'date', direction: 'desc', text: 'Dato, nyeste først' },
  { by: 'date', direction: 'asc', text: 'Dato, ældste først' },
]
