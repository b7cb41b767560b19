import type { Reader } from '../../access/reader.ts'

/** A sentence about a paper that needs attention, and the page where it gets it. Made by a room above. */
export type PaperNote = { text: string; href: string }

/** Finds the notes of files, or of what the inbox has, by their ids. */
export type FindNotes = (
  reader: Reader,
  of: 'files' | 'items',
  ids: number[],
) => Promise<Record<number, PaperNote[]>>
