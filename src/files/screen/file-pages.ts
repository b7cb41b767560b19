import type { ListedFile } from '../file/stored-file.ts'

/** The files of a folder as far as they have been fetched, in pages. */
export type FilePages = { total: number; pages: readonly (readonly ListedFile[] | undefined)[] }

export const A_PAGE = 25

/** Starts with some files of a folder, by default its first. */
export function startPages(files: readonly ListedFile[], total: number, from = 0): FilePages {
  const pages: (readonly ListedFile[])[] = []
  for (let at = 0; at < files.length; at += A_PAGE) pages[(from + at) / A_PAGE] = files.slice(at, at + A_PAGE)
  return { total, pages }
}

export function putPage(
  { pages }: FilePages,
  page: number,
  files: readonly ListedFile[],
  total: number,
): FilePages {
  const next = pages.slice(0, countPages(total))
  next[page] = files
  return { total, pages: next }
}

export function countPages(total: number): number {
  return Math.ceil(total / A_PAGE)
}

/** Returns how many files belong on a page. */
export function sizeOf(total: number, page: number): number {
  return Math.min(A_PAGE, total - page * A_PAGE)
}

export function isLoaded({ total, pages }: FilePages, page: number): boolean {
  return (pages[page]?.length ?? 0) >= sizeOf(total, page)
}

/** Returns the pages from one file to another that are not fetched yet. */
export function missingPages(known: FilePages, from: number, to: number): number[] {
  const [first, last] = [from, to].map((index) => Math.floor(index / A_PAGE)) as [number, number]
  const pages = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return pages.filter((page) => !isLoaded(known, page))
}

export function fileAt({ pages }: FilePages, index: number): ListedFile | undefined {
  return pages[Math.floor(index / A_PAGE)]?.[index % A_PAGE]
}

/** Returns the index of a file, or -1 if it is not fetched yet. */
export function indexOf({ pages }: FilePages, file: number): number {
  for (const [page, files] of pages.entries()) {
    const at = files?.findIndex(({ id }) => id === file) ?? -1
    if (at >= 0) return page * A_PAGE + at
  }
  return -1
}

/** Returns the files from one index to another. All of them must have been fetched. */
export function filesBetween({ pages }: FilePages, from: number, to: number): ListedFile[] {
  const first = Math.floor(from / A_PAGE)
  const known = pages.slice(first, Math.floor(to / A_PAGE) + 1).flatMap((files) => files ?? [])
  return known.slice(from - first * A_PAGE, to - first * A_PAGE + 1)
}

/**
 * Returns the items with some of them moved together before the item at `gap`: [0, 1, 2, 3, 4], 1 and 3, 5 → [0, 2, 4,
 * 1, 3].
 */
export function movedTogether<Item>(
  items: readonly Item[],
  isMoved: (item: Item) => boolean,
  gap: number,
): Item[] {
  const stays = (item: Item) => !isMoved(item)
  return [...items.slice(0, gap).filter(stays), ...items.filter(isMoved), ...items.slice(gap).filter(stays)]
}

/** Moves one file; only the pages between change. Null if one of them is missing or another file is at `from`. */
export function moveInPages(known: FilePages, file: number, from: number, to: number): FilePages | null {
  const [low, high] = [Math.min(from, to), Math.max(from, to)]
  if (fileAt(known, from)?.id !== file || missingPages(known, low, high).length > 0) return null
  const first = Math.floor(low / A_PAGE)
  const last = Math.floor(high / A_PAGE)
  const part = known.pages.slice(first, last + 1).flatMap((files) => files ?? [])
  const gap = (to > from ? to + 1 : to) - first * A_PAGE
  const next = movedTogether(part, ({ id }) => id === file, gap)
  const pages = [...known.pages]
  for (let page = first; page <= last; page++)
    pages[page] = next.slice((page - first) * A_PAGE, (page - first + 1) * A_PAGE)
  return { ...known, pages }
}
