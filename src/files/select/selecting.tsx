import { CheckCheck, Download, Eye, FolderInput, Forward, ListOrdered, Trash2 } from 'lucide-react'
import {
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
} from 'react'
import { countFiles } from '../../projects/folder.ts'
import { SelectBar, type BarAct } from '../../ui/list/select-bar.tsx'
import { useBarKeys } from '../../ui/list/use-bar-keys.ts'
import type { DropdownItem } from '../../ui/menu/dropdown-parts.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import type { MenuHandle, MenuStart } from '../../ui/menu/use-menu-opener.ts'
import { fileUrls, urls, zipOf } from '../../urls.ts'
import { SORTS } from '../file/sorts.ts'
import { useFilesScreen, type FilesScreen, type Picked } from '../screen/use-files-screen.ts'
import { keepFocusInRow } from './row-keys.ts'
import { NOTHING, selected } from './selected.ts'
import { useSelecting } from './use-selecting.ts'
import { downloadMany, findZipAddress } from './zip.ts'

export type SelectingHandle = Pick<FilesScreen, 'openFolderActions'> & {
  /** Handles a click or a key from a row. */
  onClick: (event: MouseEvent) => void
  onKey: (event: KeyboardEvent) => void
}

export type SelectingProps = { ref: Ref<SelectingHandle> }

/** Selects rows and walks between them, and shows the bar for the selection. Loaded after the page (decision 42). */
export function Selecting({ ref }: SelectingProps) {
  const screen = useFilesScreen()
  const { owner, q, say } = screen
  const { items } = useSyncExternalStore(selected.listen, selected.now, () => NOTHING)
  const files = [...items.values()]
  const [first] = files
  const [folder, setFolder] = useState<Picked['folder'] | null>(null)
  const folderMenu = useRef<MenuHandle>(null)
  const sortMenu = useRef<MenuHandle>(null)
  const folderButton = useRef<HTMLElement>(null)
  const { onClick, onKey, selectFolder, clear } = useSelecting({
    ...screen,
    routeOf: (which) => fileUrls.list(owner, which.id),
    onDelete: screen.mayChange ? screen.openDelete : null,
    onRename: screen.mayChange ? screen.openRename : null,
    onLook: screen.openLook,
  })

  useImperativeHandle(ref, () => ({
    onClick,
    onKey,
    openFolderActions(which, button, start) {
      setFolder(which)
      folderButton.current = button
      folderMenu.current!.openAt(button, start)
    },
  }))

  const text = items.size > 0 ? `${countFiles(items.size)} valgt` : null
  useBarKeys(text, 'Ingen filer valgt', say, clear)
  useLayoutEffect(() => {
    if (items.size > 0) keepFocusInRow()
  }, [items.size])

  return (
    <>
      {first && text !== null && (
        <SelectBar
          label="Valgte filer"
          text={text}
          acts={actsOf(screen, files)}
          {...(screen.mayChange && {
            onMenu: (button: HTMLElement, start: MenuStart) => screen.openActions(first, button, start),
          })}
          onClose={clear}
        />
      )}
      <Menu ref={folderMenu} label="Handlinger" toTheLeft items={folder ? folderItems(folder) : []} />
      {screen.mayChange && (
        <Menu ref={sortMenu} label="Sorter mappen" toTheLeft items={folder ? sortItems(folder) : []} />
      )}
    </>
  )

  function folderItems(which: Picked['folder']): DropdownItem[] {
    const hasFiles = (screen.sections.get(which.id)?.files.known.total ?? 0) > 0
    return [
      ...(hasFiles
        ? [
            {
              key: 'all',
              text: 'Vælg alle filer',
              icon: CheckCheck,
              onSelect: () => void selectFolder(which),
            },
            { key: 'zip', text: 'Hent som ZIP', icon: Download, href: zipOf(owner, { folder: which.id }) },
          ]
        : []),
      ...(screen.mayChange
        ? [{ key: 'readers', text: 'Hvem kan se den?', icon: Eye, href: urls.readers('folder', which.id) }]
        : []),
      ...(hasFiles && screen.mayChange && q === ''
        ? [
            {
              key: 'sort',
              text: 'Sorter mappen …',
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

/** The actions that the bar shows. Its menu has all of them. */
function actsOf(screen: FilesScreen, files: readonly Picked[]): BarAct[] {
  const { owner, mayChange } = screen
  const ids = files.map(({ file }) => file.id)
  const zip = findZipAddress(owner, ids)
  const download: BarAct = {
    key: 'zip',
    text: 'Hent som ZIP',
    icon: Download,
    isInMenu: mayChange,
    ...(zip === null ? { onPress: () => void downloadMany(owner, ids) } : { href: zip }),
  }
  if (!mayChange) return [download]
  return [
    {
      key: 'move',
      text: 'Flyt',
      icon: 'project' in owner ? FolderInput : Forward,
      onPress: (button, start) => screen.openMove(files, button, start),
    },
    download,
    { key: 'delete', text: 'Slet', icon: Trash2, danger: true, onPress: () => screen.openDelete(files) },
  ]
}
