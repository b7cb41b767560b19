import { FolderPlus } from 'lucide-react'
import { forText } from '../../access/lent.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { NewsAfterName } from '../../projects/news/news-mark.tsx'
import { newsLeft } from '../../projects/news/news.ts'
import type { ProjectWithNews } from '../../projects/project/project.ts'
import { StatusChip } from '../../projects/status-chip.tsx'
import { isLentTo, isOffice, may, type Role } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import { StartSection } from './start-section.tsx'

type Props = {
  projects: ProjectWithNews[]
  total: number
  /** How many new files of a project were opened on this page. */
  readIn: (project: number) => number
}

/** The projects that the reader sees first. */
export function StartProjects({ projects, total, readIn }: Props) {
  const { role } = useFrame().user!
  return (
    <StartSection
      title={projectsTitle(role, total === 0)}
      more={
        total > projects.length
          ? {
              href: may(role, 'seePapers') ? urls.papersPage : urls.projects,
              text: `Alle projekter (${formatCount(total)})`,
            }
          : null
      }
    >
      {projects.length > 0 ? (
        <ul>
          {projects.map((project) => (
            <ProjectItem
              key={project.id}
              project={project}
              news={newsLeft(project.new_count, readIn(project.id))}
            />
          ))}
        </ul>
      ) : (
        <p className="px-4 py-6 text-muted">{NONE[role]}</p>
      )}
      {projects.length === 0 && may(role, 'editProjects') && (
        <p className="-mt-2 px-4 pb-6">
          <LinkButton href={urls.newProject} icon={FolderPlus}>
            Opret projekt
          </LinkButton>
        </p>
      )}
    </StartSection>
  )
}

function projectsTitle(role: Role, isEmpty: boolean): string {
  if (isLentTo(role)) return 'Projekter'
  if (!isOffice(role)) return 'Mine projekter'
  return isEmpty ? 'Projekter' : 'Senest ændrede projekter'
}

const NONE = {
  administrator: 'Ingen projekter endnu.',
  employee: 'Ingen projekter endnu. En administrator opretter dem.',
  auditor: 'Ingen projekter endnu. Kontoret giver dig adgang.',
  investor: 'Ingen projekter endnu. Kontoret giver dig adgang.',
  adviser: 'Ingen projekter lige nu. Andre giver dig adgang.',
}

function ProjectItem({ project, news }: { project: ProjectWithNews; news: number }) {
  const { role } = useFrame().user!
  const { id, number, name, status, updated_at: updatedAt, lent_by: lentBy } = project
  // *Papirer* has the rest.
  if (may(role, 'seePapers'))
    return (
      <li className="relative flex min-h-11 items-center border-b border-line px-4 py-2 last:rounded-b-card last:border-0 hover:bg-hover">
        <span className="min-w-0 wrap-anywhere">
          <a href={urls.files(id)} className="after:absolute after:inset-0 hover:text-accent hover:underline">
            {name}
          </a>
          <NewsAfterName count={news} />
          {lentBy && <span className="block text-meta text-muted">{forText(lentBy)}</span>}
        </span>
      </li>
    )
  return (
    <li className="relative flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 last:rounded-b-card last:border-0 hover:bg-hover">
      <span className="max-w-48 min-w-16 text-muted tabular-nums wrap-anywhere max-sm:hidden">{number}</span>
      <span className="min-w-0 flex-1 font-medium wrap-anywhere">
        <a href={urls.files(id)} className="after:absolute after:inset-0 hover:text-accent hover:underline">
          {name}
        </a>
        <NewsAfterName count={news} />
        {lentBy && <span className="block text-meta font-normal text-muted">{forText(lentBy)}</span>}
        <span className="block text-meta font-normal text-muted tabular-nums sm:hidden">{number}</span>
      </span>
      {status !== 'active' && (
        <span className="sm:w-32">
          <StatusChip status={status} />
        </span>
      )}
      <span className="text-meta text-muted tabular-nums max-sm:hidden">
        {isOffice(role) ? '' : 'Ændret '}
        <ShortDate at={updatedAt} className="relative" />
      </span>
    </li>
  )
}
