import type { Reader } from '../access/reader.ts'
import { hasOwnFiles, isLentTo, isOffice, may, readsHiddenFolders, type Right } from '../rights.ts'
import { LISTS, THINGS } from '../urls.ts'

/** The list that a page wants to hear about. */
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
const RIGHTS: Record<About['list'], Right> = {
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

/** The projects and people whose changes a reader outside the office hears about. */
export type Reach = {
  /** The projects that they are a member of. */
  projects: readonly number[]
  /** For an adviser: the projects' folders that they see, and the people whose own files are lent to them. */
  folders: readonly { id: number; project: number }[]
  lenders: readonly number[]
}

export const NO_REACH: Reach = { projects: [], folders: [], lenders: [] }

/** Returns the marks (db/0034_live.sql, db/0040_lent_access.sql) that change what a page shows to a reader who may see it. */
export function marksFor(reader: Reader, about: About, reach: Reach): string[] {
  return isLentTo(reader.role)
    ? marksForAdviser(reader, about, reach)
    : MARKS[about.list](about.id, reader, reach)
}

/** The marks of each list, for those who see whole projects. */
const MARKS: Record<About['list'], (id: About['id'], reader: Reader, reach: Reach) => string[]> = {
  users: () => ['users'],
  log: () => ['log'],
  inbox: () => ['inbox'],
  releases: () => ['r*'],
  release: (id) => [`r${id}`],
  'project-trash': (id) => [`tp${id}`],
  'user-trash': (id) => [`tu${id}`],
  user: (id, { role }) => [isOffice(role) ? `u${id}` : `u${id}i`],
  project: (id, reader) => [`p${id}${partOf(reader)}`],
  projects: (_, reader, reach) => ofProjects(reader, reach),
  start: (_, reader, reach) => [
    ...ofProjects(reader, reach),
    ...(hasOwnFiles(reader.role) ? [`u${reader.id}i`] : []),
    ...(isOffice(reader.role) ? ['inbox', 'r*', 'notices'] : []),
  ],
}

const ofProjects = (reader: Reader, { projects }: Reach) =>
  isOffice(reader.role)
    ? ['p*']
    : [...projects.map((project) => `p${project}${partOf(reader)}`), memberMark(reader.id)]

/** Advisers may see only some folders of a project, so they listen for each. */
function marksForAdviser({ id: me }: Reader, { list, id }: About, { folders, lenders }: Reach): string[] {
  const ofFolders = folders
    .filter(({ project }) => list !== 'project' || project === id)
    .map((folder) => `f${folder.id}`)
  const ofLenders = lenders
    .filter((lender) => list !== 'user' || lender === id)
    .map((lender) => `u${lender}i`)
  return [
    ...(list === 'user' ? [] : ofFolders),
    ...(list === 'user' || list === 'start' ? ofLenders : []),
    memberMark(me),
  ]
}

/** The end of a project's mark: whether the office, auditors or investors see the change. */
function partOf({ role }: Reader): string {
  if (isOffice(role)) return ''
  return readsHiddenFolders(role) ? 'a' : 'i'
}

/** The mark for a change of what the person may see. */
export const memberMark = (user: number) => `m${user}`

/** Returns the person whose rights or sessions a mark is about. */
export function personIn(mark: string): number | null {
  const [, id] = /^[ms](\d+)$/.exec(mark) ?? []
  return id === undefined ? null : Number(id)
}

/** Returns a mark together with the mark for everything of its kind. */
export function withKind(mark: string): string[] {
  const [, kind] = EVERY.exec(mark) ?? []
  return kind === undefined ? [mark] : [mark, `${kind}*`]
}
