import { useMemo, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { IconSprite } from '../../ui/icon/icon-sprite.tsx'
import { useUnchanged } from '../../ui/basic/use-unchanged.ts'
import { makeLate } from '../../ui/overlay/late.ts'
import { useLate } from '../../ui/overlay/use-late.ts'
import type { LookHandle, LookPanelProps } from '../look/look-panel.tsx'
import type { FileMenusHandle, FileMenusProps } from './file-menus.tsx'
import type { OpenedFolder } from './folder-list.tsx'
import { ROW_ICONS } from './row-icons.tsx'
import type { SelectingHandle, SelectingProps } from '../select/selecting.tsx'
import { FilesScreenProvider, type FilesScreen } from '../screen/use-files-screen.ts'

const fileMenus = makeLate(() => import('./file-menus.tsx').then((file) => file.FileMenus))
const selecting = makeLate(() => import('../select/selecting.tsx').then((file) => file.Selecting))
const lookPanel = makeLate(() => import('../look/look-panel.tsx').then((file) => file.LookPanel))

/** Whose files the list shows. */
export type ListedPlace = {
  owner: FileOwner
  /** Says who sees the files, if they belong to a person. */
  seenBy?: string
  /** The project's number. */
  number?: string
  /** The numbers that names of these files may contain: the project's, or the person's. */
  numbers?: readonly string[]
  /** Whether the project has an auditor, who reads the files too. */
  hasAuditor?: boolean
  /** Whether the project's accounting years are written '2024/25'. */
  crossesNewYear?: boolean
}

type Props = ListedPlace & {
  /** The text that the list was searched for. */
  q: string
  /** The folder that shows all its files at first. */
  opened: OpenedFolder | null
  reload: () => Promise<void>
  /** The files that were opened or downloaded here. */
  read: FilesScreen['read']
  onRead: FilesScreen['onRead']
  children: ReactNode
}

/** Adds the actions on files to the list inside it: moving, deleting and restoring, with their menus and dialogs. */
export function FileActions(props: Props) {
  const {
    owner: whose,
    seenBy = '',
    number = '',
    numbers = number === '' ? [] : [number],
    hasAuditor = false,
    crossesNewYear = false,
    q,
    opened,
    reload,
    read,
    onRead,
    children,
  } = props
  const { user } = useFrame()
  const mayChange = may(user!.role, 'changeFiles')
  const maySeeHistory = may(user!.role, 'seeFileHistory')
  const [announcement, setAnnouncement] = useState('')
  const [gone, setGone] = useState(NONE)
  const [moving, setMoving] = useState(NONE)
  const [open] = useState(() => new Set<number>(opened ? [opened.folder] : []))
  const [sections] = useState<FilesScreen['sections']>(() => new Map())
  const project = 'project' in whose ? whose.project : null
  const person = 'user' in whose ? whose.user : null
  const owner = useMemo<FileOwner>(
    () => (project === null ? { user: person! } : { project }),
    [project, person],
  )
  const { Part: Menus, ref, call } = useLate<FileMenusProps, FileMenusHandle>(fileMenus, mayChange)
  const {
    Part: Selecting,
    ref: selectingRef,
    call: select,
  } = useLate<SelectingProps, SelectingHandle>(selecting, true, EVERY_PRESS)
  const [looked, setLooked] = useState<number | null>(null)
  const { Part: Look, ref: lookRef, call: callLook } = useLate<LookPanelProps, LookHandle>(lookPanel, true)
  const acts = useMemo<FileMenusHandle & LookHandle & Pick<SelectingHandle, 'openFolderActions'>>(
    () => ({
      openLook: (picked) => callLook((panel) => panel.openLook(picked)),
      openActions: (...about) => call((menus) => menus.openActions(...about)),
      openMove: (...about) => call((menus) => menus.openMove(...about)),
      openDelete: (...about) => call((menus) => menus.openDelete(...about)),
      openRename: (...about) => call((menus) => menus.openRename(...about)),
      openPeriod: (...about) => call((menus) => menus.openPeriod(...about)),
      place: (...about) => call((menus) => menus.place(...about)),
      sort: (...about) => call((menus) => menus.sort(...about)),
      openFolderActions: (...about) => select((on) => on.openFolderActions(...about)),
      moveTo: (...about) => call((menus) => menus.moveTo(...about)),
    }),
    [call, callLook, select],
  )
  const shared = { owner, seenBy, hasAuditor, crossesNewYear, maySeeHistory, q }
  const screen = useUnchanged<FilesScreen>({
    ...shared,
    ...acts,
    number,
    mayChange,
    looked,
    moving,
    gone,
    read,
    onRead,
    open,
    sections,
    say: setAnnouncement,
  })

  return (
    <>
      <IconSprite id="icons" icons={import.meta.env.SSR ? ROW_ICONS : null} />
      <FilesScreenProvider value={screen}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the clicks and keys of every row inside it */}
        <div
          className="contents"
          onClick={(event) => isForRow(event) && select((on) => on.onClick(event))}
          onKeyDown={(event) => isForRow(event) && select((on) => on.onKey(event))}
        >
          {children}
          {Selecting && <Selecting ref={selectingRef} />}
        </div>
      </FilesScreenProvider>
      <output className="sr-only">{announcement}</output>
      {Look && <Look ref={lookRef} screen={screen} setLooked={setLooked} />}
      {Menus && (
        <Menus
          ref={ref}
          {...shared}
          numbers={numbers}
          reload={reload}
          setMoving={setMoving}
          setGone={setGone}
        />
      )}
    </>
  )
}

const NONE: ReadonlySet<number> = new Set()
const EVERY_PRESS = { keepsAll: true }

/** Whether the event needs the code for selecting: a click that selects, or a key in a row. Tab and Enter do not. */
function isForRow(event: MouseEvent | KeyboardEvent): boolean {
  const { target, shiftKey, ctrlKey, metaKey } = event
  if (!(target instanceof Element) || !target.closest('[data-file]')) return false
  if ('key' in event) return event.key !== 'Tab' && event.key !== 'Enter'
  return shiftKey || ctrlKey || metaKey || target.matches('[type=checkbox]')
}
