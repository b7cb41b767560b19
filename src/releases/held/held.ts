import type { FileOwner } from '../../access/reader.ts'

/** A contradiction between a held paper and its place, as the office reads it. */
export type Found = { kind: string; text: string }

/** A paper that is held until somebody in the office has looked at it. */
export type DoubtedPaper = {
  /** The bytes' id. */
  paper: number
  /** The paper as shown here, which is what is accepted. */
  shown_as: string
  name: string
  path: string
  owner: FileOwner
  folder: { id: number; name: string }
  /** '1024 K/S Nordhavn Kontorhus', or the person's name. */
  place: string
  /** Its file shows older bytes meanwhile. */
  is_version: boolean
  found: Found[]
  /** ClamAV found something: it can only be deleted. */
  is_virus: boolean
}

/** The held papers of a release, of an upload, or of all. */
export type HeldPapers = {
  /** How many are held: one that is in doubt and not scanned yet is among `reading` and in `total`. */
  papers: number
  /** How many are not read, or not scanned, yet. */
  reading: number
  /** How many of those are read, and wait for the scan only. */
  scanning: number
  /** The first of those that have waited so long that somebody may want to look themselves. */
  slow: string[]
  doubts: DoubtedPaper[]
  /** How many doubts there are; `doubts` has the first of them. */
  total: number
  /** The first of those that nothing speaks against but that no machine can read them. One yes is enough for all. */
  unreadable: string[]
}

/** How many papers one act says yes to. */
export const MOST_ACCEPTED = 2000

/** '3 papirer udgives, når de er læst.' */
export function readingText({ reading, scanning }: Pick<HeldPapers, 'reading' | 'scanning'>): string {
  const [papers, they] = reading === 1 ? ['1 papir', 'det'] : [`${reading} papirer`, 'de']
  if (scanning === 0) return `${papers} udgives, når ${they} er læst.`
  if (scanning === reading) return `${papers} udgives, når ${they} er scannet for virus.`
  return `${papers} udgives, når ${they} er læst og scannet.`
}
