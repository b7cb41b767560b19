import { forText } from '../../access/lent.ts'
import { writePaperIds } from '../../files/mailed/paper-ids.ts'
import { letter } from '../../office/letter.ts'
import type { Office } from '../../office/office.ts'
import { countFiles } from '../../projects/folder.ts'
import { urls } from '../../urls.ts'

/** A file that a mail may name, with the project and folder it is in. `project` is null in a person's own folder. */
export type NamedFile = {
  project: { id: number; name: string } | null
  folder: string
  name: string
  /** People could see other bytes of it before. */
  isVersion: boolean
  /** The clients for whom an adviser sees it. Empty for other readers. */
  clients: string[]
}

/** The same as a query reads it. */
export type NamedRow = {
  project_id: number | null
  project: string | null
  folder: string
  name: string
  is_version: boolean
  clients?: string[]
}

export const namedFile = ({
  project_id: id,
  project,
  folder,
  name,
  is_version: isVersion,
  clients = [],
}: NamedRow): NamedFile => ({
  project: id === null ? null : { id, name: project! },
  folder,
  name,
  isVersion,
  clients,
})

export type MailContent = {
  /** The first of the files, in the order of the list. */
  files: NamedFile[]
  /** How many there are. */
  total: number
  isReminder: boolean
  /** The office's own words about the releases. */
  messages: string[]
  /** The mail goes also to those who want no such mails. */
  isForEverybody: boolean
}

type Way = {
  link: string
  /** The link lets the person choose their first password. It works for this many hours. */
  invitationHours: number | null
}

type Mail = ReturnType<typeof letter>

export const MOST_NAMED = 30

/**
 * Returns the link of a mail: to the paper, to exactly its papers, or, if they are too many for an address, to the
 * start page.
 */
export function papersLink(papers: readonly number[]): string {
  const written = writePaperIds(papers)
  return written === null ? urls.start : urls.papers(written)
}

/** Tells a person which files they can read now. */
export function releaseMail(
  office: Office,
  to: { name: string; email: string },
  content: MailContent,
  { link, invitationHours }: Way,
): Mail {
  const { files, total, isReminder, messages, isForEverybody } = content
  const isOne = total === 1
  const what = isOne ? 'en ny fil' : countFiles(total).replace(' ', ' nye ')
  const unread = isOne ? 'en ulæst fil' : countFiles(total).replace(' ', ' ulæste ')
  const begin = isReminder ? `Påmindelse: Du har ${unread}` : `Du har ${what}`
  return letter(office, {
    to,
    subject: begin + sharedBy(content),
    link,
    action: invitationHours === null ? (isOne ? 'Se filen' : 'Se filerne') : 'Vælg adgangskode',
    before: [
      isReminder
        ? `Vi minder om, at du ikke har åbnet ${isOne ? 'denne fil' : 'disse filer'} i Ringbind endnu:`
        : `Der er ${what} til dig i Ringbind:`,
      ...listPlaces(files),
      ...(total > files.length ? [`… og ${countFiles(total - files.length)} mere.`] : []),
      ...messages,
      ...(invitationHours === null
        ? []
        : [`Du har ikke været logget ind før. Vælg en adgangskode for at se ${isOne ? 'den' : 'dem'}.`]),
    ],
    after: [
      invitationHours === null
        ? 'Du logger ind, som du plejer.'
        : `Linket virker i ${invitationHours / 24} dage og kan bruges én gang. Du logger ind med ${to.email}.`,
      isForEverybody
        ? 'Denne mail sendes til alle, uanset hvor ofte de har valgt at få mails om nye filer.'
        : 'Under Min profil vælger du, hvor ofte du får mails om nye filer.',
    ].join(' '),
  })
}

/** Says what project and what client all the files have in common: ' i K/S Nordhavn (for Bo Holm)'. */
function sharedBy({ files, total }: MailContent): string {
  if (total > files.length) return ''
  const places = new Set(files.map(({ project }) => project?.name ?? OWN))
  const [place] = places
  const where = places.size === 1 && place !== OWN ? ` i ${place}` : ''
  const clients = new Set(files.map((file) => file.clients.join('\n')))
  const [client, ...others] = clients.size === 1 ? files[0]!.clients : []
  return where + (client !== undefined && others.length === 0 ? ` (for ${client})` : '')
}

const OWN = 'Dine egne filer'

/** A paragraph for each folder: its project and name, and its files below. */
function listPlaces(files: NamedFile[]): string[] {
  const places = Map.groupBy(files, ({ project, folder, clients }) => {
    const place = project ? `${project.name} · ${folder}` : clients.length > 0 ? 'Egne filer' : OWN
    return clients.length > 0 ? `${place} (f${forText(clients).slice(1)})` : place
  })
  return [...places].map(([place, named]) =>
    [place, ...named.map(({ name, isVersion }) => `– ${isVersion ? `Ny version af ${name}` : name}`)].join(
      '\n',
    ),
  )
}
