import type { ReactNode } from 'react'
import { FileIcon } from '../../files/file/file-icon.tsx'
import { FileMarks } from '../../files/file/file-marks.tsx'
import { whenFollowed } from '../../files/content/use-read-files.ts'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { IN_NEW_TAB } from '../../ui/basic/new-tab.tsx'
import { fileUrls } from '../../urls.ts'
import type { StartFile } from './start-file.ts'

type Props<File extends StartFile> = {
  files: File[]
  read: ReadonlySet<number>
  onRead: (file: number) => void
  /** Says where a file is from, before its date. */
  from?: (file: File) => ReactNode
}

/** Lists files on the start page. A click anywhere in a row opens the file. */
export function StartFiles<File extends StartFile>({ files, read, onRead, from }: Props<File>) {
  return (
    <ul>
      {files.map((file) => (
        <li
          key={file.id}
          className="relative flex min-h-14 items-center gap-3 border-b border-line px-4 py-2 last:rounded-b-card last:border-0 hover:bg-hover"
        >
          <FileIcon mime={file.mime} name={file.name} />
          <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5">
            <span className="min-w-0 flex-auto basis-80 max-sm:basis-full">
              <a
                href={fileUrls.open(file.owner, file.path)}
                {...IN_NEW_TAB}
                className="font-medium wrap-anywhere after:absolute after:inset-0 hover:text-accent hover:underline"
                {...whenFollowed(() => onRead(file.id))}
              >
                {file.title}
              </a>
              <FileMarks
                isNew={file.is_new && !read.has(file.id)}
                isSent={file.from_investor && file.sender === null}
                file={file}
              />
            </span>
            <span className="min-w-0 text-meta text-muted wrap-anywhere">
              {withDot(from?.(file))}
              {withDot(file.title !== file.name && file.name)}
              <ShortDate at={file.at} className="relative tabular-nums" />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

const withDot = (said: ReactNode) => said && <>{said} · </>
