import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { writeListQuery, type ListQuery } from '../../base/list-query.ts'
import { FIRST_PAGE, type Page } from '../../base/pagination.ts'
import { may } from '../../rights.ts'
import { ListFault } from '../../ui/list/list-fault.tsx'
import { useFrame } from '../../ui/basic/frame.ts'
import { NothingFound } from '../../ui/list/nothing-found.tsx'
import { makeLateDrawn } from '../../ui/overlay/late-drawn.tsx'
import { useList } from '../../ui/list/use-list.ts'
import { useLive } from '../../ui/live/use-live.ts'
import { changesOf, folderAnchor, urls } from '../../urls.ts'
import { FileActions, type ListedPlace } from './file-actions.tsx'
import { FolderList, type OpenedFolder } from './folder-list.tsx'
import { ListBar } from './list-bar.tsx'
import { useNews } from './use-news.ts'
import type { FolderLink, FolderSection as Folder } from '../file/stored-file.ts'

export type FileListingProps = {
  query: ListQuery
  page: Page<Folder> & { folders: FolderLink[]; until: string | null }
  opened: OpenedFolder | null
}

type Props = FileListingProps &
  ListedPlace & {
    /** The label of the search field. */
    search: string
    /** Shown beside the search field. */
    beside: ReactNode
    /** Shown beside the folders of a project, and below them where there is no room. */
    facts?: ReactNode
  }

const NO_SORTS: string[] = []

const FolderNav = makeLateDrawn(() => import('./folder-nav.tsx').then((file) => file.FolderNav))
const ListPager = makeLateDrawn(() => import('../../ui/list/list-pager.tsx').then((file) => file.ListPager))
const FolderMenu = makeLateDrawn(() => import('./folder-menu.tsx').then((file) => file.FolderMenu))
const NewFiles = makeLateDrawn(() => import('./new-files.tsx').then((file) => file.NewFiles))

/** Shows one section for each folder of a project, or for a person's only folder. */
export function FileListing({ query: atFirst, page, opened, search, beside, facts, ...place }: Props) {
  const { owner } = place
  const { user, path } = useFrame()
  const mayChange = may(user!.role, 'changeFiles')
  const ofProject = 'project' in owner
  const [route, subject] = ofProject
    ? [urls.listFolders(owner.project), `project:${owner.project}` as const]
    : [urls.listUserFolders(owner.user), `user:${owner.user}` as const]
  const list = useList({ route, columns: NO_SORTS, page, query: atFirst })
  const { answer, query, by } = list.shown
  useLive(changesOf(subject), list.refresh)
  const { read, onRead, newsIn } = useNews(answer)
  const hasNews = query.q === '' && answer.folders.some(({ new_count: count }) => count > 0)
  const links = answer.folders.map((folder) => ({ ...folder, new_count: newsIn(folder) }))
  const top = useRef<HTMLDivElement>(null)

  const hrefOf = (change: Partial<ListQuery>) => path + writeListQuery({ ...query, ...change })
  const folderHref = (folder: FolderLink) => `${hrefOf({ page: folder.page })}#${folderAnchor(folder.id)}`
  useAnchor(answer.folders, folderHref)

  return (
    <FileActions {...place} q={query.q} opened={opened} reload={list.reload} read={read} onRead={onRead}>
      <div ref={top} className="@container grid grid-cols-1 gap-4">
        <ListBar label={search} text={list.text} onType={list.type} onSearch={list.search}>
          {ofProject && <FolderMenu folders={links} hrefOf={folderHref} />}
          <div className="ml-auto flex flex-wrap items-center gap-2">{beside}</div>
        </ListBar>
        {mayChange && (
          <noscript>
            <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
              Slå JavaScript til for at sortere, flytte og slette filer.
            </p>
          </noscript>
        )}
        {list.hasFailed && (
          <div className="sticky top-4 z-20">
            <ListFault list={list} message="Listen kunne ikke hentes." />
          </div>
        )}
        {mayChange && query.q !== '' && (
          <p className="text-meta text-muted">Rækkefølgen kan ikke ændres, mens du søger.</p>
        )}
        <div className={`grid items-start gap-6 ${ofProject ? '@4xl:grid-cols-[minmax(0,1fr)_200px]' : ''}`}>
          <div
            aria-busy={list.isBusy || undefined}
            className={`relative grid grid-cols-1 gap-4 @container ${list.isBusy ? 'opacity-70 transition-opacity delay-200' : ''}`}
          >
            {list.isBusy && <span className="busy-bar" />}
            {ofProject && hasNews && (
              <NewFiles
                {...{ owner, read, onRead }}
                folders={list.rows}
                total={links.reduce((sum, { new_count: count }) => sum + count, 0)}
                action={urls.projectSeen(owner.project)}
                until={answer.until!}
              />
            )}
            <FolderList
              folders={list.rows}
              query={query}
              newsIn={newsIn}
              opened={answer === page ? opened : null}
              by={by}
            />
            {list.rows.length === 0 && (
              <NoFolders
                ofProject={ofProject}
                clearHref={query.q === '' ? null : hrefOf({ q: '', page: FIRST_PAGE })}
                onClear={() => list.search('')}
              />
            )}
            {ofProject && <ListPager list={{ ...list, query }} top={top} />}
          </div>
          {ofProject && (
            <div className="flex flex-col gap-6 self-stretch">
              {facts}
              <FolderNav folders={links} hrefOf={folderHref} />
            </div>
          )}
        </div>
      </div>
    </FileActions>
  )
}

type NoFoldersProps = { ofProject: boolean; clearHref: string | null; onClear: () => void }

/** Shown if a search finds nothing, and before there is anything to list. */
function NoFolders({ ofProject, clearHref, onClear }: NoFoldersProps) {
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-6 text-muted">
      {!ofProject && clearHref === null ? (
        <>
          <h2 className="mb-2 text-section font-semibold text-ink">Egne filer</h2>
          <p>Ingen filer</p>
        </>
      ) : (
        <NothingFound clearHref={clearHref} onClear={onClear} none="Ingen mapper endnu" />
      )}
    </div>
  )
}

/** S2.5: Scrolls to the folder in the address after the page has loaded, also if it is on another page of the list. */
function useAnchor(folders: readonly FolderLink[], hrefOf: (folder: FolderLink) => string): void {
  const land = useEffectEvent(() => {
    const folder = folders.find(({ id }) => `#${folderAnchor(id)}` === location.hash)
    const section = folder && document.getElementById(folderAnchor(folder.id))
    if (section) section.scrollIntoView()
    else if (folder) location.replace(hrefOf(folder))
  })
  useEffect(() => land(), [])
}
