import { seenByText } from '../../access/lent.ts'
import { Eye } from 'lucide-react'
import { memo, useId, type ReactNode } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { endingOf } from '../../files/names/version-name.ts'
import { Sharing } from '../../projects/sharing.tsx'
import type { Findings } from '../pile/duplicate.ts'
import { isAtOnePlace, isForAll, type Group, type UploadForm } from '../pile/pile.ts'
import { UploadRow, type RowActs } from './upload-row.tsx'
import { hasThumbnail } from './thumbnail.tsx'
import { countFiles } from '../../projects/folder.ts'
import { useGrowing } from './use-growing.ts'
import type { Upload } from '../transport/upload.ts'
import type { Widget } from '../transport/widget.ts'

type Props = {
  form: UploadForm
  group: Group
  isShared: boolean
  findings: Findings
  acts: RowActs
  widget: Widget
  /** Notes below the names of files, by id. */
  notes: ReadonlyMap<string, ReactNode>
  heading: 'h2' | 'h3' | 'h4'
  /** Whether it stands under a line that names the project. */
  isInner?: boolean
}

/** Warns if the new version is another kind of file: the name stays, and so the ending. */
function warningOf(form: UploadForm, name: string): string | null {
  if (form.kind !== 'replace' || endingOf(name) === endingOf(form.file.name)) return null
  return `Den nye fil er af en anden slags, men beholder navnet ”${form.file.name}”. Den kan være svær at åbne.`
}

/** How many rows are drawn at once. */
const AT_ONCE = 25

/** Shows the files that go to one place, their size, and who will see them. */
export function UploadGroup({
  form,
  group,
  isShared,
  findings,
  notes,
  acts,
  widget,
  heading: Heading,
  isInner,
}: Props) {
  const id = useId()
  const chunks = Array.from({ length: Math.ceil(group.uploads.length / AT_ONCE) }, (_, index) =>
    group.uploads.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
  const drawn = useGrowing(chunks.length, 1)
  const { folder, project, user } = group.target
  const readers = form.kind === 'simple' ? form.readers : user?.readers
  return (
    <section aria-labelledby={id} className="overflow-clip rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <Heading id={id} className="min-w-0 text-section font-semibold wrap-anywhere">
          {form.kind === 'replace'
            ? 'Ny version'
            : isAtOnePlace(form)
              ? 'Filer til upload'
              : (folder?.name ?? user?.name)}
          {isForAll(form) && project && !isInner && (
            <span className="font-normal text-muted">
              {' '}
              · {project.number} {project.name}
            </span>
          )}
        </Heading>
        <p className="flex flex-wrap items-center gap-x-4 text-meta text-muted tabular-nums max-sm:w-full sm:ml-auto">
          <span>{countFiles(group.uploads.length)}</span>
          <span>{formatBytes(group.bytes)}</span>
          {folder ? (
            <Sharing isShared={isShared} hasAuditor={project?.has_auditor ?? false} />
          ) : (
            readers && (
              <span className="flex items-center gap-1.5">
                <Eye size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
                {seenByText(user?.name ?? 'dig', readers)}
              </span>
            )
          )}
        </p>
      </header>
      {chunks.slice(0, drawn).map((uploads) => (
        <Rows
          key={uploads[0]!.id}
          uploads={uploads}
          form={form}
          findings={findings}
          notes={notes}
          widget={widget}
          acts={acts}
        />
      ))}
    </section>
  )
}

type RowsProps = Pick<Props, 'form' | 'findings' | 'notes' | 'widget' | 'acts'> & {
  uploads: readonly Upload[]
}

/** Draws some rows again only if something about one of them has changed: a group may have thousands. */
const Rows = memo(function Rows({ uploads, form, findings, notes, widget, acts }: RowsProps) {
  return (
    <ul
      className="upload-chunk divide-y divide-line"
      style={{ containIntrinsicBlockSize: `auto ${45 * uploads.length}px` }}
    >
      {uploads.map((upload) => {
        const finding = findings.get(upload.id)
        return (
          <UploadRow
            key={upload.id}
            upload={upload}
            warning={finding?.text ?? warningOf(form, upload.name)}
            choice={finding?.choice}
            mayReplace={(finding?.replaces ?? null) !== null}
            thumbnail={hasThumbnail(upload.name, widget) ? widget.thumbnailSize : null}
            mayMisplace={!isAtOnePlace(form)}
            note={notes.get(upload.id)}
            acts={acts}
          />
        )
      })}
    </ul>
  )
}, isSame)

function isSame(a: RowsProps, b: RowsProps): boolean {
  return (
    a.form === b.form &&
    a.widget === b.widget &&
    a.acts === b.acts &&
    a.uploads.length === b.uploads.length &&
    a.uploads.every((upload, index) => {
      const [one, other] = [a.findings.get(upload.id), b.findings.get(upload.id)]
      return (
        upload === b.uploads[index] &&
        a.notes.get(upload.id) === b.notes.get(upload.id) &&
        one?.text === other?.text &&
        one?.choice === other?.choice &&
        one?.replaces === other?.replaces
      )
    })
  )
}
