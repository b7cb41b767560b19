import { createContext, use } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import type { MenuStart } from '../../ui/overlay/menu.tsx'
import type { FolderSection, StoredFile } from '../stored-file.ts'

/** A file, and the folder it lies in. */
export type Picked = { file: StoredFile; folder: Pick<FolderSection, 'id' | 'name' | 'visible_to_investors'> }

/** What everything in the file list shares. */
export type FilesScreen = {
  owner: FileOwner
  /** Whom they belong to, when it is a person. */
  ownerName: string
  /** Whether an auditor reads them too, when it is a project. */
  hasAuditor: boolean
  mayChange: boolean
  /** Who has done what with a file. */
  maySeeHistory: boolean
  /** A file that is on its way to another folder. */
  moving: number | null
  /** Deleted here just now, while the list is fetched again. */
  gone: ReadonlySet<number>
  /** Opened or downloaded here: no longer new. */
  read: ReadonlySet<number>
  onRead: (picked: Picked) => void
  /** The folders of which all files are shown. */
  open: Set<number>
  /** What the list was searched for: then its order cannot be changed. */
  q: string
  openActions: (picked: Picked, button: HTMLElement, start: MenuStart) => void
  /** Asks where it is to go: to another folder, or another person. */
  openMove: (picked: Picked, button: HTMLElement, start: MenuStart) => void
  /** Moves a file to another folder, once it has been asked where that shares it. */
  moveTo: (picked: Picked, target: Picked['folder']) => void
  /** Says something to who cannot see it. */
  say: (text: string) => void
}

const Context = createContext<FilesScreen | null>(null)

export const FilesScreenProvider = Context.Provider

export function useFilesScreen(): FilesScreen {
  return use(Context)!
}
