import { shortDateTime } from '../base/time/dates.ts'
import { MAIL_TEXTS, type ReleasePerson } from './release/release.ts'

/** One person and one file of a release. */
export type PersonLine = {
  name: string
  email: string
  mail: ReleasePerson['mail']
  told_at: Date | null
  file: string
  opened_at: Date | null
  downloaded_at: Date | null
}

export const PEOPLE_HEAD = ['Navn', 'E-mail', 'Fil', 'Besked', 'Åbnet første gang', 'Hentet første gang']

/** Writes the cells of one line, in the office's time zone. */
export function personCells(line: PersonLine, timeZone: string): string[] {
  const at = (moment: Date | null) => moment && shortDateTime(moment, timeZone, { inSheet: true })
  return [
    line.name,
    line.email,
    line.file,
    (line.mail === 'failed' ? null : at(line.told_at)) ?? (line.mail === null ? '' : MAIL_TEXTS[line.mail]),
    at(line.opened_at) ?? 'Ikke endnu',
    at(line.downloaded_at) ?? '',
  ]
}
