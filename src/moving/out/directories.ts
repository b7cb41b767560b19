import { distinctNames, splitEnding } from '../../files/zip/archive-names.ts'

export type ProjectToName = { id: number; number: string; name: string }
export type PersonToName = { id: number; number: string | null; name: string }
/** A folder of a project, or of a person. */
export type FolderToName = { id: number; name: string; projectId: number | null; userId: number | null }

/**
 * The directories of the export, by id: 'Projekter/1024 K-S Nordhavn/Budget'. A person's folder is the person's
 * directory.
 */
export type Directories = {
  project: Map<number, string>
  person: Map<number, string>
  folder: Map<number, string>
}

const PROJECTS = 'Projekter'
const PEOPLE = 'Personer'

/** Returns a directory for each project, person and folder. All names are different, and valid on every system. */
export function nameDirectories(
  projects: readonly ProjectToName[],
  people: readonly PersonToName[],
  folders: readonly FolderToName[],
): Directories {
  const project = inside(
    PROJECTS,
    projects.map(({ id, number, name }) => ({ id, name: plain(`${number} ${name}`) })),
  )
  const person = inside(
    PEOPLE,
    people.map(({ id, number, name }) => ({ id, name: plain(number === null ? name : `${number} ${name}`) })),
  )
  const folder = new Map<number, string>()
  for (const [owner, theirs] of Map.groupBy(folders, ({ projectId }) => projectId)) {
    if (owner === null) for (const { id, userId } of theirs) add(folder, id, person.get(userId ?? 0))
    else for (const [id, path] of inside(project.get(owner) ?? PROJECTS, theirs)) folder.set(id, path)
  }
  return { project, person, folder }
}

/** 'K/S Nordhavn' becomes 'K-S Nordhavn', as in a year's package. */
const plain = (name: string) => name.replaceAll('/', '-')

function inside(parent: string, things: readonly { id: number; name: string }[]): Map<number, string> {
  const names = distinctNames(things.map(({ name }) => name))
  return new Map(things.map(({ id }, index) => [id, `${parent}/${names[index]}`]))
}

function add(paths: Map<number, string>, id: number, path: string | undefined): void {
  if (path !== undefined) paths.set(id, path)
}

/** The kinds of stored files. Each has its own directory, so that `Projekter` has only published files. */
export const AREAS = ['live', 'draft', 'trash', 'version'] as const
export type Area = (typeof AREAS)[number]

const AREA_DIRECTORIES: Record<Area, string> = {
  live: '',
  draft: 'Kladder/',
  trash: 'Papirkurv/',
  version: 'Versioner/',
}

/** Files from scanners and mails that are not sorted yet. */
export const WAITING_DIRECTORY = 'Indbakke'

/** 'Projekter/1024 K-S Nordhavn/Budget' becomes 'Papirkurv/Projekter/1024 K-S Nordhavn/Budget' for the trash. */
export const directoryIn = (area: Area, folder: string) => `${AREA_DIRECTORIES[area]}${folder}`

/** The names of other versions have their number: 'Budget.pdf' becomes 'Budget (version 2).pdf'. */
export function nameIn(area: Area, name: string, version: number | null): string {
  if (area !== 'version') return name
  const [stem, ending] = splitEnding(name)
  return `${stem} (${version === null ? 'ny version' : `version ${version}`})${ending}`
}
