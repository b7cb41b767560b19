import { bareName } from '../../../uploads/papers/directory.ts'
import { fold, wordsOf } from '../../../base/folded-words.ts'
import { nearMissAmong } from '../../../files/names/near-miss.ts'
import type { UploadFolder, UploadMap, UploadProject } from '../../../uploads/names/placing.ts'
import type { Existing, FolderTexts } from '../../../uploads/names/proposal.ts'

/** A project with the names and sub names of its folders, as the database has them. */
export type ListedProject = {
  id: number
  number: string
  name: string
  folders: { text: string; folder: UploadFolder }[]
}
export type ListedPerson = { id: number; name: string; numbers: string[] }

export type IndexedProject = UploadProject & {
  /** 'K/S Nordhavn Kontorhus' has 'nordhavn' and 'kontorhus'. */
  words: string[]
  /** The folders' names by their letters alone, so that 'ÅRSRAPPORTER' finds 'Årsrapport'. Null where two would be found. */
  byLetters: ReadonlyMap<string, FolderText | null>
  /** The name that was probably meant. */
  near: UploadProject['near']
  nearText: (text: string) => string | null
}
/** A folder, and which of its names was used. */
export type FolderText = { folder: UploadFolder; text: string }
export type IndexedPerson = { id: number; name: string; number: string; words: string[] }

/** Everything that names and directories can point to, prepared once for many thousands of them. */
export type OfficeIndex = {
  map: UploadMap & { projects: Record<string, IndexedProject> }
  existing: Existing
  /** By their words. */
  projectsByName: ReadonlyMap<string, IndexedProject[]>
  projectsByWord: ReadonlyMap<string, IndexedProject[]>
  peopleByName: ReadonlyMap<string, IndexedPerson[]>
  peopleByNumber: ReadonlyMap<string, IndexedPerson>
}

const PLURALS = ['e', 'er', 'r', 's', 'ter', 'ne', 'erne', 'ene']

/** 'Årsrapporter ' becomes 'aarsrapporter': only letters and digits count. */
export const lettersOf = (text: string) =>
  wordsOf(text)
    .map(({ folded }) => folded)
    .join(' ')

export function makeOfficeIndex(projects: ListedProject[], people: ListedPerson[]): OfficeIndex {
  const indexed = projects.map(indexProject(new Map()))
  const listedPeople = people.flatMap(({ id, name, numbers }) =>
    numbers.map((number) => ({ id, name, number, words: wordsOf(name).map(({ folded }) => folded) })),
  )
  const blank = <Value>() => Object.create(null) as Record<string, Value>
  return {
    map: {
      projects: Object.assign(
        blank<IndexedProject>(),
        Object.fromEntries(indexed.map((one) => [one.number, one])),
      ),
      users: Object.assign(
        blank<{ id: number; name: string }>(),
        Object.fromEntries(listedPeople.map(({ id, name, number }) => [number, { id, name }])),
      ),
    },
    existing: {
      projects: new Map(indexed.map((project) => [project.number, textsOf(project)])),
      people: new Set(listedPeople.map(({ number }) => number)),
    },
    projectsByName: Map.groupBy(indexed, ({ words }) => words.join(' ')),
    projectsByWord: Map.groupBy(indexed, ({ words }) => words[0] ?? ''),
    peopleByName: Map.groupBy(listedPeople, ({ words }) => words.join(' ')),
    peopleByNumber: new Map(listedPeople.map((person) => [person.number, person])),
  }
}

type Prepared = Pick<IndexedProject, 'nearText'>

/** Most projects have the same folders, so the expensive part is shared. */
function indexProject(prepared: Map<string, Prepared>): (project: ListedProject) => IndexedProject {
  return ({ id, number, name, folders }) => {
    const texts = folders.map(({ text }) => text)
    const key = texts.join('\n')
    const shared = prepared.get(key) ?? { nearText: nearMissAmong(texts) }
    prepared.set(key, shared)
    const byKey: Record<string, UploadFolder> = Object.create(null) as Record<string, UploadFolder>
    const byLetters = new Map<string, FolderText | null>()
    const add = (letters: string, found: FolderText, isOwn: boolean) => {
      const before = byLetters.get(letters)
      if (before === undefined) byLetters.set(letters, found)
      else if (before !== null && before.folder.id !== found.folder.id && isOwn) byLetters.set(letters, null)
    }
    for (const each of folders) {
      byKey[each.text] = each.folder
      add(lettersOf(each.text), each, true)
    }
    for (const each of folders) for (const plural of PLURALS) add(lettersOf(each.text) + plural, each, false)
    return {
      id,
      number,
      name,
      has_auditor: false,
      folders: byKey,
      near: {},
      words: bareName(name),
      byLetters,
      ...shared,
    }
  }
}

const textsOf = (project: IndexedProject): FolderTexts => ({
  has: (text) => text in project.folders,
  near: project.nearText,
})

/** Whether the words of a name stand in a text, one after the other. */
export function hasWordsOf(text: string, words: readonly string[]): boolean {
  if (words.length === 0) return false
  return ` ${lettersOf(text)} `.includes(` ${words.map(fold).join(' ')} `)
}
