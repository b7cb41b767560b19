import { fileUrls, folderAnchor, urls } from '../../urls.ts'
import { ACT_WORDS } from './act-words.ts'
import { isAct, type Act } from './act.ts'
import type { LogEntry, LoggedFile } from './entry.ts'

/** A part of a sentence; a link if it has an address. */
type Piece = { text: string; href?: string | undefined }

/**
 * Returns 'åbnede Årsrapport 2024.pdf i K/S Nordhavn Kontorhus › Årsrapport', with links to things that still
 * exist.
 */
export function sentenceOf(entry: LogEntry): Piece[] {
  const words = isAct(entry.act) ? ACT_WORDS[entry.act] : UNKNOWN
  const text = typeof words === 'string' ? words : words(entry)
  return text.split(/(\{\w+\})/).flatMap((part) => {
    const thing = THINGS[part]
    return thing ? thing(entry) : part === '' ? [] : [{ text: part }]
  })
}

const UNKNOWN = 'gjorde noget, som denne udgave af Ringbind ikke kender'

export const textOf = (pieces: Piece[]) => pieces.map(({ text }) => text).join('')

/** Acts of people who are not signed in. */
const FROM_OUTSIDE = new Set<Act>(['sign-in-failed', 'password-reset-asked', 'asked-to-wait'])

/** Acts on an API key in a browser. Everything else that names a key was done with it. */
const ON_TOKENS = new Set<Act>(['token-added', 'token-revoked'])

/** Returns the API key with which a program did it, or null. */
export const usedTokenOf = ({ token, act }: LogEntry) => (ON_TOKENS.has(act) ? null : token)

/**
 * 'Karen Revisor', 'Karen Revisor (for Bo Holm)' if he had lent her access, 'Anne Admin (vist som Bo Holm)', or 'Anne Admin (med
 * API-nøglen Scanner)'.
 */
export function whoOf(entry: LogEntry): string {
  const { user, seen_as: shown, lender, act } = entry
  const token = usedTokenOf(entry)
  const name = user?.name ?? (FROM_OUTSIDE.has(act) ? 'Ikke logget ind' : 'Systemet')
  const about = [
    shown && `vist som ${shown.name}`,
    token && `med API-nøglen ${token.name}`,
    lender && `for ${lender.name}`,
  ]
    .filter(Boolean)
    .join(', ')
  return about ? `${name} (${about})` : name
}

const THINGS: Record<string, (entry: LogEntry) => Piece[]> = {
  '{detail}': ({ detail }) => [{ text: detail ?? '' }],
  '{before}': ({ names }) => [{ text: names?.before ?? '' }],
  '{after}': ({ names }) => [{ text: names?.after ?? '' }],
  '{user}': ({ subject }) => [
    subject ? { text: subject.name, href: urls.user(subject.id) } : { text: 'en person' },
  ],
  // What comes from a scanner or a mailbox is from none of our users.
  '{sender}': ({ subject }) => [
    subject ? { text: subject.name, href: urls.user(subject.id) } : { text: 'en indlevering' },
  ],
  '{release}': ({ release, detail }) => {
    if (release) return [{ text: `”${release.name}”`, href: urls.release(release.id) }]
    const id = /\d+/.exec(detail ?? '')?.[0]
    return [id ? { text: `udsendelse nr. ${id}`, href: urls.release(Number(id)) } : { text: 'en udsendelse' }]
  },
  '{token}': ({ token }) => [{ text: token ? `API-nøglen ${token.name}` : 'en API-nøgle' }],
  '{report}': reportOf,
  '{project}': projectOf,
  '{folder}': (entry) => [folderOf(entry)],
  '{home}': homeOf,
  '{place}': (entry) =>
    entry.project && entry.folder ? [...homeOf(entry), { text: ' › ' }, folderOf(entry)] : homeOf(entry),
  '{file}': ({ file }) => (file ? filePieces(file) : [{ text: 'en fil' }]),
}

function reportOf({ subject, user }: LogEntry): Piece[] {
  if (!subject) return [{ text: 'en rapport' }]
  const text = subject.id === user?.id ? 'sin rapport' : `${genitiveOf(subject.name)} rapport`
  return [{ text, href: urls.report(subject.id) }]
}

function projectOf({ project }: LogEntry): Piece[] {
  return [project ? { text: project.name, href: urls.files(project.id) } : { text: 'et projekt' }]
}

/** Names the folder's owner: a project, a person or the template. */
function homeOf(entry: LogEntry): Piece[] {
  const { project, subject, user, file } = entry
  if (project) return projectOf(entry)
  if (subject)
    return [
      {
        text: subject.id === user?.id ? 'sine egne filer' : `${genitiveOf(subject.name)} filer`,
        href: urls.user(subject.id),
      },
    ]
  return [
    file
      ? { text: 'et sted, der ikke findes mere' }
      : { text: 'mappeskabelonen', href: urls.templateFolders },
  ]
}

function folderOf({ project, folder }: LogEntry): Piece {
  if (!folder?.name) return { text: folder ? `en mappe, der er slettet (nr. ${folder.id})` : 'en mappe' }
  const href = project ? `${urls.files(project.id)}#${folderAnchor(folder.id)}` : urls.templateFolders
  return { text: folder.name, href }
}

function filePieces(file: LoggedFile): Piece[] {
  const { name, path, owner, in_trash: isInTrash } = file
  if (name === null) return [{ text: nameOfFile(file) }]
  if (!isInTrash) return [{ text: name, href: owner && path ? fileUrls.open(owner, path) : undefined }]
  const trash = owner && ('project' in owner ? urls.trash(owner.project) : urls.userTrash(owner.user))
  return [{ text: name, href: trash ?? undefined }, { text: ' (i papirkurven)' }]
}

export function nameOfFile({ id, name }: LoggedFile): string {
  return name ?? `en fil, der er slettet for altid (nr. ${id})`
}

/** 'Anne Holm' becomes 'Anne Holms', and 'Jens' becomes 'Jens’'. */
function genitiveOf(name: string): string {
  return /[sxz]$/i.test(name) ? `${name}’` : `${name}s`
}
