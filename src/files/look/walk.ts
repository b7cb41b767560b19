import type { fileAt, FilePages, indexOf } from '../list/file-pages.ts'
import { SHOWN_FILES, type ListedFile } from '../stored-file.ts'

/** A folder on the page, and its files as far as they have been fetched. */
export type WalkedFolder = {
  known: FilePages
  /** New files that are shown after the first ones while the folder is closed. */
  news: readonly ListedFile[]
  /** Fetches the page with the file at an index. Returns null if it cannot be fetched. */
  fetchAt: (index: number) => Promise<FilePages | null>
  // Handed over, so that they stay in the list's own JavaScript.
  fileAt: typeof fileAt
  indexOf: typeof indexOf
}

export type Step = 1 | -1

/** Returns the next or the previous file of a folder, fetched if need be; null at the end. Leaves out files that have just gone. */
export async function neighbourOf(
  folder: WalkedFolder,
  file: number,
  step: Step,
  gone: ReadonlySet<number>,
): Promise<ListedFile | null> {
  const { news } = folder
  let pages = folder.known
  const from = folder.indexOf(pages, file)
  if (from < 0)
    return amongShown([...(pages.pages[0] ?? []).slice(0, SHOWN_FILES), ...news], file, step, gone)
  for (let at = from + step; at >= 0 && at < pages.total; at += step) {
    const next = folder.fileAt(pages, at) ? pages : await folder.fetchAt(at)
    const found = next && folder.fileAt(next, at)
    if (!found) return null // it could not be fetched, or the folder has become shorter
    if (!gone.has(found.id)) return found
    pages = next
  }
  return null
}

/** A new file that lies far down is only known by the row that shows it. */
function amongShown(
  shown: readonly ListedFile[],
  file: number,
  step: Step,
  gone: ReadonlySet<number>,
): ListedFile | null {
  const left = shown.filter(({ id }) => id === file || !gone.has(id))
  const at = left.findIndex(({ id }) => id === file)
  return at < 0 ? null : (left[at + step] ?? null)
}

/** Returns a file's number in its folder, counted from 1, and how many there are; null if it is not known. */
export function placeIn(
  folder: WalkedFolder | undefined,
  file: number,
): { nth: number; total: number } | null {
  const at = folder ? folder.indexOf(folder.known, file) : -1
  return folder && at >= 0 ? { nth: at + 1, total: folder.known.total } : null
}
