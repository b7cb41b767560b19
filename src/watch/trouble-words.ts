import { listed } from '../base/danish/listed.ts'
import { formatBytes } from '../base/bytes.ts'
import { spokenTime } from '../base/time/dates.ts'
import type { MailedTrouble, Trouble } from './attention.ts'
import { untilText } from './age.ts'
import type { CopyFault } from './facts.ts'
import { jobText } from '../jobs.ts'

/** A trouble in a few words and in a sentence, and what to do about it. */
export type TroubleWords = { title: string; says: string; todo: string }

type When = { now: string; timeZone: string }

/** Describes a trouble in Danish. */
export function wordsOf(trouble: Trouble, { now, timeZone }: When): TroubleWords {
  const at = (time: string) => spokenTime(time, timeZone)
  switch (trouble.kind) {
    case 'copy-failed':
      return failedWords(trouble.reason, at(trouble.at))
    case 'copy-old':
      return {
        title: 'Den nyeste sikkerhedskopi er for gammel',
        says: newestText(trouble.newest, trouble.since, at),
        todo: 'Se hvorfor i serverens log, og tag en kopi nu med ”npm run backup”.',
      }
    case 'disk-low':
      return {
        title: 'Der er snart ikke mere plads på serveren',
        says: `Der er ${formatBytes(trouble.free)} ledig af ${formatBytes(trouble.total)}.${trouble.isBelowReserve ? ' Der kan ikke uploades, før nogen rydder op.' : ''}`,
        todo: 'Ryd op på disken, eller gør den større. Flyt sikkerhedskopier til en anden disk.',
      }
    case 'store-closed': {
      const { says, todo } = STORE_WORDS[trouble.code] ?? CLOSED
      return {
        title: 'Der kan ikke gemmes filer på serveren',
        says: `${says} Så længe kan der ikke uploades.`,
        todo,
      }
    }
    case 'mails-failing':
      return {
        title: 'Mails kan ikke sendes',
        says: `Ingen mails er kommet af sted siden ${at(trouble.since)}. ${forCount(trouble.count, 'Én mail er', `${trouble.count} mails er`)} ikke sendt.`,
        todo: 'Prøv mailserveren med ”Send en prøvemail” under Kontoret.',
      }
    case 'certificate-ending':
      return certificateWords(trouble.host, trouble.endsAt, { now, timeZone })
    case 'scanner-away':
      return {
        title: 'Virusscanneren svarer ikke',
        says: `ClamAV (CLAMD) svarer ikke. ${waitingText(trouble.waiting)}, og intet nyt udgives, før den svarer. Intet går tabt.`,
        todo: 'Kører clamd på serveren? Papirerne udgives af sig selv, når de er scannet.',
      }
    case 'signatures-old':
      return {
        title: 'Virusscanneren er ikke opdateret',
        says: `Det, ClamAV kender, er fra ${trouble.at === null ? 'en ukendt dato' : at(trouble.at)}.`,
        todo: 'Kører freshclam på serveren?',
      }
    case 'bucket-away':
      return {
        title: 'Lageret med filerne svarer ikke',
        says: `Filer i lageret ”${trouble.name}” (S3_BUCKET) kan hverken åbnes eller uploades.`,
        todo: 'Spørg den, der leverer lageret. Gælder nøglen stadig?',
      }
    case 'copies-ahead':
      return {
        title: `${forCount(trouble.names.length, 'En sikkerhedskopi', 'Sikkerhedskopier')} er dateret ud i fremtiden`,
        says: `Det gælder ${inQuotes(trouble.names)}. Serverens ur har gået forkert.`,
        todo: 'Stil uret, og omdøb kopierne til den dag, de blev taget. Indtil da tælles og slettes de ikke.',
      }
    case 'jobs-failing':
      return {
        title: forCount(trouble.names.length, 'En opgave mislykkes', 'Flere opgaver mislykkes'),
        says: `Det gælder ${inQuotes(trouble.names.map(jobText))}.`,
        todo: 'Se hvorfor i serverens log efter ”job failed”.',
      }
    default:
      return PLAIN_WORDS[trouble.kind]
  }
}

/** The troubles that say the same each time. */
const PLAIN_WORDS: Record<'copies-away' | 'no-copies' | 'no-mail', TroubleWords> = {
  'copies-away': {
    title: 'Mappen med sikkerhedskopier kan ikke læses',
    says: 'Ringbind kan ikke se, hvilke sikkerhedskopier der er.',
    todo: 'Er disken tilsluttet? Må Ringbind læse og skrive i mappen (BACKUP_DIR)?',
  },
  'no-copies': {
    title: 'Der laves ingen sikkerhedskopier',
    says: 'Går serveren i stykker, er alt tabt.',
    todo: 'Bed den, der driver serveren, om at sætte BACKUP_DIR til en mappe på en anden disk.',
  },
  'no-mail': {
    title: 'Ringbind sender ingen mails',
    says: 'Der er ikke sat en mailserver op.',
    todo: 'Bed den, der driver serveren, om at sætte SMTP_URL.',
  },
}

const forCount = (count: number, one: string, many: string) => (count === 1 ? one : many)

const newestText = (newest: string | null, since: string, at: (time: string) => string) =>
  newest === null
    ? `Der er ingen fejlfri sikkerhedskopi, selv om de skulle laves fra ${at(since)}.`
    : `Den nyeste fejlfri sikkerhedskopi er fra ${at(newest)}.`

