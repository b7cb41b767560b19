import { createContext, use } from 'react'
import type { FileOwner } from '../../access/reader.ts'
import type { MenuStart } from '../../ui/menu/use-menu-opener.ts'
import type { FolderSection, ListedFile } from '../file/stored-file.ts'
import type { FolderSort } from '../file/sorts.ts'
import type { useFolderFiles } from './use-folder-files.ts'

/** A file and its folder. */
export type Picked = { file: ListedFile; folder: Pick<FolderSection, 'id' | 'name' | 'visible_to_investors'> }

/** A folder on the page, with its files as far as they are known. */
export type ShownFolder = {
  folder: FolderSection
  files: Pick<ReturnType<typeof useFolderFiles>, 'known' | 'isOpen' | 'ensure' | 'hold'>
}

/** The state that all parts of the file list share. */
export type FilesScreen = {
  owner: FileOwner
  /** Says who sees the files, if they belong to a person. */
  seenBy: string
  /** The project's number, which the names of its files contain. Empty if the files belong to a person. */
  number: string
  /** Whether the project has an auditor, who reads the files too. */
  hasAuditor: boolean
  /** Whether the project's accounting years are written '2024/25'. */
  crossesNewYear: boolean
  mayChange: boolean
  maySeeHistory: boolean
  /** The files that are being moved to another folder. */
  moving: ReadonlySet<number>
  /** Files that have just left the list, hidden until it is fetched again. */
  gone: ReadonlySet<number>
  /** Files that were opened or downloaded here, and so are no longer new. */
  read: ReadonlySet<number>
  onRead: (picked: Picked) => void
  /** The folders that show all their files. */
  open: Set<number>
  /** The folders on the page. Each keeps its own entry up to date. */
  sections: Map<number, ShownFolder>
  /** The text that the list was searched for. During a search the order cannot be changed. */
  q: string
  /** The file that is shown in the panel beside the list. */
  looked: number | null
  /** Shows a file in the panel. A second press on the same file closes it. */
  openLook: (picked: Picked) => void
  /** Opens the menu of a file, or of all that is selected if the file is. */
  openActions: (picked: Picked, button: HTMLElement, start: MenuStart) => void
  openFolderActions: (folder: Picked['folder'], button: HTMLElement, start: MenuStart) => void
  /** Asks which folder or person to move the files to. */
  openMove: (files: readonly Picked[], button: HTMLElement, start: MenuStart) => void
  /** Asks whether to delete the files. */
  openDelete: (files: readonly Picked[]) => void
  openRename: (picked: Picked) => void
  /** Asks for a file's period. `after` gets the file with its new one. */
  openPeriod: (picked: Picked, after?: (file: ListedFile) => void) => void
  /**
   * Moves a dragged file to another folder, with all selected files if it is one of them. Asks first if that shows it
   * to investors.
   */
  moveTo: (picked: Picked, target: Picked['folder']) => void
  /** Moves the files to the top or the bottom of their folders. */
  place: (files: readonly Picked[], to: 'top' | 'bottom') => void
  /** Sorts a folder once. */
  sort: (folder: Picked['folder'], by: FolderSort) => void
  /** Announces a text to screen readers. */
  say: (text: string) => void
}

const Context = createContext<FilesScreen | null>(null)

export const FilesScreenProvider = Context.Provider

export function useFilesScreen(): FilesScreen {
  return use(Context)!
}
