import type { Line } from './pdf.ts'

/** A paper before it is made; a folder gives those that an office keeps longest first. */
export type Draft = {
  /** What follows the parenthesis of the file name. */
  rest: string
  date: Date
  title: string
  lines: () => Line[]
  /** A sub name of the folder. */
  as?: string
}