const inQuotes = (names: string[]) => listed(names.map((name) => `”${name}”`))

const waitingText = (count: number | null) =>
  count === null ? 'Nye papirer venter' : `${count} ${forCount(count, 'papir', 'papirer')} venter`

/** Describes a past trouble in a few words. */
export function pastTitle(trouble: MailedTrouble): string {
  switch (trouble.kind) {
    case 'copy-failed':
      return failedTitle(trouble.reason)
    case 'copy-old':
      return 'Den nyeste sikkerhedskopi var for gammel'
    case 'disk-low':
      return 'Der var for lidt plads på serveren'
    case 'store-closed':
      return 'Der kunne ikke gemmes filer på serveren'
    case 'mails-failing':
      return 'Mails kunne ikke sendes'
    case 'certificate-ending':
      return `Certifikatet til ${trouble.host} var ved at udløbe`
    default:
      return trouble satisfies never
  }
}

const NOT_ALLOWED = {
  says: 'Ringbind må ikke læse og skrive i mappen med filerne.',
  todo: 'Giv Ringbinds systembruger mappen med filerne (DATA_DIR) og alt i den.',
}

const GONE = {
  says: 'En af mapperne med filer mangler.',
  todo: 'Er noget i mappen med filerne (DATA_DIR) væk, så hent det fra en sikkerhedskopi.',
}

const CLOSED = {
  says: 'Disken tager ikke imod filer.',
  todo: 'Se i serverens log efter ”request failed”. Er mappen med filerne (DATA_DIR) der?',
}

/** By the system's codes. */
const STORE_WORDS: Record<string, { says: string; todo: string }> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  ENOENT: GONE,
  ENOTDIR: GONE,
  EROFS: {
    says: 'Disken med filerne kan kun læses.',
    todo: 'Disken er måske ved at gå i stykker. Se i systemets log, og hav en sikkerhedskopi klar.',
  },
  EIO: {
    says: 'Disken med filerne melder fejl.',
    todo: 'Disken er måske ved at gå i stykker. Se i systemets log, og hav en sikkerhedskopi klar.',
  },
}

const isOfSecond = (reason: CopyFault) => reason.startsWith('second-')

const failedTitle = (reason: CopyFault) =>
  isOfSecond(reason) ? 'Sikkerhedskopien nåede ikke frem til det andet sted' : 'Sikkerhedskopien mislykkedes'

function failedWords(reason: CopyFault, at: string): TroubleWords {
  const { says, todo } = COPY_WORDS[reason]
  const failed = isOfSecond(reason) ? 'nåede ikke frem' : 'mislykkedes'
  return {
    title: failedTitle(reason),
    says: `Den seneste planlagte sikkerhedskopi ${failed} ${at}. ${says}`,
    todo,
  }
}

const SECOND = 'Den er taget, men mangler på det andet sted. Ringbind prøver igen hvert kvarter.'

const COPY_WORDS: Record<CopyFault, { says: string; todo: string }> = {
  'second-no-room': {
    says: `${SECOND} Der var ikke plads til den.`,
    todo: 'Gør plads på det andet sted (BACKUP_SECOND), eller gem færre kopier (BACKUP_KEEP).',
  },
  'second-no-directory': {
    says: `${SECOND} Mappen findes ikke.`,
    todo: 'Er det andet sted tilsluttet (BACKUP_SECOND)?',
  },
  'second-not-allowed': {
    says: `${SECOND} Ringbind må ikke skrive der.`,
    todo: 'Giv Ringbinds systembruger lov til at skrive der (BACKUP_SECOND).',
  },
  'second-other': {
    says: SECOND,
    todo: 'Se hvorfor i serverens log efter ”backup failed” (BACKUP_SECOND).',
  },
  'no-room': {
    says: 'Der var ikke plads til den.',
    todo: 'Gør plads til kopierne (BACKUP_DIR), eller gem færre (BACKUP_KEEP).',
  },
  'no-directory': {
    says: 'Mappen til kopierne findes ikke.',
    todo: 'Er disken med kopierne tilsluttet (BACKUP_DIR)?',
  },
  'not-allowed': {
    says: 'Ringbind må ikke skrive i mappen til kopierne.',
    todo: 'Giv Ringbinds systembruger lov til at skrive i mappen (BACKUP_DIR).',
  },
  'files-missing': {
    says: 'Kopien er taget, men nogle filer manglede eller var beskadiget.',
    todo: 'Kør ”npm run verify” på serveren, og hent filerne fra en ældre kopi.',
  },
  other: {
    says: 'Ældre kopier er der stadig.',
    todo: 'Se hvorfor i serverens log efter ”backup failed”.',
  },
}

function certificateWords(host: string, endsAt: string, { now, timeZone }: When): TroubleWords {
  const at = spokenTime(endsAt, timeZone)
  const todo = 'Forny det, eller se på serveren, hvorfor det ikke skete.'
  return Date.parse(endsAt) <= Date.parse(now)
    ? {
        title: `Certifikatet til ${host} er udløbet`,
        says: `Det udløb ${at}. Browsere advarer nu alle.`,
        todo,
      }
    : {
        title: `Certifikatet til ${host} udløber snart`,
        says: `Det udløber ${at}, ${untilText(endsAt, now)}. Derefter advarer browsere alle.`,
        todo,
      }
}
