import { countPeople } from '../release/release.ts'

/**
 * Why the office mails several people: a reminder, files that can be seen again, a recall, invitations to the new people of
 * an import or to people of the list, or access that it lent.
 */
export type MailingKind = 'reminder' | 'again' | 'recall' | 'invitations' | 'invited-people' | 'lending'

/** Mails to several people outside the office. They can be regretted until they leave. */
export type Mailing = {
  id: number
  kind: MailingKind
  /** The release, import or lending that they are about; their own id if they are about nothing else. */
  about: number
  /** How many people they were asked for, and, once they have left, how many they went to. */
  people: number
  asked_by: string
  asked_at: string
  leaves_at: string
  left_at: string | null
  regretted_at: string | null
  regretted_by: string | null
}

/** Can be regretted. */
export const isWaiting = ({ left_at: left, regretted_at: regretted }: Mailing) =>
  left === null && regretted === null

const WORDS: Record<MailingKind, (people: string) => string> = {
  reminder: (people) => `Påmindelse til ${people}`,
  again: (people) => `Mail om papirerne til ${people}`,
  recall: (people) => `Mail om tilbagetrækningen til ${people}`,
  invitations: (people) => `Invitation til ${people}`,
  'invited-people': (people) => `Invitation til ${people}`,
  lending: (people) => `Mail om adgangen til ${people}`,
}

/** 'Påmindelse til 287 personer'. */
export const mailingText = ({ kind, people }: Pick<Mailing, 'kind' | 'people'>) =>
  WORDS[kind](countPeople(people))

/** How mails to several people leave: after how many minutes for regret, and whether there is a mail server. */
export type MailLeaving = { minutes: number; sendsMail: boolean }

/** Says that mails wait before they leave: 'Mailen sendes om 10 minutter. Indtil da kan du fortryde.' */
export function regretText({ minutes, sendsMail }: MailLeaving): string {
  if (!sendsMail) return NOT_SENT
  if (minutes === 0) return 'Mailen sendes med det samme og kan ikke kaldes tilbage.'
  return `Mailen sendes om ${minutes === 1 ? '1 minut' : `${minutes} minutter`}. Indtil da kan du fortryde.`
}

const NOT_SENT = 'Der er ingen mailserver, så mailen bliver ikke sendt, men lagt på serveren.'
