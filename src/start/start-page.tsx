import { FileUp, FolderPlus } from 'lucide-react'
import { forText, type Lender } from '../access/lent.ts'
import { danishDate } from '../base/time/dates.ts'
import { formatCount } from '../base/counts.ts'
import { FILE_ICONS } from '../files/file/file-icons.tsx'
import type { YearSum } from '../files/zip/year-sum.ts'
import { useReadFiles } from '../files/content/use-read-files.ts'
import { stateText } from '../inbox/inbox.ts'
import { NoticeList } from '../log/notices/notice-list.tsx'
import type { Notice } from '../log/notices/notice.ts'
import { NewsAfterName } from '../projects/news/news-mark.tsx'
import { newsLeft } from '../projects/news/news.ts'
import type { ProjectWithNews } from '../projects/project/project.ts'
import { SeenForm } from '../projects/news/seen-form.tsx'
import { StatusChip } from '../projects/status-chip.tsx'
import type { WaitingRelease } from '../releases/approval/approval.ts'
import type { Mailing } from '../releases/mailings/mailing.ts'
import type { UnmailedRelease } from '../releases/release/release.ts'
import { AskedActList, type AskedActs } from '../releases/approval/asked-acts.tsx'
import { WaitingReleases } from '../releases/approval/waiting-releases.tsx'
import { isLentTo, isOffice, may, type Role } from '../rights.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { refreshPage } from '../ui/basic/next-page.ts'
import { IconSprite } from '../ui/icon/icon-sprite.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { makeLateDrawn } from '../ui/overlay/late-drawn.tsx'
import { useLive } from '../ui/live/use-live.ts'
import { Shell } from '../ui/shell/shell.tsx'
import { ShortDate } from '../ui/basic/short-date.tsx'
import { changesOf, urls } from '../urls.ts'
import { PackageList } from '../year/package/package-list.tsx'
import type { Received, ReceivedFile, StartFile } from './sections/start-file.ts'
import type { FirstSteps as Steps } from './first-steps.ts'
import { FirstSteps } from './first-steps.tsx'
import { Lenders } from './sections/lenders.tsx'
import type { OfficeDay } from './office/office-day.ts'
import { StartFiles } from './sections/start-files.tsx'
import { StartSection } from './sections/start-section.tsx'
import { UnmailedReleases } from './sections/unmailed-releases.tsx'

const DaySections = makeLateDrawn(() => import('./office/day-sections.tsx').then((file) => file.DaySections))

export type StartPageProps = {
  firstName: string
  now: string
  /** First those with new files, then those that changed last. */
  projects: ProjectWithNews[]
  total: number
  /** The newest files, how many are new, and when they were counted. Null for the office. */
  news: { files: StartFile[]; total: number; until: string | null } | null
  /** An investor's own files. Null for everyone else. */
  ownFiles: { files: StartFile[]; total: number } | null
  /** The newest years of everything that an investor sees. Null for everyone else. */
  packages: YearSum[] | null
  /** On whose behalf an adviser looks. Null for everyone else. */
  lenders: Lender[] | null
  /** Files from investors: those that nobody has taken, then the newest. Null for everyone but the office. */
  received: Received | null
  /** Problems with the installation. Empty for everyone but the office. */
  notices: Notice[]
  /** Releases that the reader can approve, and how many there are. Null for everyone but the office. */
  waiting: { releases: WaitingRelease[]; total: number } | null
  /** Acts that colleagues ask the reader to approve. */
  asked: AskedActs | null
  /** Published releases that nobody was mailed about yet. Empty for everyone but the office. */
  untold: UnmailedRelease[]
  /** Mails to several people that have not left yet. Empty for everyone but the office. */
  mailings: Mailing[]
  /** The first steps of a new office. Null when they are done or put away, and for everyone but administrators. */
  firstSteps: Steps | null
  /** What is late, due, missing and waiting. Null for everyone but the office. */
  day: OfficeDay | null
}

export function StartPage({
  firstName,
  now,
  projects,
  total,
  news,
  ownFiles,
  packages,
  lenders,
  received,
  notices,
  waiting,
  asked,
  untold,
  mailings,
  firstSteps,
  day,
}: StartPageProps) {
  const { timeZone } = useFrame()
  useLive(changesOf('start'), refreshPage)
  const { read, onRead } = useReadFiles()
  const reading = { read, onRead }
  const readIn = (project: number) =>
    news?.files.filter(({ id, owner }) => 'project' in owner && owner.project === project && read.has(id))
      .length ?? 0
  return (
    <Shell
      title={`Hej ${firstName}`}
      above={
        <time dateTime={now} className="inline-block first-letter:uppercase">
          {danishDate(now, timeZone)}
        </time>
      }
      actions={
        ownFiles && (
          <LinkButton href={`${urls.myFiles}#send`} icon={FileUp}>
            Send filer til kontoret
          </LinkButton>
        )
      }
    >
      <IconSprite icons={FILE_ICONS} />
      <div className="grid gap-6">
        <NoticeList notices={notices} />
        {firstSteps && <FirstSteps {...firstSteps} />}
        <UnmailedReleases releases={untold} mailings={mailings} now={now} />
        {waiting && waiting.total > 0 && (
          <StartSection
            title={waitingTitle(waiting.total)}
            more={
              waiting.total > waiting.releases.length
                ? { href: urls.releases, text: 'Alle udsendelser' }
                : null
            }
          >
            <WaitingReleases releases={waiting.releases} />
          </StartSection>
        )}
        {asked && asked.acts.length > 0 && (
          <StartSection title="Kolleger beder om din godkendelse">
            <AskedActList {...asked} />
          </StartSection>
        )}
        {day && <DaySections day={day} />}
        {news && <News {...news} {...reading} lenders={lenders ?? []} />}
        {received && received.files.length > 0 && (
          <StartSection
            title="Modtaget fra investorer"
            more={{ href: urls.inbox('all'), text: 'Gå til indbakken' }}
          >
            <StartFiles files={received.files} {...UNREAD} from={senderOf} />
            <Rest {...received} />
          </StartSection>
        )}
        {(projects.length > 0 || !firstSteps) && (
          <Projects projects={projects} total={total} readIn={readIn} />
        )}
        {packages && packages.length > 0 && (
          <StartSection title="Årspakker" more={{ href: urls.yearPackages, text: 'Alle år' }}>
            <PackageList years={packages} addressOf={urls.yearPackage} />
          </StartSection>
        )}
        {lenders && lenders.length > 0 && <Lenders lenders={lenders} />}
        {ownFiles && (
          <StartSection
            title="Mine filer"
            more={
              ownFiles.total > ownFiles.files.length
                ? { href: urls.myFiles, text: `Alle mine filer (${formatCount(ownFiles.total)})` }
                : { href: urls.myFiles, text: 'Gå til mine filer' }
            }
          >
            {ownFiles.files.length > 0 ? (
              <StartFiles files={ownFiles.files} {...reading} />
            ) : (
              <p className="px-4 py-6 text-muted">
                Her er ingen filer endnu. Papirer til dig personligt kommer til at ligge her.
              </p>
            )}
          </StartSection>
        )}
      </div>
    </Shell>
  )
}

