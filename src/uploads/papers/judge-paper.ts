import { readFileName } from '../../files/names/file-name.ts'
import type { Directory, KnownFolder } from './directory.ts'
import type { FoundTitle } from './find-title.ts'
import type { Guess, Judgement, Reason } from './judgement.ts'
import { ownersOf } from './owners.ts'
import type { NamedPerson, NamedProject, PaperFacts } from './paper-facts.ts'
import type { PaperKind } from './paper-kinds.ts'
import { fold } from '../../base/folded-words.ts'
import { proposedName } from './proposed-name.ts'
import { findLikeness, PERSON, type Likeness, type WordModel } from './word-model.ts'

/** The knowledge that papers are judged by. */
export type Known = {
  directory: Directory
  foldersOf: (project: number) => readonly KnownFolder[]
  model: WordModel | null
}
export type Opinion = Pick<Judgement, 'sureness' | 'best' | 'second' | 'owners'>

/** The share of the office's papers needed to believe them without a title. */
const ENOUGH_ALONE = 0.9
/** The share of the office's papers needed to doubt a title. */
const ENOUGH_AGAINST = 0.97

export const NOTHING: Opinion = { sureness: 'unknown', best: null, second: null }

/** What is known of one paper: its facts with its file's name as one more reason, and the papers that it is like. */
type Paper = PaperFacts & { name: string; likeness: Likeness[] }

/** Says where a paper belongs. It is sure only if every reason leads to one place, and never by a name that two have. */
export function judgePaper(name: string, facts: PaperFacts, known: Known): Opinion {
  const likeness = (known.model ? findLikeness(known.model, facts.words) : []).map((like) => ({
    ...like,
    words: like.words.map((word) => facts.spellings[word] ?? word),
  }))
  const projects = withFileName(name, facts.projects, known.directory)
  const paper = { ...facts, name, projects, likeness }
  const toProject = judgeProject(paper, known)
  const owners = ownersOf(facts, known.directory)
  const isProjects = facts.titles[0]?.kind.belongs === 'project' && toProject.best !== null
  // A list of owners is a project's; what has something for each of them is nobody's.
  if (owners) return isProjects ? { ...toProject, sureness: 'maybe' } : { ...NOTHING, owners }
  const toPerson = judgePerson(paper, known)
  if (toPerson.best === null) return toProject
  // Addressed to somebody, but of a kind that all of a project share.
  if (isProjects) return { sureness: 'maybe', best: toProject.best, second: toPerson.best }
  return { ...toPerson, second: toPerson.second ?? (toPerson.sureness === 'sure' ? null : toProject.best) }
}

/** A file's name counts as one more reason. */
function withFileName(name: string, projects: NamedProject[], { projectNumbers }: Directory): NamedProject[] {
  const key = readFileName(name)?.key
  const id = key === undefined ? undefined : projectNumbers.get(fold(key))
  if (id === undefined || projects.some((project) => project.id === id && project.isCertain)) return projects
  return [
    ...projects.filter((project) => project.id !== id),
    { id, reasons: [], isCertain: true, isOwn: true },
  ]
}

function judgeProject(paper: Paper, known: Known): Opinion {
  const [first, next] = paper.projects.toSorted((a, b) => rankOf(b) - rankOf(a))
  const [likeliest, other] = first ? guessFolders(paper, first, known) : []
  if (!first || !likeliest) return NOTHING
  const best = likeliest.guess
  const rival = next?.isCertain ? next : null
  if (!rival && likeliest.isSure && isCertainly(paper, first)) return { sureness: 'sure', best, second: null }
  const [theirs] = rival ? guessFolders(paper, rival, known) : []
  return { sureness: 'maybe', best, second: (theirs ?? other)?.guess ?? null }
}

/** Whether a paper is this project's own, and says its period if it is of a kind that has one. */
function isCertainly({ titles: [title], year, isStrangers }: Paper, named: NamedProject): boolean {
  const isDated = title?.kind.year !== 'period' || year?.isCertain === true
  return named.isCertain && named.isOwn && !isStrangers && isDated
}

const rankOf = ({ isCertain, reasons }: NamedProject) => (isCertain ? 10 : 0) + reasons.length

