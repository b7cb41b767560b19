import { formatBytes } from '../base/bytes.ts'
import type { Role } from '../rights.ts'

const MOST_NAMES = 3

/** 'Bo Holm, Ida Ny og 4 andre' */
function namesOf(names: string[]): string {
  const shown = names.slice(0, names.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES)
  const more = names.length - shown.length
  const all = more > 0 ? [...shown, `${more} andre`] : shown
  return new Intl.ListFormat('da', { type: 'conjunction' }).format(all)
}

/** All notices about the installation for the start page: the Danish text and the roles that read it. */
export const NOTICES = {
  'disk-low': {
    readers: ['administrator', 'employee'],
    text: ({ free }: { free: number; directory?: string }) =>
      `Der er kun ${formatBytes(free)} ledig plads på serveren. Der kan ikke uploades filer, før der er ryddet op.`,
  },
  'untrusted-proxy': {
    readers: ['administrator'],
    text: () =>
      'Ringbind står bag en proxy, som den ikke er sat op til at stole på. Alle besøgende ser ud til at komme fra samme adresse. Den, der driver serveren, skal sætte TRUST_PROXY.',
  },
  'mail-failing': {
    readers: ['administrator'],
    text: ({ count }: { count: number }) =>
      `${count === 1 ? 'Én mail' : `${count} mails`} kunne ikke sendes. Se hos de brugere, der skulle have haft dem, eller bed den, der driver serveren, om at se efter.`,
  },
  'clock-jumped': {
    readers: ['administrator'],
    text: ({ days, isStart }: { days: number; isStart: boolean }) =>
      isStart
        ? `Serverens ur står ${days} dage længere fremme, end da Ringbind sidst kørte. Har serveren ikke været slukket så længe, går uret forkert. Intet slettes for altid, før Ringbind har kørt i et døgn.`
        : `Serverens ur er sprunget ${days === 1 ? 'en dag' : `${days} dage`} frem. Den, der driver serveren, bør se efter det. Intet slettes for altid, før uret er stillet tilbage eller har gået sådan i et døgn.`,
  },
  'damaged-files': {
    readers: ['administrator'],
    text: ({ count }: { count: number }) =>
      `${count === 1 ? 'Én fil er beskadiget eller mangler' : `${count} filer er beskadiget eller mangler`} på serveren. Den, der driver serveren, kan se hvilke med "npm run verify" og hente dem fra en sikkerhedskopi.`,
  },
  'account-guessed': {
    readers: ['administrator'],
    text: ({ names }: { names: string[] }) =>
      `Der har været mange forkerte forsøg på at logge ind som ${namesOf(names)}. Spørg, om det er ${names.length === 1 ? 'vedkommende' : 'dem'} selv. Ellers er der nogen, der prøver at gætte adgangskoden. Ringbind lader dem vente mellem forsøgene.`,
  },
} satisfies Record<string, { readers: readonly Role[]; text: (detail: never) => string }>

export type NoticeKind = keyof typeof NOTICES
export type NoticeDetail<Kind extends NoticeKind> =
  Parameters<(typeof NOTICES)[Kind]['text']> extends [infer Detail] ? Detail : Record<string, never>

export type Notice = { kind: NoticeKind; text: string; since: string }
