import type { FileOwner } from '../../access/reader.ts'
import type { HeldState } from '../../files/file/stored-file.ts'

/** The filters of a release's papers. */
export const PAPER_FILTERS = {
  held: 'Holdt tilbage',
  versions: 'Nye versioner',
  crowded: 'Flere i samme mappe',
}
export type PaperFilter = keyof typeof PAPER_FILTERS

/** A paper of a release. */
export type ReleasePaper = {
  id: number
  name: string
  path: string
  size: number
  mime: string
  owner: FileOwner
  folder: { id: number; name: string }
  /** '1024 K/S Nordhavn Kontorhus', or the person's name. */
  place: string
  held: HeldState | null
  /** The bytes that came with the release, while others see an older version. */
  held_version: number | null
  /** People could see an older version of it before. */
  is_version: boolean
  /** The readers of its folder outside the office: their number, and the first of them. */
  readers: { total: number; first: string[] }
}

/** How many readers of a paper are named. */
export const MOST_READERS = 8
