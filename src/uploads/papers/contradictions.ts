import type { Directory, KnownPerson, KnownProject } from './directory.ts'
import type { Contradiction } from './judgement.ts'
import type { PaperFacts } from './paper-facts.ts'
import { isCompany, isSameName, mayBeSame, nameParts } from '../../base/person-name.ts'

/** The place of a paper, and what its name says. */
export type PaperTarget = {
  /** The project whose folder it is put in, or null. */
  project: number | null
  /** The person whose paper it becomes, or null. */
  person: number | null
  /** Investors see the folder. */
  isShared: boolean
  /** The year in its name. */
  year: number | null
}

/**
 * The facts of a paper that are compared with its place. They are stored from reading to saving; an earlier release
 * stored no strangers.
 */
export type ComparedFacts = Pick<PaperFacts, 'projects' | 'people' | 'year' | 'cprPage'> &
  Partial<Pick<PaperFacts, 'strangers'>>

type Known = Pick<Directory, 'projects' | 'people'>

/** Lists what a paper says against its place. Silent where the paper only says more than its name. */
export function findContradictions(
  facts: ComparedFacts,
  target: PaperTarget,
  { projects, people }: Known,
): Contradiction[] {
  const { year, cprPage } = facts
  const found: Contradiction[] = []
  const project = target.project === null ? undefined : projects.get(target.project)
  const other = project && findOtherProject(facts, project, projects)
  if (other) found.push({ kind: 'project', named: project.number, ...other })
  const receiver = target.person === null ? undefined : people.get(target.person)
  const rival = receiver && (findRival(facts, receiver, people) ?? findStranger(facts, receiver))
  if (rival) found.push({ kind: 'person', named: receiver.name, ...rival })
  if (target.year !== null && year?.isCertain && !year.all.includes(target.year))
    found.push({ kind: 'year', named: target.year, found: year.year, page: year.page })
  if (target.isShared && cprPage !== null) found.push({ kind: 'cpr', page: cprPage })
  return found
}

type Rival = { found: string; page: number; instead?: string }

/** Finds the project that a paper names instead of its own; one that names its own may name others too. */
function findOtherProject(
  { projects: named }: ComparedFacts,
  own: KnownProject,
  projects: Known['projects'],
): (Rival & Pick<Contradiction & { kind: 'project' }, 'by' | 'said'>) | null {
  if (named.some(({ id }) => id === own.id)) return null
  const others = named.filter(({ isOwn, id }) => isOwn && projects.has(id))
  const [other] = others
  const project = other && projects.get(other.id)
  const reason = other?.reasons[0]
  if (!project || !reason) return null
  const { number, name } = project
  const { kind: by, said, page } = reason
  return { found: `${number} ${name}`, by, said, page, ...(others.length === 1 && { instead: number }) }
}

/**
 * Finds another of our investors whom a paper is written to. A number says so always; a name does even beside the receiver's own,
 * unless it is a namesake's, or only a contact's.
 */
function findRival(
  { people: named, strangers = [] }: ComparedFacts,
  receiver: KnownPerson,
  people: Known['people'],
): Rival | null {
  const own = named.find(({ id }) => id === receiver.id)
  const others = named.flatMap(({ id, ...facts }) => {
    const person = people.get(id)
    return person && id !== receiver.id ? { ...facts, person, isNamesake: isNamesake(person, receiver) } : []
  })
  const numbered = others.filter(({ hasNumber }) => hasNumber)
  const addressed = others.filter(
    (other) => other.isAddressee && !(own && (other.isContact || other.isNamesake)),
  )
  const rivals = numbered.length > 0 ? numbered : addressed
  const [rival] = rivals
  if (!rival) return null
  // A name that two people have is never enough, and nor is one beside the receiver's own name.
  const isTold = !own?.isAddressee || (rival.hasNumber && !own.hasNumber && rival.isNamesake)
  const isCertain = rivals.length === 1 && isTold && strangers.length === 0
  const { name, numbers } = rival.person
  const said = rival.reasons.find(({ kind }) => kind === 'number')?.said
  const number = numbers.find((each) => each === said) ?? numbers[0]
  return {
    found: number === undefined ? name : `${name} (${number})`,
    page: rival.reasons[0]!.page,
    ...(isCertain && number !== undefined && { instead: number }),
  }
}

const isNamesake = (a: KnownPerson, b: KnownPerson) => isSameName(nameParts(a.name), nameParts(b.name))

/** Finds an addressee whom nobody here knows. */
function findStranger({ people, strangers = [] }: ComparedFacts, receiver: KnownPerson): Rival | null {
  const own = people.find(({ id }) => id === receiver.id)
  const parts = nameParts(receiver.name)
  const isOther = (theirs: readonly string[]) =>
    theirs.length === 1 ? !parts.includes(theirs[0]!) : !mayBeSame(theirs, parts)
  const stranger = strangers.find(({ by, parts: theirs }) => {
    if (by === 'number') return true
    if (!isOther(theirs)) return false
    // A name above an address may be the sender's, and a company's paper greets somebody there.
    const isSilent = by === 'address' || (by === 'greeting' && isCompany(parts))
    return !(isSilent && own?.isAddressee)
  })
  if (!stranger) return null
  const { by, said, page } = stranger
  return { found: by === 'number' ? `nummer ${said}, som ingen har` : said, page }
}
