import {
  ArrowDownToLine,
  ArrowUpToLine,
  CalendarRange,
  Download,
  FilePlus2,
  FolderInput,
  Forward,
  HistoryIcon,
  Pencil,
  Trash2,
} from 'lucide-react'
import {
  lazy,
  Suspense,
  useImperativeHandle,
  useRef,
  useState,
  type Dispatch,
  type Ref,
  type SetStateAction,
} from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { countFiles } from '../../projects/folder.ts'
import { sharingText } from '../../projects/sharing.tsx'
import type { DropdownItem } from '../../ui/menu/dropdown-parts.tsx'
import { Menu } from '../../ui/menu/menu.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import type { MenuHandle, MenuStart } from '../../ui/menu/use-menu-opener.ts'
import { fileUrls, urls } from '../../urls.ts'
import { RenameModal } from '../change/rename-modal.tsx'
import { ShareModal } from '../change/share-modal.tsx'
import { useGoneFiles } from '../change/use-gone-files.ts'
import { useManyActs } from '../change/use-many-acts.ts'
import { useMoveFile } from '../change/use-move-file.ts'
import { PeriodModal, type PeriodSubject } from '../change/period-modal.tsx'
import type { Leaving } from '../change/move-away-modal.tsx'
import type { FolderOption } from '../file/stored-file.ts'
import { selected } from '../select/selected.ts'
import { downloadMany, findZipAddress } from '../select/zip.ts'
import { DeleteFileModal } from '../trash/delete-file-modal.tsx'
import { DeleteFilesModal } from '../trash/delete-files-modal.tsx'
import type { FilesScreen, Picked } from '../screen/use-files-screen.ts'

// Most pages never open one.
const MoveAwayModal = lazy(() =>
  import('../change/move-away-modal.tsx').then((file) => ({ default: file.MoveAwayModal })),
)

type Files = readonly Picked[]

export type FileMenusHandle = Pick<
  FilesScreen,
  'openActions' | 'openMove' | 'openDelete' | 'openRename' | 'openPeriod' | 'moveTo' | 'place' | 'sort'
>

export type FileMenusProps = { numbers: readonly string[] } & Pick<
  FilesScreen,
  'owner' | 'seenBy' | 'hasAuditor' | 'crossesNewYear' | 'maySeeHistory' | 'q'
> & {
    ref: Ref<FileMenusHandle>
    reload: () => Promise<void>
    setMoving: (files: ReadonlySet<number>) => void
    setGone: Dispatch<SetStateAction<ReadonlySet<number>>>
  }

/** The menus and dialogs of the file list, which the page fetches when it is idle or when one of them is opened. */
export function FileMenus(props: FileMenusProps) {
  const { ref, owner, hasAuditor, crossesNewYear, maySeeHistory, q, reload, setMoving, setGone } = props
  const project = 'project' in owner ? owner.project : null
  const [picked, setPicked] = useState<Files>(NOBODY)
  const [leaving, setLeaving] = useState<Files>(NOBODY)
  const actions = useRef<MenuHandle>(null)
  const folders = useRef<MenuHandle>(null)
  const actionsButton = useRef<HTMLElement>(null)
  const { place, sort, renamed, gotPeriod, leaveOutGone } = useManyActs(owner, reload)
  const onStale = (files: Files) => void leaveOutGone(files)
  const { ask, move } = useMoveFile(project, reload, setMoving, onStale)
  const { leave, comeBack } = useGoneFiles(setGone, reload)

  function openMove(files: Files, button: HTMLElement, start: MenuStart): void {
    setLeaving(files)
    if (project === null) modals.open('move-away', { files } satisfies Leaving)
    else folders.current!.openAt(button, start)
  }

  function openDelete(files: Files): void {
    if (files.length === 1) modals.open('delete', files[0]) // S4.15
    else modals.open('delete-many', files)
  }

  const openRename = (which: Picked) => modals.open('rename', which)
  const openPeriod: FilesScreen['openPeriod'] = (which, after) =>
    modals.open('period', { picked: which, after } satisfies PeriodSubject)

  useImperativeHandle(ref, () => ({
    openActions(which, button, start) {
      setPicked(withSelected(which))
      actionsButton.current = button
      actions.current!.openAt(button, start)
    },
    openMove,
    openDelete,
    openRename,
    openPeriod,
    moveTo: (which, target) => ask(withSelected(which), target),
    place: (files, to) => void place(files, to),
    sort: (folder, by) => void sort(folder, by),
  }))

  return (
    <>
      <ActionsMenu
        ref={actions}
        owner={owner}
        files={picked}
        maySeeHistory={maySeeHistory}
        maySort={q === ''}
        onMove={(files) => openMove(files, actionsButton.current!, 'first')}
        onRename={openRename}
        onPeriod={openPeriod}
        onPlace={(files, to) => void place(files, to)}
        onDelete={openDelete}
      />
      <Suspense fallback={null}>
        <MoveAwayModal
          owner={owner}
          numbers={props.numbers}
          onMoved={(files) => leave(files, 'move')}
          onUndone={comeBack}
        />
      </Suspense>
      {'project' in owner && (
        <>
          <Menu<FolderOption>
            ref={folders}
            label="Flyt til mappe"
            search="Mappe eller projekt"
            last={{
              key: 'move-away',
              text: 'Et andet projekt eller en person',
              icon: Forward,
              onSelect: (searched) =>
                modals.open('move-away', { files: leaving, searched } satisfies Leaving),
            }}
            toTheLeft
            route={urls.folderOptions(owner.project)}
            toItem={(folder) => ({
              key: folder.id,
              text: folder.name,
              hint: folder.visible_to_investors ? 'Deles' : sharingText(false, hasAuditor),
              disabled: leaving.every((each) => each.folder.id === folder.id),
              onSelect: () => ask(leaving, folder),
            })}
          />
          <ShareModal hasAuditor={hasAuditor} onMove={(which) => void move(which)} />
        </>
      )}
      <DeleteFileModal
        owner={owner}
        onDeleted={(which) => leave([which], 'leave')}
        onRestored={(which) => comeBack([which])}
        onStale={() => void reload()}
      />
      <DeleteFilesModal
        owner={owner}
        onDeleted={(files) => leave(files, 'leave')}
        onRestored={comeBack}
        onStale={onStale}
      />
      <PeriodModal
        owner={owner}
        crossesNewYear={crossesNewYear}
        onChanged={(which, answer) => void gotPeriod(which, answer)}
      />
      <RenameModal owner={owner} onRenamed={(which, answer) => void renamed(which, answer, ask)} />
    </>
  )
}

