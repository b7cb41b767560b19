import { readDay, writeDay } from '../../base/time/days.ts'
import { formatCount } from '../../base/danish/counts.ts'
import { HELD_NAMES } from '../../files/file/stored-file.ts'
import { momentAt } from '../../base/time/wall-clock.ts'

/** In every state but `published`, only the office sees the files. */
export const RELEASE_STATES = ['draft', 'planned', 'waiting', 'published', 'recalled'] as const
export type ReleaseState = (typeof RELEASE_STATES)[number]

export const STATE_NAMES: Record<ReleaseState, string> = { ...HELD_NAMES, published: 'Udgivet' }

/** The acts on a release, with the states that each may start from. */
const ACTS = {
  publish: ['draft', 'planned', 'waiting'],
  plan: ['draft', 'planned', 'waiting'],
  hold: ['planned', 'waiting'],
  discard: ['draft', 'planned', 'waiting'],
  approve: ['waiting'],
  reject: ['waiting'],
  regret: ['published'],
  remind: ['published'],
  write: ['draft', 'planned', 'waiting', 'published'],
  recall: ['published'],
  'undo-recall': ['recalled'],
  'tell-openers': ['recalled'],
  'regret-mails': ['published', 'recalled'],
  name: ['draft', 'planned', 'waiting', 'published', 'recalled'],
} satisfies Record<string, ReleaseState[]>

export type ReleaseAct = keyof typeof ACTS
export const RELEASE_ACTS = Object.keys(ACTS) as ReleaseAct[]

export function isPossible(act: ReleaseAct, state: ReleaseState): boolean {
  const states: ReleaseState[] = ACTS[act]
  return states.includes(state)
}

export const PUBLISHING_WAYS = ['now', 'draft', 'later'] as const
export type PublishingWay = (typeof PUBLISHING_WAYS)[number]

/** How the files of a form are published. */
export type Publishing = { way: 'now' } | { way: 'draft' } | { way: 'later'; at: Date }

/** The fields of a form about publishing, as sent. */
export type PublishingFields = {
  publish?: PublishingWay | undefined
  publish_day?: string | undefined
  publish_time?: string | undefined
}

type Read = { publishing: Publishing } | { faults: Record<string, string[]> }

const MOST_DAYS_AHEAD = 365
const DAY_MS = 86_400_000

/** Reads the fields of a form, in the office's time zone. Without any, the files are published at once. */
export function readPublishing(fields: PublishingFields, now: Date, timeZone: string): Read {
  if (fields.publish !== 'later') return { publishing: { way: fields.publish ?? 'now' } }
  const day = readDay(fields.publish_day ?? '')
  const time = readTime(fields.publish_time ?? '')
  const faults: Record<string, string[]> = {}
  if ('fault' in day) faults.publish_day = [day.fault]
  else if (day.day === null) faults.publish_day = ['Vælg en dato.']
  if (time === null) faults.publish_time = ['Skriv klokkeslættet som 09.00.']
  if (!('day' in day) || day.day === null || time === null) return { faults }
  const at = momentAt(day.day, time, timeZone)
  if (at === null)
    return {
      faults: {
        publish_time: [
          `Klokken bliver aldrig ${time.replace(':', '.')} den ${writeDay(day.day)}, fordi uret stilles frem.`,
        ],
      },
    }
  if (at <= now) return { faults: { publish_day: ['Tidspunktet er allerede passeret. Vælg et senere.'] } }
  if (at.getTime() > now.getTime() + MOST_DAYS_AHEAD * DAY_MS)
    return { faults: { publish_day: ['Vælg et tidspunkt inden for et år.'] } }
  return { publishing: { way: 'later', at } }
}

/** Reads '9', '9.00', '09:00' and '0900' as '09:00'. */
export function readTime(text: string): string | null {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?:[.:]?(\d\d))?$/.exec(text.trim()) ?? []
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  return `${hours.padStart(2, '0')}:${minutes}`
}

/** The people outside the office who see some of the files. */
export type Reach = {
  people: number
  /** How many of them have not chosen a password yet. */
  never_in: number
  /** A colleague has to approve it before they see the files. */
  needs_approval: boolean
  /** How many of them the office has not invited, so that they get no mail. */
  uninvited: number
  /** Whether mails can be sent at all. */
  sends_mail: boolean
  /** How many of them have chosen to get no mails, and how many to get one a day or a week. */
  no_mail: number
  later: number
  /** The first of them, by name. */
  names: string[]
}

export const MOST_NAMES = 100

/** A release in the list. */
export type ReleaseRow = {
  id: number
  /** 'Årsrapport 2025 · 46 projekter', or what the office calls it. */
  name: string
  state: ReleaseState
  made_at: string
  made_by: string
  publish_at: string | null
  published_at: string | null
  /** How many files are not in the trash. */
  files_count: number
  /** The projects and people that the files belong to; the first, and how many there are. */
  place: string | null
  places: number
  /** How many could see some of it when it was published. */
  reached: number | null
  /** How many of those outside the office have opened some of it. */
  opened: number
}

