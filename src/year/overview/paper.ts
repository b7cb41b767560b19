import type { OverviewCell } from './overview.ts'

/** A file of one cell, with how many of those outside the office who see it have opened it. */
export type PaperFile = {
  id: number
  name: string
  path: string
  shown_at: string
  is_held_back: boolean
  reached: number
  opened: number
}

/** One cell with all details for the office. */
export type Paper = {
  project: { id: number; number: string; name: string }
  cell: OverviewCell
  excused: { by: string | null; at: string } | null
  /** The first of them. */
  files: PaperFile[]
}
