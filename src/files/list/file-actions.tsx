import { Download, FolderInput, Forward, HistoryIcon, Trash2 } from 'lucide-react'
import {
  lazy,
  startTransition,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { sharingText } from '../../projects/sharing.tsx'
import { may } from '../../rights.ts'
import type { DropdownItem } from '../../ui/overlay/dropdown-parts.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { useUnchanged } from '../../ui/basic/use-unchanged.ts'
import { IconSprite } from '../../ui/basic/icon-sprite.tsx'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { Menu } from '../../ui/overlay/menu.tsx'
import { modals } from '../../ui/overlay/modals.ts'
import type { MenuHandle } from '../../ui/overlay/use-menu-opener.ts'
import { fileUrls, urls } from '../../urls.ts'
import { DeleteFileModal } from '../trash/delete-file-modal.tsx'
import { ROW_ICONS } from './file-row.tsx'
import { ShareModal } from '../change/share-modal.tsx'
import type { FolderOption } from '../stored-file.ts'
import { FilesScreenProvider, type FilesScreen, type Picked } from './use-files-screen.ts'
import { useGoneFiles } from './use-gone-files.ts'
import { useMoveFile } from '../change/use-move-file.ts'

// A project's file list never needs it.
const MoveToPersonModal = lazy(() =>
  import('../change/move-to-person-modal.tsx').then((file) => ({ default: file.MoveToPersonModal })),
)

type Props = {
  owner: FileOwner
  /** The owner's name, if the files belong to a person. */
  ownerName?: string
  /** Whether the project has an auditor, who reads the files too. */
  hasAuditor: boolean
  /** The text that the list was searched for. */
  q: string
  /** The folder that shows all its files at first. */
  opened: number | null
  reload: () => Promise<void>
  /** The files that were opened or downloaded here. */
  read: FilesScreen['read']
  onRead: FilesScreen['onRead']
  children: ReactNode
}

/** Adds the actions on files to the list inside it: moving, deleting and restoring, with their menus and dialogs. */
export function FileActions(props: Props) {
  const { owner: whose, ownerName = '', hasAuditor, q, opened, reload, read, onRead, children } = props
  const { user } = useFrame()
  const mayChange = may(user!.role, 'changeFiles')
  const maySeeHistory = may(user!.role, 'seeFileHistory')
  const [said, setSaid] = useState('')
  const [isScripted, setScripted] = useState(false)
  useEffect(() => startTransition(() => setScripted(true)), [])
  const { gone, leave, comeBack } = useGoneFiles(reload)
  const [open] = useState(() => new Set<number>(opened === null ? [] : [opened]))
  const [picked, setPicked] = useState<Picked | null>(null)
  const actions = useRef<MenuHandle>(null)
  const folders = useRef<MenuHandle>(null)
  const actionsButton = useRef<HTMLElement>(null)
  const project = 'project' in whose ? whose.project : null
  const person = 'user' in whose ? whose.user : null
  const owner = useMemo<FileOwner>(
    () => (project === null ? { user: person! } : { project }),
    [project, person],
  )
  const { ask, move, moving } = useMoveFile(project, reload)

  const openMove = useCallback<FilesScreen['openMove']>(
    (which, button, start) => {
      setPicked(which)
      if (project === null) modals.open('move-to-person', which)
      else folders.current!.openAt(button, start)
    },
    [project],
  )
  const openActions = useCallback<FilesScreen['openActions']>((which, button, start) => {
    setPicked(which)
    actionsButton.current = button
    actions.current!.openAt(button, start)
  }, [])
  const latestAsk = useRef(ask)
  useEffect(() => {
    latestAsk.current = ask
  })
  const moveTo = useCallback<FilesScreen['moveTo']>((which, target) => latestAsk.current(which, target), [])
  const screen = useUnchanged<FilesScreen>({
    owner,
    ownerName,
    hasAuditor,
    mayChange,
    isScripted,
    maySeeHistory,
    moving,
    gone,
    read,
    onRead,
    open,
    q,
    openActions,
    openMove,
    moveTo,
    say: setSaid,
  })

  const isHydrated = useHydrated()

  return (
    <>
      <IconSprite icons={ROW_ICONS} />
      <FilesScreenProvider value={screen}>{children}</FilesScreenProvider>
      <output className="sr-only">{said}</output>
      {mayChange && (
        <>
          <ActionsMenu
            ref={actions}
            owner={owner}
            picked={picked}
            maySeeHistory={maySeeHistory}
            onMove={(which) => openMove(which, actionsButton.current!, 'first')}
          />
          {project === null ? (
            isHydrated && (
              <Suspense fallback={null}>
                <MoveToPersonModal
                  from={{ id: person!, name: ownerName }}
                  onMoved={(which) => leave(which, 'move')}
                />
              </Suspense>
            )
          ) : (
            <>
              <Menu<FolderOption>
                ref={folders}
                label="Flyt til mappe"
                search="Søg efter mappe"
                toTheLeft
                route={urls.folderOptions(project)}
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
      )}
    </>
  )
}

type ActionsProps = Pick<FilesScreen, 'owner' | 'maySeeHistory'> & {
  ref: Ref<MenuHandle>
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
