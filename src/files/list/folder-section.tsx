import { Upload } from 'lucide-react'
import { useRef, type MouseEvent } from 'react'
import { formatCount } from '../../base/counts.ts'
import { writeListQuery, type ListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { countFiles } from '../../projects/folder.ts'
import { NewsMark } from '../../projects/news-mark.tsx'
import { Sharing } from '../../projects/sharing.tsx'
import { may, seesSharedFoldersOnly } from '../../rights.ts'
import { dropTarget } from '../../ui/drag/file-drops.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { isPlainClick } from '../../ui/basic/plain-click.ts'
import { useDropArea } from '../../ui/drag/use-drop-area.ts'
import { folderAnchor, urls } from '../../urls.ts'
import { indexOf } from './file-pages.ts'
import { WIDTHS } from './file-row.tsx'
import { FileRows } from './file-rows.tsx'
import { OPEN_FILES, SHOWN_FILES, type FolderSection as Folder, type StoredFile } from '../stored-file.ts'
import { useFileOrder } from '../change/use-file-order.ts'
import { useFilesScreen, type Picked } from './use-files-screen.ts'
import { useFolderFiles } from './use-folder-files.ts'

type Props = {
  folder: Folder
  query: ListQuery
  /** How many of the folder's files are new. */
  news: number
  /** The files that the server sent, if the address opens this folder. */
  opened: Page<StoredFile> | null
}

const COLUMN = 'py-1.5 text-meta font-medium text-muted'

/** Shows one folder: its files and the actions on them. */
export function FolderSection({ folder, query, news, opened }: Props) {
  const { role } = useFrame().user!
  const screen = useFilesScreen()
  const { owner, ownerName, hasAuditor, mayChange, moveTo } = screen
  const project = 'project' in owner ? owner.project : null
  const home = 'project' in owner ? urls.files(owner.project) : urls.user(owner.user)
  const area = useRef<HTMLElement>(null)
  const files = useFolderFiles(owner, folder, query.q, opened, opened !== null || screen.open.has(folder.id))
  const order = useFileOrder(folder.id, files)
  const { isOver } = useDropArea<Picked>(
    area,
    mayChange
      ? {
          accepts: (picked) => picked.folder.id !== folder.id,
          onDrop: (picked) => moveTo(picked, folder),
        }
      : undefined,
  )
  const { known, isOpen } = files
  const maySort = mayChange && query.q === ''
  // The header and the footer take files too, because users drag past the first and the last row.
  const first = useRef<HTMLElement>(null)
  const last = useRef<HTMLParagraphElement>(null)
  const own = (placeOf: () => number) =>
    maySort
      ? {
          accepts: (picked: Picked) => picked.folder.id === folder.id,
          onDrop(picked: Picked) {
            const from = indexOf(known, picked.file.id)
            if (from >= 0 && from !== placeOf()) order.onMove(from, placeOf())
          },
        }
      : undefined
  const isOverFirst = useDropArea<Picked>(
    first,
    own(() => 0),
  ).isOver
  const isOverLast = useDropArea<Picked>(
    last,
    own(() => (isOpen ? known.total : SHOWN_FILES) - 1),
  ).isOver
  const { total } = known
  const shown = isOpen ? total : Math.min(total, SHOWN_FILES + folder.new_files.length)
  const canToggle = isOpen ? total > SHOWN_FILES : shown < total
  const anchor = folderAnchor(folder.id)

  function toggle(event: MouseEvent): void {
    if (!isPlainClick(event)) return
    event.preventDefault()
    files.setOpen(!isOpen)
    if (isOpen) screen.open.delete(folder.id)
    else screen.open.add(folder.id)
    history.replaceState(null, '', hrefOf(!isOpen)) // so that a reload shows the same
    if (isOpen && area.current!.getBoundingClientRect().top < 0) area.current!.scrollIntoView()
  }

  const here = writeListQuery(query)
  const hrefOf = (open: boolean, page = 1) =>
    open
      ? `${home}${here}${here === '' ? '?' : '&'}open=${folder.id}${page > 1 ? `&files=${page}` : ''}#${anchor}`
      : `${home}${here}#${anchor}`

  /** S9.9: A person's files have the footer of a list. */
  function footerText(): string {
    if (project === null) return `Showing ${formatCount(shown)} of ${formatCount(total)} total items`
    return isOpen
      ? `${folder.name} · ${countFiles(total)}`
      : `Viser ${formatCount(shown)} af ${formatCount(total)}`
  }

  return (
    <section
      ref={area}
      id={anchor}
      aria-labelledby={`${anchor}-name`}
      {...dropTarget(
        project !== null && mayChange
          ? { address: urls.uploadTo(project, folder.id), name: `Upload til ${folder.name}` }
          : null,
      )}
      className={`scroll-mt-4 rounded-card border ${isOver ? 'border-accent bg-accent-soft' : 'border-line bg-surface'}`}
    >
      <header
        ref={first}
        className={`flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 ${isOverFirst ? 'drop-line-above' : ''}`}
      >
        <h2 id={`${anchor}-name`} className="min-w-0 text-section font-semibold wrap-anywhere">
          {project === null ? 'Egne filer' : folder.name}
        </h2>
        {project !== null && may(role, 'changeFiles') && (
          <a
            href={urls.uploadTo(project, folder.id)}
            aria-describedby={`${anchor}-name`}
            className="inline-flex items-center gap-1.5 rounded-control text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
          >
            <Upload size={16} strokeWidth={1.75} aria-hidden="true" />
            Upload
          </a>
        )}
        <p className="ml-auto flex flex-wrap items-center gap-x-4 text-meta text-muted @max-2xl:w-full">
          <NewsMark count={news} />
          <span className="tabular-nums">
            {query.q === '' ? countFiles(total) : `${formatCount(total)} fundet`}
          </span>
          {project === null ? (
            <span>Ses af {ownerName} og kontoret</span>
          ) : (
            !seesSharedFoldersOnly(role) && (
              <Sharing isShared={folder.visible_to_investors} hasAuditor={hasAuditor} />
            )
          )}
        </p>
      </header>
      {total === 0 ? (
        <p className="flex flex-wrap items-center gap-x-4 border-t border-line px-4 py-3 text-muted">
          Ingen filer
        </p>
      ) : (
        <>
          <table
            aria-labelledby={`${anchor}-name`}
            aria-rowcount={isOpen ? total + 1 : undefined}
            className="w-full table-fixed"
          >
            <colgroup>
              <col />
              <col className={WIDTHS.date} />
              <col className={WIDTHS.size} />
              <col
                className={screen.maySeeHistory ? WIDTHS.known : mayChange ? WIDTHS.sorted : WIDTHS.seen}
              />
            </colgroup>
            <thead>
              <tr
                aria-rowindex={1}
                className={`border-t border-line @max-2xl:sr-only ${isOver ? '' : 'bg-sunken'}`}
              >
                <th scope="col" className={`${COLUMN} pl-4 text-left`}>
                  Navn
                </th>
                <th scope="col" className={`${COLUMN} text-right @max-2xl:hidden`}>
                  Dato
                </th>
                <th scope="col" className={`${COLUMN} text-right @max-2xl:hidden`}>
                  Str
                </th>
                <th scope="col" className={`${COLUMN} pr-4 text-right`}>
                  Handlinger
                </th>
              </tr>
            </thead>
            <FileRows
              folder={folder}
              known={known}
              failed={files.failed}
              isOpen={isOpen}
              news={folder.new_files}
              total={total}
              busy={order.busy}
              changed={order.changed}
              onMove={order.onMove}
              onLoad={(page) => void files.load(page)}
              onNear={files.watch}
            />
          </table>
          {(canToggle || project === null) && (
            <p
              ref={last}
              className={`flex flex-wrap items-center justify-between gap-x-4 rounded-b-card border-t border-line px-4 py-1 ${
                isOpen ? 'sticky bottom-0 z-10 bg-surface' : ''
              } ${isOverLast ? 'drop-line-below' : ''}`}
            >
              {canToggle && (
                <a
                  href={hrefOf(!isOpen)}
                  aria-expanded={isOpen}
                  aria-describedby={`${anchor}-name`}
                  onClick={toggle}
                  className="inline-flex min-h-9 items-center rounded-control font-medium text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
                >
                  {isOpen ? 'Skjul filer' : 'Vis alle filer'}
                </a>
              )}
              {isOpen && opened && total > OPEN_FILES && (
                <noscript>
                  <PlainPages opened={opened} hrefOf={(page) => hrefOf(true, page)} />
                </noscript>
              )}
              <span className="text-meta text-muted tabular-nums">{footerText()}</span>
            </p>
          )}
        </>
      )}
    </section>
  )
}

/** Pages through a long folder without JavaScript, a hundred files at a time. */
function PlainPages({ opened, hrefOf }: { opened: Page<StoredFile>; hrefOf: (page: number) => string }) {
  const { prev_page: previous, next_page: next, from, to, total } = opened.meta
  return (
    <span className="flex gap-4">
      {previous && (
        <a href={hrefOf(previous)} className="text-accent underline">
          Forrige
        </a>
      )}
      <span>
        {formatCount(from ?? 0)}–{formatCount(to ?? 0)} af {formatCount(total)}
      </span>
      {next && (
        <a href={hrefOf(next)} className="text-accent underline">
          Næste
        </a>
      )}
    </span>
  )
}
