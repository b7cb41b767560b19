import { useRef, type RefObject } from 'react'
import { useDropArea } from '../../ui/drag/use-drop-area.ts'
import { SHOWN_FILES, type FolderSection } from '../file/stored-file.ts'
import { indexOf } from '../screen/file-pages.ts'
import { useFilesScreen, type Picked } from '../screen/use-files-screen.ts'
import type { useFolderFiles } from '../screen/use-folder-files.ts'

/** Makes an element accept files of other folders than its own. Returns whether one is over it. */
export function useFolderDrop(area: RefObject<HTMLElement | null>, folder: Picked['folder']): boolean {
  const { mayChange, moveTo } = useFilesScreen()
  const { isOver } = useDropArea<Picked>(
    area,
    mayChange
      ? {
          accepts: (picked) => picked.folder.id !== folder.id,
          onDrop: (picked) => moveTo(picked, folder),
        }
      : undefined,
  )
  return isOver
}

/** Makes a folder accept files of other folders, and its header and footer the folder's own files. */
export function useFolderDrops(
  folder: FolderSection,
  { known, isOpen }: Pick<ReturnType<typeof useFolderFiles>, 'known' | 'isOpen'>,
  onMove: (from: number, to: number) => void,
) {
  const { mayChange, q } = useFilesScreen()
  const area = useRef<HTMLElement>(null)
  const isOver = useFolderDrop(area, folder)
  const maySort = mayChange && q === ''
  // The header and the footer take files too, because users drag past the first and the last row.
  const first = useRef<HTMLElement>(null)
  const last = useRef<HTMLParagraphElement>(null)
  const own = (placeOf: () => number) =>
    maySort
      ? {
          accepts: (picked: Picked) => picked.folder.id === folder.id,
          onDrop(picked: Picked) {
            const from = indexOf(known, picked.file.id)
            if (from >= 0 && from !== placeOf()) onMove(from, placeOf())
          },
        }
      : undefined
  const isOverFirst = useDropArea<Picked>(
    first,
    own(() => 0),
  ).isOver
  const isOverLast = useDropArea<Picked>(
    last,
    own(() => (isOpen ? known.total : SHOWN_FILES) - 1),
  ).isOver
  return { area, first, last, isOver, isOverFirst, isOverLast }
}
