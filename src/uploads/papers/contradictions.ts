import type { Directory, KnownPerson } from './directory.ts'
import type { Contradiction } from './judgement.ts'
import type { NamedPerson, PaperFacts } from './paper-facts.ts'
import { isCompany, isSameName, mayBeSame, nameParts } from './person-name.ts'

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

/** Lists what a paper says against its place. Silent where the paper only says more than its name. */
export function findContradictions(
  facts: ComparedFacts,
  target: PaperTarget,
  directory: Pick<Directory, 'projects' | 'people'>,
): Contradiction[] {
  const { projects, year, cprPage } = facts
  const found: Contradiction[] = []
  const own = target.project === null ? undefined : directory.projects.get(target.project)
  // A paper that names its own project may name others too.
  if (own && !projects.some(({ id }) => id === own.id)) {
    const others = projects.filter(({ isOwn, id }) => isOwn && directory.projects.has(id))
    const [other] = others
    const reason = other?.reasons[0]
    if (other && reason) {
      const { number, name } = directory.projects.get(other.id)!
      found.push({
        kind: 'project',
        named: own.number,
        found: `${number} ${name}`,
        said: reason.said,
        page: reason.page,
        ...(others.length === 1 && { instead: number }),
      })
    }
  }
  const receiver = target.person === null ? undefined : directory.people.get(target.person)
  const rival = receiver && (findRival(facts, receiver, directory) ?? findStranger(facts, receiver))
  if (receiver && rival) found.push({ kind: 'person', named: receiver.name, ...rival })
  if (target.year !== null && year?.isCertain && !year.all.includes(target.year))
    found.push({ kind: 'year', named: target.year, found: year.year, page: year.page })
  if (target.isShared && cprPage !== null) found.push({ kind: 'cpr', page: cprPage })
  return found
}

type Rival = { found: string; page: number; instead?: string }

/**
 * Finds another of our investors whom a paper is written to. A number says so always; a name does even beside the receiver's own,
 * unless it is a namesake's, or only a contact's.
 */
function findRival(
  { people, strangers = [] }: ComparedFacts,
  receiver: KnownPerson,
  directory: Pick<Directory, 'people'>,
): Rival | null {
  const own = people.find(({ id }) => id === receiver.id)
  const isNamed = own !== undefined && (own.isAddressee || own.reasons.length > 0)
  const others = people.flatMap((named) => {
    const person = directory.people.get(named.id)
    return person && named.id !== receiver.id ? [{ named, person }] : []
  })
  const isRival = ({ isAddressee, isContact }: NamedPerson, person: KnownPerson) =>
    isAddressee && !(isNamed && (isContact || isNamesake(person, receiver)))
  const numbered = others.filter(({ named }) => named.hasNumber)
  const rivals = numbered.length > 0 ? numbered : others.filter(({ named, person }) => isRival(named, person))
  const [rival] = rivals
  if (!rival) return null
  const { name, numbers } = rival.person
  const said = rival.named.reasons.find(({ kind }) => kind === 'number')?.said
  const number = numbers.find((each) => each === said) ?? numbers[0]
  // A name that two people have is never enough, and nor is one beside the receiver's own name.
  const isTold =
    !own?.isAddressee || (numbered.length > 0 && !own.hasNumber && isNamesake(rival.person, receiver))
  const isCertain = rivals.length === 1 && isTold && strangers.length === 0
  return {
    found: `${name} (${number ?? ''})`,
    page: rival.named.reasons[0]!.page,
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
