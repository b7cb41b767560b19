import { spokenTime } from '../../base/time/dates.ts'
import { countFiles } from '../../projects/folder.ts'
import { RegretMailsButton } from '../../releases/mailings/mailing-notes.tsx'
import { mailingText, type Mailing } from '../../releases/mailings/mailing.ts'
import { RegretButton } from '../../releases/release/release-act-button.tsx'
import type { UnmailedRelease } from '../../releases/release/release.ts'
import { useFrame } from '../../ui/basic/frame.ts'
import { urls } from '../../urls.ts'

type Props = { releases: UnmailedRelease[]; mailings: Mailing[]; now: string }

/** Offers to undo what was published, and mails that were asked for, a moment ago, before anybody is mailed. */
export function UnmailedReleases({ releases, mailings, now }: Props) {
  const { timeZone } = useFrame()
  if (releases.length === 0 && mailings.length === 0) return null
  const clock = (at: string) => spokenTime(at, timeZone, now)
  return (
    <ul aria-label="Kan fortrydes endnu" className="rounded-card border border-line bg-surface">
      {releases.map(
        ({ id, name, files_count: files, published_at: at, announces_at: mailsAt, published_by: by }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0"
          >
            <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
              <a
                href={urls.release(id)}
                className="text-accent underline underline-offset-2 pointer-coarse:py-3"
              >
                {name}
              </a>{' '}
              <span className="text-muted">
                {countFiles(files)} udgivet {clock(at)} af {by} · kan fortrydes til {clock(mailsAt)}
              </span>
            </p>
            <RegretButton id={id} />
          </li>
        ),
      )}
      {mailings.map((mailing) => (
        <li
          key={`mails-${mailing.id}`}
          className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4 py-3 last:border-0"
        >
          <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
            <a
              href={placeOf(mailing).page}
              className="text-accent underline underline-offset-2 pointer-coarse:py-3"
            >
              {mailingText(mailing)}
            </a>{' '}
            <span className="text-muted">
              fra {mailing.asked_by} · kan fortrydes til {clock(mailing.leaves_at)}
            </span>
          </p>
          <RegretMailsButton action={placeOf(mailing).regret} />
        </li>
      ))}
    </ul>
  )
}

/** The page about mails, and the address that takes them back. */
function placeOf({ kind, about }: Mailing): { page: string; regret: string } {
  if (kind === 'invited-people') return { page: urls.users, regret: urls.regretInvitations(about) }
  if (kind === 'invitations') return { page: urls.import, regret: urls.cancelInvitations(about) }
  return { page: urls.release(about), regret: urls.releaseAct(about, 'regret-mails') }
}
