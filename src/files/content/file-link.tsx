import type { FileOwner } from '../../access/reader.ts'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { fileUrls } from '../../urls.ts'
import { whenFollowed } from './use-read-files.ts'
import type { StoredFile } from '../file/stored-file.ts'

type Props = {
  owner: FileOwner
  file: Pick<StoredFile, 'id' | 'path' | 'name'>
  /** Opens this version instead of the one that the file shows. */
  version?: number | null
  className?: string
  onRead?: (file: number) => void
}

/** A link with the file's name, which opens the file in a new tab: S2.2. */
export function FileLink({ owner, file, version = null, className = '', onRead }: Props) {
  return (
    <a
      href={version === null ? fileUrls.open(owner, file.path) : fileUrls.openVersion(owner, version)}
      {...IN_NEW_TAB}
      {...(onRead && whenFollowed(() => onRead(file.id)))}
      className={`min-w-0 flex-1 wrap-anywhere hover:text-accent hover:underline pointer-coarse:py-3 ${className}`}
    >
      {file.name}
    </a>
  )
}
