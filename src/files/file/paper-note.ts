import type { Reader } from '../../access/reader.ts'

/** What a room above knows of a paper, that somebody has to look at: a sentence, and where to. */
export type PaperNote = { text: string; href: string }

/** Finds the notes of files, or of what the inbox has, by their ids. */
export type FindNotes = (
  reader: Reader,
  of: 'files' | 'items',
  ids: number[],
) => Promise<Record<number, PaperNote[]>>