/** The office's part of the mail about a release. */
export type ReleaseMail = {
  message: string
  /** The mail goes also to those who want no such mails, or seldom. */
  is_for_everybody: boolean
}

export const MOST_MESSAGE = 1000

/** A mail as it will look, for an example reader. */
export type MailPreview = { subject: string; text: string }

/** The release that a person has just made. `can_regret` until people are mailed about it. */
export type OwnRelease = { id: number; state: ReleaseState; can_regret: boolean }

/** The forms on a release's page that can be refused. */
export type ReleaseForm = 'plan' | 'mail' | 'reject' | 'openers' | 'name'

/** A published release that people outside the office see, and that nobody was mailed about yet. */
export type UnmailedRelease = {
  id: number
  name: string
  files_count: number
  published_at: string
  /** When mails leave at the earliest. */
  announces_at: string
  published_by: string
}

/** A release on its own page. */
export type Release = Omit<ReleaseRow, 'place' | 'places' | 'opened'> &
  ReleaseMail & {
    /** How many of the files replace what people could see before. */
    versions_count: number
    published_by: string | null
    recalled_at: string | null
    recalled_by: string | null
    /** When mails about it left, or will leave at the earliest. Until they have left, the whole upload can be undone. */
    announced_at: string | null
    announces_at: string | null
    /** Should be published by now: the clock is in doubt. */
    is_late: boolean
  }

/** Somebody outside the office whom a release reaches, or who has opened some of it. */
export type ReleasePerson = {
  id: number
  name: string
  /** How many of its files they can see when it is published. */
  files: number
  opened: number
  opened_at: string | null
  /** Has not chosen a password yet. */
  never_in: boolean
  /** Has a way in, or was invited to choose one. Nobody else gets mails. */
  is_invited: boolean
  /** The outcome of the mail to them: 'waiting' until it leaves, null if there is none. */
  mail: 'waiting' | 'sent' | 'nothing' | 'declined' | 'failed' | null
  told_at: string | null
  /** Why the mail was not delivered, or not by the latest try. */
  reason: string | null
  /** The first files that they see or have opened, by name. */
  named: PersonFile[]
}

export const MAIL_TEXTS: Record<NonNullable<ReleasePerson['mail']>, string> = {
  waiting: 'På vej',
  sent: 'Sendt',
  nothing: 'Ikke nødvendig',
  declined: 'Får ikke mails',
  failed: 'Kom ikke frem',
}

export type PeopleCounts = {
  /** How many see some of the files. */
  reached: number
  opened: number
  /** How many have got a mail about it, and how many of those have opened nothing. */
  told: number
  unopened: number
  /** How many mails did not arrive. */
  failed: number
  /** How many were to be mailed when a recall came first. */
  again: number
  /** How many who see the files the office has not invited. */
  uninvited: number
  /** How many who see the files have chosen to get no mails, and how many to get one a day or a week. */
  no_mail: number
  later: number
}

export const PERSON_COLUMNS = ['name', 'opened'] as const

/** The filters of a release's people. */
export const PERSON_FILTERS = {
  opened: 'Har åbnet',
  unopened: 'Ikke endnu',
  silent: 'Får ingen mail',
  failed: 'Mail kom ikke frem',
}
export type PersonFilter = keyof typeof PERSON_FILTERS

/** A file of a release that a person sees or has opened. */
export type PersonFile = { id: number; name: string; opened_at: string | null }

/** How many files the page names for each person. */
export const MOST_PERSON_FILES = 30

/** A row as a query reads it: with dates for times. */
export type Moments<Row> = { [Key in keyof Row]: Key extends `${string}_at` ? Date | null : Row[Key] }

/** Returns a row as a page gets it: with texts for times. */
export const withTexts = <Row extends object>(row: Moments<Row>) =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  ) as Row

/** How many openings a page of them lists, and how many a list to be printed. The CSV has all of them. */
export const OPENINGS_A_PAGE = 50
export const PRINTED_OPENINGS = 1000

/** One time that somebody outside the office opened or downloaded a file. */
export type Opening = { id: number; at: string; name: string; file: string; is_download: boolean }

/** Somebody outside the office who had opened files of a recalled release. */
export type Opener = {
  id: number
  name: string
  is_active: boolean
  /** The outcome of the mail to them about the recall, or null if there is none. */
  mail: 'waiting' | 'sent' | 'nothing' | 'failed' | null
  told_at: string | null
  reason: string | null
}

/** The part of a recalled release's page about those who had opened files of it. */
export type Recall = {
  openers: { rows: Opener[]; total: number; untold: number }
  /** The office's words, as they were written last. */
  message: string
  /** The mail to one of them, before and after the office's words. Null if there is nobody to write to. */
  mail: { subject: string; before: string; after: string } | null
}

/** '1 papir' or '1.024 papirer'. */
export const countPapers = (many: number) => (many === 1 ? '1 papir' : `${formatCount(many)} papirer`)

/** '1 person' or '12 personer'. */
export const countPeople = (many: number) => (many === 1 ? '1 person' : `${many} personer`)
