import { fold, wordsOf, type PaperLine, type PaperWord } from './paper-lines.ts'
import { isCompany, isOffice, isTitle, isTitleAfter, nameParts } from './person-name.ts'
import type { UploadFolder } from '../names/placing.ts'

/** A project that a paper may belong to, as far as the reader sees it. */
export type KnownProject = {
  id: number
  number: string
  name: string
  cvr: string | null
  has_auditor: boolean
}
/** A folder of a project, with the other names that lead to it. */
export type KnownFolder = UploadFolder & { project_id: number; sub_names: string[] }
/** An investor, with the companies of their report. */
export type KnownPerson = {
  id: number
  name: string
  numbers: string[]
  companies: { name: string; cvr: string | null }[]
  /** The projects that they belong to. */
  projects: number[]
}

/** The names and numbers that papers are compared with, prepared once for many of them. */
export type Directory = {
  projects: ReadonlyMap<number, KnownProject>
  people: ReadonlyMap<number, KnownPerson>
  byCvr: ReadonlyMap<string, Owner[]>
  projectNumbers: ReadonlyMap<string, number>
  personNumbers: ReadonlyMap<string, number>
  /** By their first word, the longest first. */
  names: ReadonlyMap<string, KnownName[]>
  /** People by the parts of their name in order of the alphabet: 'Holm, Anne' is Anne Holm. */
  byParts: ReadonlyMap<string, KnownName[]>
}
type Owner = { of: 'project' | 'person' | 'company'; id: number }
type KnownName = Owner & { words: string[]; hasForm: boolean }

/** A known name found in a paper. */
export type FoundName = Owner & {
  said: string
  page: number
  at: number
  /** 'K/S' stands before or after it, or it is of several words. */
  isCertain: boolean
  /** It is alone on its line, except for 'Til', 'Att.' or titles before it, and a number or an address after it. */
  isAddressed: boolean
  /** 'Att.' before it means somebody at the receiver's; an office as 'Advokat' perhaps the sender. */
  before: 'contact' | 'office' | null
}

const FORMS = new Set(['k', 's', 'ks', 'kommanditselskabet', 'kommanditselskab', 'komplementarselskabet'])

/** 'K/S Nordhavn Kontorhus' becomes ['nordhavn', 'kontorhus']. */
export function bareName(name: string): string[] {
  const words = wordsOf(name).map(({ folded }) => folded)
  const isForm = (at: number) => words[at] !== undefined && FORMS.has(words[at])
  let [from, to] = [0, words.length]
  while (from < to - 1 && isForm(from)) from++
  while (to > from + 1 && isForm(to - 1)) to--
  return words.slice(from, to)
}

export function makeDirectory(projects: KnownProject[], people: KnownPerson[]): Directory {
  const names = new Map<string, KnownName[]>()
  const byParts = new Map<string, KnownName[]>()
  const byCvr = new Map<string, Owner[]>()
  const addName = (owner: Owner, words: string[], hasForm: boolean) => {
    const [first] = words
    // A single short word is in every paper.
    if (first === undefined || (words.length === 1 && first.length < 4)) return
    const known = names.get(first)
    if (known) known.push({ ...owner, words, hasForm })
    else names.set(first, [{ ...owner, words, hasForm }])
  }
  const addCvr = (cvr: string | null, owner: Owner) => {
    if (cvr !== null) byCvr.set(cvr, [...(byCvr.get(cvr) ?? []), owner])
  }
  for (const { id, name, cvr } of projects) {
    addName({ of: 'project', id }, bareName(name), true)
    addCvr(cvr, { of: 'project', id })
  }
  for (const { id, name, companies } of people) {
    const parts = nameParts(name)
    addName({ of: 'person', id }, parts, false)
    if (parts.length > 1 && !isCompany(parts)) {
      const key = parts.toSorted().join(' ')
      byParts.set(key, [
        ...(byParts.get(key) ?? []),
        { of: 'person' as const, id, words: parts, hasForm: false },
      ])
    }
    for (const company of companies) {
      addName({ of: 'company', id }, bareName(company.name), true)
      addCvr(company.cvr, { of: 'company', id })
    }
  }
  for (const known of names.values()) known.sort((a, b) => b.words.length - a.words.length)
  return {
    projects: new Map(projects.map((project) => [project.id, project])),
    people: new Map(people.map((person) => [person.id, person])),
    byCvr,
    projectNumbers: new Map(projects.map(({ number, id }) => [fold(number), id])),
    personNumbers: new Map(people.flatMap(({ numbers, id }) => numbers.map((number) => [fold(number), id]))),
    names,
    byParts,
  }
}

