import { FileUp } from 'lucide-react'
import { forText, type Lender } from '../access/lent.ts'
import { danishDate } from '../base/time/dates.ts'
import { formatCount } from '../base/danish/counts.ts'
import { FILE_ICONS } from '../files/file/file-icons.tsx'
import { useReadFiles } from '../files/content/use-read-files.ts'
import { NoticeList } from '../log/notices/notice-list.tsx'
import type { Notice } from '../log/notices/notice.ts'
import type { ProjectWithNews } from '../projects/project/project.ts'
import { SeenForm } from '../projects/news/seen-form.tsx'
import type { WaitingRelease } from '../releases/approval/approval.ts'
import type { Mailing } from '../releases/mailings/mailing.ts'
import type { UnmailedRelease } from '../releases/release/release.ts'
import { AskedActList, type AskedActs } from '../releases/approval/asked-acts.tsx'
import { WaitingReleases } from '../releases/approval/waiting-releases.tsx'
import { may } from '../rights.ts'
import { useFrame } from '../ui/basic/frame.ts'
import { refreshPage } from '../ui/basic/next-page.ts'
import { IconSprite } from '../ui/icon/icon-sprite.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { makeLateDrawn } from '../ui/overlay/late-drawn.tsx'
import { useLive } from '../ui/live/use-live.ts'
import { AskOffice } from '../ui/shell/ask-office.tsx'
import { Shell } from '../ui/shell/shell.tsx'
import { changesOf, urls } from '../urls.ts'
import { ReceivedFiles } from './sections/received-files.tsx'
import type { Received, StartFile } from './sections/start-file.ts'
import { StartProjects } from './sections/start-projects.tsx'
import type { FirstSteps as Steps } from './first-steps.ts'
import { FirstSteps } from './first-steps.tsx'
import { Lenders } from './sections/lenders.tsx'
import type { OfficeDay } from './office/office-day.ts'
import { StartFiles } from './sections/start-files.tsx'
import { StartSection } from './sections/start-section.tsx'
import { UnmailedReleases } from './sections/unmailed-releases.tsx'

const DaySections = makeLateDrawn(() => import('./office/day-sections.tsx').then((file) => file.DaySections))

export type StartPageProps = {
  /** The name that the greeting says. */
  greeted: string
  now: string
  /** First those with new files, then those that changed last. */
  projects: ProjectWithNews[]
  total: number
  /** The newest files, how many are new, and when they were counted. Null for the office. */
  news: { files: StartFile[]; total: number; until: string | null } | null
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
  greeted,
  now,
  projects,
  total,
  news,
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
  const { timeZone, user } = useFrame()
  const { role } = user!
  useLive(changesOf('start'), refreshPage)
  const { read, onRead } = useReadFiles()
  const reading = { read, onRead }
  const readIn = (project: number) =>
    news?.files.filter(({ id, owner }) => 'project' in owner && owner.project === project && read.has(id))
      .length ?? 0
  return (
    <Shell
      title={`Hej ${greeted}`}
      above={
        <time dateTime={now} className="inline-block first-letter:uppercase">
          {danishDate(now, timeZone)}
        </time>
      }
      actions={
        may(role, 'haveOwnFiles') && (
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
        {received && <ReceivedFiles {...received} />}
        {(projects.length > 0 || !firstSteps) && (
          <StartProjects projects={projects} total={total} readIn={readIn} />
        )}
        {lenders && lenders.length > 0 && <Lenders lenders={lenders} />}
        {may(role, 'seePapers') && <AskOffice />}
      </div>
    </Shell>
  )
}

type Reading = ReturnType<typeof useReadFiles>

type NewsProps = NonNullable<StartPageProps['news']> & Reading & { lenders: Lender[] }

function News({ files, total, until, lenders, ...reading }: NewsProps) {
  const { role } = useFrame().user!
  const more = may(role, 'seePapers') ? { href: urls.papersPage, text: 'Alle papirer' } : null
  /** For an adviser whose papers they are; the title says the project, but an auditor's has none. */
  const fromOf = ({ owner, project, lent_by: lentBy }: StartFile) => {
    const lender = lenders.find(({ id }) => 'user' in owner && owner.user === id)
    const by = lender ? [lender.name] : lentBy
    return by.length > 0 ? forText(by) : more ? null : project
  }

  if (files.length === 0 || until === null)
    return (
      <StartSection title="Nyt til dig" more={more}>
        <p className="px-4 py-6 text-muted">Der er ikke kommet noget nyt.</p>
      </StartSection>
    )
  return (
    <StartSection title="Nyt til dig" more={more}>
      <StartFiles files={files} {...reading} from={fromOf} />
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3">
        <p className="text-meta text-muted">
          {total > files.length
            ? `De ${files.length} nyeste. Resten er mærket ${more ? 'under Papirer' : 'i dine projekter'}.`
            : ''}
        </p>
        <SeenForm action={urls.seen} until={until} />
      </div>
    </StartSection>
  )
}

const waitingTitle = (many: number) =>
  `${many === 1 ? '1 udsendelse' : `${formatCount(many)} udsendelser`} venter på din godkendelse`
