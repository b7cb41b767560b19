import {
  ArrowDownToLine,
  ArrowUpToLine,
  CheckCheck,
  Download,
  Eye,
  FolderInput,
  Forward,
  ListOrdered,
  Pencil,
  Trash2,
} from 'lucide-react'
import {
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
} from 'react'
import type { DropdownItem } from '../../ui/menu/dropdown-parts.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import type { MenuHandle } from '../../ui/menu/use-menu-opener.ts'
import { fileUrls, urls, zipOf } from '../../urls.ts'
import { SORTS } from '../file/sorts.ts'
import { useFilesScreen, type FilesScreen, type Picked } from '../screen/use-files-screen.ts'
import { SelectBar, type BarAct } from './select-bar.tsx'
import { NOTHING, selected } from './selected.ts'
import { useBarKeys } from './use-bar-keys.ts'
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

  const count = items.size
  useBarKeys(count, say, clear)

  return (
    <>
      {count > 0 && <SelectBar count={count} acts={actsOf(screen, files)} onClose={clear} />}
      <Menu ref={folderMenu} label="Handlinger" toTheLeft items={folder ? folderItems(folder) : []} />
      {screen.mayChange && (
        <Menu ref={sortMenu} label="Sorter mappen" toTheLeft items={folder ? sortItems(folder) : []} />
      )}
    </>
  )

  function folderItems(which: Picked['folder']): DropdownItem[] {
    return [
      { key: 'all', text: 'Vælg alle filer', icon: CheckCheck, onSelect: () => void selectFolder(which) },
      { key: 'zip', text: 'Hent som ZIP', icon: Download, href: zipOf(owner, { folder: which.id }) },
      ...(screen.mayChange
        ? [{ key: 'readers', text: 'Hvem kan se den?', icon: Eye, href: urls.readers('folder', which.id) }]
        : []),
      ...(screen.mayChange && q === ''
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

/** The actions that the bar, and the menu of a selected row, offers for some files. */
function actsOf(screen: FilesScreen, files: readonly Picked[]): BarAct[] {
  const { owner, mayChange, q } = screen
  const ids = files.map(({ file }) => file.id)
  const [only] = files
  const zip = findZipAddress(owner, ids)
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
          {
            key: 'bottom',
            text: 'Til bunden',
            icon: ArrowDownToLine,
            onPress: () => screen.place(files, 'bottom'),
          },
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
