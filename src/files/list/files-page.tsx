import { FileUp } from 'lucide-react'
import { forText } from '../../access/lent.ts'
import { FACTS_ID } from '../../projects/facts-id.ts'
import type { KnownMember } from '../../projects/project-facts.tsx'
import { makeLateDrawn } from '../../ui/overlay/late-drawn.tsx'
import type { Project, ProjectRelease } from '../../projects/project/project.ts'
import { may } from '../../rights.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { LinkButton } from '../../ui/basic/link-button.tsx'
import { Shell } from '../../ui/shell/shell.tsx'
import { urls } from '../../urls.ts'
import type { YearSum } from '../zip/year-sum.ts'
import { FileListing, type FileListingProps } from './file-listing.tsx'

const ProjectFacts = makeLateDrawn(() =>
  import('../../projects/project-facts.tsx').then((file) => file.ProjectFacts),
)

const ProjectMenu = makeLateDrawn(() => import('./project-menu.tsx').then((file) => file.ProjectMenu))

export type FilesPageProps = FileListingProps & {
  project: Project
  /** Null if this reader may not see them. */
  members: KnownMember[] | null
  /** Null if this reader may not see it, or there is none. */
  release: ProjectRelease | null
  hasAuditor: boolean
  /** Whether its accounting years are written '2024/25'. */
  crossesNewYear: boolean
  /** The lenders on whose behalf an adviser sees it. Null for everyone else. */
  lentBy: string[] | null
  /** The newest years of its files. */
  years: YearSum[]
}

export function FilesPage({
  project,
  members,
  release,
  hasAuditor,
  crossesNewYear,
  lentBy,
  years,
  ...list
}: FilesPageProps) {
  const { role } = useFrame().user!
  const mayUpload = may(role, 'changeFiles')
  const hasFiles = list.page.folders.some(({ files_count: count }) => count > 0)
  return (
    <Shell
      title={project.name}
      above={
        <>
          {[`Projekt ${project.number}`, lentBy && forText(lentBy)].filter(Boolean).join(' · ')}
          <a href={`#${FACTS_ID}`} className="to-facts">
            Oplysninger
          </a>
        </>
      }
      crumbs={[
        may(role, 'seePapers')
          ? { text: 'Papirer', href: urls.papersPage }
          : { text: 'Projekter', href: urls.projects },
      ]}
      dropTo={
        mayUpload ? { address: urls.uploadToProject(project.id), name: `Upload til ${project.name}` } : null
      }
    >
      <FileListing
        owner={{ project: project.id }}
        number={project.number}
        hasAuditor={hasAuditor}
        crossesNewYear={crossesNewYear}
        search="Søg i projektets filer og mapper"
        beside={
          <>
            {mayUpload && (
              <LinkButton href={urls.uploadToProject(project.id)} icon={FileUp}>
                Upload filer
              </LinkButton>
            )}
            <ProjectMenu project={project.id} years={years} hasFiles={hasFiles} />
          </>
        }
        facts={<ProjectFacts project={project} members={members} release={release} />}
        {...list}
      />
    </Shell>
  )
}
