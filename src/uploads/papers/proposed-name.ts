import { MOST_LETTERS, renamed, splitExtension, yearInName } from '../../files/names/file-name.ts'
import { fold } from '../../base/folded-words.ts'
import type { FoundYear } from './find-year.ts'

/** Names that scanners, cameras and programs give: they say nothing. */
const SAYS_NOTHING =
  /^(?:scan|scanned|skan\w*|skannet|img|image|billede|foto|doc|dok|document|dokument|fil|file|vedhaeftet|attachment|udskrift|print|untitled|noname|unavngivet|microsoft|word|pdf|kopi|copy|ny|new|af|of|uden|navn|side|page|wa|signal|download)$/

/** Whether a file's name has meaningful words: 'Ferieplan.pdf' has, 'Scan 0001.pdf' has not. */
export function hasWords(name: string): boolean {
  const words = fold(splitExtension(name).stem).match(/[a-z]{2,}/g) ?? []
  return words.some((word) => !SAYS_NOTHING.test(word))
}

type Place = { folder: string; key: string }

/**
 * Returns the name that leads a paper to its place: 'Årsrapport (1024) 2025.pdf'. Keeps a name's own words and adds the
 * year if it has none; a name that says nothing is replaced.
 */
export function proposedName(name: string, to: Place, found: FoundYear | null): string {
  const { extension } = splitExtension(name)
  const when = found ? [found.quarter && `Q${found.quarter}`, found.year].filter(Boolean).join(' ') : ''
  if (!hasWords(name)) return `${to.folder} (${to.key})${when && ` ${when}`}${extension}`
  const kept = renamed(name, to)
  if (found === null || yearInName(kept) !== null) return fit(kept, to)
  const { stem, extension: end } = splitExtension(kept)
  return fit(`${stem} ${when}${end}`, to)
}

const fit = (name: string, { folder, key }: Place) =>
  name.length <= MOST_LETTERS ? name : `${folder} (${key})${splitExtension(name).extension}`
