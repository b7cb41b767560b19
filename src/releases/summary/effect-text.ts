import { formatCount } from '../../base/danish/counts.ts'
import { spokenTime } from '../../base/time/dates.ts'
import type { MailLeaving } from '../mailings/mailing.ts'
import { mailTexts, NO_MAIL_SERVER } from '../release/reach-text.ts'
import { countPapers, countPeople, type PeopleCounts } from '../release/release.ts'

/** The people whose press is needed before something is published. */
export type Presser = 'approver' | 'publisher' | 'colleague'

export type Effect = {
  presser: Presser
  papers: number
  /** How many of them stay held when the others are published. */
  held: number
  /** When they are published; null for at once. */
  at: string | null
  counts: Pick<PeopleCounts, 'reached' | 'no_mail' | 'later' | 'uninvited'>
  leaving: MailLeaving
}

const BEGINNINGS: Record<Presser, string> = {
  approver: 'Når du godkender, bliver',
  publisher: 'Når du udgiver, bliver',
  colleague: 'Når en kollega har godkendt, bliver',
}

/** Says what a press will do: which papers are published when, who sees them, and who is mailed when. */
export function effectText({ presser, papers, held, at, counts, leaving }: Effect, timeZone: string): string {
  const shown = papers - held
  const when = at === null ? 'med det samme' : spokenTime(at, timeZone)
  return [
    `${BEGINNINGS[presser]} ${countPapers(shown)} udgivet ${when}.`,
    held > 0 && `${countPapers(held)} er holdt tilbage og bliver ikke udgivet endnu.`,
    shown > 0 && whomText(shown, counts, leaving),
  ]
    .filter(Boolean)
    .join(' ')
}

function whomText(papers: number, counts: Effect['counts'], { minutes, sendsMail }: MailLeaving): string {
  const { reached, no_mail: noMail, uninvited } = counts
  const them = papers === 1 ? 'det' : 'dem'
  if (reached === 0) return `Ingen uden for kontoret kan se ${them}.`
  const seen = `${countPeople(reached)} kan se ${them}`
  if (!sendsMail) return `${seen}. ${NO_MAIL_SERVER}`
  const mailed = reached - noMail - uninvited
  const after = minutes === 0 ? 'straks efter' : `${minutes === 1 ? '1 minut' : `${minutes} minutter`} efter`
  const all = mailed === reached ? ' og' : `, og ${formatCount(mailed)}`
  const first = mailed === 0 ? `${seen}.` : `${seen}${all} får mail ${after}.`
  return [first, ...mailTexts(reached, counts)].join(' ')
}