const NOBODY: Files = []

/** Returns all selected files if the file is one of them. */
function withSelected(picked: Picked): Files {
  const { items } = selected.now()
  return items.has(picked.file.id) ? [...items.values()] : [picked]
}

type ActionsProps = {
  ref: Ref<MenuHandle>
  owner: FileOwner
  maySeeHistory: boolean
  maySort: boolean
  /** The files that the menu was opened for: one, or all selected ones. */
  files: Files
  onMove: (files: Files) => void
  onRename: (picked: Picked) => void
  onPeriod: (picked: Picked) => void
  onPlace: (files: Files, to: 'top' | 'bottom') => void
  onDelete: (files: Files) => void
}

/** The menu of one file, or of all selected ones. */
function ActionsMenu(props: ActionsProps) {
  const { ref, owner, files, maySeeHistory, maySort, onMove, onRename, onPeriod, onPlace, onDelete } = props
  const [first, ...others] = files
  const isOne = others.length === 0
  const said = isOne ? '' : ` ${countFiles(files.length)}`
  const items: DropdownItem[] = first
    ? [
        isOne
          ? { key: 'download', text: 'Hent', icon: Download, href: fileUrls.download(owner, first.file.path) }
          : zipItem(owner, files),
        ...(isOne
          ? [
              { key: 'rename', text: 'Omdøb', icon: Pencil, onSelect: () => onRename(first) },
              { key: 'period', text: 'Ret periode', icon: CalendarRange, onSelect: () => onPeriod(first) },
            ]
          : []),
        {
          key: 'move',
          ...('project' in owner
            ? { text: `Flyt${said} til mappe`, icon: FolderInput }
            : { text: `Flyt${said} til et andet sted`, icon: Forward }),
          onSelect: () => onMove(files),
        },
        ...('project' in owner
          ? [
              {
                key: 'move-away',
                text: `Flyt${said} til et andet sted`,
                icon: Forward,
                onSelect: () => modals.open('move-away', { files } satisfies Leaving),
              },
            ]
          : []),
        ...(maySort
          ? [
              { key: 'top', text: 'Til toppen', icon: ArrowUpToLine, onSelect: () => onPlace(files, 'top') },
              {
                key: 'bottom',
                text: 'Til bunden',
                icon: ArrowDownToLine,
                onSelect: () => onPlace(files, 'bottom'),
              },
            ]
          : []),
        ...(isOne
          ? [
              {
                key: 'replace',
                text: 'Erstat med ny version',
                icon: FilePlus2,
                href: fileUrls.replace(owner, first.file.id),
              },
            ]
          : []),
        ...(isOne && maySeeHistory
          ? [{ key: 'history', text: 'Historik', icon: HistoryIcon, href: urls.fileHistory(first.file.id) }]
          : []),
        { key: 'delete', text: `Slet${said}`, icon: Trash2, danger: true, onSelect: () => onDelete(files) },
      ]
    : []
  return <Menu ref={ref} label="Handlinger" toTheLeft items={items} />
}

function zipItem(owner: FileOwner, files: Files): DropdownItem {
  const ids = files.map(({ file }) => file.id)
  const address = findZipAddress(owner, ids)
  return {
    key: 'zip',
    text: `Hent ${countFiles(files.length)} som ZIP`,
    icon: Download,
    ...(address === null ? { onSelect: () => void downloadMany(owner, ids) } : { href: address }),
  }
}
