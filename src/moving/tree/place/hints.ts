import { numbersIn } from '../../../uploads/names/proposal.ts'
import { yearIn } from '../../../files/names/file-name.ts'
import { bareName } from '../../../uploads/papers/directory.ts'
import {
  hasWordsOf,
  lettersOf,
  type FolderText,
  type IndexedPerson,
  type IndexedProject,
  type OfficeIndex,
} from './office-index.ts'

/** The project, person or folder that the name of a directory or file points to. */
export type ProjectHint = { project: IndexedProject; isSure: boolean; why: string }
export type PersonHint = { person: IndexedPerson; isSure: boolean; why: string }
export type FolderHint = FolderText & { isSure: boolean; year: number | null }

/** A number that may also be a year is a weak hint. */
export const looksLikeYear = (number: string) => number.length === 4 && yearIn(number) !== null

/** Words that say what a number is. */
const CALLED_PROJECT = /^(?:projekt|projekter|project|sag|sagsnr|ejendom|selskab|nr|nummer|no|ks|k|s)$/

/** Finds the project that a directory is named after: by number, by name, or both. Null if there is none, or several. */
export function projectIn(text: string, office: OfficeIndex, called = 'Mappen'): ProjectHint | null {
  const numbers = [...new Set([text, ...numbersIn(text)])].filter((number) => number in office.map.projects)
  const byName = projectNamed(text, office, called)
  if (numbers.length > 1) {
    const both = numbers.filter((number) => number === byName?.project.number)
    return both.length === 1 && byName ? { ...byName, isSure: true } : null
  }
  const [number] = numbers
  if (number === undefined) return byName
  const project = office.map.projects[number]
  return project ? projectNumbered(text, project, byName, called) : null
}

/** The number is enough with the project's name, or where nothing else is said. */
function projectNumbered(
  text: string,
  project: IndexedProject,
  byName: ProjectHint | null,
  called: string,
): ProjectHint | null {
  const { number } = project
  const words = lettersOf(text)
    .split(' ')
    .filter((word) => word !== lettersOf(number) && !CALLED_PROJECT.test(word))
  const said = `${called} ”${text}” har nummer ${number}`
  if (byName && byName.project.id !== project.id && byName.isSure)
    return { project, isSure: false, why: `${said}, men navnet er ${byName.project.number}’s.` }
  const isNamed = hasWordsOf(text, project.words) || words[0] === project.words[0]
  if (isNamed || (words.length === 0 && !looksLikeYear(number)))
    return { project, isSure: true, why: `${called} ”${text}” er projekt ${number}.` }
  if (looksLikeYear(number)) {
    // '2014' is a year on most drives, although a project may have the number.
    if (words.length > 0 || text !== number) return null
    return { project, isSure: false, why: `${said}, som også kan være et år.` }
  }
  return { project, isSure: false, why: `${said}, men ikke projektets navn.` }
}

/** Finds the only project with the whole name, or else the only one whose name begins so. */
function projectNamed(text: string, office: OfficeIndex, called: string): ProjectHint | null {
  const words = bareName(text).filter((word) => !(word in office.map.projects))
  const [first] = words
  if (first === undefined || (words.length === 1 && first.length < 4)) return null
  const same = office.projectsByName.get(words.join(' ')) ?? []
  if (same.length > 1) return null
  const [project] = same
  if (project) return { project, isSure: true, why: `${called} ”${text}” har projektets navn.` }
  // 'K-S Nordhavn' is perhaps 'K/S Nordhavn Kontorhus'.
  const begin = (office.projectsByWord.get(first) ?? []).filter(
    ({ words: theirs }) =>
      words.every((word, at) => theirs[at] === word) || theirs.every((word, at) => words[at] === word),
  )
  const [only] = begin
  if (begin.length !== 1 || !only) return null
  const isWhole = only.words.length < words.length && only.words.length > 1
  return {
    project: only,
    isSure: false,
    why: `${called} ”${text}” ligner ”${only.name}”${isWhole ? ', men siger mere' : ''}.`,
  }
}

/**
 * Finds the person that a directory is named after. Sure only by number and name together, because the wrong person is
 * the worst mistake.
 */
export function personIn(text: string, office: OfficeIndex): PersonHint | null {
  const found = numbersIn(text).flatMap((number) => office.peopleByNumber.get(number) ?? [])
  const [numbered] = found
  if (numbered && found.length === 1) {
    const { number, name } = numbered
    if (hasWordsOf(text, numbered.words))
      return { person: numbered, isSure: true, why: `Mappen ”${text}” har investorens nummer og navn.` }
    if (number in office.map.projects || looksLikeYear(number)) return null
    return { person: numbered, isSure: false, why: `Mappen ”${text}” har ${name}s nummer, men ikke navn.` }
  }
  const named = office.peopleByName.get(lettersOf(text)) ?? []
  const [person] = named
  if (!person || person.words.length < 2 || named.some(({ id }) => id !== person.id)) return null
  return { person, isSure: false, why: `Mappen ”${text}” har investorens navn, men ikke nummer.` }
}

/** '01 ', '1. ' and 'A - ' at the start of a name are only for sorting. */
const ORDINAL = /^(?:\d{1,2}|[A-Za-z])(?:[.)_]\s*|\s*-\s+|\s+(?=\D))/

/** Finds the folder of a project that a directory is named after. A name that is only nearly right is not sure. */
export function folderIn(text: string, project: IndexedProject): FolderHint | null {
  const year = yearOf(text)
  const bare = year === null ? text : text.replace(String(year), ' ')
  const forms = [text, text.replace(ORDINAL, ''), bare, bare.replace(ORDINAL, '')]
  for (const form of forms) {
    const found = project.byLetters.get(lettersOf(form))
    if (found) return { ...found, isSure: true, year }
  }
  for (const form of forms) {
    const near = project.nearText(form.trim())
    const folder = near === null ? undefined : project.folders[near]
    if (near !== null && folder) return { folder, text: near, isSure: false, year }
  }
  return null
}

/** The year in a directory's name: '2023', 'Regnskab 2023', but not '2022-23', which may be either. */
export function yearOf(text: string): number | null {
  const years = text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? []
  return years.length === 1 && !/\d[-/–]\d/.test(text) ? Number(years[0]) : null
}

/** Whether a directory is a year and nothing else. */
export const isYearAlone = (text: string) =>
  /^(?:år |aar |regnskabsår |regnskab )?(?:19|20)\d\d$/i.test(text.trim())
