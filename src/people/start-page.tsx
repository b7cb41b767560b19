import { shortDate } from '../base/dates.ts'
import { FileLink } from '../files/file-link.tsx'
import type { StoredFile } from '../files/stored-file.ts'
import type { ProjectRow } from '../projects/project.ts'
import { StatusChip } from '../projects/status-chip.tsx'
import { isOffice } from '../rights.ts'
import { useFrame } from '../ui/frame.ts'
import { Shell } from '../ui/shell.tsx'
import { urls } from '../urls.ts'

export type StartPageProps = {
  firstName: string
  /** Those that changed last. */
  projects: ProjectRow[]
  total: number
  /** An investor's own. */
  ownFiles: { userId: number; files: StoredFile[]; total: number } | null
}

export function StartPage({ firstName, projects, total, ownFiles }: StartPageProps) {
  const { role } = useFrame().user!
  return (
    <Shell title={`Hej ${firstName}`}>
      <div className="grid gap-6">
        <section className="rounded-card border border-line bg-surface">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-3">
            <h2 className="text-section font-semibold">
              {isOffice(role) ? 'Senest ændrede projekter' : 'Mine projekter'}
            </h2>
            {total > projects.length && (
              <a
                href={urls.projects}
                className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
              >
                Alle projekter ({total})
              </a>
            )}
          </div>
          {projects.length > 0 ? (
            <ul>
              {projects.map((project) => (
                <ProjectItem key={project.id} project={project} />
              ))}
            </ul>
          ) : (
            <p className="px-4 py-6 text-muted">{NONE[role]}</p>
          )}
        </section>
        {ownFiles && <OwnFiles {...ownFiles} />}
      </div>
    </Shell>
  )
}

function OwnFiles({ userId, files, total }: NonNullable<StartPageProps['ownFiles']>) {
  const { timeZone } = useFrame()
  return (
    <section className="rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 border-b border-line px-4 py-3">
        <h2 className="text-section font-semibold">Mine filer</h2>
        <a
          href={urls.myFiles}
          className="inline-flex items-center text-accent underline-offset-2 hover:underline pointer-coarse:min-h-11"
        >
          {total > files.length ? `Alle mine filer (${total})` : 'Send filer til kontoret'}
        </a>
      </div>
      {files.length > 0 ? (
        <ul>
          {files.map((file) => (
            <li
              key={file.id}
              className="flex min-h-11 flex-wrap items-center gap-x-3 border-b border-line px-4 py-2 last:border-0"
            >
              <FileLink owner={{ user: userId }} file={file} />
              <span className="text-meta text-muted tabular-nums">
                {shortDate(file.created_at, timeZone)}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="px-4 py-6 text-muted">Ingen filer</p>
      )}
    </section>
  )
}

const NONE = {
  administrator: 'Der er endnu ingen projekter. Opret det første under Projekter.',
  employee: 'Der er endnu ingen projekter.',
  auditor: 'Du har endnu ikke adgang til nogen projekter.',
  investor: 'Du er endnu ikke tilknyttet et projekt.',
}

function ProjectItem({ project }: { project: ProjectRow }) {
  const { timeZone } = useFrame()
  const { id, number, name, status, updated_at: updatedAt } = project
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:border-0">
      <span className="w-16 text-muted tabular-nums">{number}</span>
      <span className="min-w-0 flex-1 font-medium wrap-anywhere">
        <a
          href={urls.files(id)}
          className="inline-flex items-center hover:text-accent hover:underline pointer-coarse:min-h-11"
        >
          {name}
        </a>
      </span>
      <span className="sm:w-32">
        <StatusChip status={status} />
      </span>
      <span className="text-meta text-muted tabular-nums max-sm:hidden">
        <span className="sr-only">Senest ændret </span>
        {shortDate(updatedAt, timeZone)}
      </span>
    </li>
  )
}
