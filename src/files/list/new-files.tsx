import { useId } from 'react'
import { SeenForm } from '../../projects/news/seen-form.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { fileUrls } from '../../urls.ts'
import { whenFollowed } from '../content/use-read-files.ts'
import { FileIcon } from '../file/file-icon.tsx'
import { FileMarks } from '../file/file-marks.tsx'
import type { FolderSection } from '../file/stored-file.ts'
import type { FilesScreen } from '../screen/use-files-screen.ts'
import { newestOf } from './newest.ts'

// Not from the context: what is drawn late gets props that wait for it.
type Props = Pick<FilesScreen, 'owner' | 'read' | 'onRead'> & {
  folders: readonly FolderSection[]
  /** How many files are new in the whole project. */
  total: number
  /** The address that marks everything as read. */
  action: string
  until: string
}

/** The files of a project that are new to the reader, before its folders. A click anywhere in a row opens the file. */
export function NewFiles({ owner, read, onRead, folders, total, action, until }: Props) {
  const id = useId()
  const newest = newestOf(folders)
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-x-4 px-4 py-2">
        <h2 id={id} className="py-1 text-section font-semibold">
          Nyt til dig
        </h2>
        <SeenForm action={action} until={until} />
      </div>
      <ul className="empty:hidden">
        {newest.map(({ file, folder }) => (
          <li
            key={file.id}
            className="relative flex min-h-11 items-center gap-3 border-t border-line px-4 py-2 hover:bg-hover"
          >
            <FileIcon mime={file.mime} name={file.name} />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
              <span className="min-w-0">
                <a
                  href={fileUrls.open(owner, file.path)}
                  {...IN_NEW_TAB}
                  className="font-medium wrap-anywhere after:absolute after:inset-0 hover:text-accent hover:underline"
                  {...whenFollowed(() => onRead({ file, folder }))}
                >
                  {file.name}
                </a>
                <FileMarks isNew={!read.has(file.id)} file={file} />
              </span>
              <span className="min-w-0 text-meta text-muted wrap-anywhere">
                {folder.name} · <ShortDate at={file.created_at} className="relative tabular-nums" />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {total > newest.length && (
        <p className="border-t border-line px-4 py-2 text-meta text-muted">
          {newest.length > 0 ? `De ${newest.length} nyeste. Resten` : 'Det nye'} er markeret i mapperne.
        </p>
      )}
    </section>
  )
}
