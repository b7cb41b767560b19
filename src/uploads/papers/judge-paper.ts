import { readFileName } from '../../files/names/file-name.ts'
import type { Directory, KnownFolder } from './directory.ts'
import type { Guess, Judgement, Reason } from './judgement.ts'
import { ownersOf } from './owners.ts'
import type { NamedPerson, NamedProject, PaperFacts } from './paper-facts.ts'
import type { PaperKind } from './paper-kinds.ts'
import { fold } from './paper-lines.ts'
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

const NOTHING: Opinion = { sureness: 'unknown', best: null, second: null }

/** Says where a paper belongs. It is sure only if every reason leads to one place, and never by a name that two have. */
export function judgePaper(name: string, facts: PaperFacts, known: Known): Opinion {
  const likeness = (known.model ? findLikeness(known.model, facts.words) : []).map((like) => ({
    ...like,
    words: like.words.map((word) => facts.spellings[word] ?? word),
  }))
  const projects = withFileName(name, facts.projects, known.directory)
  const toProject = judgeProject(name, facts, projects, likeness, known)
  const owners = ownersOf(facts, known.directory)
  // A list of owners is a project's; what has something for each of them is nobody's.
  if (owners && facts.titles[0]?.kind.belongs === 'project' && toProject.best !== null)
    return { ...toProject, sureness: 'maybe' }
  if (owners) return { ...NOTHING, owners }
  const toPerson = judgePerson(name, facts, projects, likeness, known)
  if (toPerson.best === null) return toProject
  const belongs = facts.titles[0]?.kind.belongs ?? null
  if (belongs === 'project' && toProject.best !== null)
    // Addressed to somebody, but of a kind that all of a project share.
    return { sureness: 'maybe', best: toProject.best, second: toPerson.best }
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

function judgeProject(
  name: string,
  facts: PaperFacts,
  projects: NamedProject[],
  likeness: Likeness[],
  known: Known,
): Opinion {
  const ranked = projects.toSorted((a, b) => rankOf(b) - rankOf(a))
  const [first, next] = ranked
  if (!first) return NOTHING
  const folders = rankFolders(facts, known.foldersOf(first.id), likeness)
  const [folder] = folders
  if (!folder) return NOTHING
  const guess = (named: NamedProject, choice: FolderChoice): Guess | null =>
    guessAtFolder(name, facts, named, choice, known.directory)
  const best = guess(first, folder)
  if (!best) return NOTHING
  const rival = next?.isCertain ? next : null
  const isDated = facts.titles[0]?.kind.year !== 'period' || facts.year?.isCertain === true
  const isSure = first.isCertain && first.isOwn && !rival && !facts.isStrangers && folder.isSure && isDated
  if (isSure) return { sureness: 'sure', best, second: null }
  const [theirs] = rival ? rankFolders(facts, known.foldersOf(rival.id), likeness) : []
  const second = rival && theirs ? guess(rival, theirs) : folders[1] ? guess(first, folders[1]) : null
  return { sureness: 'maybe', best, second }
}

const rankOf = ({ isCertain, reasons }: NamedProject) => (isCertain ? 10 : 0) + reasons.length

function guessAtFolder(
  name: string,
  { year }: PaperFacts,
  named: NamedProject,
  { folder, reasons }: FolderChoice,
  { projects }: Directory,
): Guess | null {
  const project = projects.get(named.id)
  if (!project) return null
  const { id, number, name: projectName, has_auditor: hasAuditor } = project
  const { id: folderId, name: folderName, visible_to_investors: isShared } = folder
  const said: Reason[] = named.reasons.length > 0 ? named.reasons : [{ kind: 'file-name', said: number }]
  return {
    place: {
      folder: { id: folderId, name: folderName, visible_to_investors: isShared },
      project: { id, number, name: projectName, has_auditor: hasAuditor },
    },
    name: proposedName(name, { folder: folderName, key: number }, year),
    reasons: [...said, ...reasons],
  }
}

type FolderChoice = { folder: KnownFolder; reasons: Reason[]; isSure: boolean }

/** The folders that a paper may belong in, the likeliest first. */
function rankFolders(
  { titles }: PaperFacts,
  folders: readonly KnownFolder[],
  likeness: Likeness[],
): FolderChoice[] {
  const title = titles.find(({ kind }) => kind.belongs !== 'person')
  const isFirst = title !== undefined && title === titles[0]
  const named = title ? foldersFor(title.kind, title.said, folders) : []
  const alike = likeness.flatMap(({ key, ...like }) => {
    const folder = folders.find((each) => fold(each.name) === key)
    return folder && like.share > 0.05 ? [{ folder, ...like }] : []
  })
  const [top] = likeness
  const choices = new Map<number, FolderChoice>()
  if (title && named.length === 1) {
    const [folder] = named as [KnownFolder]
    const agrees = alike.find((each) => each.folder.id === folder.id)
    // A folder with too few papers is none of those that the model compares.
    const isDoubted =
      knows(likeness, folder) &&
      isBelieved(top) &&
      top.share > ENOUGH_AGAINST &&
      top.key !== fold(folder.name)
    choices.set(folder.id, {
      folder,
      reasons: [
        { kind: 'title', said: title.said, page: title.page },
        ...(agrees && agrees.words.length > 0 ? [{ kind: 'alike' as const, words: agrees.words }] : []),
      ],
      isSure: isFirst && !isDoubted && (!hasOtherTitle(titles) || top?.key === fold(folder.name)),
    })
  }
  for (const folder of named.length > 1 && title ? named : [])
    choices.set(folder.id, {
      folder,
      reasons: [{ kind: 'title', said: title!.said, page: title!.page }],
      isSure: false,
    })
  const isAlone = titles.length === 0
  for (const { folder, words, ...like } of alike)
    if (!choices.has(folder.id))
      choices.set(folder.id, {
        folder,
        reasons: words.length > 0 ? [{ kind: 'alike', words }] : [],
        isSure: isAlone && isBelieved(like),
      })
  return [...choices.values()]
}

function isBelieved<Like extends Pick<Likeness, 'share' | 'isConvincing'>>(
  likeness: Like | undefined,
): likeness is Like {
  return likeness !== undefined && likeness.isConvincing && likeness.share > ENOUGH_ALONE
}

const knows = (likeness: Likeness[], { name }: KnownFolder) => likeness.some(({ key }) => key === fold(name))

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

function judgePerson(
  name: string,
  facts: PaperFacts,
  projects: NamedProject[],
  likeness: Likeness[],
  { directory }: Known,
): Opinion {
  const addressees = facts.people.filter(({ isAddressee }) => isAddressee)
  const companies = facts.people.filter(({ reasons }) => reasons.some(({ kind }) => kind === 'company'))
  const candidates = rankPeople(addressees.length > 0 ? addressees : companies)
  const [first, next] = candidates
  if (!first) return NOTHING
  const title = facts.titles[0]
  const looksPersonal = likeness[0]?.key === PERSON && isBelieved(likeness[0])
  const guess = (named: NamedPerson): Guess | null => {
    const person = directory.people.get(named.id)
    const number = person?.numbers[0]
    if (!person || number === undefined) return null
    const called = (title && CALLED[title.kind.id]) ?? 'Brev'
    const reasons: Reason[] = [...named.reasons]
    if (title) reasons.push({ kind: 'title', said: title.said, page: title.page })
    else if (looksPersonal && likeness[0]!.words.length > 0)
      reasons.push({ kind: 'alike', words: likeness[0]!.words })
    return {
      place: { user: { id: person.id, name: person.name } },
      name: proposedName(name, { folder: called, key: number }, facts.year),
      reasons,
    }
  }
  const best = guess(first)
  if (!best) return NOTHING
  const isNumbered = first.hasNumber && first.reasons.some(({ kind }) => kind === 'name')
  const looksOtherwise = isBelieved(likeness[0]) && likeness[0].key !== PERSON
  const isPersonal = title
    ? title.kind.belongs !== 'project'
    : looksPersonal || (isNumbered && !looksOtherwise)
  // A number alone may be a slip, or another office's.
  const isMeant = isNumbered || first.hasAddress
  const isSure =
    isPersonal &&
    !facts.isStrangers &&
    !facts.strangers.some(({ by }) => by === 'number' || by === 'label') &&
    first.isAddressee &&
    isMeant &&
    !isRivalled(first, candidates, directory) &&
    isMember(first, projects, directory, isNumbered)
  return { sureness: isSure ? 'sure' : 'maybe', best, second: isSure || !next ? null : guess(next) }
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
function isMember(
  { id }: NamedPerson,
  projects: NamedProject[],
  { people }: Directory,
  isNumbered: boolean,
): boolean {
  const certain = projects.filter(({ isCertain }) => isCertain)
  const own = people.get(id)?.projects ?? []
  // A paper that names no project is about all of theirs.
  return certain.length === 0 ? isNumbered : certain.some((project) => own.includes(project.id))
}
