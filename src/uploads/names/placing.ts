import { folderKey } from '../../projects/folder.ts'
import { keyInName, readFileName } from '../../files/names/file-name.ts'

export type UploadFolder = { id: number; name: string; visible_to_investors: boolean }
export type UploadProject = {
  id: number
  number: string
  name: string
  /** Whether an auditor sees its folders, shared or not. */
  has_auditor: boolean
  /**
   * By the `folderKey` of the asked names that lead to a folder, by its name or a sub name; `resolve.db.ts` says which do, also
   * in another case.
   */
  folders: Record<string, UploadFolder>
  /** The name that was probably meant, by the `folderKey` of a name that leads nowhere here. */
  near: Record<string, string>
}
export type UploadUser = {
  id: number
  name: string
  /** The advisers who see the person's own files; left out where nobody says who sees them. */
  readers?: string[]
}

/**
 * The places where the dropped files can go. Has only those that their names ask for: an office may have thousands of
 * folders.
 */
export type UploadMap = {
  projects: Record<string, UploadProject>
  users: Record<string, UploadUser>
  /** Better names for names that lead nowhere. */
  proposals?: Record<string, string>
}

/** The meaning of a number that both a project and a person have. */
export type Meaning = 'project' | 'person'

/**
 * Why a form does not take a file. What was dropped waits for its sender alone, until it is put right or deleted: after
 * `temporaryFileMs` of `base/upload-lifetimes.ts`.
 */
export type Fault =
  | { kind: 'name'; of: 'user' }
  | { kind: 'name'; of: 'folder'; example: string }
  | { kind: 'name'; of: 'all' }
  | { kind: 'project'; key: string }
  | { kind: 'other-project'; key: string; wanted: string }
  | { kind: 'folder'; folder: string; project: string; projectId: number; near: string | null }
  | { kind: 'user'; key: string }
  /** No project and no person has the number. */
  | { kind: 'number'; key: string }
  /** Both have it, and nobody has chosen one. */
  | { kind: 'both'; key: string }
  | { kind: 'not-pdf' }
  /** For a reason other than its place: `refusalOf` in `transport/upload.ts`. */
  | { kind: 'refused'; text: string }

type Placed<Where> = { where: Where; fault?: undefined } | { where?: undefined; fault: Fault }

/** S5.1–S5.3: finds the folder and project that a name leads to; only in the wanted project, if there is one. */
export function placeInFolder(
  name: string,
  { projects }: Pick<UploadMap, 'projects'>,
  wanted: string | null,
): Placed<{ project: UploadProject; folder: UploadFolder }> {
  const said = readFileName(name)
  if (!said) return { fault: { kind: 'name', of: 'folder', example: wanted ?? '1024' } }
  if (wanted !== null && said.key !== wanted)
    return { fault: { kind: 'other-project', key: said.key, wanted } }
  const project = own(projects, said.key)
  if (!project) return { fault: { kind: 'project', key: said.key } }
  const folder = own(project.folders, folderKey(said.folder))
  return folder
    ? { where: { project, folder } }
    : {
        fault: {
          kind: 'folder',
          folder: said.folder,
          project: project.number,
          projectId: project.id,
          near: nearTo(project, said.folder),
        },
      }
}

function nearTo({ near }: UploadProject, folder: string): string | null {
  return own(near, folderKey(folder)) ?? null
}

/** S5.4: finds the person whose number is in the parenthesis; the text before it is free. */
export function placeAtUser(name: string, { users }: Pick<UploadMap, 'users'>): Placed<UploadUser> {
  const key = keyInName(name)
  if (key === null) return { fault: { kind: 'name', of: 'user' } }
  const user = own(users, key)
  return user ? { where: user } : { fault: { kind: 'user', key } }
}

type Somewhere =
  | { project: UploadProject; folder: UploadFolder; user?: undefined }
  | { user: UploadUser; project?: undefined; folder?: undefined }

/**
 * Finds the folder or the person that a name leads to, where both kinds of numbers are taken. `meaningOf` says which is
 * meant by a number that is both.
 */
export function placeAnywhere(
  name: string,
  map: UploadMap,
  meaningOf: (key: string) => Meaning | undefined,
): Placed<Somewhere> {
  const key = keyInName(name)
  if (key === null) return { fault: { kind: 'name', of: 'all' } }
  const [project, user] = [own(map.projects, key), own(map.users, key)]
  const meaning = project && user ? meaningOf(key) : user ? 'person' : 'project'
  if (!project && !user) return { fault: { kind: 'number', key } }
  if (meaning === undefined) return { fault: { kind: 'both', key } }
  return meaning === 'person' ? { where: { user: user! } } : placeInFolder(name, map, null)
}

/** S4.7: decides by its name whether the simple form takes a file; its bytes are checked when they have arrived. */
export function placeSimply(name: string): Placed<null> {
  return /\.pdf$/i.test(name) ? { where: null } : { fault: { kind: 'not-pdf' } }
}

/** Tells the user why a file is not taken. */
export function faultText(fault: Fault): string {
  if (fault.kind === 'project') return `Projekt ${fault.key} findes ikke.`
  if (fault.kind === 'other-project') return `Projekt ${fault.key} er ikke ${fault.wanted}.`
  if (fault.kind === 'folder') return `Mappen ”${fault.folder}” findes ikke i projekt ${fault.project}.`
  if (fault.kind === 'user') return `Ingen person har nummer ${fault.key}.`
  if (fault.kind === 'number') return `Nummer ${fault.key} findes ikke.`
  if (fault.kind === 'both') return `${fault.key} er både et projekt og en person. Vælg, hvad der er ment.`
  if (fault.kind === 'refused') return fault.text
  if (fault.kind === 'not-pdf') return 'Kun PDF-filer kan sendes. Gem filen som PDF.'
  if (fault.of === 'all')
    return 'Navnet mangler et nummer i parentes, for eksempel ”Årsrapport (1024) 2025.pdf”.'
  return fault.of === 'user'
    ? 'Navnet mangler personens nummer i parentes, for eksempel ”Årsopgørelse (2001) 2025.pdf”.'
    : `Navnet skal være som ”Årsrapport (${fault.example}) 2025.pdf”.`
}

/** Ignores inherited properties such as 'constructor'. */
function own<Value>(map: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined
}
