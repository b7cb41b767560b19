import { keyInName, readFileName, splitExtension, yearInName } from '../../../files/names/file-name.ts'
import { faultText, placeAnywhere, type Fault } from '../../../uploads/names/placing.ts'
import { proposeName } from '../../../uploads/names/proposal.ts'
import type { Sureness } from '../../../uploads/papers/judgement.ts'
import {
  folderIn,
  isYearAlone,
  looksLikeYear,
  personIn,
  projectIn,
  yearOf,
  type FolderHint,
  type PersonHint,
  type ProjectHint,
} from './hints.ts'
import { uncopied, type Uncopied } from '../../../uploads/names/copy-name.ts'
import { nameAtPerson, nameInFolder, NO_EXTRAS, type NameExtras } from './new-name.ts'
import { hasWordsOf, lettersOf, type IndexedProject, type OfficeIndex } from './office-index.ts'

/** Where a file goes, as far as its name and directories say, and why. */
export type Placement = {
  projectId: number | null
  folderId: number | null
  personId: number | null
  name: string | null
  year: number | null
  sureness: Sureness
  why: string
}

/** The combined hints of the directories above a file. */
export type Way = OnWay & {
  directories: readonly string[]
  project: ProjectHint | null
  /** Another project that is named just as surely. */
  rival: ProjectHint | null
  person: PersonHint | null
}

/** The hints about the place inside a project. */
type OnWay = {
  folder: FolderHint | null
  isFolderDoubted: boolean
  year: number | null
  /** The names of directories without a hint. They distinguish files with the same name. */
  words: string[]
}

/** Reads the hints of directories, the outermost first. */
export function readWay(directories: readonly string[], office: OfficeIndex): Way {
  const read = directories.map((text) => ({
    text,
    project: projectIn(text, office),
    person: personIn(text, office),
  }))
  const sure = read.filter(({ project }) => project?.isSure)
  const named = sure.length > 0 ? sure : read.filter(({ project }) => project !== null)
  const project = named.at(-1)?.project ?? null
  const rival = named.find((each) => each.project?.project.id !== project?.project.id)?.project ?? null
  const person = read.findLast((each) => each.person !== null)?.person ?? null
  const others = read.filter(
    (each) => !named.includes(each) && (each.person === null || each.person !== person),
  )
  const texts = others.map(({ text }) => text)
  const from = named[0] ? read.indexOf(named[0]) : read.length
  const below = new Set(read.slice(from + 1).map(({ text }) => text))
  return { directories: texts, project, rival, person, ...insideOf(texts, project?.project ?? null, below) }
}

/** Finds folder and year in the names of directories; words come from those below the project's. */
function insideOf(
  texts: readonly string[],
  project: IndexedProject | null,
  below: ReadonlySet<string>,
): OnWay {
  const folders = project ? texts.map((text) => ({ text, hint: folderIn(text, project) })) : []
  const right = folders.filter(({ hint }) => hint?.isSure)
  const used = right.length > 0 ? right : folders.filter(({ hint }) => hint !== null)
  const folder = used.at(-1)?.hint ?? null
  const years = texts.flatMap((text) => (isYearAlone(text) ? (yearOf(text) ?? []) : []))
  const isWord = (text: string) =>
    below.has(text) &&
    !isYearAlone(text) &&
    !used.some((each) => each.text === text) &&
    !SAYS_NOTHING.test(text)
  return {
    folder,
    isFolderDoubted: used.some(({ hint }) => hint?.folder.id !== folder?.folder.id),
    year: years.at(-1) ?? used.findLast(({ hint }) => hint?.year != null)?.hint?.year ?? null,
    words: texts.filter(isWord),
  }
}

const SAYS_NOTHING = /^(?:ny mappe|new folder)(?: \(\d+\))?$/i

/**
 * Tries S5.1 first, then the directories, then names that are nearly right. Leaves the rest to the content of the
 * paper.
 */
