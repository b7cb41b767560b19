import type { StoredFile } from '../../files/file/stored-file.ts'
import type { FileOwner } from '../../access/reader.ts'
import type { YearSum } from '../../files/zip/year-sum.ts'

/** A paper that the reader sees, by what it is. */
export type Paper = Pick<
  StoredFile,
  'id' | 'name' | 'path' | 'mime' | 'is_new' | 'is_version' | 'from_investor' | 'held' | 'waiting'
> & {
  title: string
  owner: FileOwner
  /** For an adviser: those through whom they see it. Empty for others. */
  lent_by: string[]
  /** When it came. */
  at: string
}

/** The papers of one year; of none for null. */
export type PaperYear = {
  year: number | null
  /** How many there are. */
  total: number
  /** The newest of them, or those after another. */
  papers: Paper[]
  /** The address of the following ones has this. Null if there are none. */
  next: string | null
  /** The first of the expected papers that have not come, and how many there are. */
  awaited: AwaitedPaper[]
  awaited_total: number
}

/** An excused one will not come. Only the office reads why. */
export type AwaitedPaper = { title: string; is_excused: boolean }

/** The years that can be downloaded, and of what. */
export type Packages = { of: { project: number } | { lender: number } | 'everything'; sums: YearSum[] }

/** A project to choose. */
export type PaperProject = { id: number; name: string }
