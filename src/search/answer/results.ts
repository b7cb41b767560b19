import type { HeldState } from '../../files/file/stored-file.ts'
import type { Role } from '../../rights.ts'

/** A piece of a text, and whether it was searched for. */
export type Piece = { text: string; isHit: boolean }

/** A page of a document, with the words in context. */
export type PageHit = { page: number; pieces: Piece[] }

export type FileHit = {
  id: number
  name: string
  namePieces: Piece[]
  path: string
  mime: string
  year: number | null
  size: number
  created_at: string
  owner: { project: number } | { user: number }
  project: { id: number; number: string; name: string } | null
  user: { id: number; name: string } | null
  folder: { id: number; name: string }
  /** For an adviser: through whom they see it. Empty for others. */
  lent_by: string[]
  /** Why only the office sees it; null if others do. Always null for others. */
  held: HeldState | null
  /** The pages that answer best, at most three; none if only the name does. */
  pages: PageHit[]
}

export type ProjectHit = { id: number; number: string; name: string; cvr: string | null; status: string }
export type FolderHit = { id: number; name: string; project: { id: number; number: string; name: string } }
export type PersonHit = { id: number; name: string; numbers: string[]; role: Role; email: string | null }

/** The parts that both answers have. */
type Found = {
  files: FileHit[]
  /** Whether there are more than `MOST_FOUND`. */
  isMore: boolean
  /** Whether the search stopped before it had looked at all text: pages, and for phrases files, may be missing. */
  isCut: boolean
  /** How many files the reader sees whose text is not read yet. */
  unread: number
  /** The words as they were understood, if a typing error was mended. */
  corrected: string | null
}

/** For the box: a few of each. */
export type Suggestions = Found & { projects: ProjectHit[]; folders: FolderHit[]; people: PersonHit[] }

/** For the page. */
export type SearchAnswer = Found & {
  /** How many files were found, up to `MOST_FOUND`. */
  total: number
  facets: Facets
}

/** How many of the found files there are in each place. */
export type Facets = {
  projects: { id: number; number: string; name: string; count: number }[]
  folders: { name: string; count: number }[]
  years: { year: number; count: number }[]
}

export const MOST_FOUND = 1000
export const FILES_A_PAGE = 10

/** A search with its filters. Days are written 2025-12-31. */
export type Question = {
  q: string
  project: number | null
  folder: string | null
  year: number | null
  type: FileKind | null
  /** The person who uploaded it. */
  by: number | null
  from: string | null
  to: string | null
  page: number
}

export const FILE_KINDS = {
  pdf: 'PDF',
  word: 'Word',
  excel: 'Excel',
  picture: 'Billeder',
  mail: 'E-mail',
  other: 'Andet',
}
export type FileKind = keyof typeof FILE_KINDS
