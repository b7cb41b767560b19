import { formatCount } from '../../base/danish/counts.ts'
import { ShareBar } from '../../ui/basic/share-bar.tsx'
import { ShortDate } from '../../ui/basic/short-date.tsx'
import { urls } from '../../urls.ts'
import { ALL_DUTIES, WITH_RECEIPT, writeDutyQuery } from '../../year/obligations/duty.ts'
import type { UnreadRelease, Waiting } from './office-day.ts'

/** Lists what waits, the most urgent first, without empty lines. */
export function linesOf({ drafts, asked, never, inbox, receipts, failed_mails: failed }: Waiting) {
  const lines = [
    { count: inbox.new, href: urls.inbox('new'), text: `${many(inbox.new, 'ny', 'nye')} i indbakken` },
    {
      count: inbox.mine,
      href: urls.inbox('mine'),
      text: `Du har taget ${formatCount(inbox.mine)} i indbakken`,
    },
    {
      count: receipts.proposed,
      href: DUTIES_WITH_RECEIPT,
      text: `${many(receipts.proposed, 'kvittering', 'kvitteringer')} kan lukke en frist`,
    },
    {
      count: receipts.misfits,
      href: `${urls.yearList}#kvitteringer`,
      text: `${many(receipts.misfits, 'kvittering', 'kvitteringer')} passer ikke til en frist`,
    },
    {
      count: asked,
      href: urls.releases,
      text: `${many(asked, 'udsendelse', 'udsendelser')} fra dig venter på godkendelse`,
    },
    { count: drafts, href: urls.releases, text: `${many(drafts, 'kladde', 'kladder')} er ikke udgivet` },
    {
      count: failed.count,
      href: failed.person === null ? urls.users : urls.user(failed.person),
      text: `${many(failed.count, 'mail', 'mails')} kunne ikke sendes`,
    },
    {
      count: never,
      href: urls.filteredUsers('?filter=never'),
      text: `${many(never, 'person', 'personer')} har aldrig logget ind`,
    },
  ]
  return lines.filter(({ count }) => count > 0)
}

const DUTIES_WITH_RECEIPT = urls.yearList + writeDutyQuery({ ...ALL_DUTIES, rule: WITH_RECEIPT })

const many = (count: number, one: string, more: string) => `${formatCount(count)} ${count === 1 ? one : more}`

/** Lists what waits for somebody in the office, and releases that not everybody has opened. */
export function WaitingList({ waiting }: { waiting: Waiting }) {
  return (
    <ul>
      {linesOf(waiting).map(({ href, text }) => (
        <li
          key={text}
          className="relative flex min-h-11 items-center border-b border-line px-4 py-2 last:border-0 hover:bg-hover"
        >
          <a
            href={href}
            className="font-medium after:absolute after:inset-0 hover:text-accent hover:underline"
          >
            {text}
          </a>
        </li>
      ))}
      {waiting.unread.map((release) => (
        <UnreadItem key={release.id} release={release} />
      ))}
    </ul>
  )
}

function UnreadItem({ release }: { release: UnreadRelease }) {
  const { id, name, published_at: at, reached, opened, is_least: isLeast } = release
  return (
    <li className="relative grid gap-1 border-b border-line px-4 py-2 last:border-0 hover:bg-hover">
      <span className="flex flex-wrap items-baseline justify-between gap-x-4">
        <a
          href={urls.unopened(id)}
          className="font-medium wrap-anywhere after:absolute after:inset-0 hover:text-accent hover:underline"
        >
          {name}
        </a>
        <span className="text-meta text-muted tabular-nums">
          {`${isLeast ? 'mindst ' : ''}${formatCount(opened)} af ${formatCount(reached)} har åbnet · udgivet `}
          <ShortDate at={at} className="relative" />
        </span>
      </span>
      <ShareBar part={opened} of={reached} />
    </li>
  )
}
