import { forText } from '../access/lent.ts'
import { formatBytes } from '../base/bytes.ts'
import { FileIcon } from '../files/file/file-icon.tsx'
import { FileMarks } from '../files/file/file-marks.tsx'
import { isOffice } from '../rights.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { IN_NEW_TAB } from '../ui/basic/new-tab.tsx'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { useHydrated } from '../ui/basic/use-hydrated.ts'
import { urls } from '../urls.ts'
import { hasPages } from './answer/at-page.ts'
import { MarkedText } from './answer/marked-text.tsx'
import { fileHref, folderHref, personHref, projectText } from './answer/places.ts'
import type { FileHit, PageHit } from './answer/results.ts'

type Props = {
  file: FileHit
  isLooked: boolean
  /** Shows the file in the panel, at a page that was found. */
  onLook: (file: FileHit, hit: PageHit | null) => void
}

/** A file that was found: its name, its place, and the words in context. */
export function FoundFile({ file, isLooked, onLook }: Props) {
  const isReady = useHydrated()
  const icon = <FileIcon mime={file.mime} name={file.name} />
  return (
    <li
      data-file={file.id}
      aria-current={isLooked || undefined}
      className="flex gap-3 px-4 py-3 aria-[current]:bg-accent-soft aria-[current]:shadow-[inset_3px_0_var(--color-accent)]"
    >
      <span className="file-name pl-0!">
        {isReady ? (
          <button
            type="button"
            aria-label={`Vis ${file.name}`}
            data-tooltip=""
            data-act="look"
            className="file-look"
            onClick={() => onLook(file, file.pages[0] ?? null)}
          >
            {icon}
          </button>
        ) : (
          icon
        )}
      </span>
      <div className="grid min-w-0 flex-1 gap-1">
        <p>
          <a
            href={fileHref(file)}
            {...IN_NEW_TAB}
            className="font-medium text-accent wrap-anywhere underline-offset-2 hover:underline"
          >
            <MarkedText pieces={file.namePieces} />
          </a>
          <FileMarks isNew={false} file={{ is_version: false, held: file.held, waiting: null }} />
        </p>
        <p className="flex flex-wrap items-center gap-x-1.5 text-meta text-muted tabular-nums">
          <Place file={file} />
          <span aria-hidden="true">·</span>
          <ShortDate at={file.created_at} />
          <span aria-hidden="true">·</span>
          <span>{formatBytes(file.size)}</span>
        </p>
        {file.pages.map((hit) => (
          <p key={hit.page} className="wrap-anywhere">
            {hasPages(file) && <PageLink file={file} hit={hit} />} <MarkedText pieces={hit.pieces} />
          </p>
        ))}
      </div>
    </li>
  )
}

/** The file's place, as links. */
function Place({ file: { project, user, folder, lent_by: lentBy } }: Pick<Props, 'file'>) {
  const reader = useFrame().user!
  const look =
    'inline-flex min-h-6 items-center wrap-anywhere hover:text-ink hover:underline pointer-coarse:min-h-11'
  if (project)
    return (
      <>
        <a href={urls.files(project.id)} className={look}>
          {projectText(project)}
        </a>
        <span aria-hidden="true">·</span>
        <a href={folderHref(project.id, folder.id)} className={look}>
          {folder.name}
        </a>
        {lentBy.length > 0 && (
          <>
            <span aria-hidden="true">·</span>
            <span>{forText(lentBy)}</span>
          </>
        )}
      </>
    )
  if (!user) return null
  if (user.id === reader.id && !isOffice(reader.role))
    return (
      <a href={urls.myFiles} className={look}>
        Mine filer
      </a>
    )
  return (
    <a href={personHref(reader, user)} className={look}>
      Filer til {user.name}
    </a>
  )
}

/** Opens the file at the page. */
function PageLink({ file, hit }: { file: FileHit; hit: PageHit }) {
  const text = `Side ${hit.page}`
  return (
    <a
      href={fileHref(file, hit)}
      {...IN_NEW_TAB}
      aria-label={`${text} i ${file.name}`}
      className="mr-1 inline-block rounded-control bg-hover px-1.5 text-meta font-medium whitespace-nowrap text-accent hover:underline"
    >
      {text}
    </a>
  )
}
