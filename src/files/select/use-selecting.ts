import { useRef, type KeyboardEvent, type MouseEvent } from 'react'
import { countFiles } from '../../projects/folder.ts'
import { showToast } from '../../ui/overlay/toasts.ts'
import { folderAnchor } from '../../urls.ts'
import type { FilesScreen, Picked, ShownFolder } from '../screen/use-files-screen.ts'
import { MOST_AT_ONCE } from '../file/stored-file.ts'
import { listAll } from './list-all.ts'
import { controlBeside, focusEnd, focusRow, idOf, rowBeside, rowOf } from './row-keys.ts'
import { NOTHING, selected } from './selected.ts'
import { selectAll, selectTo, startAt, toggle } from './selection.ts'
import { findPicked, listShown, missingBetween } from './shown-files.ts'

const fileId = ({ file }: Picked) => file.id

const FULL = `Der kan højst vælges ${countFiles(MOST_AT_ONCE)} ad gangen.`

type Options = Pick<FilesScreen, 'sections' | 'q'> & {
  /** The address that all files of a folder are fetched from. */
  routeOf: (folder: Picked['folder']) => string
  /** Asks whether to delete the files. Null for somebody who may not. */
  onDelete: ((files: readonly Picked[]) => void) | null
  onRename: ((picked: Picked) => void) | null
  /** Shows a file in the panel. Null where there is none. */
  onLook: ((picked: Picked) => void) | null
}

/** Selects rows by clicks and keys, and walks between them. */
export function useSelecting({ sections, q, routeOf, onDelete, onRename, onLook }: Options) {
  /** Where the focus goes when the bar closes. */
  const last = useRef<HTMLElement>(null)

  function press(id: number): void {
    const picked = findPicked(sections.values(), id)
    if (!picked) return
    const before = selected.now()
    selected.set(toggle(before, id, picked))
    if (before.items.size >= MOST_AT_ONCE && !before.items.has(id)) showToast(FULL, { kind: 'fault' })
  }

  /** Selects up to a row, and fetches what lies between. */
  async function pressTo(to: number): Promise<void> {
    const shown = listShown(inOrder(sections))
    const { anchor } = selected.now()
    const missing = missingBetween(shown, anchor ?? to, to)
    const fetched = await Promise.all(
      [...missing].map(
        async ([
          {
            folder: { id },
            files: of,
          },
          pages,
        ]) => [id, await of.ensure(pages)] as const,
      ),
    )
    const fresh = new Map(fetched.flatMap(([id, pages]) => (pages ? [[id, pages]] : [])))
    if (fresh.size < missing.size)
      return showToast('Filerne kunne ikke hentes. Prøv igen.', { kind: 'fault' })
    const order = listShown(inOrder(sections), fresh).flatMap(({ picked }) => picked ?? [])
    const next = selectTo(selected.now(), order, to, fileId)
    selected.set(next)
    if (next.items.size >= MOST_AT_ONCE && !next.items.has(to)) showToast(FULL)
    return undefined
  }

  async function selectFolder(which: Picked['folder']): Promise<void> {
    const list = await listAll(routeOf(which), q)
    if (!list) return showToast('Filerne kunne ikke hentes. Prøv igen.', { kind: 'fault' })
    const all = list.files.map((file) => ({ file, folder: which }))
    const next = selectAll(selected.now(), all, fileId)
    selected.set(next)
    if (next.items.size < list.total) showToast(FULL)
    return undefined
  }

  function clear(): void {
    const isInBar = document.activeElement?.closest('.select-bar')
    selected.set(NOTHING)
    if (isInBar && last.current?.isConnected) focusRow(last.current)
  }

  function onClick(event: MouseEvent): void {
    const row = rowOf(event.target)
    if (!row || !(event.target instanceof Element)) return
    const isBox = event.target.matches('[type=checkbox]')
    const isSelecting = event.shiftKey || event.ctrlKey || event.metaKey
    const isAct = event.target.closest('a:not(.file-link), button') !== null
    if (!isBox && (!isSelecting || isAct)) return
    if (!isBox) event.preventDefault()
    last.current = row
    if (!event.shiftKey) return press(idOf(row))
    getSelection()?.removeAllRanges() // the browser has selected the text between
    void pressTo(idOf(row))
  }

  function walk(event: KeyboardEvent, row: HTMLElement, key: 'ArrowUp' | 'ArrowDown'): void {
    event.preventDefault()
    const next = rowBeside(row, key)
    if (!next) return
    focusRow(next, row)
    last.current = next
    if (!event.shiftKey) return
    const from = findPicked(sections.values(), idOf(row))
    selected.set(startAt(selected.now(), idOf(row)))
    if (from) void pressTo(idOf(next))
  }

  function actByKey(event: KeyboardEvent, row: HTMLElement): boolean {
    const { key, ctrlKey, metaKey, shiftKey } = event
    const picked = findPicked(sections.values(), idOf(row))
    if (!picked) return false
    const files = [...selected.now().items.values()]
    const chosen = files.length > 0 ? files : [picked]
    if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) void selectFolder(picked.folder)
    else if (key === ' ' && (ctrlKey || shiftKey)) press(picked.file.id)
    else if (key === ' ' && onLook && isOnName(event)) onLook(picked)
    else if (key === 'Delete' && onDelete) onDelete(chosen)
    else if (key === 'F2' && onRename && chosen.length === 1) onRename(chosen[0]!)
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey))
      row.querySelector<HTMLElement>('[data-act=menu]')?.click()
    else return false
    return true
  }

  function onKey(event: KeyboardEvent): void {
    const row = rowOf(event.target)
    const { key } = event
    if (event.defaultPrevented || event.altKey) return
    if (!row) return
    last.current = row
    if (key === 'ArrowUp' || key === 'ArrowDown') return walk(event, row, key)
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      event.preventDefault()
      return controlBeside(row, key)?.focus()
    }
    if (key === 'Home' || key === 'End') {
      event.preventDefault()
      return focusEnd(row, key)
    }
    if (actByKey(event, row)) event.preventDefault()
  }

  return { onClick, onKey, selectFolder, clear }
}

/** Elsewhere in the row, Space presses the focused button. */
function isOnName({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.matches('.file-link')
}

/** The folders as the page shows them: each keeps its own entry up to date, in any order. */
function inOrder(sections: ReadonlyMap<number, ShownFolder>): ShownFolder[] {
  const topOf = ({ folder: { id } }: ShownFolder) =>
    document.getElementById(folderAnchor(id))?.getBoundingClientRect().top ?? 0
  return [...sections.values()]
    .map((section) => ({ section, top: topOf(section) }))
    .toSorted((a, b) => a.top - b.top)
    .map(({ section }) => section)
}
