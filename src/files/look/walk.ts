import { countPages, fileAt, indexOf, isLoaded, A_PAGE, type FilePages } from '../screen/file-pages.ts'
import { SHOWN_FILES, type ListedFile } from '../file/stored-file.ts'

/** A folder on the page, and its files as far as they have been fetched. */
export type WalkedFolder = {
  /** New files are shown after the first ones while the folder is closed. */
  folder: { new_files: readonly ListedFile[] }
  /** `ensure` fetches pages. It returns null if one cannot be fetched. */
  files: { known: FilePages; ensure: (pages: number[]) => Promise<FilePages | null> }
}

export type Step = 1 | -1

/** A file on the way. `at` is its place in the folder when it was found, counted from 0; null if it is not known. */
type Walked = { file: ListedFile; at: number | null }

/** Returns the next or the previous file of a folder, fetched if need be; null at the end. Leaves out files that have just gone. */
export async function neighbourOf(
  { folder: { new_files: news }, files: { known, ensure } }: WalkedFolder,
  { file, at: seenAt }: { file: { id: number }; at: number | null },
  step: Step,
  gone: ReadonlySet<number>,
): Promise<Walked | null> {
  let pages = known
  // After somebody else's change the list has only the pages in view.
  if (indexOf(pages, file.id) < 0 && seenAt !== null) pages = (await ensure([pageAt(seenAt)])) ?? known
  const from = indexOf(pages, file.id)
  if (from < 0)
    return amongShown([...(known.pages[0] ?? []).slice(0, SHOWN_FILES), ...news], file.id, step, gone)
  for (let at = from + step; at >= 0 && at < pages.total; at += step) {
    const page = pageAt(at)
    if (!isLoaded(pages, page) && !fileAt(pages, at)) {
      const fetched = await ensure([page])
      if (!fetched) return null
      pages = fetched
    }
    const found = fileAt(pages, at)
    if (found && !gone.has(found.id)) return { file: found, at }
    if (page >= countPages(pages.total)) return null
  }
  return null
}

/** A new file that lies far down is only known by the row that shows it. */
function amongShown(
  shown: readonly ListedFile[],
  file: number,
  step: Step,
  gone: ReadonlySet<number>,
): Walked | null {
  const left = shown.filter(({ id }) => id === file || !gone.has(id))
  const at = left.findIndex(({ id }) => id === file)
  const next = at < 0 ? undefined : left[at + step]
  return next ? { file: next, at: null } : null
}

/** Returns the page of a place in the folder, counted from 0. */
export const pageAt = (place: number) => Math.floor(place / A_PAGE)

/** Returns a file's number in its folder, counted from 1, and how many there are; null if it is not known. */
export function placeIn(
  folder: WalkedFolder | undefined,
  file: number,
): { nth: number; total: number } | null {
  const at = folder ? indexOf(folder.files.known, file) : -1
  return folder && at >= 0 ? { nth: at + 1, total: folder.files.known.total } : null
}
