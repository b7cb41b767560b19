import { ArrowDownToLine, ArrowUpToLine, CheckCheck, Download, FolderInput, Forward, ListOrdered, Pencil, Trash2 } from 'lucide-react'
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
} from 'react'
import { countFiles } from '../../projects/folder.ts'
import type { DropdownItem } from '../../ui/overlay/dropdown-parts.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { showToast } from '../../ui/overlay/toasts.ts'
import type { MenuHandle } from '../../ui/overlay/use-menu-opener.ts'
import { fileUrls, folderAnchor } from '../../urls.ts'
import { SORTS } from '../change/sorts.ts'
import { useFilesScreen, type FilesScreen, type Picked, type ShownFolder } from '../list/use-files-screen.ts'
import { listFolder } from './list-folder.ts'
import { controlBeside, focusEnd, focusRow, idOf, rowBeside, rowOf } from './row-keys.ts'
import { SelectBar, type BarAct } from './select-bar.tsx'
import { NOTHING, selected } from './selected.ts'
import { MOST_SELECTED, selectAll, selectTo, startAt, toggle } from './selection.ts'
import { findPicked, listShown, missingBetween } from './shown-files.ts'
import { downloadMany, zipOf } from './zip.ts'

export type SelectingHandle = Pick<FilesScreen, 'openFolderActions'> & {
  /** Takes a click or a key that came from a row. */
  onClick: (event: MouseEvent) => void
  onKey: (event: KeyboardEvent) => void
}

export type SelectingProps = { ref: Ref<SelectingHandle> }

const fileId = ({ file }: Picked) => file.id

