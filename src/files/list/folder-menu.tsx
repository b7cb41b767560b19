import { FolderOpen } from 'lucide-react'
import { newsText } from '../../projects/news/news.ts'
import { Dropdown } from '../../ui/menu/dropdown.tsx'
import type { FolderNavProps } from './folder-nav.tsx'

/** Shows the folders of the project as a menu on narrow screens. */
export function FolderMenu({ folders, hrefOf }: FolderNavProps) {
  return (
    <div className="@4xl:hidden">
      <Dropdown
        label="Gå til mappe"
        icon={FolderOpen}
        iconOnly
        items={folders.map((folder) => ({
          key: folder.id,
          text: folder.name,
          hint: folder.new_count > 0 ? newsText(folder.new_count) : String(folder.files_count),
          href: hrefOf(folder),
        }))}
      />
    </div>
  )
}
