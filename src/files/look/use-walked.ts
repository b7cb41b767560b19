import { useEffect } from 'react'
import { A_PAGE, fileAt, indexOf, type FilePages } from '../list/file-pages.ts'
import { useFilesScreen } from '../list/use-files-screen.ts'
import type { FolderSection } from '../stored-file.ts'

type Files = { known: FilePages; ensure: (pages: number[]) => Promise<FilePages | null> }

/** Lets the panel, which comes late, walk through the files of a folder on the page. */
export function useWalked({ id, new_files: news }: FolderSection, { known, ensure }: Files): void {
  const { walks } = useFilesScreen()
  useEffect(() => {
    const fetchAt = (index: number) => ensure([Math.floor(index / A_PAGE)])
    walks.set(id, { known, news, fetchAt, fileAt, indexOf })
    return () => void walks.delete(id)
  })
}
