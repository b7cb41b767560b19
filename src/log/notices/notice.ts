import { listed, withRest } from '../../base/danish/listed.ts'
import { formatBytes } from '../../base/bytes.ts'
import type { Role } from '../../rights.ts'

const MOST_NAMES = 3

/** 'Bo Holm, Ida Ny og 4 andre' */
function namesOf(names: string[]): string {
  return listed(withRest(names, names.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES, { rest: 'andre' }))
}

/** ”scan.pdf” er tom, ”b.pdf” er på 3 GB og 4 andre */
function leftBehind(files: { name: string; why: string }[], count: number): string {
  const named = files.map(({ name, why }) => `”${name}” ${why}`)
  return listed(withRest(named, named.length, { total: count, rest: 'andre' }))
}

/** Why a mailbox cannot be read. */
const MAILBOX_FAULTS = {
  'no-login': 'Postkassen afviser brugernavnet eller adgangskoden.',
  insecure: 'Forbindelsen til postkassen er ikke sikker.',
  unreachable: 'Mailserveren kan ikke nås.',
  'no-folder': 'Mappen i postkassen findes ikke.',
  other: 'Postkassen kan ikke læses.',
} as const

export type MailboxFault = keyof typeof MAILBOX_FAULTS

/** All notices about the installation for the start page: the Danish text and the roles that read it. */
export const NOTICES = {
  'disk-low': {
    readers: ['administrator', 'employee'],
    text: ({ free }: { free: number; directory?: string }) =>
      `Der er kun ${formatBytes(free)} ledig plads på serveren. Der kan ikke uploades, før nogen rydder op.`,
  },
  'untrusted-proxy': {
    readers: ['administrator'],
    text: () =>
      'Ringbind står bag en proxy, så alle ser ud til at komme fra samme adresse. Den, der driver serveren, skal sætte TRUST_PROXY.',
  },
  'mail-failing': {
    readers: ['administrator'],
    text: ({ count }: { count: number }) =>
      `${count === 1 ? 'Én mail' : `${count} mails`} kunne ikke sendes. Se hos modtagerne, eller spørg den, der driver serveren.`,
  },
  'copies-failing': {
    readers: ['administrator'],
    text: () => 'Der er noget galt med sikkerhedskopierne. Se Kontoret, Status.',
  },
  'certificate-ending': {
    readers: ['administrator'],
    text: () => 'Certifikatet til Ringbinds adresse er udløbet eller udløber snart. Se Kontoret, Status.',
  },
  'clock-jumped': {
    readers: ['administrator'],
    text: ({ days, isStart }: { days: number; isStart: boolean }) =>
      isStart
        ? `Serverens ur er gået ${days} dage frem, siden Ringbind sidst kørte. Passer det ikke, går uret forkert. I et døgn slettes intet for altid.`
        : `Serverens ur er sprunget ${days === 1 ? 'en dag' : `${days} dage`} frem. Den, der driver serveren, bør se efter. I et døgn slettes intet for altid.`,
  },
  'virus-found': {
    readers: ['administrator', 'employee'],
    text: ({ count }: { count: number }) =>
      `Virusscanneren har fundet noget i ${count === 1 ? 'én fil' : `${count} filer`}. Kun kontoret kan se ${count === 1 ? 'den' : 'dem'}. Åbn ${count === 1 ? 'den' : 'dem'} ikke, og slet ${count === 1 ? 'den' : 'dem'}; Udsendelser viser hvilke.`,
  },
  'damaged-files': {
    readers: ['administrator'],
    text: ({ count }: { count: number }) =>
      `${count === 1 ? 'Én fil er beskadiget eller mangler' : `${count} filer er beskadiget eller mangler`} på serveren. Den, der driver serveren, kan se hvilke med ”npm run verify” og hente dem fra en sikkerhedskopi.`,
  },
  'account-guessed': {
    readers: ['administrator'],
    text: ({ names }: { names: string[] }) =>
      `Der har været mange forkerte forsøg på at logge ind som ${namesOf(names)}. Er det ikke ${names.length === 1 ? 'vedkommende' : 'dem'} selv, prøver nogen at gætte adgangskoden.`,
  },
  'hook-stopped': {
    readers: ['administrator'],
    text: ({ names }: { names: string[] }) =>
      names.length === 1
        ? `Webhooken ${names[0]} er slået fra: Modtageren tager ikke imod. Se Kontoret, Programmer.`
        : `Modtagerne tager ikke imod, så disse webhooks er slået fra: ${namesOf(names)}. Se Kontoret, Programmer.`,
  },
  'intake-away': {
    readers: ['administrator'],
    text: () => 'Mappen, som scannere leverer til, kan ikke nås. Den, der driver serveren, bør se efter.',
  },
  'intake-left': {
    readers: ['administrator', 'employee'],
    text: ({ files, count }: { files: { name: string; why: string }[]; count: number }) =>
      `${count === 1 ? 'En fil' : `${count} filer`} i mappen til indlevering kan ikke tages: ${leftBehind(files, count)}. Ret eller fjern ${count === 1 ? 'den' : 'dem'} i mappen.`,
  },
  'mailbox-away': {
    readers: ['administrator'],
    text: ({ reason }: { reason: keyof typeof MAILBOX_FAULTS }) =>
      `Der hentes ingen mails til indbakken: ${MAILBOX_FAULTS[reason]} Den, der driver serveren, bør se efter.`,
  },
} satisfies Record<string, { readers: readonly Role[]; text: (detail: never) => string }>

export type NoticeKind = keyof typeof NOTICES
export type NoticeDetail<Kind extends NoticeKind> =
  Parameters<(typeof NOTICES)[Kind]['text']> extends [infer Detail] ? Detail : Record<string, never>

export type Notice = { kind: NoticeKind; text: string; since: string }
