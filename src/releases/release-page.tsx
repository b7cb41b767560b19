import { Download } from 'lucide-react'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { FileGroupCard } from '../files/list/file-group-card.tsx'
import type { FileGroup } from '../files/file/stored-file.ts'
import { countFiles } from '../projects/folder.ts'
import { Button } from '../ui/basic/button.tsx'
import { LinkButton } from '../ui/basic/link-button.tsx'
import { refreshPage } from '../ui/basic/next-page.ts'
import { ShortDate } from '../ui/basic/short-date.tsx'
import type { RefusedForm } from '../ui/form/form.tsx'
import { useLive } from '../ui/live/use-live.ts'
import { Shell } from '../ui/shell/shell.tsx'
import { changesOf, urls } from '../urls.ts'
import { ApprovalNotes, WaitingText } from './approval/approval-text.tsx'
import type { Approval } from './approval/approval.ts'
import { HeldCard } from './held/held-card.tsx'
import type { HeldPapers } from './held/held.ts'
import { MailCard } from './mail/mail-card.tsx'
import { MailingNotes } from './mailings/mailing-notes.tsx'
import { isWaiting, type Mailing, type MailLeaving } from './mailings/mailing.ts'
import { mailTexts, NO_MAIL_SERVER } from './release/reach-text.ts'
import { RecallCard } from './mail/recall-card.tsx'
import { ReleaseActs } from './release-acts.tsx'
import { ReleasePeople } from './release-people.tsx'
import {
  countPeople,
  isPossible,
  mostOpenings,
  type MailPreview,
  type Opening,
  type Recall,
  type PeopleCounts,
  type Release,
  type ReleaseForm,
  type ReleasePerson,
} from './release/release.ts'
import { StateChip } from './release/state-chip.tsx'

export type ReleasePageProps = {
  release: Release
  files: { groups: FileGroup[]; deleted: number }
  held: HeldPapers
  counts: PeopleCounts
  people: Page<ReleasePerson>
  query: ListQuery
  openings: Opening[]
  /** Null once mails have left, and if none will. */
  mail: MailPreview | null
  /** Mails to several people that the office has asked for. */
  mailings: Mailing[]
  /** How long they can be regretted. */
  leaving: MailLeaving
  approval: Approval
  /** Null unless it is recalled. */
  recall: Recall | null
  /** For the paper that it is printed on. */
  now: string
  refused?: RefusedForm & { form: ReleaseForm }
}

/** Shows one release: its state and what can be done with it, its files, whom it reaches, and who has opened what. */
export function ReleasePage(props: ReleasePageProps) {
  const { release, files, held, counts, people, query, openings, mail, approval, recall, now, refused } =
    props
  const { mailings, leaving } = props
  const waiting = mailings.filter(isWaiting).map(({ kind }) => kind)
  useLive(changesOf(`release:${release.id}`), refreshPage)
  const refusedAt = (form: ReleaseForm) => (refused?.form === form ? refused : undefined)
  return (
    <Shell title="Udsendelse" crumbs={[{ text: 'Udsendelser', href: urls.releases }]}>
      <div className="grid gap-6">
        <section
          aria-label="Status"
          className="grid gap-3 rounded-card border border-line bg-surface px-4 py-4 sm:-mt-2"
        >
          <p className="hidden print:block">
            Udsendelse nr. {release.id}. Udskrevet <ShortDate at={now} withTime />.
          </p>
          <p>
            <StateChip state={release.state} />
          </p>
          <p>
            <Status release={release} counts={counts} approval={approval} sendsMail={leaving.sendsMail} />
          </p>
          <ApprovalNotes release={release} approval={approval} />
          {files.groups.length > 0 || release.state === 'recalled' ? (
            <ReleaseActs {...{ release, counts, approval, refusedAt, waiting, leaving }} />
          ) : null}
          <MailingNotes
            mailings={mailings}
            sendsMail={leaving.sendsMail}
            regret={urls.releaseAct(release.id, 'regret-mails')}
          />
        </section>
        <HeldCard held={held} release={release.id} />
        <section aria-labelledby="files" className="grid gap-4">
          <h2 id="files" className="text-section font-semibold">
            {countFiles(release.files_count)}
          </h2>
          {files.deleted > 0 && (
            <p className="text-muted">
              {countFiles(files.deleted)} ligger i papirkurven.
              {isPossible('publish', release.state) &&
                ` Udgives resten, kan ${files.deleted === 1 ? 'den' : 'de'} også ses, hvis ${files.deleted === 1 ? 'den' : 'de'} gendannes.`}
            </p>
          )}
          {release.replaced_count > 0 && (
            <p className="text-muted">
              {countFiles(release.replaced_count)} fra udsendelsen er siden erstattet af en nyere version.
            </p>
          )}
          {files.groups.map((group) => (
            <FileGroupCard key={group.folder.id} group={group} />
          ))}
        </section>
        {mail && counts.reached > 0 && <MailCard release={release} mail={mail} refused={refusedAt('mail')} />}
        <section aria-labelledby="people" className="grid gap-4">
          <div className="flex flex-wrap items-center gap-3">
            <h2 id="people" className="min-w-0 flex-1 basis-60 text-section font-semibold">
              {release.published_at === null
                ? `${countPeople(counts.reached)} kan se filerne, når de udgives`
                : `${counts.opened} af ${countPeople(counts.reached)} har åbnet nogle af filerne`}
            </h2>
            {release.published_at !== null && counts.reached > 0 && (
              <span className="print:hidden">
                <LinkButton kind="secondary" href={urls.releasePeopleCsv(release.id)} icon={Download}>
                  Hent personer og filer som CSV
                </LinkButton>
              </span>
            )}
          </div>
          {counts.reached > 0 && (
            <ReleasePeople {...{ release, people, query, sendsMail: leaving.sendsMail }} />
          )}
        </section>
        {recall && (
          <RecallCard
            id={release.id}
            recall={recall}
            isWaiting={waiting.includes('recall')}
            leaving={leaving}
            refused={refusedAt('openers')}
          />
        )}
        {openings.length > 0 && <Openings release={release} openings={openings} />}
      </div>
    </Shell>
  )
}