export function placeFile(fileName: string, way: Way, office: OfficeIndex): Placement {
  const copy = uncopied(fileName)
  const { where, fault } = placeAnywhere(copy.name, office.map, () => undefined)
  if (where?.user) return atNamedPerson(copy, where.user.id, way, office)
  if (where) return inNamedFolder(copy, where, way)
  const isDeeper = way.person !== null && (way.person.isSure || way.project === null)
  if (way.person && isDeeper) return atPerson(copy, way.person, way)
  if (way.project) return inProject(copy, way.project, way, office, fault)
  const byName = projectIn(splitExtension(copy.name).stem, office, 'Navnet')
  if (byName) {
    const inside = insideOf(way.directories, byName.project, new Set())
    const place = inProject(copy, byName, { ...way, ...inside }, office, fault)
    if (place.folderId !== null) return place
  }
  const proposed = proposeName(copy.name, office.existing, { of: 'all' })
  return (proposed !== null && proposedPlace(proposed, copy, office)) || nowhere(faultText(fault))
}

const nowhere = (why: string): Placement => ({
  projectId: null,
  folderId: null,
  personId: null,
  name: null,
  year: null,
  sureness: 'unknown',
  why,
})

function placed(name: string, place: Partial<Placement>): Placement {
  return { ...nowhere(''), ...place, name, year: yearInName(name) }
}

const moreOf = ({ words, year }: Way, { mark }: Uncopied): NameExtras => ({ words, year, mark })
/** A name that has its place needs nothing more, except what distinguishes it from a copy. */
const markOf = ({ mark }: Uncopied): NameExtras => ({ ...NO_EXTRAS, mark })

function inNamedFolder(
  copy: Uncopied,
  { project, folder }: { project: { id: number; number: string }; folder: { id: number; name: string } },
  { project: hint, rival }: Way,
): Placement {
  const key = project.number
  const said = readFileName(copy.name)
  const name = nameInFolder(copy.name, { folder: said?.folder ?? folder.name, key }, markOf(copy))
  const place = { projectId: project.id, folderId: folder.id }
  const agrees = [hint, rival].some((each) => each?.project.id === project.id)
  if (hint && !agrees)
    return placed(name, {
      ...place,
      sureness: 'maybe',
      why: `Navnet siger projekt ${key}, men ${hint.why.replace(/^M/, 'm')}`,
    })
  if (looksLikeYear(key) && !agrees)
    return placed(name, { ...place, sureness: 'maybe', why: `Navnet siger ${key}, som også kan være et år.` })
  return placed(name, { ...place, sureness: 'sure', why: 'Navnet siger det.' })
}

function atNamedPerson(copy: Uncopied, id: number, way: Way, office: OfficeIndex): Placement {
  const number = keyInName(copy.name) ?? ''
  const own = office.peopleByNumber.get(number)
  const name = nameAtPerson(copy.name, number, markOf(copy))
  const isNamed = own !== undefined && (hasWordsOf(copy.name, own.words) || way.person?.person.id === id)
  const doubt = doubtOfPerson(number, id, way, isNamed)
  return placed(name, {
    personId: id,
    sureness: doubt === null ? 'sure' : 'maybe',
    why: doubt ?? 'Navnet har investorens nummer.',
  })
}

function doubtOfPerson(
  number: string,
  id: number,
  { person, project }: Way,
  isNamed: boolean,
): string | null {
  if (person && person.person.id !== id)
    return `Navnet har investorens nummer ${number}, men ${person.why.replace(/^M/, 'm')}`
  if (looksLikeYear(number) && !isNamed)
    return `Navnet siger ${number}, som er en investors nummer, men også kan være et år.`
  if (project && !isNamed)
    return `Navnet har investorens nummer ${number}, men filen ligger hos projekt ${project.project.number}.`
  return null
}

function atPerson(copy: Uncopied, { person, isSure, why }: PersonHint, way: Way): Placement {
  return placed(nameAtPerson(copy.name, person.number, moreOf(way, copy)), {
    personId: person.id,
    sureness: isSure ? 'sure' : 'maybe',
    why,
  })
}

