import { Eye } from 'lucide-react'
import { useId } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { countFiles } from '../../projects/folder.ts'
import { Sharing } from '../../projects/sharing.tsx'
import { forText, seenByText } from '../../access/lent.ts'
import { seesSharedFoldersOnly } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { folderAnchor, urls } from '../../urls.ts'
import type { FileGroup } from '../file/stored-file.ts'
import { FileLink } from '../content/file-link.tsx'
import { FileMarks } from '../file/file-marks.tsx'

type Props = {
  group: FileGroup
  /** The file whose row is marked. */
  marked?: number | null
}

/** A folder with some of its files, and who can see it. */
export function FileGroupCard({
  group: { folder, project, user, files, lent_by: lentBy },
  marked = null,
}: Props) {
  const id = useId()
  const reader = useFrame().user!
  const isOwn = user?.id === reader.id
  const owner = project ? { project: project.id } : { user: user!.id }
  const title = project ? folder.name : isOwn ? 'Mine filer' : user!.name
  return (
    <section aria-labelledby={id} className="overflow-clip rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <h2 id={id} className="min-w-0 text-section font-semibold wrap-anywhere">
          {project ? (
            <a
              href={`${urls.files(project.id)}?open=${folder.id}#${folderAnchor(folder.id)}`}
              className="text-accent underline underline-offset-2"
            >
              {title}
            </a>
          ) : isOwn ? (
            title
          ) : (
            <a href={urls.user(user!.id)} className="text-accent underline-offset-2 hover:underline">
              {title}
            </a>
          )}
          {project && (
            <span className="font-normal text-muted">
              {' '}
              · {project.number} {project.name}
              {lentBy.length > 0 && ` · ${forText(lentBy)}`}
            </span>
          )}
        </h2>
        <p className="flex flex-wrap items-center gap-x-4 text-meta text-muted tabular-nums max-sm:w-full sm:ml-auto">
          <span>{countFiles(files.length)}</span>
          <span>{formatBytes(files.reduce((sum, { size }) => sum + size, 0))}</span>
          {seesSharedFoldersOnly(reader.role) && !isOwn ? null : files.every(({ held }) => held !== null) ? (
            <Sharing isShared={false} hasAuditor={false} />
          ) : project ? (
            <Sharing isShared={folder.visible_to_investors} hasAuditor={project.has_auditor} />
          ) : (
            <span className="flex items-center gap-1.5">
              <Eye size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              {seenByText(isOwn ? 'dig' : user!.name, user!.readers)}
            </span>
          )}
        </p>
      </header>
      <ul className="upload-rows divide-y divide-line">
        {files.map((file) => (
          <li
            key={file.id}
            aria-current={file.id === marked || undefined}
            className="upload-row pr-4 aria-[current]:bg-accent-soft"
          >
            <span className="min-w-0 flex-1">
              <FileLink owner={owner} file={file} version={file.held_version} />
              <FileMarks isNew={false} file={{ ...file, waiting: null }} />
            </span>
            <span className="text-meta whitespace-nowrap text-muted tabular-nums">
              {formatBytes(file.size)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
