import type { Reader } from '../access/reader.ts'
import { hasOwnFiles, isOffice, may, readsHiddenFolders, type Right } from '../rights.ts'
import { LISTS, THINGS } from '../urls.ts'

/** What a page asks to be told about. */
export type About = { list: (typeof LISTS)[number]; id: null } | { list: (typeof THINGS)[number]; id: number }

/** Reads a topic of an address: 'project:12'. Null if there is no such topic. */
export function readTopic(text: unknown): About | null {
  if (typeof text !== 'string') return null
  const list = LISTS.find((each) => each === text)
  if (list) return { list, id: null }
  const [, name, id] = /^([a-z-]+):([1-9]\d{0,14})$/.exec(text) ?? []
  const thing = THINGS.find((each) => each === name)
  return thing && id ? { list: thing, id: Number(id) } : null
}

/** The right that each list requires, as its own routes do. */
export const RIGHTS: Record<About['list'], Right> = {
  projects: 'seeProjects',
  users: 'seeUsers',
  log: 'seeLog',
  releases: 'seeReleases',
  inbox: 'seeInbox',
  start: 'enter',
  project: 'seeFiles',
  user: 'seeUserFiles',
  'project-trash': 'changeFiles',
  'user-trash': 'changeFiles',
  release: 'seeReleases',
}

export const mayListen = ({ role }: Reader, { list }: About) => may(role, RIGHTS[list])

/** All marks of a kind: 'p*' means any project, as the office sees it. */
const EVERY = /^([pr])\d+$/

/**
 * Returns the marks (db/0034_live.sql) that change what a page shows to a reader who may see it. `projects` are those that the
 * reader is a member of.
 */
export function marksFor(reader: Reader, { list, id }: About, projects: readonly number[]): string[] {
  const { id: me, role } = reader
  if (list === 'users' || list === 'log' || list === 'inbox') return [list]
  if (list === 'releases') return ['r*']
  if (list === 'release') return [`r${id}`]
  if (list === 'project-trash') return [`tp${id}`]
  if (list === 'user-trash') return [`tu${id}`]
  if (list === 'user') return [isOffice(role) ? `u${id}` : `u${id}i`]
  if (list === 'project') return [`p${id}${partOf(reader)}`]
  const ofProjects = isOffice(role)
    ? ['p*']
    : [...projects.map((project) => `p${project}${partOf(reader)}`), memberMark(me)]
  if (list === 'projects') return ofProjects
  return [
    ...ofProjects,
    ...(hasOwnFiles(role) ? [`u${me}i`] : []),
    ...(isOffice(role) ? ['inbox', 'r*', 'notices'] : []),
  ]
}

/** The end of a project's mark: what the office, auditors or investors see of it. */
function partOf({ role }: Reader): string {
  if (isOffice(role)) return ''
  return readsHiddenFolders(role) ? 'a' : 'i'
}

/** What the person may see has changed. */
export const memberMark = (user: number) => `m${user}`

/** Returns the person whose rights or sessions a mark is about. */
export function personIn(mark: string): number | null {
  const [, id] = /^[ms](\d+)$/.exec(mark) ?? []
  return id === undefined ? null : Number(id)
}

/** Returns a mark together with the mark of all its kind. */
export function withKind(mark: string): string[] {
  const [, kind] = EVERY.exec(mark) ?? []
  return kind === undefined ? [mark] : [mark, `${kind}*`]
}
