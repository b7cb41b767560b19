import { Download, FileUp, FolderCog, FolderInput, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { writeListQuery, type ListQuery } from '../base/list-query.ts'
import { FIRST_PAGE, type Page } from '../base/pagination.ts'
import { SeenForm } from '../projects/seen-form.tsx'
import { newsLeft } from '../projects/news.ts'
import type { Project } from '../projects/project.ts'
import { may } from '../rights.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { useFrame } from '../ui/frame.ts'
import { IconSprite } from '../ui/icon-sprite.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Menu, type MenuHandle } from '../ui/menu.tsx'
import { modals } from '../ui/modals.ts'
import { NothingFound } from '../ui/nothing-found.tsx'
import { ListPager } from '../ui/list-pager.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { Shell } from '../ui/shell.tsx'
import { useList } from '../ui/use-list.ts'
import { fileUrls, folderAnchor, urls } from '../urls.ts'
import { DeleteFileModal } from './delete-file-modal.tsx'
import { focusAfter, focusWhenThere } from './focus-after.ts'
import { ROW_ICONS } from './file-row.tsx'
import { FolderMenu, FolderNav } from './folder-nav.tsx'
import { FolderSection } from './folder-section.tsx'
import { ShareModal } from './share-modal.tsx'
import type { FolderLink, FolderOption, FolderSection as Folder, StoredFile } from './stored-file.ts'
import { FilesScreenProvider, type FilesScreen, type Picked } from './use-files-screen.ts'
import { useMoveFile } from './use-move-file.ts'

export type FilesPageProps = {
  project: Project
  query: ListQuery
  page: Page<Folder> & { folders: FolderLink[]; until: string | null }
  /** The folder of which all files are shown, and some of them. */
  opened: { folder: number; files: Page<StoredFile> } | null
}

const NO_SORTS: string[] = []
const NONE: ReadonlySet<number> = new Set()

/** A project's files: one section for each folder. */
export function FilesPage({ project, query: atFirst, page, opened }: FilesPageProps) {
  const { user, timeZone, path } = useFrame()
  const mayChange = may(user!.role, 'changeFiles')
  const list = useList({ route: urls.listFolders(project.id), columns: NO_SORTS, page, query: atFirst })
  const { answer, query } = list.shown
  const [said, setSaid] = useState('')
  const [gone, setGone] = useState<ReadonlySet<number>>(NONE)
  const [open] = useState(() => new Set<number>(opened ? [opened.folder] : []))
  const [picked, setPicked] = useState<Picked | null>(null)
  const actions = useRef<MenuHandle>(null)
  const folders = useRef<MenuHandle>(null)
  const actionsButton = useRef<HTMLElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const { reload } = list
  const { ask, move, moving } = useMoveFile(project.id, reload)
  const { read, newsIn, onRead } = useNews(answer)
  const owner = useMemo(() => ({ project: project.id }), [project.id])

  const openFolders = useCallback<FilesScreen['openFolders']>((which, button, start) => {
    setPicked(which)
    folders.current!.openAt(button, start)
  }, [])
  const openActions = useCallback<FilesScreen['openActions']>((which, button, start) => {
    setPicked(which)
    actionsButton.current = button
    actions.current!.openAt(button, start)
  }, [])
  const latestAsk = useRef(ask)
  useEffect(() => {
    latestAsk.current = ask
  })
  const moveTo = useCallback<FilesScreen['moveTo']>((which, target) => latestAsk.current(which, target), [])
  const screen = useMemo<FilesScreen>(
    () => ({
      owner,
      timeZone,
      mayChange,
      moving,
      gone,
      read,
      onRead,
      open,
      q: query.q,
      openActions,
      openFolders,
      moveTo,
      say: setSaid,
    }),
    [owner, timeZone, mayChange, moving, gone, read, onRead, open, query.q, openActions, openFolders, moveTo],
  )

  const links = answer.folders.map((folder) => ({ ...folder, new_count: newsIn(folder) }))
  const hasNews = links.some((folder) => folder.new_count > 0)
  const hrefOf = (change: Partial<ListQuery>) => path + writeListQuery({ ...query, ...change })
  const folderHref = (folder: FolderLink) => `${hrefOf({ page: folder.page })}#${folderAnchor(folder.id)}`
  useAnchor(answer.folders, folderHref)

  return (
    <Shell
      title={project.name}
      above={`Projekt ${project.number}`}
      crumbs={[{ text: 'Projekter', href: urls.projects }]}
      actions={
        mayChange ? (
          <span className="flex flex-wrap gap-3">
            {may(user!.role, 'editProjects') && (
              <LinkButton kind="secondary" href={urls.projectFolders(project.id)} icon={FolderCog}>
                Rediger mapper
              </LinkButton>
            )}
            <LinkButton kind="secondary" href={urls.trash(project.id)} icon={Trash2}>
              Papirkurv
            </LinkButton>
            <LinkButton href={urls.uploadToProject(project.id)} icon={FileUp}>
              Upload filer
            </LinkButton>
          </span>
        ) : (
          hasNews && <SeenForm action={urls.projectSeen(project.id)} until={answer.until!} />
        )
      }
    >
      <IconSprite icons={ROW_ICONS} />
      <FilesScreenProvider value={screen}>
        <div ref={top} className="@container grid gap-4">
          <form
            action={path}
            onSubmit={(event) => event.preventDefault()}
            className="flex flex-wrap items-center gap-3"
          >
            <SearchBox
              label="Søg i projektets filer og mapper"
              text={list.text}
              onType={list.type}
              onSearch={list.search}
            />
            <FolderMenu folders={links} hrefOf={folderHref} />
          </form>
          {mayChange && (
            <noscript>
              <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
                Slå JavaScript til i din browser for at ændre rækkefølgen på filer, flytte dem og slette dem.
              </p>
            </noscript>
          )}
          {list.hasFailed && (
            <div className="sticky top-4 z-20">
              <ErrorState message="Listen kunne ikke hentes." onRetry={list.retry} />
            </div>
          )}
          {mayChange && query.q !== '' && (
            <p className="text-meta text-muted">Rækkefølgen kan ikke ændres, mens du søger.</p>
          )}
          <div className="grid items-start gap-6 @4xl:grid-cols-[minmax(0,1fr)_200px]">
            <div
              aria-busy={list.isBusy || undefined}
              className={`relative grid gap-4 @container ${list.isBusy ? 'opacity-70 transition-opacity delay-200' : ''}`}
            >
              {list.isBusy && <span className="busy-bar" />}
              {list.rows.map((folder) => (
                <FolderSection
                  key={`${folder.id} ${query.q}`}
                  project={project.id}
                  folder={folder}
                  query={query}
                  news={newsIn(folder)}
                  opened={answer === page && opened?.folder === folder.id ? opened.files : null}
                />
              ))}
              {list.rows.length === 0 && (
                <div className="rounded-card border border-line bg-surface px-4 py-6 text-muted">
                  <NothingFound
                    clearHref={query.q === '' ? null : hrefOf({ q: '', page: FIRST_PAGE })}
                    onClear={() => list.search('')}
                  />
                </div>
              )}
              <ListPager list={{ ...list, query }} top={top} />
            </div>
            {links.length > 0 && <FolderNav folders={links} hrefOf={folderHref} />}
          </div>
        </div>
      </FilesScreenProvider>
      <output className="sr-only">{said}</output>
      {mayChange && (
        <>
          <Menu
            ref={actions}
            label="Handlinger"
            toTheLeft
            items={
              picked
                ? [
                    {
                      key: 'download',
                      text: 'Hent',
                      icon: Download,
                      href: fileUrls.download(owner, picked.file.path),
                    },
                    {
                      key: 'move',
                      text: 'Flyt til mappe',
                      icon: FolderInput,
                      onSelect: () => folders.current!.openAt(actionsButton.current!),
                    },
                    {
                      key: 'delete',
                      text: 'Slet',
                      icon: Trash2,
                      danger: true,
                      onSelect: () => modals.open('delete', picked),
                    },
                  ]
                : []
            }
          />
          <Menu<FolderOption>
            ref={folders}
            label="Flyt til mappe"
            search="Søg efter mappe"
            toTheLeft
            route={urls.folderOptions(project.id)}
            toItem={(folder) => ({
              key: folder.id,
              text: folder.name,
              hint: folder.visible_to_investors ? 'Deles' : 'Kun kontoret',
              disabled: folder.id === picked?.folder.id,
              onSelect: () => picked && ask(picked, folder),
            })}
          />
          <ShareModal onMove={(which) => void move(which)} />
          <DeleteFileModal
            owner={owner}
            onDeleted={(which) => {
              focusAfter(which.file.id)
              setGone((now) => new Set([...now, which.file.id]))
              void reload()
            }}
            onRestored={({ file }) => {
              setGone((now) => new Set([...now].filter((id) => id !== file.id)))
              focusWhenThere(file.id)
              void reload()
            }}
            onStale={() => void reload()}
          />
        </>
      )}
    </Shell>
  )
}

/** What has been read here is no longer new, before the list says so itself. */
function useNews(answer: FilesPageProps['page']) {
  const [reads, setReads] = useState<readonly { file: number; folder: number; since: object }[]>([])
  const read = useMemo(() => new Set(reads.map(({ file }) => file)), [reads])
  const latest = useRef(answer)
  useEffect(() => {
    latest.current = answer
  })
  const onRead = useCallback<FilesScreen['onRead']>(
    ({ file, folder }) =>
      setReads((now) =>
        now.some((each) => each.file === file.id)
          ? now
          : [...now, { file: file.id, folder: folder.id, since: latest.current }],
      ),
    [],
  )
  return {
    read,
    onRead,
    newsIn: ({ id, new_count: count }: Pick<FolderLink, 'id' | 'new_count'>) =>
      newsLeft(count, reads.filter(({ folder, since }) => folder === id && since === answer).length),
  }
}

/** S2.5: where the address says, once all is in place; also when that is on another page of the list. */
function useAnchor(folders: readonly FolderLink[], hrefOf: (folder: FolderLink) => string): void {
  const land = useEffectEvent(() => {
    const folder = folders.find(({ id }) => `#${folderAnchor(id)}` === location.hash)
    const section = folder && document.getElementById(folderAnchor(folder.id))
    if (section) section.scrollIntoView()
    else if (folder) location.replace(hrefOf(folder))
  })
  useEffect(() => land(), [])
}
