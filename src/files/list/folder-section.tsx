import { useEffect, type MouseEvent } from 'react'
import { formatCount } from '../../base/danish/counts.ts'
import { writeListQuery } from '../../base/list-query.ts'
import type { Page } from '../../base/pagination.ts'
import { countFiles } from '../../projects/folder.ts'
import { dropTarget } from '../../ui/drag/file-drops.ts'
import { isPlainClick } from '../../ui/basic/plain-click.ts'
import { useHasBeenNear } from '../../ui/basic/use-near.ts'
import { folderAnchor, urls } from '../../urls.ts'
import { WIDTHS } from './file-row.tsx'
import { FileRows } from './file-rows.tsx'
import { OPEN_FILES, SHOWN_FILES, type ListedFile } from '../file/stored-file.ts'
import { useFileOrder } from '../change/use-file-order.ts'
import { FolderHeader } from './folder-header.tsx'
import { useFilesScreen, type ShownFolder } from '../screen/use-files-screen.ts'
import { useFolderDrops } from './use-folder-drops.ts'
import { useFolderFiles, type FolderProps } from '../screen/use-folder-files.ts'

export type FolderSectionProps = FolderProps & {
  /** How many of the folder's files are new. */
  news: number
}

const COLUMN = 'py-1.5 text-meta font-medium text-muted'

/** Shows one folder: its files and the actions on them. */
export function FolderSection({ news, ...props }: FolderSectionProps) {
  const { folder, query, opened } = props
  const screen = useFilesScreen()
  const { owner, mayChange } = screen
  const [project, home] =
    'project' in owner ? [owner.project, urls.files(owner.project)] : [null, urls.user(owner.user)]
  const isOpenAtFirst = opened !== null || screen.open.has(folder.id)
  const files = useFolderFiles(owner, props, isOpenAtFirst)
  const order = useFileOrder(folder.id, files)
  const { area, first, last, isOver, isOverFirst, isOverLast } = useFolderDrops(folder, files, order.onMove)
  const { known, isOpen } = files
  const isScripted = useHasBeenNear(area)
  const { total } = known
  useShown({ folder, files })
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
      className={`folder-section scroll-mt-4 rounded-card border ${isOver ? 'border-accent bg-accent-soft' : 'border-line bg-surface'}`}
    >
      <FolderHeader
        ref={first}
        folder={folder}
        news={news}
        total={total}
        isOver={isOverFirst}
        isScripted={isScripted}
      />
      {total > 0 && (
        <>
          <table
            // A grid, so that arrow keys walk through its rows. Without scripts it is a plain table.
            {...(isScripted && { role: 'grid', 'aria-multiselectable': true })}
            aria-labelledby={`${anchor}-name`}
            aria-rowcount={isOpen ? total + 1 : undefined}
            data-changes={mayChange}
            className="w-full table-fixed"
          >
            <FileColumns isOver={isOver} />
            <FileRows
              folder={folder}
              known={known}
              failed={files.failed}
              isOpen={isOpen}
              news={folder.new_files}
              total={total}
              busy={order.busy}
              changed={order.changed}
              isScripted={isScripted}
              onMove={order.onMove}
              onLoad={(page) => void files.load(page)}
              onNear={files.watch}
            />
          </table>
          {(canToggle || project === null) && (
            <p
              ref={last}
              className={`flex flex-wrap items-center justify-between gap-x-4 rounded-b-card border-t border-line px-4 py-1 ${
                isOpen ? 'folder-foot' : ''
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
              {isOpen && opened && <PlainPages opened={opened} hrefOf={(page) => hrefOf(true, page)} />}
              <FooterText name={project === null ? null : folder.name} {...{ shown, total, isOpen }} />
            </p>
          )}
        </>
      )}
    </section>
  )
}

/** Registers this folder for selecting. */
function useShown(shown: ShownFolder): void {
  const { sections } = useFilesScreen()
  useEffect(() => {
    sections.set(shown.folder.id, shown)
    return () => void sections.delete(shown.folder.id)
  })
}

type FooterTextProps = { name: string | null; shown: number; total: number; isOpen: boolean }

/** S9.9: A person's files, in a folder without a name, have the footer of a list, in English. */
function FooterText({ name, shown, total, isOpen }: FooterTextProps) {
  const [few, all] = [formatCount(shown), formatCount(total)]
  const ofFolder = isOpen ? `${name} · ${countFiles(total)}` : `Viser ${few} af ${all}`
  return (
    <span lang={name === null ? 'en' : undefined} className="text-meta text-muted tabular-nums">
      {name === null ? `Showing ${few} of ${all} total items` : ofFolder}
    </span>
  )
}

/** The columns of a folder's table and their headings. */
function FileColumns({ isOver }: { isOver: boolean }) {
  const { mayChange } = useFilesScreen()
  return (
    <>
      <colgroup>
        <col />
        <col className={WIDTHS.date} />
        <col className={WIDTHS.size} />
        <col className={mayChange ? WIDTHS.changed : WIDTHS.seen} />
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
    </>
  )
}

/** Pages through a long folder without JavaScript, a hundred files at a time. */
function PlainPages({ opened, hrefOf }: { opened: Page<ListedFile>; hrefOf: (page: number) => string }) {
  const { prev_page: previous, next_page: next, from, to, total } = opened.meta
  if (total <= OPEN_FILES) return null
  return (
    <noscript>
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
    </noscript>
  )
}