type ProjectsProps = Pick<StartPageProps, 'projects' | 'total'> & { readIn: (project: number) => number }

function Projects({ projects, total, readIn }: ProjectsProps) {
  const { role } = useFrame().user!
  return (
    <StartSection
      title={projectsTitle(role, total === 0)}
      more={
        total > projects.length
          ? { href: urls.projects, text: `Alle projekter (${formatCount(total)})` }
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

type NewsProps = NonNullable<StartPageProps['news']> & ReturnType<typeof useReadFiles> & { lenders: Lender[] }

function News({ files, total, until, lenders, ...reading }: NewsProps) {
  const nameOf = ({ owner }: StartFile) =>
    lenders.find(({ id }) => 'user' in owner && owner.user === id)?.name ?? 'Mine filer'

  if (files.length === 0 || until === null)
    return (
      <StartSection title="Nyt til dig">
        <p className="px-4 py-6 text-muted">Der er ikke kommet noget nyt.</p>
      </StartSection>
    )
  return (
    <StartSection title="Nyt til dig">
      <StartFiles
        files={files}
        {...reading}
        from={(file) =>
          [
            file.project ?? nameOf(file),
            ...(file.project && file.lent_by.length > 0 ? [forText(file.lent_by)] : []),
          ].join(' · ')
        }
      />
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
        <p className="text-meta text-muted">
          {total > files.length ? `De ${files.length} nyeste. Resten er markeret i dine projekter.` : ''}
        </p>
        <SeenForm action={urls.seen} until={until} />
      </div>
    </StartSection>
  )
}

/** Says where the files are that are not shown. */
function Rest({ files, total, new_count: newCount }: Received) {
  if (total === files.length) return null
  return (
    <p className="border-t border-line px-4 py-3 text-meta text-muted">
      {newCount > files.length
        ? 'Der er flere nye i indbakken.'
        : `Viser ${files.length} af dem. Resten står i indbakken.`}
    </p>
  )
}

/** A received file is new until somebody takes it, even if it was opened. */
const UNREAD = { read: new Set<number>(), onRead: () => undefined }

const senderOf = (file: ReceivedFile) => <SenderAndState file={file} />

function SenderAndState({ file: { sender, inbox } }: { file: ReceivedFile }) {
  const me = useFrame().user!.id
  return (
    <>
      {inbox.state !== 'new' && `${stateText(inbox, me)} · `}
      {sender && (
        <a
          href={urls.user(sender.id)}
          className="relative inline-flex items-center text-ink underline-offset-2 hover:text-accent hover:underline pointer-coarse:min-h-11"
        >
          {sender.name}
        </a>
      )}
    </>
  )
}

const waitingTitle = (many: number) =>
  `${many === 1 ? '1 udsendelse' : `${formatCount(many)} udsendelser`} venter på din godkendelse`

function projectsTitle(role: Role, isEmpty: boolean): string {
  if (isLentTo(role)) return 'Projekter'
  if (!isOffice(role)) return 'Mine projekter'
  return isEmpty ? 'Projekter' : 'Senest ændrede projekter'
}

const NONE = {
  administrator: 'Ingen projekter endnu. Et nyt projekt får sine mapper fra mappeskabelonen.',
  employee: 'Ingen projekter endnu. En administrator opretter dem, og så står de her.',
  auditor: 'Ingen projekter endnu. Her står de projekter, som kontoret giver dig adgang til.',
  investor: 'Ingen projekter endnu. Her står de projekter, som kontoret giver dig adgang til.',
  adviser: 'Ingen projekter lige nu. Her står de projekter, som andre giver dig adgang til.',
}

function ProjectItem({ project, news }: { project: ProjectWithNews; news: number }) {
  const { id, number, name, status, updated_at: updatedAt, lent_by: lentBy } = project
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
      <span className="sm:w-32">
        <StatusChip status={status} />
      </span>
      <span className="text-meta text-muted tabular-nums max-sm:hidden">
        Ændret <ShortDate at={updatedAt} className="relative" />
      </span>
    </li>
  )
}
