import type { LogEntry } from './entry.ts'
import { periodKeyText } from '../../base/time/period.ts'
import { sheetNumber } from './act.ts'

// Entries keep a detail; these say it in Danish.

/** '2025>2025-Q3' becomes ' fra 2025 til 3. kvartal 2025'. */
export function periodsOf(detail: string | null): string {
  const [from, to] = (detail ?? '').split('>')
  const said = (key: string) => periodKeyText(key) || 'ingen'
  return from === undefined || to === undefined ? '' : ` fra ${said(from)} til ${said(to)}`
}

/** A duty by its words, 'Årsrapport 2025'. */
export const dutyOf = (detail: string | null) => (detail === null ? 'en frist' : 'fristen ”{detail}”')

/** An obligation by its name. */
export const obligationOf = (detail: string | null) => (detail === null ? 'en pligt' : 'pligten ”{detail}”')

/** ' (ark nr. 3)' if a sheet has done it. */
export function sheetText(detail: string | null): string {
  const sheet = sheetNumber(detail)
  return sheet === null ? '' : ` (ark nr. ${sheet})`
}

/** The version that an entry is about: its number, or a word if it had none yet; nothing for the first one. */
export function versionOf(detail: string | null): string {
  if (detail === null) return '{file}'
  return /^\d+$/.test(detail) ? `version ${detail} af {file}` : 'en ny version af {file}'
}

/** ' for 2025', ' for 3. kvartal 2025'. */
function forPeriod(detail: string | null): string {
  const period = periodKeyText(detail)
  return period === '' ? '' : ` for ${period}`
}

const SIGN_IN_WORDS: Record<string, string> = {
  code: ' med en kode fra kode-appen',
  'recovery-code': ' med en nødkode',
  passkey: ' med en adgangsnøgle',
}

/** How somebody signed in, if not by password: our own way, or the name of a provider. */
export const signInWith = (detail: string | null) =>
  detail === null ? '' : (SIGN_IN_WORDS[detail] ?? ' med {detail}')

/** Returns the words for the parts of a detail such as 'name,email'. Leaves out parts that have none. */
export const wordsIn = <Word>(detail: string | null, words: Partial<Record<string, Word>>): Word[] =>
  (detail ?? '').split(',').flatMap((part) => words[part] ?? [])

const MAILS_OF: Record<string, string> = {
  reminder: 'påmindelser om {release}',
  again: 'mails om {release}, der er udgivet igen,',
  recall: 'mails om, at {release} er trukket tilbage,',
  lending: 'mails om en adgang',
  'invited-people': 'invitationer',
}

/** 'reminder 12 287' becomes 'påmindelser om {release} til 287 personer'. */
export function mailsOf(detail: string | null): string {
  const [kind = '', about = '', people = ''] = (detail ?? '').split(' ')
  const what = MAILS_OF[kind] ?? `invitationer til nye personer (ark nr. ${about})`
  return `${what}${toPeople(`${about} ${people}`, kind in MAILS_OF ? ' til' : ':')}`
}

/** '12 287' becomes ' til 287 personer'. Entries of earlier versions do not say how many. */
export function toPeople(detail: string | null, before = ' til'): string {
  const [, people] = (detail ?? '').split(' ')
  return people ? `${before} ${people === '1' ? '1 person' : `${people} personer`}` : ''
}

/** ' (flytning nr. 12)' */
export const importOf = (id: string, more = '') => (id === '' ? '' : ` (flytning nr. ${id}${more})`)

/** A webhook by its name. */
export const hookOf = (detail: string | null) => (detail === null ? 'en webhook' : 'webhooken til {detail}')

/** Says something of a folder's paper, or of what has no folder. */
export const paperOr =
  (paper: string, duty: string) =>
  ({ folder, detail }: LogEntry): string =>
    folder ? `${paper} i {place}${forPeriod(detail)}` : `${duty} ${dutyOf(detail)} for {project}`

/** What somebody was asked to wait for, after too many. */
export const WAIT_WORDS: Partial<Record<string, string>> = {
  'sign-in': 'forsøg på at logge ind',
  password: 'forkerte adgangskoder under sin profil',
  link: 'ønsker om en ny adgangskode',
}
