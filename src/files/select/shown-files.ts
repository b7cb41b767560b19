import { fileAt, indexOf, missingPages, type FilePages } from '../screen/file-pages.ts'
import type { Picked, ShownFolder } from '../screen/use-files-screen.ts'
import { SHOWN_FILES } from '../file/stored-file.ts'

/** A file that is shown, or the place of one that is not fetched yet. */
type Shown = { section: ShownFolder; index: number; picked: Picked | null }

type Fresh = ReadonlyMap<number, FilePages>

/** Lists what the page shows, folder by folder. `fresh` has pages that came meanwhile. */
export function listShown(sections: readonly ShownFolder[], fresh: Fresh = new Map()): Shown[] {
  return sections.flatMap((section) => {
    const { folder, files } = section
    const known = fresh.get(folder.id) ?? files.known
    const count = files.isOpen ? known.total : Math.min(known.total, SHOWN_FILES)
    const shown = Array.from({ length: count }, (_, index): Shown => {
      const file = fileAt(known, index)
      return { section, index, picked: file ? { file, folder } : null }
    })
    const news = files.isOpen ? [] : folder.new_files
    return [...shown, ...news.map((file, nth) => ({ section, index: count + nth, picked: { file, folder } }))]
  })
}

/** Returns the pages of each folder that are not fetched, between two files. */
export function missingBetween(
  shown: readonly Shown[],
  one: number,
  other: number,
): Map<ShownFolder, number[]> {
  const [from, to] = [one, other].map((id) => shown.findIndex(({ picked }) => picked?.file.id === id))
  const missing = new Map<ShownFolder, number[]>()
  if (from === undefined || to === undefined || from < 0 || to < 0) return missing
  const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1)
  for (const { section, index, picked } of range) {
    if (picked) continue
    const pages = missing.get(section) ?? []
    const [page] = missingPages(section.files.known, index, index)
    if (page !== undefined && !pages.includes(page)) missing.set(section, [...pages, page])
  }
  return missing
}

/** Finds a file that is shown. */
export function findPicked(sections: Iterable<ShownFolder>, id: number): Picked | null {
  for (const { folder, files } of sections) {
    const index = indexOf(files.known, id)
    const file = index < 0 ? folder.new_files.find((each) => each.id === id) : fileAt(files.known, index)
    if (file) return { file, folder }
  }
  return null
}