/** Guesses at the folders of a project that a paper names, the likeliest first. */
function guessFolders(
  paper: Paper,
  named: NamedProject,
  { directory, foldersOf }: Known,
): { guess: Guess; isSure: boolean }[] {
  const found = directory.projects.get(named.id)
  if (!found) return []
  const { id, number, name, has_auditor: hasAuditor } = found
  const said: Reason[] = named.reasons.length > 0 ? named.reasons : [{ kind: 'file-name', said: number }]
  return rankFolders(paper, foldersOf(id)).map(({ folder, reasons, isSure }) => ({
    guess: {
      place: {
        folder: { id: folder.id, name: folder.name, visible_to_investors: folder.visible_to_investors },
        project: { id, number, name, has_auditor: hasAuditor },
      },
      name: proposedName(paper.name, { folder: folder.name, key: number }, paper.year),
      reasons: [...said, ...reasons],
    },
    isSure,
  }))
}

type FolderChoice = { folder: KnownFolder; reasons: Reason[]; isSure: boolean }
type Like = Likeness & { folder: KnownFolder }

/** The folders that a paper may belong in, the likeliest first. */
function rankFolders(paper: Paper, folders: readonly KnownFolder[]): FolderChoice[] {
  const alike = paper.likeness.flatMap((like): Like[] => {
    const folder = folders.find((each) => fold(each.name) === like.key)
    return folder && like.share > 0.05 ? [{ ...like, folder }] : []
  })
  const titled = titledFolders(paper, folders, alike)
  const others = alike.filter((like) => !titled.some(({ folder }) => folder === like.folder))
  const isAlone = paper.titles.length === 0
  return [
    ...titled,
    ...others.map((like) => ({
      folder: like.folder,
      reasons: alikeIn(like.words),
      isSure: isAlone && isBelieved(like),
    })),
  ]
}

/** The folders that a paper's title names. It is sure only of one, which neither papers nor another title are against. */
function titledFolders(
  { titles, likeness }: Paper,
  folders: readonly KnownFolder[],
  alike: readonly Like[],
): FolderChoice[] {
  const title = titles.find(({ kind }) => kind.belongs !== 'person')
  if (!title) return []
  const named = foldersFor(title.kind, title.said, folders)
  const [only] = named
  if (!only || named.length > 1)
    return named.map((folder) => ({ folder, reasons: [titleIn(title)], isSure: false }))
  const [top] = likeness
  const key = fold(only.name)
  // A folder with too few papers is none of those that the model compares.
  const isCompared = likeness.some((like) => like.key === key)
  const isDoubted = hasOtherTitle(titles) || (isCompared && isBelieved(top) && top.share > ENOUGH_AGAINST)
  const words = alike.find(({ folder }) => folder === only)?.words ?? []
  return [
    {
      folder: only,
      reasons: [titleIn(title), ...alikeIn(words)],
      isSure: title === titles[0] && (top?.key === key || !isDoubted),
    },
  ]
}

const titleIn = ({ said, page }: FoundTitle): Reason => ({ kind: 'title', said, page })
const alikeIn = (words: string[]): Reason[] => (words.length > 0 ? [{ kind: 'alike', words }] : [])

function isBelieved(likeness: Likeness | undefined): likeness is Likeness {
  return likeness !== undefined && likeness.isConvincing && likeness.share > ENOUGH_ALONE
}

/** So close after the title, another kind's title may be the right one. */
const CLOSE_LINES = 6

function hasOtherTitle([first, ...others]: PaperFacts['titles']): boolean {
  return others.some(
    ({ kind, page, at }) =>
      kind !== first?.kind &&
      kind.belongs === 'project' &&
      page === first?.page &&
      at - first.at <= CLOSE_LINES,
  )
}

/** The folders that hold such papers; only the one that is called what the title says, if there is one. */
function foldersFor(kind: PaperKind, said: string, folders: readonly KnownFolder[]): KnownFolder[] {
  const title = fold(said)
  const fits = folders.filter(({ name, sub_names: subNames }) =>
    [name, ...subNames].some((each) => kind.folders.some((part) => fold(each).includes(part))),
  )
  const called = fits.filter(({ name }) => title.includes(fold(name)))
  const own = fits.filter(({ name }) => kind.folders.some((part) => fold(name).startsWith(part)))
  return called.length === 1 ? called : own.length === 1 ? own : fits
}

