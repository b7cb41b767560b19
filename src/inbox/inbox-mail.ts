import { spokenTime } from '../base/dates.ts'
import { letter } from '../office/letter.ts'
import type { Office } from '../office/office.ts'
import { countFiles } from '../projects/folder.ts'

/** An investor's save as the mail names it; `takenBy` is the colleague who has taken it meanwhile. */
export type SentItem = { sender: string; sentAt: Date; takenBy: string | null; files: string[] }

export type InboxMailContent = {
  /** The oldest first. Together they name the first of the files. */
  items: SentItem[]
  /** How many files there are. */
  total: number
  /** How many people have sent them. */
  senders: number
}

/** Tells one of the office's people what investors have sent. */
export function inboxMail(
  office: Office,
  to: { name: string; email: string },
  { items, total, senders }: InboxMailContent,
  { link, timeZone }: { link: string; timeZone: string },
): ReturnType<typeof letter> {
  const who = senders === 1 ? items[0]!.sender : `${senders} investorer`
  const what = total === 1 ? 'en fil' : countFiles(total)
  const named = items.reduce((sum, { files }) => sum + files.length, 0)
  return letter(office, {
    to,
    subject: `${who} har sendt ${what}`,
    link,
    action: 'Gå til indbakken',
    before: [
      `${who} har sendt ${what} til kontoret:`,
      ...items.map(({ sender, sentAt, takenBy, files }) =>
        [
          [sender, spokenTime(sentAt, timeZone), ...(takenBy === null ? [] : [`taget af ${takenBy}`])].join(
            ' · ',
          ),
          ...files.map((name) => `– ${name}`),
        ].join('\n'),
      ),
      ...(total > named ? [`… og ${countFiles(total - named)} mere.`] : []),
    ],
    after:
      'I indbakken kan du se, om en kollega har taget sig af det. Under Min profil vælger du, hvor ofte du får besked.',
  })
}
