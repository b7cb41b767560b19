import { peopleFinder, type Naming, type SplitPerson } from './named-people.ts'
import { isNext, pageNumberOf, type PageNumber } from './page-number.ts'

/** Why a page is given to somebody, or to nobody. */
type PageReason =
  | { kind: 'number' | 'name' | 'company'; said: string }
  /** It names nobody, and its number follows the page before. */
  | { kind: 'follows'; number: number }
  | { kind: 'several'; said: string[] }
  | { kind: 'namesakes' | 'partly' | 'everywhere' | 'inactive'; said: string }
  | { kind: 'nobody' | 'no-text' }

export type PageProposal = {
  /** Null if the office has to say. */
  person: number | null
  /** 'maybe' is worth a look; 'unsure' is for the office to decide. */
  sureness: 'sure' | 'maybe' | 'unsure'
  /** The people who may be meant, if it is unsure. */
  candidates: number[]
  reason: PageReason
}

type Page = { naming: Naming; number: PageNumber | null; isBlank: boolean }

/** How many candidates are offered. */
const MOST_CANDIDATES = 4

/** Proposes whose each page is. Rather nobody's than the wrong person's. */
export function* proposePages(
  texts: readonly string[],
  people: readonly SplitPerson[],
): Generator<undefined, PageProposal[]> {
  const find = yield* peopleFinder(people)
  const pages: Page[] = []
  for (const text of texts) {
    pages.push({ naming: find(text), number: pageNumberOf(text), isBlank: text === '' })
    yield
  }
  const byId = new Map(people.map((person) => [person.id, person]))
  const everywhere = findEverywhere(pages)
  const judged = pages.map((page) => judgePage(page, byId, everywhere))
  return isNumberedByPerson(pages, judged) ? followPages(pages, judged) : judged
}

/** Gives pages that name nobody to whom the page before belongs, as long as their numbers go on. */
function followPages(pages: readonly Page[], judged: readonly PageProposal[]): PageProposal[] {
  const followed: PageProposal[] = []
  for (const [at, proposal] of judged.entries()) {
    const person = followed[at - 1]?.person ?? null
    const number = pages[at]!.number
    const isFollowing =
      proposal.reason.kind === 'nobody' && person !== null && isNext(pages[at - 1]!.number, number)
    if (!isFollowing) {
      followed.push(proposal)
      continue
    }
    // 'Side 2 af 3' after 'Side 1 af 3' is as good as a name; a number alone is worth a look.
    const start = at - number!.number + 1
    const isWhole =
      number!.of !== null && pages[start]?.number?.number === 1 && followed[start]!.person === person
    followed.push({
      person,
      sureness: isWhole ? 'sure' : 'maybe',
      candidates: [],
      reason: { kind: 'follows', number: number!.number },
    })
  }
  return followed
}

/** Whether numbers begin again with each person. If they run through the whole PDF, they say nothing. */
function isNumberedByPerson(pages: readonly Page[], judged: readonly PageProposal[]): boolean {
  return !judged.some(({ person }, at) => {
    const before = judged[at - 1]?.person ?? null
    return (
      before !== null &&
      person !== null &&
      before !== person &&
      isNext(pages[at - 1]!.number, pages[at]!.number)
    )
  })
}

/** With this many other names beside it, a name does not say whose page it is. */
const LEAST_OTHERS = 3
/** A page with more names is a list of people. */
const MOST_TOGETHER = 3

/** Finds people who are named on the pages of many others, such as the signer. */
function findEverywhere(pages: readonly Page[]): Set<number> {
  const others = new Map<number, Set<number>>()
  for (const { naming } of pages) {
    const here = new Set([...naming.numbered.keys(), ...naming.names.flatMap(({ people }) => people)])
    if (here.size > MOST_TOGETHER) continue
    for (const { people } of naming.names)
      for (const id of people) {
        const met = others.get(id) ?? new Set<number>()
        for (const other of here) if (!people.includes(other)) met.add(other)
        others.set(id, met)
      }
  }
  return new Set([...others].flatMap(([id, met]) => (met.size >= LEAST_OTHERS ? id : [])))
}

