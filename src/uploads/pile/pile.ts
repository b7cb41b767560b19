import { compareDanish } from '../../base/danish/order.ts'
import type { FileOwner } from '../../access/reader.ts'
import type { HeldState } from '../../files/file/stored-file.ts'
import { folderKey } from '../../projects/folder.ts'
import type { Project } from '../../projects/project/project.ts'
import { keyInName, readFileName } from '../../files/names/file-name.ts'
import {
  placeAnywhere,
  placeAtUser,
  placeInFolder,
  placeSimply,
  type Fault,
  type Meaning,
  type UploadFolder,
  type UploadMap,
  type UploadProject,
  type UploadUser,
} from '../names/placing.ts'
import { fileUrls, urls } from '../../urls.ts'
import type { Judgement } from '../papers/judgement.ts'
import type { Upload } from '../transport/upload.ts'

/** The forms: S2.7, and the one for a single person. The form by folder without a project takes files for people too. */
export type UploadForm =
  | { kind: 'manual'; project: Project & { has_auditor: boolean }; folder: UploadFolder }
  | { kind: 'folders'; project: Project | null }
  | { kind: 'users' }
  | { kind: 'person'; user: Required<UploadUser> }
  | { kind: 'simple'; userId: number; readers: string[] }
  | ReplaceForm

/** The form that replaces one file with a new version. */
type ReplaceForm = {
  kind: 'replace'
  file: { id: number; name: string; held: HeldState | null }
  target: Target
  owner: FileOwner
  /** The page with the file. */
  back: string
}

/** The server's answers so far, and the questions that it was asked. */
export type Known = Required<UploadMap> & { asked: ReadonlySet<string> }

export const NOTHING_KNOWN: Known = { projects: {}, users: {}, proposals: {}, asked: new Set() }

/** The place where a group of files goes. */
export type Target = {
  folder?: UploadFolder
  project?: Pick<UploadProject, 'id' | 'number' | 'name' | 'has_auditor'>
  user?: UploadUser
}

export type Group = { key: string; target: Target; uploads: Upload[]; bytes: number }

export type Ignored = {
  upload: Upload
  fault: Fault
  /** The name that was probably meant; null if there is none. */
  proposal: string | null
  /** Undefined until its paper was read. */
  judgement?: Judgement
}

/** A number of files in the pile that both a project and a person have. */
export type Double = {
  key: string
  project: Pick<UploadProject, 'number' | 'name'>
  user: UploadUser
  /** Null until the person at the form has said which is meant. */
  meaning: Meaning | null
  files: number
}

/** A file that is to be put elsewhere: one that leads nowhere, or one that has a place already. */
export type Misplaced = { upload: Upload; fault: Fault | null; target?: Target }

export type Pile = {
  groups: Group[]
  ignored: Ignored[]
  /** Files whose place is not known yet. */
  unsure: Upload[]
  /** Files whose number is a project's and a person's, while nobody has said which is meant. */
  undecided: Upload[]
  doubles: Double[]
}

/** Returns the question that tells where a name leads; null if there is nothing to ask. */
export function questionOf(
  form: UploadForm,
  name: string,
): { folder: string; key: string; id: string } | null {
  if (isAtOnePlace(form)) return null
  if (form.kind === 'users') {
    const number = keyInName(name)
    return number === null ? null : { folder: '', key: number, id: number }
  }
  const key = keyInName(name)
  const folder = readFileName(name)?.folder ?? ''
  // A person's number needs no text before it.
  if (key === null || (folder === '' && form.project)) return null
  if (form.project && form.project.number !== key) return null
  return { folder, key, id: `${key}\n${folderKey(folder)}` }
}

/** The form takes projects' and people's files alike. */
export const isForAll = (form: UploadForm) => form.kind === 'folders' && form.project === null

/** All files of the form go to the same place. */
export const isAtOnePlace = (form: UploadForm): form is Exclude<UploadForm, { kind: 'folders' | 'users' }> =>
  form.kind !== 'folders' && form.kind !== 'users'

export type Where =
  | (({ target: Target; key: string } | { fault: Fault; proposal?: string | null }) & {
      double?: NumberMeaning
    })
  | 'unsure'

type NumberMeaning = Omit<Double, 'files'>

/** The person's answers about numbers that are both a project's and a person's. */
export type Meanings = ReadonlyMap<string, Meaning>

const NOTHING_SAID: Meanings = new Map()

/** Decides where a file goes, by its name alone; for a name that leads nowhere, finds the one that was meant. */
export function whereTo(form: UploadForm, known: Known, name: string, meanings = NOTHING_SAID): Where {
  const where = placeOf(form, known, name, meanings)
  if (where === 'unsure' || !('fault' in where) || !mayBeMeant(where.fault)) return where
  if (!known.asked.has(proposalId(name))) return 'unsure'
  return { ...where, proposal: Object.hasOwn(known.proposals, name) ? known.proposals[name]! : null }
}

/** Identifies the question which name was meant. */
export const proposalId = (name: string) => `meant\n${name}`

