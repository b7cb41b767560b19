import { spokenTime } from '../../base/time/dates.ts'
import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'
import { countFiles } from '../../projects/folder.ts'
import { countPeople } from '../release/release.ts'

/** A file with the project or person that it belongs to. `folder` is null in a person's own folder. */
export type PlacedFile = { name: string; owner: string; folder: string | null }

type Files = {
  /** The release's name. */
  release: string
  /** The first of the files. */
  files: PlacedFile[]
  /** How many there are. */
  total: number
}

export type ApprovalContent = Files & {
  /** The name of the person who asks. */
  asker: string
  /** When the files are to be published; null means as soon as they are approved. */
  publishAt: Date | null
  /** How many people outside the office see the files then. */
  reached: number
}

type Person = { name: string; email: string }
type Mail = ReturnType<typeof letter>

/** Asks somebody in the office to approve what another has uploaded. */
export function approvalMail(
  office: Office,
  to: Person,
  { release, asker, publishAt, reached, ...all }: ApprovalContent,
  { link, timeZone }: { link: string; timeZone: string },
): Mail {
  const isOne = all.total === 1
  const when = publishAt
    ? ` ${isOne ? 'Den' : 'De'} skal udgives den ${spokenTime(publishAt, timeZone)}.`
    : ''
  return letter(office, {
    to,
    subject: `${asker} beder om din godkendelse: ${release}`,
    link,
    action: isOne ? 'Se filen, og svar' : 'Se filerne, og svar',
    before: [
      `${asker} har uploadet ${isOne ? 'en fil' : countFiles(all.total)}, som ${countPeople(reached)} uden for kontoret kan se, når du eller en anden kollega har godkendt ${isOne ? 'den' : 'dem'}.${when}`,
      ...listPlaces(all),
    ],
    after: 'Du kan godkende eller afvise med en besked. Den første, der svarer, svarer for alle.',
  })
}

type RejectionContent = Files & { rejecter: string; message: string }

/** Tells the person who uploaded that a colleague has rejected it, and why. */
export function rejectionMail(
  office: Office,
  to: Person,
  { release, rejecter, message, ...all }: RejectionContent,
  link: string,
): Mail {
  const isOne = all.total === 1
  const what = isOne ? 'den fil' : `de ${countFiles(all.total)}`
  return letter(office, {
    to,
    subject: `${rejecter} har ikke godkendt: ${release}`,
    link,
    action: 'Se udsendelsen',
    before: [
      `${rejecter} har ikke godkendt ${what}, du bad om at få udgivet. Beskeden er:`,
      message,
      ...listPlaces(all),
    ],
    after: `${isOne ? 'Filen er en kladde' : 'Filerne er kladder'} igen, og kun kontoret kan se ${isOne ? 'den' : 'dem'}. Når det er rettet, kan du bede om godkendelse igen.`,
  })
}

type AskedContent = { asker: string; says: string; reached: number }

/** Asks somebody in the office to approve an act of another that lets people see more. */
export function askedActMail(
  office: Office,
  to: Person,
  { asker, says, reached }: AskedContent,
  link: string,
): Mail {
  const why = reached > 0 ? ` ${countPeople(reached)} uden for kontoret får mere at se.` : ''
  return letter(office, {
    to,
    subject: `${asker} beder om din godkendelse`,
    link,
    action: 'Se det, og svar',
    before: [`${asker} vil gøre dette, når du eller en anden kollega har godkendt det:`, `${says}.${why}`],
    after: 'Du kan godkende eller afvise med en besked. Den første, der svarer, svarer for alle.',
  })
}

/** Tells the person who asked that a colleague has rejected it, and why. */
export function rejectedActMail(
  office: Office,
  to: Person,
  { rejecter, says, message }: { rejecter: string; says: string; message: string },
  link: string,
): Mail {
  return letter(office, {
    to,
    subject: `${rejecter} har afvist det, du bad om`,
    link,
    action: 'Se udsendelserne',
    before: [`${rejecter} har ikke godkendt dette: ${says}. Beskeden er:`, message],
    after: 'Intet er ændret.',
  })
}

/** A paragraph for each folder with its files, and how many more there are. */
function listPlaces({ files, total }: Omit<Files, 'release'>): string[] {
  const places = Map.groupBy(files, ({ owner, folder }) => `${owner} · ${folder ?? 'Egne filer'}`)
  return [
    ...[...places].map(([place, named]) => [place, ...named.map(({ name }) => `– ${name}`)].join('\n')),
    ...(total > files.length ? [`… og ${countFiles(total - files.length)} mere.`] : []),
  ]
}
