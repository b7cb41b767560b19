import {
  countPeople,
  type MailPreview,
  type PeopleCounts,
  type Recall,
  type Release,
} from '../release/release.ts'
import type { ReleaseForm } from '../release/release.ts'
import { MailCard } from '../mail/mail-card.tsx'
import { RecallCard } from '../mail/recall-card.tsx'
import { MailingNotes } from '../mailings/mailing-notes.tsx'
import { isWaiting, type Mailing, type MailLeaving } from '../mailings/mailing.ts'
import type { RefusedForm } from '../../ui/form/form.tsx'
import { urls } from '../../urls.ts'

type Props = {
  release: Release
  counts: PeopleCounts
  /** Null once mails have left, and if none will. */
  mail: MailPreview | null
  /** Null unless it is recalled. */
  recall: Recall | null
  /** Mails to several people that the office has asked for. */
  mailings: Mailing[]
  leaving: MailLeaving
  refusedAt: (form: ReleaseForm) => RefusedForm | undefined
}

/** The mail about a release as it will look, and what became of those that have left. */
export function MailsTab({ release, counts, mail, recall, mailings, leaving, refusedAt }: Props) {
  const isOpen = mail !== null && counts.reached > 0
  const left = mailings.filter((mailing) => !isWaiting(mailing))
  const hasTold = counts.told > 0 && leaving.sendsMail
  const isEmpty = !isOpen && !hasTold && left.length === 0 && !recall?.openers.total
  return (
    <div className="grid gap-6">
      {isEmpty && <p className="text-muted">Ingen får mail om papirerne.</p>}
      {hasTold && (
        <p>
          {countPeople(counts.told)} har fået mail om papirerne.{' '}
          <a
            href={urls.releaseTab(release.id, 'recipients')}
            className="text-accent underline underline-offset-2"
          >
            Se hver modtager
          </a>
        </p>
      )}
      {left.length > 0 && (
        <MailingNotes
          mailings={left}
          sendsMail={leaving.sendsMail}
          regret={urls.releaseAct(release.id, 'regret-mails')}
        />
      )}
      {isOpen && <MailCard release={release} mail={mail} refused={refusedAt('mail')} />}
      {recall && (
        <RecallCard
          id={release.id}
          recall={recall}
          isWaiting={mailings.some((mailing) => mailing.kind === 'recall' && isWaiting(mailing))}
          leaving={leaving}
          refused={refusedAt('openers')}
        />
      )}
    </div>
  )
}
