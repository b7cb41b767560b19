import { spokenTime } from '../base/time/dates.ts'
import { letter } from '../office/letter.ts'
import type { Office } from '../office/office.ts'
import { SOURCE_NAMES, type IntakeSource } from '../intake/intake.ts'
import { countFiles } from '../projects/folder.ts'

/** An item as the mail names it; `takenBy` is the colleague who has taken it meanwhile. */
export type SentItem = {
  /** The investor's name, or the stated sender of an intake. */
  sender: string
  /** Null for what an investor sent. */
  source: IntakeSource | null
  subject: string
  sentAt: Date
  takenBy: string | null
  files: string[]
}

export type InboxMailContent = {
  /** The oldest first. They name only the first files. */
  items: SentItem[]
  /** How many files there are. */
  total: number
  /** How many investors have sent some of them. */
  senders: number
}

/** Says what came. The subject never has the stated sender of a mail: anybody can write a colleague's name there. */
function newsOf({ items, total, senders }: InboxMailContent): { subject: string; intro: string } {
  const what = total === 1 ? 'en fil' : countFiles(total)
  const isHandedIn = items.some(({ source }) => source !== null)
  if (!isHandedIn) {
    const who = senders === 1 ? items[0]!.sender : `${senders} investorer`
    return { subject: `${who} har sendt ${what}`, intro: `${who} har sendt ${what} til kontoret:` }
  }
  const news = senders > 0 ? 'Nyt' : items.length === 1 ? 'Ny indlevering' : 'Nye indleveringer'
  return {
    subject: total === 0 ? `${news} i indbakken` : `${news} i indbakken: ${what}`,
    intro: total === 0 ? 'Der er kommet mail i indbakken:' : `Der er kommet ${what} i indbakken:`,
  }
}

/** 'Fra postkasse · angivet afsender Bo Holm <bo@example.dk>' */
function senderLine({ sender, source }: SentItem): string {
  if (source === null) return sender
  if (sender === '') return SOURCE_NAMES[source]
  return `${SOURCE_NAMES[source]} · ${source === 'mailbox' ? 'angivet afsender ' : ''}${sender}`
}

/** Tells one of the office's people what came into the inbox. */
export function inboxMail(
  office: Office,
  to: { name: string; email: string },
  content: InboxMailContent,
  { link, timeZone }: { link: string; timeZone: string },
): ReturnType<typeof letter> {
  const { items, total } = content
  const { subject, intro } = newsOf(content)
  const named = items.reduce((sum, { files }) => sum + files.length, 0)
  return letter(office, {
    to,
    subject,
    link,
    action: 'Gå til indbakken',
    before: [
      intro,
      ...items.map((item) => {
        const { subject: about, sentAt, takenBy, files } = item
        return [
          [
            senderLine(item),
            spokenTime(sentAt, timeZone),
            ...(takenBy === null ? [] : [`taget af ${takenBy}`]),
          ].join(' · '),
          ...(about === '' ? [] : [about]),
          ...files.map((name) => `– ${name}`),
        ].join('\n')
      }),
      ...(total > named ? [`… og ${countFiles(total - named)} mere.`] : []),
    ],
    after:
      'Indbakken viser, om en kollega har taget det. Under Min profil vælger du, hvor ofte du får besked.',
  })
}
