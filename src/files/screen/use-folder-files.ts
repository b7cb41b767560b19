import { useEffect, useRef, useState } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { EVERYTHING, writeListQuery, type ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import type { Fresh } from '../../ui/live/fresh.ts'
import { useNextAnswer } from '../../ui/live/use-next-answer.ts'
import { useLatest } from '../../ui/live/use-latest.ts'
import { fetchJson } from '../../ui/overlay/request.ts'
import { fileUrls } from '../../urls.ts'
import { moveInPages, putPage, startPages, type FilePages } from './file-pages.ts'
import type { FolderSection, ListedFile } from '../file/stored-file.ts'

export type FolderProps = {
  folder: FolderSection
  query: ListQuery
  /** The files that the server sent, if the address opens this folder. */
  opened: Page<ListedFile> | null
  /** A new object with each answer of the server. */
  by: { fresh?: Fresh }
}

/** Holds a folder's files, and fetches each page of them when it comes near the visible area. */
export function useFolderFiles(
  owner: FileOwner,
  { folder, query: { q }, opened, by }: FolderProps,
  isOpenAtFirst: boolean,
) {
  const atFirst = () => startPages(folder.files, folder.files_count)
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [known, setKnown] = useState<FilePages>(() =>
    opened ? startPages(opened.data, opened.meta.total, (opened.meta.from ?? 1) - 1) : atFirst(),
  )
  // The state when an answer arrives, not when the request was sent.
  const latest = useLatest(known)
  const [failed, setFailed] = useState<ReadonlySet<number>>(NONE)
  const running = useRef(new Set<number>())
  const inView = usePagesInView(known)
  /** Rises with each change. Answers to requests from before a change are dropped. */
  const version = useRef(0)

  const fetchPage: FetchPage = (page, fresh) => {
    const url = fileUrls.list(owner, folder.id) + writeListQuery({ ...EVERYTHING, q, page: page + 1 })
    return fresh ? fresh.get(url) : fetchJson('GET', url)
  }

  async function load(page: number): Promise<void> {
    if (running.current.has(page)) return
    running.current.add(page)
    const asked = version.current
    const answer = await fetchPage(page)
    if (answer && asked === version.current) setKnown((now) => put(now, page, answer))
    setFailed((now) => (answer ? without(now, page) : new Set([...now, page])))
    running.current.delete(page)
    if (asked !== version.current && inView.has(page)) await load(page)
  }

  /** Fetches the pages in view again, and drops the others until they come into view. The old rows stay meanwhile. */
  async function refresh(fresh?: Fresh): Promise<void> {
    const mine = ++version.current
    const isOver = () => mine !== version.current
    const wanted = () => inView.list(isOpen)
    const answer = await fetchWanted(wanted, (page) => fetchPage(page, fresh), isOver)
    if (!answer) return
    const { failed: missing, pages: next } = answer
    if (missing && fresh) return void setTimeout(() => isOver() || refresh(fresh), RETRY_MS)
    if (missing) return setFailed(new Set(missing))
    setKnown((now) => fresh?.reuse(now, next) ?? next)
    setFailed(NONE)
  }

  /** Fetches all of these pages. Returns the state with them, or null if one cannot be fetched. */
  async function ensure(pages: number[]): Promise<FilePages | null> {
    let next = known
    for (const page of pages) {
      const answer = await fetchPage(page)
      if (!answer) return null
      next = put(next, page, answer)
      setKnown((now) => put(now, page, answer))
    }
    return next
  }

  /** Shows one file's new place after the server has moved it. Fetches the list again if a page between is missing. */
  async function move(file: number, from: number, to: number): Promise<void> {
    version.current++
    const next = moveInPages(latest.current, file, from, to)
    return next ? setKnown(next) : refresh()
  }

  // Not only when the folder has changed: it has not if somebody has undone here what this page shows.
  useNextAnswer(by, () => {
    if (isOpen || inView.isHeld()) return void refresh(by.fresh)
    return setKnown((now) => by.fresh?.reuse(now, atFirst()) ?? atFirst())
  })

  return {
    isOpen,
    setOpen: (open: boolean) => {
      // The first files are not there if they were far away when the folder was fetched again.
      if (!open && !known.pages[0]) setKnown(atFirst())
      setOpen(open)
    },
    known,
    failed,
    load,
    refresh,
    ensure,
    move,
    hold: inView.hold,
    watch: inView.watch,
  }
}

/** The page of the file that is shown beside the list, if known, and the function that draws it again. */
type HeldPage = { page: number | null; onChange: (known: FilePages) => void }

/** The pages that are fetched again after a change. */
function usePagesInView(known: FilePages) {
  const near = useRef(new Set<number>())
  const held = useRef<HeldPage | null>(null)
  useEffect(() => held.current?.onChange(known), [known])
  return {
    has: (page: number) => near.current.has(page),
    isHeld: () => held.current !== null,
    /** A closed folder shows its first files. */
    list(isOpen: boolean): number[] {
      const first = isOpen && near.current.size > 0 ? [] : [0]
      const beside = held.current?.page ?? null
      return [...new Set([...first, ...near.current, ...(beside === null ? [] : [beside])])]
    },
    /** Keeps one page known, whatever is in view. */
    hold: (page: HeldPage | null) => void (held.current = page),
    watch: (page: number, isNear: boolean) =>
      void (isNear ? near.current.add(page) : near.current.delete(page)),
  }
}

const put = (known: FilePages, page: number, { data, meta }: Page<ListedFile>) =>
  putPage(known, page, data, meta.total)

/** Null if the page cannot be fetched. */
type FetchPage = (page: number, fresh?: Fresh) => Promise<Page<ListedFile> | null>

type Fetched = { pages: FilePages; failed?: never } | { pages?: never; failed: number[] }

/**
 * Fetches the wanted pages, also those that come into view meanwhile, because they would be dropped with the old ones.
 * Null if another change has overtaken it.
 */
async function fetchWanted(
  list: () => number[],
  fetchPage: FetchPage,
  isOver: () => boolean,
): Promise<Fetched | null> {
  let pages: FilePages = { total: 0, pages: [] }
  const came = new Set<number>()
  for (let wanted = list(); wanted.length > 0; wanted = list().filter((page) => !came.has(page))) {
    const answers = await Promise.all(wanted.map((page) => fetchPage(page)))
    if (isOver()) return null
    for (const [index, answer] of answers.entries()) {
      if (!answer) return { failed: wanted }
      pages = put(pages, wanted[index]!, answer)
      came.add(wanted[index]!)
    }
  }
  return { pages }
}

const RETRY_MS = 5000

const NONE: ReadonlySet<number> = new Set()

function without(pages: ReadonlySet<number>, page: number): ReadonlySet<number> {
  return pages.has(page) ? new Set([...pages].filter((each) => each !== page)) : pages
}
