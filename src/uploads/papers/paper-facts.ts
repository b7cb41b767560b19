import { addressLines, isGreetingOrAddress } from './address.ts'
import type { Directory } from './directory.ts'
import { findNames, type FoundName } from './find-names.ts'
import { findCprPage, findCvrs, findPersonNumbers, findProjectNumbers } from './find-numbers.ts'
import { findStrangers, type Stranger } from './find-strangers.ts'
import { findTitles, type FoundTitle } from './find-title.ts'
import { findYear, type FoundYear } from './find-year.ts'
import type { Reason } from './judgement.ts'
import { fold } from '../../base/folded-words.ts'
import { linesOf, toLine, type PaperLine } from './paper-lines.ts'
import type { WhoseLine } from './whose-pages.ts'
import { modelWords } from './word-model.ts'

type ProjectReason = Extract<Reason, { of: 'project' }>
type PersonReason = Extract<Reason, { of: 'person' }>

/** A project that a paper names. */
export type NamedProject = {
  id: number
  reasons: ProjectReason[]
  /** One of the reasons is sufficient. */
  isCertain: boolean
  /** It is also prominent, as in a head or a list of parties, not only in passing. */
  isOwn: boolean
}
/** An investor whom a paper names. */
export type NamedPerson = {
  id: number
  reasons: PersonReason[]
  /** By number, or as the addressee. */
  isAddressee: boolean
  hasNumber: boolean
  /** An address follows the name, or it is greeted by it. */
  hasAddress: boolean
  /** Only 'Att.' or an office names them as the addressee. */
  isContact?: boolean
}

/** The facts that a paper states about itself. */
export type PaperFacts = {
  projects: NamedProject[]
  /** Its heading is a K/S company that is none of ours. */
  isStrangers: boolean
  people: NamedPerson[]
  /** The addressees whom the office does not know. */
  strangers: Stranger[]
  titles: FoundTitle[]
  year: FoundYear | null
  cprPage: number | null
  words: string[]
  /** How the paper spells words that are compared in another form: 'præmie' for 'praemie'. */
  spellings: Record<string, string>
}

export function readFacts(
  pages: readonly string[],
  directory: Directory,
  lines: PaperLine[] = linesOf(pages),
  /** Lines of later pages that say whose these are. */
  later: readonly WhoseLine[] = [],
): PaperFacts {
  const names = findNames(lines, directory)
  const whose = later.map(toLine)
  const all = [...lines, ...whose]
  const named = [...names, ...findNames(whose, directory)]
  const titles = findTitles(lines)
  return {
    projects: namedProjects(lines, names, directory),
    isStrangers: lines.some(
      (line, index) => line.page === lines[0]!.page && isStrangersHead(lines, index, names),
    ),
    people: namedPeople(all, named, directory),
    strangers: findStrangers(all, named, directory),
    titles,
    year: findYear(lines, titles[0] ?? null),
    cprPage: findCprPage(pages),
    words: modelWords(lines, names),
    spellings: spellingsIn(lines),
  }
}

function spellingsIn(lines: readonly PaperLine[]): Record<string, string> {
  const spelled = lines.flatMap(({ text, words }) =>
    words.map(({ folded, from, to }) => [folded, text.slice(from, to).toLowerCase()] as const),
  )
  return Object.fromEntries(spelled.filter(([folded, word]) => folded !== word))
}

function namedProjects(lines: PaperLine[], names: FoundName[], directory: Directory): NamedProject[] {
  const inProse = new Set(
    lines.flatMap((line, index) => (isProse(lines, index) ? [`${line.page} ${line.at}`] : [])),
  )
  const mentions = [
    ...findCvrs(lines).flatMap(({ number, isCalledSo: isCertain, ...where }) =>
      ownersOf(number, 'project', directory).map((id) => ({ ...where, id, kind: 'cvr' as const, isCertain })),
    ),
    ...findProjectNumbers(lines).flatMap(({ number, ...where }) => {
      const id = directory.projectNumbers.get(fold(number))
      // A number that could be a year, or of one or two digits, needs more.
      const isCertain = number.length > 2 && !/^(?:19|20)\d\d$/.test(number)
      return id === undefined ? [] : { ...where, id, kind: 'number' as const, isCertain }
    }),
    ...names.flatMap((name) => (name.of === 'project' ? { ...name, kind: 'name' as const } : [])),
  ]
  return Array.from(
    Map.groupBy(mentions, ({ id }) => id),
    ([id, own]) => ({
      id,
      reasons: firstOfEachKind(own).map(({ kind, said, page }) => ({ kind, of: 'project', said, page })),
      isCertain: own.some(({ isCertain }) => isCertain),
      isOwn: own.some(({ isCertain, page, at }) => isCertain && !inProse.has(`${page} ${at}`)),
    }),
  )
}

