import type { Directory, KnownName, Owner } from './directory.ts'
import { wordsOf, type FoldedWord } from '../../base/folded-words.ts'
import type { PaperLine } from './paper-lines.ts'
import { isOffice, isTitle, isTitleAfter } from '../../base/person-name.ts'

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

/**
 * Finds all known names. Of names that begin at the same word only the longest counts, for everybody who has it. A
 * company's name may continue in the next line; a person's may be in another order, if nobody has it in this one.
 */
export function findNames(
  lines: readonly PaperLine[],
  directory: Pick<Directory, 'names' | 'byParts'>,
): FoundName[] {
  return lines.flatMap((line, index) => {
    const next = lines[index + 1]
    return namesIn(line, next?.page === line.page ? next : undefined, directory)
  })
}

type NextLine = PaperLine | undefined

function namesIn(
  line: PaperLine,
  next: NextLine,
  { names, byParts }: Pick<Directory, 'names' | 'byParts'>,
): FoundName[] {
  const found: FoundName[] = []
  let joined: PaperLine | undefined
  for (let at = 0; at < line.words.length;) {
    const known = names.get(line.words[at]!.folded)
    if (known) joined ??= next ? joinLines(line, next) : line
    const matches = known && joined ? matchesAt(line, joined, at, known) : []
    for (const match of matches) {
      const isWhole = at + match.words.length <= line.words.length
      found.push(...(isWhole ? describe(line, at, match, next) : describe(joined!, at, match, undefined)))
    }
    const turned = matches.length > 0 ? NOBODY : turnedAt(line, at, byParts, next)
    found.push(...turned.names)
    at += matches[0]?.words.length ?? turned.words
  }
  return found
}

const MOST_PARTS = 5
const NOBODY = { names: [] as FoundName[], words: 1 }

/** Finds people whose name stands here in another order, and of how many words it is: 'Holm, Anne'. */
function turnedAt(line: PaperLine, at: number, byParts: Directory['byParts'], next: NextLine) {
  if (byParts.size === 0 || !line.words[at]!.isCapital) return NOBODY
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
    const names = (byParts.get(key) ?? []).flatMap((known) => describe(line, at, known, next))
    if (names.length > 0) return { names, words: count }
  }
  return NOBODY
}

function joinLines(line: PaperLine, next: PaperLine): PaperLine {
  const text = `${line.text} ${next.text}`
  return { ...line, text, folded: `${line.folded} ${next.folded}`, words: wordsOf(text) }
}

function matchesAt(line: PaperLine, joined: PaperLine, at: number, known: KnownName[]): KnownName[] {
  const mayGoOn = isFormBefore(line, at)
  const fits = known.filter(
    ({ words, of }) =>
      words.every((word, index) => joined.words[at + index]?.folded === word) &&
      (at + words.length <= line.words.length || (of !== 'person' && mayGoOn)),
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

/** A known name in a line: the words from `at` until `end`, and those that touch it. */
type Spot = { at: number; end: number; before: FoldedWord | undefined; after: FoldedWord | undefined }

/** Returns the name unless it is another's. */
function describe(line: PaperLine, at: number, { words, of, id }: KnownName, next: NextLine): FoundName[] {
  const end = at + words.length
  const spot: Spot = { at, end, before: touching(line, at - 1, at), after: touching(line, end, end - 1) }
  const isOther = isToldApart(line, spot, next) || (of === 'person' && isPartOfName(line, spot))
  if (isOther) return []
  const [first, last] = [line.words[at]!, line.words[end - 1]!]
  const lead = line.words.slice(0, at).map(({ folded }) => folded)
  return [
    {
      of,
      id,
      said: line.text.slice(first.from, last.to),
      page: line.page,
      at: line.at,
      isCertain: of === 'person' ? words.length > 1 : isWholeCompany(line, spot, words),
      isAddressed: isLeadOfAddressee(line.words.slice(0, at)) && isEndOfAddressee(line.text.slice(last.to)),
      before: lead.some((word) => CONTACT.has(word)) ? 'contact' : lead.some(isOffice) ? 'office' : null,
    },
  ]
}

/** Returns the word at `at` if only a space is between it and its neighbour. */
function touching({ text, words }: PaperLine, at: number, neighbour: number): FoldedWord | undefined {
  const [first, last] = [words[Math.min(at, neighbour)], words[Math.max(at, neighbour)]]
  return first && last && text.slice(first.to, last.from) === ' ' ? words[at] : undefined
}

/** 'Møllevej 12' is not in 'Møllevej 12 II', nor where the line breaks before 'II'. */
function isToldApart(line: PaperLine, { end, after }: Spot, next: NextLine): boolean {
  if (after && TELLS_APART.test(after.folded) && !isPlace(line, after)) return true
  const isLast = end === line.words.length
  return isLast && next?.words.length === 1 && TELLS_APART.test(next.words[0]!.folded)
}

/** 'Aage Hansen' is not in 'Aage Hansen Berg', nor in 'Jens Aage Hansen'. */
function isPartOfName({ text, words }: PaperLine, { at, end, before, after }: Spot): boolean {
  if (isAllCapitals(text)) return (before ?? after) !== undefined && words.length > end - at + 2
  if (after?.isCapital && !isTitleAfter(after.folded)) return true
  return (
    before !== undefined && before.isCapital && !BEFORE_NAME.has(before.folded) && !isTitle(before.folded)
  )
}

function isWholeCompany(line: PaperLine, { at, end, after }: Spot, words: string[]): boolean {
  if (after && goesOn(line.text, after)) return false
  const isTelling = words.length > 1 && !/^\d/.test(words.at(-1)!)
  return isTelling || isFormBefore(line, at) || isFormAfter(line, end)
}

const CONTACT = new Set(['att', 'attention'])

/** 'Til', 'Til fru', or 'Til Bo Bruun og'. */
function isLeadOfAddressee(before: readonly FoldedWord[]): boolean {
  const lead = before.filter(({ folded }) => !isTitle(folded) && folded !== 'd')
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
const goesOn = (text: string, { isCapital, folded }: FoldedWord) =>
  isCapital && !isAllCapitals(text) && !AFTER_COMPANY.test(folded)

/** 'K/S Møllevej 12 8000 Aarhus': a post code tells nothing. */
const isPlace = (line: PaperLine, word: FoldedWord) => /^\d{4}/.test(line.text.slice(word.from))

const isAllCapitals = (text: string) => text === text.toUpperCase()

function isFormBefore({ text, words }: PaperLine, at: number): boolean {
  return /(?:\bK\/S|\bKS|Kommanditselskabet)\s*$/i.test(text.slice(0, words[at]!.from))
}

function isFormAfter({ text, words }: PaperLine, end: number): boolean {
  return /^[ ,]*(?:K\/S|KS)\b/i.test(text.slice(words[end - 1]!.to))
}
