import { useRef } from 'react'
import { newsText } from '../../projects/news/news.ts'
import type { FolderLink } from '../file/stored-file.ts'
import { useFolderDrop } from './use-folder-drops.ts'

export type FolderNavProps = {
  folders: readonly FolderLink[]
  hrefOf: (folder: FolderLink) => string
}

/** Shows every folder of the project while the user scrolls, to jump to and to drop files on. */
export function FolderNav({ folders, hrefOf }: FolderNavProps) {
  if (folders.length === 0) return null
  return (
    <nav
      aria-label="Mapper"
      className="sticky top-4 hidden max-h-[calc(100dvh-32px)] overflow-y-auto @4xl:block"
    >
      <h2 className="px-3 pb-1 text-meta font-medium text-muted">Mapper</h2>
      <ul>
        {folders.map((folder) => (
          <FolderNavItem key={folder.id} folder={folder} href={hrefOf(folder)} />
        ))}
      </ul>
    </nav>
  )
}

function FolderNavItem({ folder, href }: { folder: FolderLink; href: string }) {
  const item = useRef<HTMLLIElement>(null)
  const isOver = useFolderDrop(item, folder)
  return (
    <li ref={item}>
      <a
        href={href}
        draggable={false}
        className={`flex min-h-8 flex-wrap items-center gap-x-2 rounded-control px-3 py-1 -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11 ${
          isOver ? 'bg-accent-soft' : ''
        }`}
      >
        {/* The numbers wrap below a long name, rather than break a word of it. */}
        <span className="max-w-full wrap-break-word">{folder.name}</span>
        <span className="ml-auto shrink-0 text-meta text-muted tabular-nums">
          {folder.new_count > 0 && (
            <span className="mr-2 font-medium text-accent">{newsText(folder.new_count)}</span>
          )}
          {folder.files_count}
        </span>
      </a>
    </li>
  )
}
