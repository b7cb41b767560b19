import type { FileOwner } from '../../access/reader.ts'
import type { HeldState } from '../../files/stored-file.ts'
import { folderKey } from '../../projects/folder.ts'
import type { Project } from '../../projects/project.ts'
import { keyInName, readFileName } from '../names/file-name.ts'
import {
  placeAtUser,
  placeInFolder,
  placeSimply,
  type Fault,
  type UploadFolder,
  type UploadMap,
  type UploadProject,
  type UploadUser,
} from '../names/placing.ts'
import type { Upload } from '../transport/upload.ts'

/** The forms: S2.7, and the one for a single person. */
export type UploadForm =
  | { kind: 'manual'; project: Project & { has_auditor: boolean }; folder: UploadFolder }
  | { kind: 'folders'; project: Project | null }
  | { kind: 'users' }
  | { kind: 'person'; user: UploadUser }
  | { kind: 'simple'; userId: number }
  | ReplaceForm

/** The form that replaces one file with a new version. */
export type ReplaceForm = {
  kind: 'replace'
  file: { id: number; name: string; held: HeldState | null }
  target: Target
  owner: FileOwner
  /** Where the file is. */
  back: string
}

/** The server's answers so far, and the questions that it was asked. */
export type Known = UploadMap & { asked: ReadonlySet<string> }

export const NOTHING_KNOWN: Known = { projects: {}, users: {}, asked: new Set() }

/** The place where a group of files goes. */
export type Target = {
  folder?: UploadFolder
  project?: Pick<UploadProject, 'number' | 'name' | 'has_auditor'>
  user?: UploadUser
}

export type Group = { key: string; target: Target; uploads: Upload[]; bytes: number }

export type Ignored = { upload: Upload; fault: Fault }

export type Pile = {
  groups: Group[]
  ignored: Ignored[]
  /** Files whose place is not known yet. */
  unsure: Upload[]
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
  const said = readFileName(name)
  if (!said) return null
  const { folder, key } = said
  if (form.project && form.project.number !== key) return null
  return { folder, key, id: `${key}\n${folderKey(folder)}` }
}

/** All files of the form go to the same place. */
export const isAtOnePlace = (form: UploadForm): form is Exclude<UploadForm, { kind: 'folders' | 'users' }> =>
  form.kind !== 'folders' && form.kind !== 'users'

export type Where = { target: Target; key: string } | { fault: Fault } | 'unsure'

/** Decides where a file goes, by its name alone. */
export function whereTo(form: UploadForm, known: Known, name: string): Where {
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
  const { where, fault } = placeInFolder(name, known, form.project?.number ?? null)
  return fault ? { fault } : { target: where, key: `folder ${where.folder.id}` }
}

const danish = new Intl.Collator('da', { numeric: true })

/** S4.4, S4.5: sorts the dropped files into groups and ignored files. */
export function sortPile(uploads: readonly Upload[], whereOf: (upload: Upload) => Where): Pile {
  const groups = new Map<string, Group>()
  const pile: Pile = { groups: [], ignored: [], unsure: [] }
  for (const upload of uploads) {
    const where = upload.refusal === null ? whereOf(upload) : { fault: refused(upload.refusal) }
    if (where === 'unsure') pile.unsure.push(upload)
    else if ('fault' in where) pile.ignored.push({ upload, fault: where.fault })
    else {
      const group = groups.get(where.key) ?? { key: where.key, target: where.target, uploads: [], bytes: 0 }
      groups.set(where.key, group)
      group.uploads.push(upload)
      group.bytes += upload.size
    }
  }
  pile.groups = [...groups.values()].sort(compareGroups)
  return pile
}

const refused = (text: string): Fault => ({ kind: 'refused', text })

function compareGroups({ target: a }: Group, { target: b }: Group): number {
  return (
    danish.compare(a.project?.number ?? '', b.project?.number ?? '') ||
    danish.compare(a.folder?.name ?? a.user?.name ?? '', b.folder?.name ?? b.user?.name ?? '')
  )
}

/** Adds the server's answer to what is known. */
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
    asked: new Set([...known.asked, ...asked]),
  }
}