/**
 * Finds all known names. Of names that begin at the same word only the longest counts, for everybody who has it. A
 * company's name may continue in the next line; a person's may be in another order, if nobody has it in this one.
 */
export function findNames(
  lines: readonly PaperLine[],
  { names, byParts }: Pick<Directory, 'names' | 'byParts'>,
): FoundName[] {
  const found: FoundName[] = []
  for (const [index, line] of lines.entries()) {
    const following = lines[index + 1]
    const next = following?.page === line.page ? following : undefined
    let joined: PaperLine | undefined
    for (let at = 0; at < line.words.length;) {
      const isKnown = names.has(line.words[at]!.folded)
      if (isKnown) joined ??= next ? joinLines(line, next) : line
      const matches = isKnown ? matchesAt(line, joined!, at, names) : []
      for (const match of matches) {
        const isWhole = at + match.words.length <= line.words.length
        const name = describe(isWhole ? line : joined!, at, match, isWhole ? next : undefined)
        if (name) found.push(name)
      }
      const turned = matches.length > 0 ? [] : turnedAt(line, at, byParts, next)
      found.push(...turned.map(({ name }) => name))
      at += matches[0]?.words.length ?? turned[0]?.words ?? 1
    }
  }
  return found
}

const MOST_PARTS = 5

/** Finds people whose name stands here in another order: 'Holm, Anne'. */
function turnedAt(line: PaperLine, at: number, byParts: Directory['byParts'], next?: PaperLine) {
  if (byParts.size === 0 || !line.words[at]!.isCapital) return []
  for (let count = Math.min(MOST_PARTS, line.words.length - at); count > 1; count--) {
    const words = line.words.slice(at, at + count)
    const isOne = words.every(
      ({ from }, index) => index === 0 || /^,? $/.test(line.text.slice(words[index - 1]!.to, from)),
    )
    if (!isOne) continue
    const key = words
      .map(({ folded }) => folded)
      .toSorted()
      .join(' ')
    const named = (byParts.get(key) ?? []).flatMap((known) => describe(line, at, known, next) ?? [])
    if (named.length > 0) return named.map((name) => ({ name, words: count }))
  }
  return []
}

function joinLines(line: PaperLine, next: PaperLine): PaperLine {
  const text = `${line.text} ${next.text}`
  return { ...line, text, folded: `${line.folded} ${next.folded}`, words: wordsOf(text) }
}

function matchesAt(line: PaperLine, joined: PaperLine, at: number, names: Directory['names']): KnownName[] {
  const mayGoOn = isFormBefore(line, at)
  const fits = (names.get(line.words[at]!.folded) ?? []).filter(
    ({ words, hasForm }) =>
      words.every((word, index) => joined.words[at + index]?.folded === word) &&
      (at + words.length <= line.words.length || (hasForm && mayGoOn)),
  )
  return fits.filter(({ words }) => words.length === fits[0]!.words.length)
}

/** 'II', '3', 'Syd' after a name make it another's. */
const TELLS_APART =
  /^(?:i|ii|iii|iv|v|vi|vii|viii|ix|x|\d{1,3}[a-z]?|nord|syd|oest|vest|etape|aps|as|invest|holding)$/
/** Words that may stand before a person's name. */
const BEFORE_NAME = new Set(
  'til to att attention kaere dear hr fru fr herr mr mrs ms navn name investor kommanditist deltager advokat direktoer dirigent formand underskriver ejer revisor chairman for af ved og and'.split(
    ' ',
  ),
)
const BEFORE_ADDRESSEE = new Set(
  'til to att attention kaere dear navn name investor kommanditist deltager anpartshaver ejer modtager'.split(
    ' ',
  ),
)

const AFTER_ADDRESSEE = /^[,.:]?$|^,? \(?(?:investor|kommanditist|deltager)|^, .*\d{4} \p{Lu}/iu
/** Another name after it: both are meant. */
const AND_ANOTHER = /^ (?:og|and|&) \p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){1,3}[,.:]?$/u

