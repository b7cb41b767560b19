import { Eye } from 'lucide-react'
import { useId } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { endingOf } from '../../files/versions/version.ts'
import { Sharing } from '../../projects/sharing.tsx'
import type { Findings } from '../names/duplicate.ts'
import { isAtOnePlace, type Group, type UploadForm } from './pile.ts'
import { UploadRow, type RowActs } from './upload-row.tsx'
import { hasThumbnail } from './thumbnail.tsx'
import { countFiles } from '../../projects/folder.ts'
import type { Widget } from '../transport/widget.ts'

type Props = {
  form: UploadForm
  group: Group
  isShared: boolean
  findings: Findings
  acts: RowActs
  widget: Widget
}

/** Warns if the new version is another kind of file: the name stays, and so the ending. */
function warningOf(form: UploadForm, name: string): string | null {
  if (form.kind !== 'replace' || endingOf(name) === endingOf(form.file.name)) return null
  return `Den nye fil er af en anden slags. Filen beholder navnet ”${form.file.name}”, så den kan være svær at åbne.`
}

/** Shows the files that go to one place, their size, and who will see them. */
export function UploadGroup({ form, group, isShared, findings, acts, widget }: Props) {
  const id = useId()
  const { folder, project, user } = group.target
  return (
    <section aria-labelledby={id} className="overflow-clip rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <h2 id={id} className="min-w-0 text-section font-semibold wrap-anywhere">
          {form.kind === 'replace'
            ? 'Ny version'
            : isAtOnePlace(form)
              ? 'Filer til upload'
              : (folder?.name ?? user?.name)}
          {form.kind === 'folders' && !form.project && (
            <span className="font-normal text-muted">
              {' '}
              · {project!.number} {project!.name}
            </span>
          )}
        </h2>
        <p className="flex flex-wrap items-center gap-x-4 text-meta text-muted tabular-nums max-sm:w-full sm:ml-auto">
          <span>{countFiles(group.uploads.length)}</span>
          <span>{formatBytes(group.bytes)}</span>
          {folder ? (
            <Sharing isShared={isShared} hasAuditor={project?.has_auditor ?? false} />
          ) : (
            <span className="flex items-center gap-1.5">
              <Eye size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              {user ? `Ses af ${user.name} og kontoret` : 'Ses af dig og kontoret'}
            </span>
          )}
        </p>
      </header>
      <ul className="upload-rows divide-y divide-line">
        {group.uploads.map((upload) => (
          <UploadRow
            key={upload.id}
            upload={upload}
            warning={findings.get(upload.id)?.text ?? warningOf(form, upload.name)}
            choice={findings.get(upload.id)?.choice}
            mayReplace={(findings.get(upload.id)?.replaces ?? null) !== null}
            thumbnail={hasThumbnail(upload.name, widget) ? widget.thumbnailSize : null}
            acts={acts}
          />
        ))}
      </ul>
    </section>
  )
}
