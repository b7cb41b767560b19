import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { EVERYTHING, writeListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import type { Fresh } from '../../ui/live/fresh.ts'
import { orNull, readJson, send } from '../../ui/overlay/request.ts'
import { fileUrls } from '../../urls.ts'
import { moveInPages, putPage, startPages, type FilePages } from './file-pages.ts'
import type { FolderSection, ListedFile } from '../file/stored-file.ts'

/** Holds a folder's files, and fetches each page of them when it comes near the visible area. */
export function useFolderFiles(
  owner: FileOwner,
  folder: FolderSection,
  q: string,
  opened: Page<ListedFile> | null,
  isOpenAtFirst: boolean,
  by: { fresh?: Fresh },
) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [known, setKnown] = useState<FilePages>(() =>
    opened
      ? startPages(opened.data, opened.meta.total, (opened.meta.from ?? 1) - 1)
      : startPages(folder.files, folder.files_count),
  )
  const [failed, setFailed] = useState<ReadonlySet<number>>(NONE)
  const running = useRef(new Set<number>())
  const inView = usePagesInView(known)
  /** Rises with each change. Answers to requests from before a change are dropped. */
  const version = useRef(0)

  const addressOf = (page: number) =>
    fileUrls.list(owner, folder.id) + writeListQuery({ ...EVERYTHING, q, page: page + 1 })
  const fetchPage = (page: number, fresh?: Fresh) => fetchFiles(addressOf(page), fresh)

  async function load(page: number): Promise<void> {
    if (running.current.has(page)) return
    running.current.add(page)
    const asked = version.current
    const answer = await fetchPage(page)
    if (answer && asked === version.current)
      setKnown((now) => putPage(now, page, answer.data, answer.meta.total))
    setFailed((now) => (answer ? without(now, page) : new Set([...now, page])))
    running.current.delete(page)
    if (asked !== version.current && inView.has(page)) await load(page)
  }

  /** Fetches the pages in view again, and drops the others until they come into view. The old rows stay meanwhile. */
  async function refresh(fresh?: Fresh): Promise<void> {
    const mine = ++version.current
    const came = new Map<number, Page<ListedFile>>()
    let wanted = inView.list(isOpen)
    // Also fetches pages that come into view meanwhile, because they would be dropped with the old ones.
    while (wanted.length > 0) {
      const answers = await Promise.all(wanted.map((page) => fetchPage(page, fresh)))
      if (mine !== version.current) return
      for (const [index, answer] of answers.entries()) {
        if (!answer && fresh)
          return void setTimeout(() => mine === version.current && refresh(fresh), RETRY_MS)
        if (!answer) return setFailed(new Set(wanted))
        came.set(wanted[index]!, answer)
      }
      wanted = inView.list(isOpen).filter((page) => !came.has(page))
    }
    const start: FilePages = { total: 0, pages: [] }
    const next = [...came].reduce(
      (now, [page, { data, meta }]) => putPage(now, page, data, meta.total),
      start,
    )
    setKnown((now) => fresh?.reuse(now, next) ?? next)
    setFailed(NONE)
  }

  /** Fetches all of these pages. Returns the state with them, or null if one cannot be fetched. */
  async function ensure(pages: number[]): Promise<FilePages | null> {
    let next = known
    for (const page of pages) {
      const answer = await fetchPage(page)
      if (!answer) return null
      const { data, meta } = answer
      next = putPage(next, page, data, meta.total)
      setKnown((now) => putPage(now, page, data, meta.total))
    }
    return next
  }

  /** Shows one file's new place after the server has moved it. Fetches the list again if a page between is missing. */
  async function move(file: number, from: number, to: number): Promise<void> {
    version.current++
    const next = moveInPages(latest.current, file, from, to)
    return next ? setKnown(next) : refresh()
  }

  // The state when an answer arrives, not when the request was sent.
  const latest = useRef(known)
  useEffect(() => {
    latest.current = known
  })

  const takeUp = useEffectEvent(() => {
    if (isOpen || inView.isHeld()) return void refresh(by.fresh)
    const next = startPages(folder.files, folder.files_count)
    return setKnown((now) => by.fresh?.reuse(now, next) ?? next)
  })
  // Not only when the folder has changed: it has not if somebody has undone here what this page shows.
  const before = useRef(by)
  useEffect(() => {
    if (before.current === by) return
    before.current = by
    takeUp()
  }, [by])

  return {
    isOpen,
    setOpen: (open: boolean) => {
      // The first files are not there if they were far away when the folder was fetched again.
      if (!open && !known.pages[0]) setKnown(startPages(folder.files, folder.files_count))
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

/** Null if they cannot be fetched. */
async function fetchFiles(url: string, fresh?: Fresh): Promise<Page<ListedFile> | null> {
  if (fresh) return fresh.get<Page<ListedFile>>(url)
  const response = await orNull(send('GET', url))
  return response?.ok ? orNull(readJson<Page<ListedFile>>(response)) : null
}

const RETRY_MS = 5000

const NONE: ReadonlySet<number> = new Set()

function without(pages: ReadonlySet<number>, page: number): ReadonlySet<number> {
  return pages.has(page) ? new Set([...pages].filter((each) => each !== page)) : pages
}
