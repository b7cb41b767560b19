import type { PageProposal } from './propose-pages.ts'

/** A page of the PDF, as the form shows it. */
export type SplitPage = PageProposal & {
  /** The first words on it. */
  words: string
}

/** A person who can get pages. */
export type SplitOwner = { id: number; name: string; number: string | null }

/** The server's reading of a PDF. */
export type SplitReading = {
  name: string
  is_signed: boolean
  /** Whether there are pictures of its pages. */
  has_pictures: boolean
  pages: SplitPage[]
  /** Everybody who may own a page. */
  people: SplitOwner[]
}

/** How many pages are drawn by one call. */
export const PAGES_AT_ONCE = 24

/** Pictures by page, as data addresses. */
export type SplitPictures = { pictures: Record<number, string> }
