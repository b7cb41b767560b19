import type { Line } from './pdf.ts'

/** A paper before it is made. A folder lists those first that an office keeps longest. */
export type Draft = {
  /** The part of the file name after the parenthesis. */
  rest: string
  date: Date
  title: string
  lines: () => Line[]
  /** A sub name of the folder. */
  as?: string
}
