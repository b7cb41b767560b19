import { useEffect } from 'react'
import { useFilesScreen } from '../list/use-files-screen.ts'
import type { FolderSection } from '../stored-file.ts'
import type { WalkedFolder } from './walk.ts'

/** Lets the panel walk through the files of a folder on the page. */
export function useWalked({ id, new_files: news }: FolderSection, files: Omit<WalkedFolder, 'news'>): void {
  const { walks } = useFilesScreen()
  useEffect(() => {
    walks.set(id, { known: files.known, ensure: files.ensure, news })
    return () => void walks.delete(id)
  })
}