/** Returns whether another name may have been meant. A folder that is only misspelt is known already. */
function mayBeMeant(fault: Fault): boolean {
  if (fault.kind === 'folder') return fault.near === null
  return fault.kind === 'name' || fault.kind === 'number' || fault.kind === 'project' || fault.kind === 'user'
}

function placeOf(form: UploadForm, known: Known, name: string, meanings: Meanings): Where {
  if (form.kind === 'manual') return { target: { folder: form.folder, project: form.project }, key: 'all' }
  if (form.kind === 'replace') return { target: form.target, key: 'all' }
  if (form.kind === 'person') return { target: { user: form.user }, key: 'all' }
  if (form.kind === 'simple') {
    const { fault } = placeSimply(name)
    return fault ? { fault } : { target: {}, key: 'all' }
  }
  const question = questionOf(form, name)
  if (question && !known.asked.has(question.id)) return 'unsure'
  if (form.kind === 'users') {
    const { where: user, fault } = placeAtUser(name, known)
    return fault ? { fault } : { target: { user }, key: `user ${user.id}` }
  }
  if (form.project) {
    const { where, fault } = placeInFolder(name, known, form.project.number)
    return fault ? { fault } : { target: where, key: `folder ${where.folder.id}` }
  }
  return anywhere(known, name, meanings)
}

function anywhere(known: Known, name: string, meanings: Meanings): Where {
  const { where, fault } = placeAnywhere(name, known, (number) => meanings.get(number))
  const key = keyInName(name) ?? ''
  const isDouble = Object.hasOwn(known.projects, key) && Object.hasOwn(known.users, key)
  const double = isDouble && {
    double: {
      key,
      project: known.projects[key]!,
      user: known.users[key]!,
      meaning: meanings.get(key) ?? null,
    },
  }
  if (fault) return { fault, ...double }
  const { project, folder, user } = where
  return user
    ? { target: { user }, key: `user ${user.id}`, ...double }
    : { target: { project, folder }, key: `folder ${folder.id}`, ...double }
}

/** S4.4, S4.5: sorts the dropped files into groups and ignored files. */
export function sortPile(uploads: readonly Upload[], whereOf: (upload: Upload) => Where): Pile {
  const groups = new Map<string, Group>()
  const doubles = new Map<string, Double>()
  const pile: Pile = { groups: [], ignored: [], unsure: [], undecided: [], doubles: [] }
  for (const upload of uploads) {
    const where: Where = upload.refusal === null ? whereOf(upload) : { fault: refused(upload.refusal) }
    const double = where === 'unsure' ? undefined : where.double
    if (double) doubles.set(double.key, { ...double, files: (doubles.get(double.key)?.files ?? 0) + 1 })
    if (where === 'unsure') pile.unsure.push(upload)
    else if ('fault' in where && where.fault.kind === 'both') pile.undecided.push(upload)
    else if ('fault' in where)
      pile.ignored.push({ upload, fault: where.fault, proposal: where.proposal ?? null })
    else {
      const group = groups.get(where.key) ?? { key: where.key, target: where.target, uploads: [], bytes: 0 }
      groups.set(where.key, group)
      group.uploads.push(upload)
      group.bytes += upload.size
    }
  }
  pile.groups = [...groups.values()].sort(compareGroups)
  pile.doubles = [...doubles.values()].sort((a, b) => compareDanish(a.key, b.key))
  return pile
}

const refused = (text: string): Fault => ({ kind: 'refused', text })

function compareGroups({ target: a }: Group, { target: b }: Group): number {
  // Projects come before people.
  return (
    Number(a.project === undefined) - Number(b.project === undefined) ||
    compareDanish(a.project?.number ?? '', b.project?.number ?? '') ||
    compareDanish(a.folder?.name ?? a.user?.name ?? '', b.folder?.name ?? b.user?.name ?? '')
  )
}

/** Adds the server's answer to the known ones. */
export function learn(known: Known, answer: UploadMap, asked: string[]): Known {
  const projects = { ...known.projects }
  for (const [number, project] of Object.entries(answer.projects)) {
    const before = Object.hasOwn(projects, number) ? projects[number] : undefined
    projects[number] = {
      ...project,
      folders: { ...before?.folders, ...project.folders },
      near: { ...before?.near, ...project.near },
    }
  }
  return {
    projects,
    users: { ...known.users, ...answer.users },
    proposals: { ...known.proposals, ...answer.proposals },
    asked: new Set([...known.asked, ...asked]),
  }
}

/** Returns the form's own page address, which it posts to. */
export function addressOf(form: UploadForm): string {
  if (form.kind === 'manual') return urls.uploadTo(form.project.id, form.folder.id)
  if (form.kind === 'users') return urls.uploadToUsers
  if (form.kind === 'person') return urls.uploadToUser(form.user.id)
  if (form.kind === 'simple') return urls.myFiles
  if (form.kind === 'replace') return fileUrls.replace(form.owner, form.file.id)
  return form.project ? urls.uploadToProject(form.project.id) : urls.upload
}