type StatusProps = { release: Release; counts: PeopleCounts; approval: Approval; sendsMail: boolean }

function Status({ release, counts, approval, sendsMail }: StatusProps) {
  const { state, made_at: madeAt, made_by: madeBy } = release
  const uploaded = (
    <>
      Uploadet <ShortDate at={madeAt} withTime /> af {madeBy}.
    </>
  )
  if (state === 'published')
    return (
      <>
        {isApproverPublisher(release, approval) ? 'Godkendt og udgivet' : 'Udgivet'}{' '}
        <ShortDate at={release.published_at!} withTime /> af {release.published_by}.{' '}
        {isApproverPublisher(release, approval) ? `Uploadet af ${madeBy}. ` : <ApprovedBy {...approval} />}
        {counts.reached === 0 ? (
          'Ingen uden for kontoret kan se filerne.'
        ) : (
          <MailStatus {...{ release, counts, sendsMail }} />
        )}
      </>
    )
  if (state === 'recalled')
    return (
      <>
        Trukket tilbage <ShortDate at={release.recalled_at!} withTime /> af {release.recalled_by}. Kun
        kontoret kan se filerne nu. De var udgivet fra <ShortDate at={release.published_at!} withTime />.
        {release.versions_count > 0 && ` ${OLDER_SHOWN}`}
      </>
    )
  if (state === 'waiting') return <WaitingText release={release} approval={approval} />
  return (
    <>
      {uploaded} <ApprovedBy {...approval} />
      Kun kontoret kan se filerne
      {state === 'planned' ? (
        <>
          , indtil de udgives <ShortDate at={release.publish_at!} withTime />.
          {release.is_late &&
            ' De skulle være udgivet nu, men computerens ur er sprunget frem, så Ringbind venter. Udgiv dem selv, hvis tidspunktet er rigtigt.'}
        </>
      ) : (
        '.'
      )}
    </>
  )
}

const OLDER_SHOWN = 'Filer, der var erstattet med en ny version, viser den forrige igen.'

const isApproverPublisher = ({ published_by: publisher }: Release, { approved_by: approver }: Approval) =>
  approver !== null && approver === publisher

function ApprovedBy({ approved_at: at, approved_by: by }: Approval) {
  return at === null ? null : (
    <>
      Godkendt <ShortDate at={at} withTime /> af {by}.{' '}
    </>
  )
}

/** Says when people are mailed, or how many were. */
function MailStatus({ release, counts, sendsMail }: Omit<StatusProps, 'approval'>) {
  if (!sendsMail)
    return release.announced_at === null ? (
      <>
        {NO_MAIL_SERVER} Indtil <ShortDate at={release.announces_at!} withTime /> kan du fortryde det hele.
      </>
    ) : (
      NO_MAIL_SERVER
    )
  if (release.announced_at === null) {
    const mailed = counts.reached - counts.no_mail - counts.uninvited
    const texts = mailTexts(counts.reached, counts).join(' ')
    const at = <ShortDate at={release.announces_at!} withTime />
    return mailed > 0 ? (
      <>
        {countPeople(mailed)} får besked på mail, tidligst {at}. {texts} Indtil da kan du fortryde det hele.
      </>
    ) : (
      <>
        Ingen får besked på mail. {texts} Indtil {at} kan du fortryde det hele.
      </>
    )
  }
  return counts.told > 0 ? <>{countPeople(counts.told)} har fået besked på mail.</> : null
}

/** Lists who opened what, and when: what a report of a data breach needs. */
function Openings({ release: { id, state }, openings }: { release: Release; openings: Opening[] }) {
  const most = mostOpenings(state)
  return (
    <section aria-labelledby="openings" className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="openings" className="min-w-0 flex-1 basis-60 text-section font-semibold">
          Åbnet og hentet
        </h2>
        <span className="flex flex-wrap gap-3 print:hidden">
          <span className="noscript:hidden">
            <Button type="button" kind="secondary" onClick={() => print()}>
              Udskriv
            </Button>
          </span>
          <LinkButton kind="secondary" href={urls.releaseOpenings(id)} icon={Download}>
            Hent som CSV
          </LinkButton>
        </span>
      </div>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {openings.map(({ id: key, at, name, file, is_download: isDownload }) => (
          <li key={key} className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2">
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
              {name} {isDownload ? 'hentede' : 'åbnede'} {file}
            </span>
            <span className="text-meta text-muted tabular-nums">
              <ShortDate at={at} withTime />
            </span>
          </li>
        ))}
        {openings.length === most && (
          <li className="px-4 py-2 text-muted">Listen viser de første {most}. Hent alle som CSV.</li>
        )}
      </ul>
    </section>
  )
}