function describe(
  line: PaperLine,
  at: number,
  { words, of, id, hasForm }: KnownName,
  next?: PaperLine,
): FoundName | null {
  const [first, last] = [line.words[at]!, line.words[at + words.length - 1]!]
  const [before, after] = [line.words[at - 1], line.words[at + words.length]]
  const isNext = after !== undefined && line.text.slice(last.to, after.from) === ' '
  const isPrevious = before !== undefined && line.text.slice(before.to, first.from) === ' '
  if (isNext && TELLS_APART.test(after.folded) && !isPlace(line, after)) return null
  // The name may only be broken before what tells it apart.
  if (!after && next && TELLS_APART.test(next.words[0]?.folded ?? '') && next.words.length === 1) return null
  const formAround = hasForm && (isFormBefore(line, at) || isFormAfter(line, at + words.length))
  if (of === 'person') {
    // 'Aage Hansen' is not in 'Aage Hansen Berg', nor in 'Jens Aage Hansen'.
    if (isNext && after.isCapital && !isTitleAfter(after.folded) && !isAllCapitals(line.text)) return null
    const isLed = isPrevious && (BEFORE_NAME.has(before.folded) || isTitle(before.folded))
    if (isPrevious && before.isCapital && !isLed && !isAllCapitals(line.text)) return null
    if (isAllCapitals(line.text) && (isNext || isPrevious) && line.words.length > words.length + 2)
      return null
  }
  const titles = line.words.slice(0, at).filter(({ folded }) => isTitle(folded))
  const lead = line.words.slice(0, at).filter(({ folded }) => !isTitle(folded) && folded !== 'd')
  return {
    of,
    id,
    said: line.text.slice(first.from, last.to),
    page: line.page,
    at: line.at,
    isCertain:
      of === 'person'
        ? words.length > 1
        : (formAround || (words.length > 1 && !/^\d/.test(words.at(-1)!))) &&
          !(isNext && goesOn(line.text, after)),
    isAddressed: isLeadOfAddressee(lead) && isEndOfAddressee(line.text.slice(last.to)),
    before: lead.some(({ folded }) => CONTACT.has(folded))
      ? 'contact'
      : titles.some(({ folded }) => isOffice(folded))
        ? 'office'
        : null,
  }
}

const CONTACT = new Set(['att', 'attention'])

/** 'Til', or 'Til Bo Bruun og'. */
function isLeadOfAddressee(lead: readonly PaperWord[]): boolean {
  const called = lead.findIndex(({ folded }) => !BEFORE_ADDRESSEE.has(folded))
  if (called < 0) return lead.length <= 2
  const named = lead.slice(called, -1)
  return (
    /^(?:og|and)$/.test(lead.at(-1)!.folded) &&
    named.length > 1 &&
    named.length < 5 &&
    named.every(({ folded, isCapital }) => isCapital && !BEFORE_NAME.has(folded))
  )
}

/** Whether so much may stand after whom a paper is written to: ', cand.jur.', ' (Investornr. 2001)'. */
function isEndOfAddressee(text: string): boolean {
  let rest = text
  for (let [word] = wordsOf(rest); word && isTitleAfter(word.folded); [word] = wordsOf(rest))
    rest = rest.slice(word.to).replace(/^\./, '')
  return AFTER_ADDRESSEE.test(rest.trimEnd()) || AND_ANOTHER.test(rest)
}

/** Capitalised words that may follow a company's name. */
const AFTER_COMPANY =
  /^(?:k|s|ks|cvr|se|vat|company|reg|projekt|project|sag|att|c|v|aars|annual|budget|kvartal|regnskab|referat|general|side|page|dato|date|q\d)/

/** 'K/S Kolding Storcenter Management' is perhaps another company. */
const goesOn = (text: string, { isCapital, folded }: PaperWord) =>
  isCapital && !isAllCapitals(text) && !AFTER_COMPANY.test(folded)

/** 'K/S Møllevej 12 8000 Aarhus': a post code tells nothing. */
const isPlace = (line: PaperLine, word: PaperWord) => /^\d{4}/.test(line.text.slice(word.from))

const isAllCapitals = (text: string) => text === text.toUpperCase()

function isFormBefore({ text, words }: PaperLine, at: number): boolean {
  return /(?:\bK\/S|\bKS|Kommanditselskabet)\s*$/i.test(text.slice(0, words[at]!.from))
}

function isFormAfter({ text, words }: PaperLine, end: number): boolean {
  return /^[ ,]*(?:K\/S|KS)\b/i.test(text.slice(words[end - 1]!.to))
}