function inProject(
  copy: Uncopied,
  hint: ProjectHint,
  way: Way,
  office: OfficeIndex,
  fault: Fault,
): Placement {
  const { project } = hint
  const byName = folderByName(copy.name, project, office)
  const folder = way.folder ?? byName?.hint
  if (!folder)
    return { ...nowhere([hint.why, 'Mappen i projektet kendes ikke.'].join(' ')), projectId: project.id }
  const doubts = [
    ...(hint.isSure ? [] : [hint.why]),
    ...(way.rival ? [`${way.rival.why} Det er to projekter.`] : []),
    ...otherKey(fault, project),
    ...doubtsOfFolder(way, byName),
  ]
  const to = { folder: folder.text, key: project.number }
  const isByName = byName !== null && byName.hint.folder.id === folder.folder.id
  const name = nameInFolder(isByName ? byName.proposed : copy.name, to, moreOf(way, copy))
  const said = way.folder ? `Mappen på vejen er ”${folder.text}”.` : `Navnet begynder med ”${folder.text}”.`
  return placed(name, {
    projectId: project.id,
    folderId: folder.folder.id,
    sureness: doubts.length > 0 ? 'maybe' : 'sure',
    why: doubts.length > 0 ? doubts.join(' ') : `${hint.why} ${said}`,
  })
}

/** Compares the folder that the directories name with the one that the file's own name says. */
function doubtsOfFolder({ folder, isFolderDoubted }: Way, byName: ByName | null): string[] {
  const doubts: string[] = []
  if (folder && !folder.isSure) doubts.push(`Mappens navn ligner ”${folder.text}”.`)
  if (isFolderDoubted) doubts.push('To af mapperne på vejen er navne på mapper i projektet.')
  if (!byName) return doubts
  const { hint, isFirst } = byName
  const isClear = hint.isSure && isFirst
  if (folder && isClear && hint.folder.id !== folder.folder.id) doubts.push(`Navnet siger ”${hint.text}”.`)
  if (!folder && !isClear) doubts.push(`Navnet ligner mappen ”${hint.text}”.`)
  return doubts
}

/** A number in the parenthesis that is not this project's speaks against it. */
function otherKey(fault: Fault, { number, id }: IndexedProject): string[] {
  if (fault.kind === 'folder' && fault.projectId !== id)
    return [`Navnet siger projekt ${fault.project}, men mappen ${number}.`]
  if (fault.kind === 'number' && /^\d{3,}$/.test(fault.key) && !looksLikeYear(fault.key))
    return [`Navnet siger ${fault.key}, som ikke findes.`]
  if (fault.kind === 'both') return [faultText(fault)]
  return []
}

type ByName = { hint: FolderHint; proposed: string; isFirst: boolean }

/** Finds the folder that a file's own name points to, in a known project. */
function folderByName(name: string, { number, folders }: IndexedProject, office: OfficeIndex): ByName | null {
  const said = readFileName(name)
  const isSaid = said !== null && said.folder in folders
  // A wrong number in the parenthesis hides the folder before it.
  const proposed = isSaid
    ? nameInFolder(name, { folder: said.folder, key: number }, NO_EXTRAS)
    : proposeName(name, office.existing, { of: 'project', number })
  const text = proposed === null ? undefined : readFileName(proposed)?.folder
  const folder = text === undefined ? undefined : folders[text]
  if (proposed === null || text === undefined || !folder) return null
  const letters = lettersOf(name.replaceAll('_', ' '))
  const isSure = ` ${letters} `.includes(` ${lettersOf(text)} `)
  const bare = letters.replace(new RegExp(`^(?:${lettersOf(number)} )?`), '')
  return {
    hint: { folder, text, isSure, year: null },
    proposed,
    isFirst: bare.startsWith(lettersOf(text)) || !isSure,
  }
}

/** A proposed name points somewhere, but is not the original name, so somebody has to approve it. */
function proposedPlace(proposed: string, copy: Uncopied, office: OfficeIndex): Placement | null {
  const { where } = placeAnywhere(proposed, office.map, () => undefined)
  if (!where) return null
  const name = nameWithMark(proposed, copy)
  const why = `Navnet ligner ”${proposed}”.`
  return where.user
    ? placed(name, { personId: where.user.id, sureness: 'maybe', why })
    : placed(name, { projectId: where.project.id, folderId: where.folder.id, sureness: 'maybe', why })
}

function nameWithMark(name: string, { mark }: Uncopied): string {
  if (mark === '') return name
  const { stem, extension } = splitExtension(name)
  return `${stem} - ${mark}${extension}`
}