/** Names of a person's paper, by its kind. */
const CALLED: Record<string, string> = {
  'capital account': 'Kapitalkonto',
  'annual statement': 'Årsopgørelse',
  distribution: 'Udlodning',
  call: 'Indskud',
  tax: 'Skatteoplysninger',
}

function judgePerson(paper: Paper, { directory }: Known): Opinion {
  const addressees = paper.people.filter(({ isAddressee }) => isAddressee)
  const companies = paper.people.filter(({ reasons }) => reasons.some(({ kind }) => kind === 'company'))
  const candidates = rankPeople(addressees.length > 0 ? addressees : companies)
  const [first, next] = candidates
  const best = first && guessAtPerson(paper, first, directory)
  if (!best) return NOTHING
  if (isPersonal(paper, first) && isMeant(paper, first, candidates, directory))
    return { sureness: 'sure', best, second: null }
  return { sureness: 'maybe', best, second: next ? guessAtPerson(paper, next, directory) : null }
}

function guessAtPerson(paper: Paper, named: NamedPerson, { people }: Directory): Guess | null {
  const person = people.get(named.id)
  const number = person?.numbers[0]
  if (!person || number === undefined) return null
  const [title] = paper.titles
  const [top] = paper.likeness
  const folder = (title && CALLED[title.kind.id]) ?? 'Brev'
  const why = title ? [titleIn(title)] : isBelieved(top) && top.key === PERSON ? alikeIn(top.words) : []
  return {
    place: { user: { id: person.id, name: person.name } },
    name: proposedName(paper.name, { folder, key: number }, paper.year),
    reasons: [...named.reasons, ...why],
  }
}

const isNumbered = ({ hasNumber, reasons }: NamedPerson) =>
  hasNumber && reasons.some(({ kind }) => kind === 'name')

/** Whether a paper is of a kind that people have for themselves: by its title, the papers that it is like, or its number. */
function isPersonal({ titles: [title], likeness: [top] }: Paper, named: NamedPerson): boolean {
  if (title) return title.kind.belongs !== 'project'
  return isBelieved(top) ? top.key === PERSON : isNumbered(named)
}

/** Whether a paper means this person, and nobody else. */
function isMeant(paper: Paper, first: NamedPerson, candidates: NamedPerson[], directory: Directory): boolean {
  // A number alone may be a slip, or another office's.
  if (!first.isAddressee || !(isNumbered(first) || first.hasAddress)) return false
  const isStrangers = paper.isStrangers || paper.strangers.some(({ by }) => by === 'number' || by === 'label')
  return (
    !isStrangers && !isRivalled(first, candidates, directory) && isMember(first, paper.projects, directory)
  )
}

const rankPeople = (people: NamedPerson[]) =>
  people.toSorted((a, b) => Number(b.hasNumber) - Number(a.hasNumber) || b.reasons.length - a.reasons.length)

/**
 * Whether somebody else may be meant. A number distinguishes two people with the same name, if its own person has that
 * name.
 */
function isRivalled(first: NamedPerson, candidates: NamedPerson[], { people }: Directory): boolean {
  const nameOf = (id: number) => fold(people.get(id)?.name ?? '')
  const hasOwnName = first.reasons.some(({ kind }) => kind === 'name')
  return candidates.some(
    (other) =>
      other.id !== first.id &&
      !(first.hasNumber && hasOwnName && !other.hasNumber && nameOf(other.id) === nameOf(first.id)),
  )
}

/** A person who is in none of the projects that a paper names may only be a namesake of somebody there. */
function isMember(named: NamedPerson, projects: NamedProject[], { people }: Directory): boolean {
  const certain = projects.filter(({ isCertain }) => isCertain)
  const own = people.get(named.id)?.projects ?? []
  // A paper that names no project is about all of theirs.
  return certain.length === 0 ? isNumbered(named) : certain.some(({ id }) => own.includes(id))
}
