import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { EVERYTHING, writeListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { send } from '../ui/request.ts'
import { fileUrls } from '../urls.ts'
import { putPage, startPages, type FilePages } from './file-pages.ts'
import type { FileOwner, FolderSection, StoredFile } from './stored-file.ts'

/** A folder's files, fetched as they come near. */
export function useFolderFiles(
  owner: FileOwner,
  folder: FolderSection,
  q: string,
  opened: Page<StoredFile> | null,
) {
  const [isOpen, setOpen] = useState(opened !== null)
  const [known, setKnown] = useState<FilePages>(() =>
    opened
      ? startPages(opened.data, opened.meta.total, (opened.meta.from ?? 1) - 1)
      : startPages(folder.files, folder.files_count),
  )
  const [failed, setFailed] = useState<ReadonlySet<number>>(NONE)
  const running = useRef(new Set<number>())
  /** The pages that are in view: what is fetched again when something has changed. */
  const near = useRef(new Set<number>())

  async function fetchPage(page: number): Promise<Page<StoredFile>> {
    const query = writeListQuery({ ...EVERYTHING, q, page: page + 1 })
    const response = await send('GET', fileUrls.list(owner, folder.id) + query)
    if (!response.ok) throw new Error(`The files answered ${response.status}.`)
    return (await response.json()) as Page<StoredFile>
  }

  async function load(page: number): Promise<void> {
    if (running.current.has(page)) return
    running.current.add(page)
    try {
      const { data, meta } = await fetchPage(page)
      setKnown((now) => putPage(now, page, data, meta.total))
      setFailed((now) => without(now, page))
    } catch {
      setFailed((now) => new Set([...now, page]))
    }
    running.current.delete(page)
  }

  /** What is in view, as it is now; the rest when it comes into view. What was there stays until then. */
  async function refresh(): Promise<FilePages | null> {
    try {
      const wanted = [...near.current]
      const answers = await Promise.all((wanted.length > 0 ? wanted : [0]).map(fetchPage))
      const start: FilePages = { total: answers[0]!.meta.total, pages: [] }
      const next = answers.reduce(
        (now, { data, meta }) => putPage(now, meta.current_page - 1, data, meta.total),
        start,
      )
      setKnown(next)
      return next
    } catch {
      return null
    }
  }

  /** All of these pages; the state with them, or null when one could not be had. */
  async function ensure(pages: number[]): Promise<FilePages | null> {
    try {
      let next = known
      for (const page of pages) {
        const { data, meta } = await fetchPage(page)
        next = putPage(next, page, data, meta.total)
      }
      setKnown(next)
      return next
    } catch {
      return null
    }
  }

  const takeUp = useEffectEvent(() => {
    if (isOpen) void refresh()
    else setKnown(startPages(folder.files, folder.files_count))
  })
  const before = useRef(folder)
  useEffect(() => {
    if (before.current === folder) return
    before.current = folder
    takeUp()
  }, [folder])

  return {
    isOpen,
    setOpen,
    known,
    failed,
    load,
    refresh,
    ensure,
    setKnown,
    watch: (page: number, isNear: boolean) =>
      void (isNear ? near.current.add(page) : near.current.delete(page)),
  }
}

const NONE: ReadonlySet<number> = new Set()

function without(pages: ReadonlySet<number>, page: number): ReadonlySet<number> {
  return pages.has(page) ? new Set([...pages].filter((each) => each !== page)) : pages
}
