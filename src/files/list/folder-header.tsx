import type { Ref } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { countFiles } from '../../projects/folder.ts'
import { NewsMark } from '../../projects/news/news-mark.tsx'
import { sharingText } from '../../projects/sharing.tsx'
import { may, seesSharedFoldersOnly } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { SpriteIcon } from '../../ui/icon/icon-sprite.tsx'
import { MenuButton } from '../../ui/menu/menu-button.tsx'
import { folderAnchor, urls } from '../../urls.ts'
import type { FolderSection } from '../file/stored-file.ts'
import { useFilesScreen } from '../screen/use-files-screen.ts'

type Props = {
  ref: Ref<HTMLElement>
  folder: FolderSection
  /** How many of the folder's files are new. */
  news: number
  total: number
  /** Whether a file is dragged over it. */
  isOver: boolean
  /** Whether it has its menu, which needs a script. */
  isScripted: boolean
}

/** Shows a folder's name, the link to upload into it, and its facts: all there is of a folder without files. */
export function FolderHeader({ ref, folder, news, total, isOver, isScripted }: Props) {
  const { role } = useFrame().user!
  const { owner, mayChange, openFolderActions } = useFilesScreen()
  const project = 'project' in owner ? owner.project : null
  const anchor = folderAnchor(folder.id)
  const isEmpty = total === 0
  return (
    <header
      ref={ref}
      className={`flex flex-wrap items-center gap-y-1 px-4 ${isEmpty ? 'gap-x-2 py-1.5' : 'gap-x-3 py-3'} ${isOver ? 'drop-line-above' : ''}`}
    >
      <h2
        id={`${anchor}-name`}
        className={`min-w-0 wrap-anywhere ${isEmpty ? 'font-medium' : 'text-section font-semibold'}`}
      >
        {project === null ? 'Egne filer' : folder.name}
      </h2>
      {project !== null && may(role, 'changeFiles') && (
        <a
          href={urls.uploadTo(project, folder.id)}
          aria-describedby={`${anchor}-name`}
          className="inline-flex items-center gap-1.5 rounded-control text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          <SpriteIcon name="upload" />
          Upload
        </a>
      )}
      {(!isEmpty || (mayChange && project !== null)) && (
        <span className={`folder-acts ${isEmpty ? '@max-2xl:hidden' : ''}`}>
          {isScripted && (
            <MenuButton
              label={`Handlinger for ${project === null ? 'alle filerne' : `mappen ${folder.name}`}`}
              icon="more"
              aria-haspopup="menu"
              onOpen={(button, start) => openFolderActions(folder, button, start)}
            />
          )}
        </span>
      )}
      <FolderFacts {...{ folder, news, total }} />
    </header>
  )
}

/** How many files are in a folder, and who sees them. */
function FolderFacts({ folder, news, total }: Pick<Props, 'folder' | 'news' | 'total'>) {
  const { role } = useFrame().user!
  const { owner, seenBy, hasAuditor, q } = useFilesScreen()
  const isEmpty = total === 0
  const many = q === '' ? countFiles(total) : `${formatCount(total)} fundet`
  return (
    <p
      className={`ml-auto flex flex-wrap items-center gap-x-4 text-meta text-muted ${isEmpty ? '' : '@max-2xl:w-full'}`}
    >
      <NewsMark count={news} />
      <span className="tabular-nums">{isEmpty ? 'Ingen filer' : many}</span>
      {seesSharedFoldersOnly(role) ? null : 'user' in owner ? (
        <span>{seenBy}</span>
      ) : (
        <span className={`flex items-center gap-1.5 whitespace-nowrap ${isEmpty ? '@max-2xl:sr-only' : ''}`}>
          <SpriteIcon name={folder.visible_to_investors ? 'shared' : 'hidden'} />
          {sharingText(folder.visible_to_investors, hasAuditor)}
        </span>
      )}
    </p>
  )
}
