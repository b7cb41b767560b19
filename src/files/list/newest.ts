import type { FolderSection, ListedFile } from '../file/stored-file.ts'

const MOST = 5

/** Returns the newest files of some folders that are new to the reader, newest first. */
export function newestOf<Folder extends Pick<FolderSection, 'files' | 'new_files'>>(
  folders: readonly Folder[],
): { file: ListedFile; folder: Folder }[] {
  return folders
    .flatMap((folder) => [...folder.files, ...folder.new_files].map((file) => ({ file, folder })))
    .filter(({ file }) => file.is_new)
    .toSorted((a, b) => b.file.created_at.localeCompare(a.file.created_at))
    .slice(0, MOST)
}
