import { createContext, use } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import type { MenuStart } from '../../ui/overlay/use-menu-opener.ts'
import type { WalkedFolder } from '../look/walk.ts'
import type { FolderSection, ListedFile } from '../stored-file.ts'

/** A file and its folder. */
export type Picked = { file: ListedFile; folder: Pick<FolderSection, 'id' | 'name' | 'visible_to_investors'> }

/** The state that all parts of the file list share. */
export type FilesScreen = {
  owner: FileOwner
  /** The owner's name, if the files belong to a person. */
  ownerName: string
  /** Whether the project has an auditor, who reads the files too. */
  hasAuditor: boolean
  mayChange: boolean
  maySeeHistory: boolean
  /** The file that is being moved to another folder. */
  moving: number | null
  /** Files that have just left the list, hidden until it is fetched again. */
  gone: ReadonlySet<number>
  /** Files that were opened or downloaded here, and so are no longer new. */
  read: ReadonlySet<number>
  onRead: (picked: Picked) => void
  /** The folders that show all their files. */
  open: Set<number>
  /** The text that the list was searched for. During a search the order cannot be changed. */
  q: string
  /** The file that is shown in the panel beside the list. */
  looked: number | null
  /** Shows a file in the panel. A second press on the same file closes it. */
  openLook: (picked: Picked) => void
  /** The folders of this page and their files, to walk through in the panel. */
  walks: Map<number, WalkedFolder>
  openActions: (picked: Picked, button: HTMLElement, start: MenuStart) => void
  /** Asks which folder or person to move the file to. */
  openMove: (picked: Picked, button: HTMLElement, start: MenuStart) => void
  /** Asks whether to delete the file. */
  openDelete: (picked: Picked) => void
  /** Moves a file to another folder. Asks first if that shows it to investors. */
  moveTo: (picked: Picked, target: Picked['folder']) => void
  /** Announces a text to screen readers. */
  say: (text: string) => void
}

const Context = createContext<FilesScreen | null>(null)

export const FilesScreenProvider = Context.Provider

export function useFilesScreen(): FilesScreen {
  return use(Context)!
}