/** What selects rows and walks between them, and the bar for what is selected. It comes after the page (decision 42). */
export function Selecting({ ref }: SelectingProps) {
  const screen = useFilesScreen()
  const { owner, q, sections, say } = screen
  const { items } = useSyncExternalStore(selected.listen, selected.now, () => NOTHING)
  const files = [...items.values()]
  const last = useRef<HTMLElement>(null)
  const [folder, setFolder] = useState<Picked['folder'] | null>(null)
  const folderMenu = useRef<MenuHandle>(null)
  const sortMenu = useRef<MenuHandle>(null)
  const folderButton = useRef<HTMLElement>(null)

  function press(id: number): void {
    const picked = findPicked(sections.values(), id)
    if (!picked) return
    const before = selected.now()
    selected.set(toggle(before, id, picked))
    if (before.items.size >= MOST_SELECTED && !before.items.has(id)) showToast(FULL, { kind: 'fault' })
  }

  /** Selects up to a row, and fetches what lies between. */
  async function pressTo(to: number): Promise<void> {
    const shown = listShown(inOrder(sections))
    const { anchor } = selected.now()
    const missing = missingBetween(shown, anchor ?? to, to)
    const fetched = await Promise.all(
      [...missing].map(async ([{ folder: { id }, files: of }, pages]) => [id, await of.ensure(pages)] as const),
    )
    const fresh = new Map(fetched.flatMap(([id, pages]) => (pages ? [[id, pages]] : [])))
    if (fresh.size < missing.size) return showToast('Filerne kunne ikke hentes. Prøv igen.', { kind: 'fault' })
    const order = listShown(inOrder(sections), fresh).flatMap(({ picked }) => picked ?? [])
    const next = selectTo(selected.now(), order, to, fileId)
    selected.set(next)
    if (next.items.size >= MOST_SELECTED && !next.items.has(to)) showToast(FULL)
    return undefined
  }

  async function selectFolder(which: Picked['folder']): Promise<void> {
    const list = await listFolder(owner, which.id, q)
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

  function click(event: MouseEvent): void {
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
    const chosen = files.length > 0 ? files : [picked]
    if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) void selectFolder(picked.folder)
    else if (key === ' ' && (ctrlKey || shiftKey)) press(picked.file.id)
    else if (key === 'Delete' && screen.mayChange) screen.openDelete(chosen)
    else if (key === 'F2' && screen.mayChange && chosen.length === 1) screen.openRename(chosen[0]!)
    else if (key === 'ContextMenu' || (key === 'F10' && shiftKey))
      row.querySelector<HTMLElement>('[data-act=menu]')?.click()
    else return false
    return true
  }

  function keyPressed(event: KeyboardEvent): void {
    const row = rowOf(event.target)
    const { key } = event
    if (event.defaultPrevented || event.altKey) return
    if (key === 'Escape' && selected.now().items.size > 0) return clear()
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

  useImperativeHandle(ref, () => ({
    onClick: click,
    onKey: keyPressed,
    openFolderActions(which, button, start) {
      setFolder(which)
      folderButton.current = button
      folderMenu.current!.openAt(button, start)
    },
  }))

  const count = items.size
  const announce = useEffectEvent((text: string) => say(text))
  const wasSelected = useRef(false)
  useEffect(() => {
    if (count > 0 || wasSelected.current) announce(count > 0 ? `${countFiles(count)} valgt` : 'Ingen filer valgt')
    wasSelected.current = count > 0
  }, [count])

  return (
    <>
      {count > 0 && <SelectBar count={count} acts={actsOf(screen, files)} onClose={clear} />}
      <Menu
        ref={folderMenu}
        label="Handlinger"
        toTheLeft
        items={folder ? folderItems(folder) : []}
      />
      {screen.mayChange && (
        <Menu ref={sortMenu} label="Sortér mappen" toTheLeft items={folder ? sortItems(folder) : []} />
      )}
    </>
  )

  function folderItems(which: Picked['folder']): DropdownItem[] {
    return [
      { key: 'all', text: 'Vælg alle filer', icon: CheckCheck, onSelect: () => void selectFolder(which) },
      { key: 'zip', text: 'Hent som ZIP', icon: Download, href: `${fileUrls.zip(owner)}?folder=${which.id}` },
      ...(screen.mayChange && q === ''
        ? [
            {
              key: 'sort',
              text: 'Sortér mappen …',
              icon: ListOrdered,
              onSelect: () => sortMenu.current!.openAt(folderButton.current!),
            },
          ]
        : []),
    ]
  }

  function sortItems(which: Picked['folder']): DropdownItem[] {
    return SORTS.map((sort) => ({
      key: `${sort.by} ${sort.direction}`,
      text: sort.text,
      onSelect: () => screen.sort(which, sort),
    }))
  }
}

const FULL = `Der kan højst vælges ${countFiles(MOST_SELECTED)} ad gangen.`

/** What the bar, and the menu of a selected row, offers for some files. */
export function actsOf(screen: FilesScreen, files: readonly Picked[]): BarAct[] {
  const { owner, mayChange, q } = screen
  const ids = files.map(fileId)
  const [only] = files
  const zip = zipOf(owner, ids)
  const ofProject = 'project' in owner
  const download: BarAct = {
    key: 'zip',
    text: 'Hent som ZIP',
    icon: Download,
    ...(zip === null ? { onPress: () => void downloadMany(owner, ids) } : { href: zip }),
  }
  if (!mayChange) return [{ ...download, isFirst: true }]
  return [
    {
      key: 'move',
      text: 'Flyt',
      icon: ofProject ? FolderInput : Forward,
      isFirst: true,
      onPress: (button, start) => screen.openMove(files, button, start),
    },
    download,
    ...(files.length === 1
      ? [{ key: 'rename', text: 'Omdøb', icon: Pencil, onPress: () => screen.openRename(only!) }]
      : []),
    ...(q === ''
      ? [
          { key: 'top', text: 'Til toppen', icon: ArrowUpToLine, onPress: () => screen.place(files, 'top') },
          { key: 'bottom', text: 'Til bunden', icon: ArrowDownToLine, onPress: () => screen.place(files, 'bottom') },
        ]
      : []),
    {
      key: 'delete',
      text: 'Slet',
      icon: Trash2,
      danger: true,
      isFirst: true,
      onPress: () => screen.openDelete(files),
    },
  ]
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