type People = ReadonlyMap<number, SplitPerson>

function judgePage({ naming, isBlank }: Page, byId: People, everywhere: ReadonlySet<number>): PageProposal {
  const { numbered, touched } = naming
  const isOthers = (people: number[]) => people.every((id) => everywhere.has(id) && !numbered.has(id))
  const own = naming.names.filter(({ people }) => !isOthers(people))
  const found = new Set(numbered.keys())
  const open: number[][] = []
  for (const { people } of own) {
    const told = [numbered, touched].map((said) => people.filter((id) => said.has(id)))
    const meant = [people, ...told].find(({ length }) => length === 1)
    if (meant) found.add(meant[0]!)
    else open.push(people)
  }
  const unsolved = open.filter((people) => !people.some((id) => found.has(id)))
  const candidates = [...new Set([...found, ...unsolved.flat()])]
  const [first] = found
  if (found.size + unsolved.length > 1)
    return unsure(candidates, { kind: 'several', said: candidates.map((id) => byId.get(id)!.name) })
  if (unsolved.length === 1)
    return unsure(candidates, { kind: 'namesakes', said: byId.get(candidates[0]!)!.name })
  if (first !== undefined) {
    const person = byId.get(first)!
    if (!person.is_active) return unsure([], { kind: 'inactive', said: person.name })
    const number = numbered.get(first)
    if (number !== undefined) return sure(first, { kind: 'number', said: number })
    if (own.some(({ people, isWhole }) => people.includes(first) && isWhole))
      return sure(first, { kind: 'name', said: person.name })
    return unsure([first], { kind: 'partly', said: person.name })
  }
  const present = naming.names[0]
  if (present) return unsure(present.people, { kind: 'everywhere', said: present.said })
  return byCompany(naming, byId) ?? unsure([], { kind: isBlank ? 'no-text' : 'nobody' })
}

/** A company is a weak sign: others may own a part of it without having said so. */
function byCompany({ companies }: Naming, byId: People): PageProposal | null {
  const [company] = companies
  if (!company) return null
  const owners = [...new Set(companies.flatMap(({ people }) => people))].filter(
    (id) => byId.get(id)!.is_active,
  )
  const [owner] = owners
  if (owners.length !== 1 || !companies.every(({ isWhole }) => isWhole))
    return owners.length === 0
      ? null
      : unsure(owners, { kind: 'several', said: owners.map((id) => byId.get(id)!.name) })
  return {
    person: owner!,
    sureness: 'maybe',
    candidates: [],
    reason: { kind: 'company', said: company.said },
  }
}

const sure = (person: number, reason: PageReason): PageProposal => ({
  person,
  sureness: 'sure',
  candidates: [],
  reason,
})

const unsure = (candidates: number[], reason: PageReason): PageProposal => ({
  person: null,
  sureness: 'unsure',
  candidates: candidates.slice(0, MOST_CANDIDATES),
  reason,
})

/** How many names a reason tells. */
const MOST_NAMES = 3

/** Tells the office why, in one short sentence. */
export function reasonText(reason: PageReason): string {
  if (reason.kind === 'number') return `Nummer ${reason.said} står på siden.`
  if (reason.kind === 'name') return `${reason.said} står på siden.`
  if (reason.kind === 'company') return `Selskabet ${reason.said} står på siden.`
  if (reason.kind === 'follows') return `Sidetallet ${reason.number} fortsætter fra siden før.`
  if (reason.kind === 'several') {
    const more = reason.said.length - MOST_NAMES
    return `Flere står på siden: ${reason.said.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` og ${more} til` : ''}.`
  }
  if (reason.kind === 'namesakes') return `Flere investorer hedder ${reason.said}.`
  if (reason.kind === 'partly') return `${reason.said} kan være en del af et længere navn.`
  if (reason.kind === 'everywhere') return `${reason.said} står på mange sider.`
  if (reason.kind === 'inactive') return `${reason.said} står på siden, men er deaktiveret.`
  return reason.kind === 'no-text' ? 'Siden har ingen tekst.' : 'Ingen investor står på siden.'
}
