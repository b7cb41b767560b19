import { useRef } from 'react'
import { useDropArea } from '../../ui/drag/use-drop-area.ts'
import { SHOWN_FILES, type FolderSection } from '../file/stored-file.ts'
import { indexOf } from '../screen/file-pages.ts'
import { useFilesScreen, type Picked } from '../screen/use-files-screen.ts'
import type { useFolderFiles } from '../screen/use-folder-files.ts'

/** Makes a folder accept files of other folders, and its header and footer the folder's own files. */
export function useFolderDrops(
  folder: FolderSection,
  { known, isOpen }: Pick<ReturnType<typeof useFolderFiles>, 'known' | 'isOpen'>,
  onMove: (from: number, to: number) => void,
) {
  const { mayChange, moveTo, q } = useFilesScreen()
  const area = useRef<HTMLElement>(null)
  const { isOver } = useDropArea<Picked>(
    area,
    mayChange
      ? {
          accepts: (picked) => picked.folder.id !== folder.id,
          onDrop: (picked) => moveTo(picked, folder),
        }
      : undefined,
  )
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
