/** A person whose pages may be in a PDF. */
export type SplitPerson = {
  id: number
  name: string
  numbers: string[]
  /** The companies that nobody but them and some others have written in their reports. */
  companies: string[]
  is_active: boolean
}

/** The people that a page mentions. */
export type Naming = {
  /** People with the number that is called an investor's: 'Investornr. 2001'. */
  numbered: Map<number, string>
  /** Everybody whose number is somewhere on it; it may be a year or an amount. */
  touched: Set<number>
  /** Each name on the page, with everybody who has it. */
  names: Named[]
  companies: Named[]
}

type Named = {
  said: string
  people: number[]
  /** False if it may be a part of a longer name: 'Karen Holm' in 'Karen Holm Jensen'. */
  isWhole: boolean
}

type Word = { word: string; start: number; end: number }

const WORD = /[\p{L}\p{N}]+/gu

const wordsIn = (text: string): Word[] =>
  [...text.matchAll(WORD)].map((found) => ({
    word: found[0].toLowerCase(),
    start: found.index,
    end: found.index + found[0].length,
  }))

const plainWords = (text: string) => wordsIn(text).map(({ word }) => word)

type Entry = { kind: 'name' | 'number' | 'company'; words: string[]; people: number[]; said: string }

/** Shorter names would be found everywhere. */
const LEAST_LETTERS = 4

/** Returns a function that finds people in a text, in a time that does not depend on how many there are. */
export function* peopleFinder(
  people: readonly SplitPerson[],
): Generator<undefined, (text: string) => Naming> {
  const byFirst = yield* indexOf(people)
  return (text) => {
    const words = wordsIn(text)
    const naming: Naming = { numbered: new Map(), touched: new Set(), names: [], companies: [] }
    for (let at = 0; at < words.length;) {
      const entries = (byFirst.get(words[at]!.word) ?? []).filter(({ words: theirs }) =>
        isAt(theirs, words, at),
      )
      for (const entry of entries) note(entry, at)
      // The longest one is meant: not 'Karen Holm', if there is a 'Karen Holm Jensen'.
      const longest = entries.findLast(({ kind }) => kind !== 'number')
      at += longest?.words.length ?? 1
    }
    return naming

    function note(entry: Entry, at: number): void {
      const last = at + entry.words.length - 1
      if (entry.kind === 'number') {
        for (const id of entry.people) naming.touched.add(id)
        if (isLabelled(words, at, text)) for (const id of entry.people) naming.numbered.set(id, entry.said)
        return
      }
      const isLongest = !(byFirst.get(entry.words[0]!) ?? []).some(
        (other) =>
          other.kind !== 'number' && other.words.length > entry.words.length && isAt(other.words, words, at),
      )
      if (!isLongest) return
      const isWhole =
        !isNamePart(words, at - 1, text, 'before') && !isNamePart(words, last + 1, text, 'after')
      const list = entry.kind === 'name' ? naming.names : naming.companies
      list.push({ said: entry.said, people: entry.people, isWhole })
    }
  }
}

/** The entries by their first word; longer ones last. */
function* indexOf(people: readonly SplitPerson[]): Generator<undefined, Map<string, Entry[]>> {
  const entries = new Map<string, Entry>()
  const add = (kind: Entry['kind'], said: string, words: string[], id: number) => {
    if (words.length === 0 || (kind !== 'number' && words.join('').length < LEAST_LETTERS)) return
    const key = `${kind} ${words.join(' ')}`
    const entry = entries.get(key) ?? { kind, words, people: [], said }
    if (!entry.people.includes(id)) entry.people.push(id)
    entries.set(key, entry)
  }
  for (const { id, name, numbers, companies } of people) {
    yield // there may be thousands
    const words = plainWords(name)
    // A single word is a first name, or any word.
    if (words.length > 1) {
      add('name', name, words, id)
      add('name', name, [words.at(-1)!, ...words.slice(0, -1)], id) // 'Holm, Karen'
    }
    for (const number of numbers) add('number', number, plainWords(number), id)
    for (const company of companies) add('company', company, plainWords(company), id)
  }
  const byFirst = Map.groupBy(entries.values(), ({ words }) => words[0]!)
  for (const list of byFirst.values()) list.sort((a, b) => a.words.length - b.words.length)
  return byFirst
}

const isAt = (theirs: readonly string[], words: readonly Word[], at: number) =>
  theirs.every((word, index) => words[at + index]?.word === word)

const PERSON =
  /^(?:investor|kommanditist|deltager|ejer|kunde|medlem|anpartshaver|aktionær|partner)(?:s?(?:nr|nummer|id|no))?$/
const NUMBER_SIGN = /^(?:nr|no|nummer|id)$/

/**
 * Whether a label says that the number is a person's: 'Investor 2001', 'Investornr.: 2001', 'Kommanditist nr. 2001'.
 */
function isLabelled(words: readonly Word[], at: number, text: string): boolean {
  const before = words[at - 1]
  if (!before || !isBeside(text, before, words[at]!)) return false
  if (PERSON.test(before.word)) return true
  const earlier = words[at - 2]
  return (
    NUMBER_SIGN.test(before.word) &&
    earlier !== undefined &&
    PERSON.test(earlier.word) &&
    isBeside(text, earlier, before)
  )
}

/** Only punctuation between them, and at most one new line: a label may be above its number. */
const isBeside = (text: string, a: Word, b: Word) =>
  /^[ .:#()-]*\n?[ .:#()-]*$/.test(text.slice(a.end, b.start))

const CAPITAL = /^\p{Lu}/u
/** Words that stand beside a name without being a part of it. */
const LEADING =
  /^(?:kære|til|att|investor|kommanditist|deltager|ejer|navn|hr|fru|for|af|fra|og|modtager|vedr|vedrørende|cc|dear|to|mr|mrs|ms|name)$/
const TRAILING =
  /^(?:nummer|nr|investor\p{L}*|kommanditist\p{L}*|kunde\p{L}*|cpr|cvr|adresse|dato|side|år\p{L}*|kapital\p{L}*|konto\p{L}*|andel\p{L}*|ejer\p{L}*|telefon|tlf|mail|email|e|og|pr|kr|dkk|beløb\p{L}*|number|date|page|address)$/u

/** Whether the word beside a name looks like more of the name. */
function isNamePart(words: readonly Word[], at: number, text: string, side: 'before' | 'after'): boolean {
  const word = words[at]
  const own = words[side === 'before' ? at + 1 : at - 1]
  if (!word || !own || !CAPITAL.test(text.slice(word.start))) return false
  const between = side === 'before' ? text.slice(word.end, own.start) : text.slice(own.end, word.start)
  // A dot shortens a middle name: 'Karen B. Holm'. Other signs and lines divide.
  if (!/^(?:\.? |-)$/.test(between)) return false
  return !(side === 'before' ? LEADING : TRAILING).test(word.word)
}
