import { formatCount } from '../base/danish/counts.ts'
import type { ListQuery } from '../base/list-query.ts'
import type { Page } from '../base/pagination.ts'
import { refreshPage } from '../ui/basic/next-page.ts'
import type { RefusedForm } from '../ui/form/form.tsx'
import { TabLinks } from '../ui/list/tab-links.tsx'
import { useLive } from '../ui/live/use-live.ts'
import { Shell } from '../ui/shell/shell.tsx'
import { changesOf, urls } from '../urls.ts'
import type { Approval } from './approval/approval.ts'
import type { HeldPapers } from './held/held.ts'
import type { Mailing, MailLeaving } from './mailings/mailing.ts'
import { type ReleasePaper } from './release/release-paper.ts'
import {
  type MailPreview,
  type Opening,
  type PeopleCounts,
  type Recall,
  type Release,
  type ReleaseForm,
  type ReleasePerson,
} from './release/release.ts'
import { Summary } from './summary/summary.tsx'
import type { Doubts } from './summary/unusual.ts'
import type { ReleaseEvent } from './tabs/events.ts'
import { HistoryTab } from './tabs/history-tab.tsx'
import { MailsTab } from './tabs/mails-tab.tsx'
import { PapersTab } from './tabs/papers-tab.tsx'
import { RecipientsTab } from './tabs/recipients-tab.tsx'

/** The data of each tab, read only when it is asked for. */
export type ReleasePart =
  | { tab: 'papers'; papers: Page<ReleasePaper>; query: ListQuery }
  | { tab: 'recipients'; people: Page<ReleasePerson>; query: ListQuery }
  /** `mail` is null once mails have left, and if none will; `recall` unless it is recalled. */
  | { tab: 'mails'; mail: MailPreview | null; recall: Recall | null }
  | { tab: 'history'; events: ReleaseEvent[]; openings: Page<Opening>; isToPrint: boolean }

export type ReleasePageProps = {
  release: Release
  part: ReleasePart
  held: HeldPapers
  doubts: Doubts
  counts: PeopleCounts
  /** Mails to several people that the office has asked for. */
  mailings: Mailing[]
  /** How long they can be regretted. */
  leaving: MailLeaving
  approval: Approval
  /** For the paper that it is printed on. */
  now: string
  refused?: RefusedForm & { form: ReleaseForm }
}

/** Shows one release: what it is, what is unusual and what can be done with it; then its papers, recipients, mails and history. */
export function ReleasePage(props: ReleasePageProps) {
  const { release, part, counts, refused } = props
  const { id } = release
  useLive(changesOf(`release:${id}`), refreshPage)
  const refusedAt = (form: ReleaseForm) => (refused?.form === form ? refused : undefined)
  const tab = (name: ReleasePart['tab'], text: string, count?: number) => ({
    text,
    href: urls.releaseTab(id, name),
    isHere: part.tab === name,
    mark: count !== undefined && <span className="text-meta tabular-nums">{formatCount(count)}</span>,
  })
  return (
    <Shell title={release.name} crumbs={[{ text: 'Udsendelser', href: urls.releases }]}>
      <div className="grid gap-6">
        <Summary {...props} refusedAt={refusedAt} />
        <TabLinks
          label="Udsendelsens indhold"
          tabs={[
            tab('papers', 'Papirer', release.files_count),
            tab('recipients', 'Modtagere', counts.reached),
            tab('mails', 'Mails'),
            tab('history', 'Historik'),
          ]}
        />
        <Part {...props} refusedAt={refusedAt} />
      </div>
    </Shell>
  )
}

type PartProps = ReleasePageProps & { refusedAt: (form: ReleaseForm) => RefusedForm | undefined }

function Part({ part, release, counts, held, doubts, mailings, leaving, refusedAt }: PartProps) {
  if (part.tab === 'papers') {
    const found = {
      held: held.papers,
      versions: release.versions_count,
      crowded: doubts.crowded,
    }
    return <PapersTab {...part} {...{ held, found }} release={release.id} />
  }
  if (part.tab === 'recipients')
    return <RecipientsTab {...part} release={release} sendsMail={leaving.sendsMail} />
  if (part.tab === 'mails')
    return <MailsTab {...part} {...{ release, counts, mailings, leaving, refusedAt }} />
  return <HistoryTab {...part} release={release.id} />
}
