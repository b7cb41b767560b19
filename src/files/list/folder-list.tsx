import { FrameProvider, useFrame } from '../../ui/basic/frame.ts'
import { usePieces } from '../../ui/basic/pieces.ts'
import { writeFolders } from './folder-copies.tsx'
import { FolderSection, type FolderSectionProps } from './folder-section.tsx'
import { FilesScreenProvider, useFilesScreen } from '../screen/use-files-screen.ts'
import type { FolderSection as Folder, ListedFile } from '../file/stored-file.ts'
import type { ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'

/** The folder that shows all its files, and one page of them. */
export type OpenedFolder = { folder: number; files: Page<ListedFile> }

type Props = {
  folders: readonly Folder[]
  query: ListQuery
  newsIn: (folder: Folder) => number
  opened: OpenedFolder | null
  by: FolderSectionProps['by']
}

/** Shows a section for each folder. */
export function FolderList({ folders, query, newsIn, opened, by }: Props) {
  const frame = useFrame()
  const screen = useFilesScreen()
  const pieces = usePieces()
  const sections = folders.map((folder) => ({
    folder,
    query,
    news: newsIn(folder),
    opened: opened?.folder === folder.id ? opened.files : null,
    by,
  }))
  if (!import.meta.env.SSR || !pieces)
    return (
      <div className="contents">
        {sections.map((section) => (
          <FolderSection key={`${section.folder.id} ${query.q}`} {...section} />
        ))}
      </div>
    )
  const html = pieces.addHtml((draw) =>
    writeFolders(sections, frame, screen, (part, around) =>
      draw(
        <FrameProvider value={frame}>
          <FilesScreenProvider value={around ?? screen}>{part}</FilesScreenProvider>
        </FrameProvider>,
      ),
    ),
  )
  return <div className="contents" dangerouslySetInnerHTML={{ __html: html }} />
}
