import type { Directory } from './directory.ts'
import type { Contradiction } from './judgement.ts'
import type { PaperFacts } from './paper-facts.ts'

/** Where a paper is put, and what its name says. */
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

/** What of a paper is compared with its place. It is kept from reading to saving, so it holds ids and no text of people. */
export type ComparedFacts = Pick<PaperFacts, 'projects' | 'people' | 'year' | 'cprPage'>

/** Lists what a paper says against its place. Silent where the paper only says more than its name. */
export function findContradictions(
  { projects, people, year, cprPage }: ComparedFacts,
  target: PaperTarget,
  directory: Pick<Directory, 'projects' | 'people'>,
): Contradiction[] {
  const found: Contradiction[] = []
  const own = target.project === null ? undefined : directory.projects.get(target.project)
  // A paper that names its own project may name others too.
  if (own && !projects.some(({ id }) => id === own.id)) {
    const other = projects.find(({ isOwn, id }) => isOwn && directory.projects.has(id))
    const reason = other?.reasons[0]
    if (other && reason) {
      const { number, name } = directory.projects.get(other.id)!
      found.push({
        kind: 'project',
        named: own.number,
        found: `${number} ${name}`,
        said: reason.said,
        page: reason.page,
      })
    }
  }
  if (target.person !== null) {
    const named = directory.people.get(target.person)
    const other = people.find(({ isAddressee, id }) => isAddressee && directory.people.has(id))
    const isNamed = people.some(
      ({ id, isAddressee, reasons }) => id === target.person && (isAddressee || reasons.length > 0),
    )
    const byNumber = people.find(({ hasNumber, id }) => hasNumber && id !== target.person)
    const rival = byNumber ?? (isNamed ? undefined : other)
    if (named && rival) {
      const person = directory.people.get(rival.id)
      if (person)
        found.push({
          kind: 'person',
          named: named.name,
          found: `${person.name} (${person.numbers[0] ?? ''})`,
          page: rival.reasons[0]!.page,
        })
    }
  }
  if (target.year !== null && year?.isCertain && !year.all.includes(target.year))
    found.push({ kind: 'year', named: target.year, found: year.year, page: year.page })
  if (target.isShared && cprPage !== null) found.push({ kind: 'cpr', page: cprPage })
  return found
}
