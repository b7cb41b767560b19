import { Download, FilePlus2, FolderInput, Forward, HistoryIcon, Trash2 } from 'lucide-react'
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
import { sharingText } from '../../projects/sharing.tsx'
import type { DropdownItem } from '../../ui/overlay/dropdown-parts.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import type { MenuHandle, MenuStart } from '../../ui/overlay/use-menu-opener.ts'
import { fileUrls, urls } from '../../urls.ts'
import { ShareModal } from '../change/share-modal.tsx'
import { useMoveFile } from '../change/use-move-file.ts'
import type { FolderOption } from '../stored-file.ts'
import { DeleteFileModal } from '../trash/delete-file-modal.tsx'
import type { FilesScreen, Picked } from './use-files-screen.ts'
import { useGoneFiles } from './use-gone-files.ts'

// A project's file list never needs it.
const MoveToPersonModal = lazy(() =>
  import('../change/move-to-person-modal.tsx').then((file) => ({ default: file.MoveToPersonModal })),
)

export type FileMenusHandle = Pick<FilesScreen, 'openActions' | 'openMove' | 'openDelete' | 'moveTo'>

export type FileMenusProps = Pick<FilesScreen, 'owner' | 'ownerName' | 'hasAuditor' | 'maySeeHistory'> & {
  ref: Ref<FileMenusHandle>
  reload: () => Promise<void>
  setMoving: (file: number | null) => void
  setGone: Dispatch<SetStateAction<ReadonlySet<number>>>
}

/** The menus and dialogs of the file list, which the page fetches when it is idle or when one of them is opened. */
export function FileMenus(props: FileMenusProps) {
  const { ref, owner, ownerName, hasAuditor, maySeeHistory, reload, setMoving, setGone } = props
  const project = 'project' in owner ? owner.project : null
  const [picked, setPicked] = useState<Picked | null>(null)
  const actions = useRef<MenuHandle>(null)
  const folders = useRef<MenuHandle>(null)
  const actionsButton = useRef<HTMLElement>(null)
  const { ask, move } = useMoveFile(project, reload, setMoving)
  const { leave, comeBack } = useGoneFiles(setGone, reload)

  function openMove(which: Picked, button: HTMLElement, start: MenuStart): void {
    setPicked(which)
    if (project === null) modals.open('move-to-person', which)
    else folders.current!.openAt(button, start)
  }

  useImperativeHandle(ref, () => ({
    openActions(which, button, start) {
      setPicked(which)
      actionsButton.current = button
      actions.current!.openAt(button, start)
    },
    openMove,
    openDelete: (which) => modals.open('delete', which),
    moveTo: ask,
  }))

  return (
    <>
      <ActionsMenu
        ref={actions}
        owner={owner}
        picked={picked}
        maySeeHistory={maySeeHistory}
        onMove={(which) => openMove(which, actionsButton.current!, 'first')}
      />
      {'user' in owner ? (
        <Suspense fallback={null}>
          <MoveToPersonModal
            from={{ id: owner.user, name: ownerName }}
            onMoved={(which) => leave(which, 'move')}
          />
        </Suspense>
      ) : (
        <>
          <Menu<FolderOption>
            ref={folders}
            label="Flyt til mappe"
            search="Søg efter mappe"
            toTheLeft
            route={urls.folderOptions(owner.project)}
            toItem={(folder) => ({
              key: folder.id,
              text: folder.name,
              hint: folder.visible_to_investors ? 'Deles' : sharingText(false, hasAuditor),
              disabled: folder.id === picked?.folder.id,
              onSelect: () => picked && ask(picked, folder),
            })}
          />
          <ShareModal hasAuditor={hasAuditor} onMove={(which) => void move(which)} />
        </>
      )}
      <DeleteFileModal
        owner={owner}
        onDeleted={(which) => leave(which, 'leave')}
        onRestored={comeBack}
        onStale={() => void reload()}
      />
    </>
  )
}

type ActionsProps = {
  ref: Ref<MenuHandle>
  owner: FileOwner
  maySeeHistory: boolean
  picked: Picked | null
  onMove: (picked: Picked) => void
}

/** The menu of one file. A project's file moves to another folder, a person's file to another person. */
function ActionsMenu({ ref, owner, picked, maySeeHistory, onMove }: ActionsProps) {
  const items: DropdownItem[] = picked
    ? [
        { key: 'download', text: 'Hent', icon: Download, href: fileUrls.download(owner, picked.file.path) },
        {
          key: 'move',
          ...('project' in owner
            ? { text: 'Flyt til mappe', icon: FolderInput }
            : { text: 'Flyt til en anden bruger', icon: Forward }),
          onSelect: () => onMove(picked),
        },
        {
          key: 'replace',
          text: 'Erstat med ny version',
          icon: FilePlus2,
          href: fileUrls.replace(owner, picked.file.id),
        },
        ...(maySeeHistory
          ? [{ key: 'history', text: 'Historik', icon: HistoryIcon, href: urls.fileHistory(picked.file.id) }]
          : []),
        {
          key: 'delete',
          text: 'Slet',
          icon: Trash2,
          danger: true,
          onSelect: () => modals.open('delete', picked),
        },
      ]
    : []
  return <Menu ref={ref} label="Handlinger" toTheLeft items={items} />
}
