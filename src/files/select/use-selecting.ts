import { useRef, type KeyboardEvent, type MouseEvent } from 'react'
import type { FilesScreen, Picked } from '../screen/use-files-screen.ts'
import { press, pressAll, pressTo } from './press.ts'
import { controlBeside, focusEnd, focusRow, idOf, rowBeside, rowOf } from './row-keys.ts'
import { NOTHING, selected } from './selected.ts'
import { startAt } from './selection.ts'
import { findPicked } from './shown-files.ts'

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

  const selectFolder = (folder: Picked['folder']) => pressAll(folder, routeOf(folder), q)

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
    if (!event.shiftKey) return press(sections, idOf(row))
    getSelection()?.removeAllRanges() // the browser has selected the text between
    void pressTo(sections, idOf(row))
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
    if (from) void pressTo(sections, idOf(next))
  }

  /** Returns what a key does with a row, if anything. */
  function actOf(event: KeyboardEvent, row: HTMLElement) {
    const { key, ctrlKey, metaKey, shiftKey } = event
    const picked = findPicked(sections.values(), idOf(row))
    if (!picked) return null
    const files = [...selected.now().items.values()]
    const chosen = files.length > 0 ? files : [picked]
    const look = onLook && isOnName(event) && (() => onLook(picked))
    // While files are selected, the bar has the menu.
    const home = files.length > 0 ? document.querySelector('.select-bar') : row
    const openMenu = () => home?.querySelector<HTMLElement>('[data-act=menu]')?.click()
    const acts: Record<string, (() => unknown) | false | null> = {
      a: (ctrlKey || metaKey) && (() => selectFolder(picked.folder)),
      ' ': ctrlKey || shiftKey ? () => press(sections, picked.file.id) : look,
      delete: onDelete && (() => onDelete(chosen)),
      f2: onRename && chosen.length === 1 && (() => onRename(chosen[0]!)),
      contextmenu: openMenu,
      f10: shiftKey && openMenu,
    }
    return acts[key.toLowerCase()]
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
    const act = actOf(event, row)
    if (!act) return
    act()
    event.preventDefault()
  }

  return { onClick, onKey, selectFolder, clear }
}

/** Elsewhere in the row, Space presses the focused button. */
function isOnName({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.matches('.file-link')
}
