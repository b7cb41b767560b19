import { FolderOpen } from 'lucide-react'
import { Dropdown } from '../ui/dropdown.tsx'
import type { FolderLink } from './stored-file.ts'

type Props = {
  folders: readonly FolderLink[]
  hrefOf: (folder: FolderLink) => string
}

/** Every folder of the project, in view while one scrolls; where there is no room beside the list, a menu. */
export function FolderNav({ folders, hrefOf }: Props) {
  return (
    <nav
      aria-label="Mapper"
      className="sticky top-4 hidden max-h-[calc(100dvh-32px)] overflow-y-auto @4xl:block"
    >
      <h2 className="px-3 pb-1 text-meta font-medium text-muted">Mapper</h2>
      <ul>
        {folders.map((folder) => (
          <li key={folder.id}>
            <a
              href={hrefOf(folder)}
              className="flex min-h-8 items-center justify-between gap-2 rounded-control px-3 py-1 -outline-offset-2 hover:bg-hover pointer-coarse:min-h-11"
            >
              <span className="min-w-0 wrap-anywhere">{folder.name}</span>
              <span className="text-meta text-muted tabular-nums">{folder.files_count}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The same where there is no room for it. */
export function FolderMenu({ folders, hrefOf }: Props) {
  return (
    <span className="@4xl:hidden">
      <Dropdown
        label="Gå til mappe"
        icon={FolderOpen}
        items={folders.map((folder) => ({
          key: folder.id,
          text: folder.name,
          hint: String(folder.files_count),
          href: hrefOf(folder),
        }))}
      />
    </span>
  )
}
