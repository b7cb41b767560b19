import { CircleCheck, Eye } from 'lucide-react'
import { useId, useMemo } from 'react'
import { formatBytes } from '../../base/bytes.ts'
import { FileLink } from '../../files/list/file-link.tsx'
import { countFiles } from '../../projects/folder.ts'
import { Sharing } from '../../projects/sharing.tsx'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { useHydrated } from '../../ui/basic/use-hydrated.ts'
import { folderAnchor, urls } from '../../urls.ts'
import { readLeftOut } from './left-out.ts'
import {
  resultText,
  resultTitle,
  skippedText,
  type Result,
  type ResultGroup,
  type SkippedFile,
} from './result.ts'

export type UploadResultPageProps = Result & { submission: string }

/** Shows where a form's files were stored. */
export function UploadResultPage({ submission, ...result }: UploadResultPageProps) {
  const { role } = useFrame().user!
  const { groups } = result
  const isSent = !may(role, 'changeFiles')
  return (
    <Shell
      title={resultTitle(result, isSent)}
      crumbs={isSent ? [{ text: 'Mine filer', href: urls.myFiles }] : [{ text: 'Upload', href: urls.upload }]}
      actions={
        isSent ? (
          <div className="flex flex-wrap gap-3">
            <LinkButton kind="secondary" href={`${urls.myFiles}#send`}>
              Send flere filer
            </LinkButton>
            <LinkButton href={urls.myFiles}>Til mine filer</LinkButton>
          </div>
        ) : (
          <LinkButton
            kind="secondary"
            href={result.form ?? (groups.some(({ user }) => user) ? urls.uploadToUsers : urls.upload)}
          >
            Upload flere
          </LinkButton>
        )
      }
    >
      <div className="grid gap-4">
        <p className="flex items-start gap-2 sm:-mt-4">
          <CircleCheck size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-ok" />
          {resultText(result, isSent)}
        </p>
        <NotSaved submission={submission} skipped={result.skipped} isSent={isSent} />
        {groups.map((group) => (
          <Group key={group.folder.id} group={group} />
        ))}
      </div>
    </Shell>
  )
}

type NotSavedProps = { submission: string; skipped: SkippedFile[]; isSent: boolean }

/** Lists the files that the server skipped, and those that the form left out, which only the browser remembers. */
function NotSaved({ submission, skipped, isSent }: NotSavedProps) {
  const isHydrated = useHydrated()
  const kept = useMemo(() => (isHydrated ? readLeftOut(submission) : []), [isHydrated, submission])
  const files = [
    ...skipped.map((file, index) => ({
      id: `skipped${index}`,
      name: file.name,
      why: skippedText(file, isSent),
    })),
    ...kept,
  ]
  if (files.length === 0) return null
  return (
    <section
      aria-labelledby="not-saved"
      className="overflow-clip rounded-card border border-line bg-warn-soft"
    >
      <h2 id="not-saved" className="border-b border-line px-4 py-3 text-section font-semibold text-warn">
        {countFiles(files.length)} blev ikke {isSent ? 'sendt' : 'gemt'}
      </h2>
      <ul className="upload-rows divide-y divide-line">
        {files.map(({ id, name, why }) => (
          <li key={id} className="upload-row py-2 pr-4">
            <span className="min-w-0 flex-1">
              <span className="block wrap-anywhere">{name}</span>
              <span className="block text-meta text-warn">{why}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Group({ group: { folder, project, user, files } }: { group: ResultGroup }) {
  const id = useId()
  const isOwn = !may(useFrame().user!.role, 'changeFiles') // others' files are never shown to them
  const owner = project ? { project: project.id } : { user: user!.id }
  const title = project ? folder.name : isOwn ? 'Mine filer' : user!.name
  return (
    <section aria-labelledby={id} className="overflow-clip rounded-card border border-line bg-surface">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line px-4 py-3">
        <h2 id={id} className="min-w-0 text-section font-semibold wrap-anywhere">
          {project ? (
            <a
              href={`${urls.files(project.id)}?open=${folder.id}#${folderAnchor(folder.id)}`}
              className="text-accent underline-offset-2 hover:underline"
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
            </span>
          )}
        </h2>
        <p className="flex flex-wrap items-center gap-x-4 text-meta text-muted tabular-nums max-sm:w-full sm:ml-auto">
          <span>{countFiles(files.length)}</span>
          <span>{formatBytes(files.reduce((sum, { size }) => sum + size, 0))}</span>
          {project ? (
            <Sharing isShared={folder.visible_to_investors} hasAuditor={project.has_auditor} />
          ) : (
            <span className="flex items-center gap-1.5">
              <Eye size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              Ses af {isOwn ? 'dig' : user!.name} og kontoret
            </span>
          )}
        </p>
      </header>
      <ul className="upload-rows divide-y divide-line">
        {files.map((file) => (
          <li key={file.id} className="upload-row pr-4">
            <FileLink owner={owner} file={file} />
            <span className="text-meta whitespace-nowrap text-muted tabular-nums">
              {formatBytes(file.size)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
