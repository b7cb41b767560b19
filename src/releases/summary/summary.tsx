import { TriangleAlert } from 'lucide-react'
import type { RefusedForm } from '../../ui/form/form.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import { ApprovalNotes } from '../approval/approval-text.tsx'
import type { Approval } from '../approval/approval.ts'
import type { HeldPapers } from '../held/held.ts'
import { MailingNotes } from '../mailings/mailing-notes.tsx'
import { isWaiting, type Mailing, type MailLeaving } from '../mailings/mailing.ts'
import { NameForm } from '../release/name-form.tsx'
import type { PeopleCounts, Release, ReleaseForm } from '../release/release.ts'
import { StateChip } from '../release/state-chip.tsx'
import { ReleaseActs } from './release-acts.tsx'
import { Status } from './status.tsx'
import { unusualOf, type Doubts, type Unusual } from './unusual.ts'

type Props = {
  release: Release
  held: HeldPapers
  doubts: Doubts
  counts: PeopleCounts
  mailings: Mailing[]
  leaving: MailLeaving
  approval: Approval
  now: string
  refusedAt: (form: ReleaseForm) => RefusedForm | undefined
}

/** Says what a release is, what is unusual about it, and offers what can be done with it. */
export function Summary({
  release,
  held,
  doubts,
  counts,
  mailings,
  leaving,
  approval,
  now,
  refusedAt,
}: Props) {
  const { id, state } = release
  const waiting = mailings.filter(isWaiting)
  const unusual = unusualOf({
    ...doubts,
    state,
    held,
    failed: counts.failed,
    silent: leaving.sendsMail && release.announced_at === null ? counts.no_mail + counts.uninvited : 0,
  })
  return (
    <section
      aria-label="Status"
      className="grid gap-3 rounded-card border border-line bg-surface px-4 py-4 sm:-mt-2"
    >
      <p className="hidden print:block">
        Udsendelse nr. {id}. Udskrevet <ShortDate at={now} withTime="spoken" />.
      </p>
      <div className="flex flex-wrap items-start gap-x-4">
        <p className="flex-1">
          <StateChip state={state} />
        </p>
        <NameForm release={release} refused={refusedAt('name')} />
      </div>
      <p>
        <Status release={release} counts={counts} approval={approval} sendsMail={leaving.sendsMail} />
      </p>
      <ApprovalNotes release={release} approval={approval} />
      {unusual.length > 0 && <UnusualList release={id} lines={unusual} />}
      {release.files_count > 0 || state === 'recalled' ? (
        <ReleaseActs
          {...{ release, counts, approval, refusedAt, leaving }}
          held={held.papers}
          waiting={waiting.map(({ kind }) => kind)}
        />
      ) : null}
      <MailingNotes
        mailings={waiting}
        sendsMail={leaving.sendsMail}
        regret={urls.releaseAct(id, 'regret-mails')}
      />
    </section>
  )
}

/** Lists what somebody should look at first, each with the way to it. */
function UnusualList({ release, lines }: { release: number; lines: Unusual[] }) {
  return (
    <ul aria-label="Se på" className="grid gap-1 rounded-control bg-warn-soft px-3 py-2 text-warn">
      {lines.map(({ text, tab, filter }) => (
        <li key={text} className="flex gap-2">
          <TriangleAlert
            size={16}
            strokeWidth={1.75}
            aria-hidden="true"
            className={`mt-0.5 shrink-0 ${tab === null ? '' : 'pointer-coarse:mt-3.5'}`}
          />
          {tab === null ? (
            text
          ) : (
            <a
              href={urls.releaseTab(release, tab) + (filter ? `?filter=${filter}` : '')}
              className="underline underline-offset-2 pointer-coarse:py-3"
            >
              {text}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