const ownersOf = (number: string, kind: 'project' | 'company', { byCvr }: Directory) =>
  (byCvr.get(number) ?? []).flatMap(({ of, id }) => (of === kind ? id : []))

const firstOfEachKind = <Mention extends { kind: string }>(mentions: Mention[]): Mention[] =>
  mentions.filter(({ kind }, at) => mentions.findIndex((each) => each.kind === kind) === at)

/** Whether a line is part of a running text: 'Det samme gælder for K/S Møllevej 12, som …'. */
function isProse(lines: readonly PaperLine[], index: number): boolean {
  const { text, page } = lines[index]!
  const before = lines[index - 1]
  // A title may have small words too, but no full line of them.
  const isFull = before?.page === page && before.text.length > FULL_LINE && !/[.:!?]$/.test(before.text)
  const goesOn = isFull && countSmall(before.text) >= 4
  return goesOn || countSmall(text) >= (text.endsWith('.') ? 2 : 4)
}

const FULL_LINE = 45

/** Words that begin with a small letter. */
const countSmall = (text: string) => text.match(/(?<![\p{L}\d])\p{Ll}\p{L}+/gu)?.length ?? 0

const COMPANY = /(?<![\p{L}/])(?:K\/S|Kommanditselskabet) \p{Lu}\p{L}|\p{L} K\/S(?![\p{L}/])/u

function isStrangersHead(lines: readonly PaperLine[], index: number, names: readonly FoundName[]): boolean {
  const { text, page, at } = lines[index]!
  return (
    COMPANY.test(text) &&
    !isProse(lines, index) &&
    !names.some((name) => name.page === page && name.at === at && name.of !== 'person')
  )
}

function namedPeople(lines: PaperLine[], names: FoundName[], directory: Directory): NamedPerson[] {
  const mentions = [
    ...findPersonNumbers(lines).flatMap(({ number, said, page }) => {
      const id = directory.personNumbers.get(fold(number))
      return id === undefined ? [] : { id, kind: 'number' as const, said, page }
    }),
    ...names.flatMap(({ of, id, said, page, isCertain }) => {
      if (of === 'person') return { id, kind: 'name' as const, said, page }
      return of === 'company' && isCertain ? { id, kind: of, said, page } : []
    }),
    ...findCvrs(lines).flatMap(({ number, said, page, isCalledSo }) => {
      const owners = isCalledSo ? ownersOf(number, 'company', directory) : []
      return owners.map((id) => ({ id, kind: 'company' as const, said, page }))
    }),
  ]
  const addressed = Map.groupBy(addressees(lines, names), ({ id }) => id)
  return Array.from(
    Map.groupBy(mentions, ({ id }) => id),
    ([id, own]) => {
      const hasNumber = own.some(({ kind }) => kind === 'number')
      const called = addressed.get(id) ?? []
      return {
        id,
        reasons: firstOfEachKind(own).map(({ kind, said, page }) => ({ kind, of: 'person', said, page })),
        isAddressee: hasNumber || called.length > 0,
        hasNumber,
        hasAddress: called.some((name) => isGreetingOrAddress(lines, name)),
        ...(called.length > 0 && { isContact: !hasNumber && called.every(({ before }) => before !== null) }),
      }
    },
  )
}

/** More names than this are a list. */
const MOST_ADDRESSEES = 2

/** The names that pages are written to. */
function addressees(lines: PaperLine[], names: FoundName[]): FoundName[] {
  const heads = new Set(addressLines(lines).map(({ page, at }) => `${page} ${at}`))
  const written = names.filter((name) => isWrittenTo(lines, name, heads))
  const isFirst = ({ page }: FoundName) => page === lines[0]!.page
  const isList = new Set(written.filter(isFirst).map(({ said }) => fold(said))).size > MOST_ADDRESSEES
  return isList ? written.filter((name) => !isFirst(name)) : written
}

/** Whether a page is written to this name. After the first page, and after an office, only an address says so. */
function isWrittenTo(lines: PaperLine[], name: FoundName, heads: ReadonlySet<string>): boolean {
  const { of, isAddressed, page, at, before } = name
  if (of !== 'person' || !isAddressed || !heads.has(`${page} ${at}`)) return false
  return (page === lines[0]!.page && before !== 'office') || isGreetingOrAddress(lines, name)
}
