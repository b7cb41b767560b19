import { contextOf, hitsIn, partsOf, piecesOf, type Answers } from '../search/words/hits-in.ts'
import { LONGEST_QUESTION, parseQuestion, type Unit } from '../search/find/question.ts'
import { coreOf, isOneLetterOff, likenessOf } from '../search/find/variants.ts'
import type { Piece } from '../search/answer/results.ts'
import { fold, tokensOf } from '../search/words/tokens.ts'
import { addressOf, textOf, type Block, type Chapter } from './manual.ts'

/** A section that answers, with the words in context. */
type FoundSection = { href: string; chapter: string | null; title: Piece[]; context: Piece[] }

export type Answer = {
  found: FoundSection[]
  /** The words that were searched for, if a typing error was corrected. */
  corrected: string | null
}

const MOST_FOUND = 20
/** The manual is small: a question with more words finds nothing anyway. */
const MOST_UNITS = 8
/** A shorter word begins too many others. */
const SHORTEST_BEGINNING = 3
/** In a shorter word, one letter more or less makes another word. */
const SHORTEST_MENDED = 5

/** Other words that people use for what the manual names. */
const ALSO: Record<string, string[]> = Object.fromEntries(
  Object.entries({
    kodeord: ['adgangskode'],
    password: ['adgangskode'],
    kode: ['adgangskode', 'kode'],
    download: ['hent'],
    downloade: ['hente'],
    printe: ['udskriv'],
    print: ['udskriv'],
    login: ['log', 'login'],
    logge: ['log', 'logge'],
    email: ['mail'],
    gendanne: ['gendan'],
    dokument: ['dokument', 'fil', 'papir'],
    dokumenter: ['dokument', 'fil', 'papir'],
    tofaktor: ['totrinslogin'],
    '2fa': ['totrinslogin'],
    deadline: ['frist'],
    deadlines: ['frist'],
    skrald: ['papirkurv'],
    fejlslettet: ['papirkurv'],
    backup: ['sikkerhedskopi'],
    kunde: ['investor'],
    kommanditist: ['investor'],
    kommanditister: ['investor'],
    selskab: ['selskab', 'projekt'],
    telefon: ['telefon', 'mobil'],
    mobil: ['telefon'],
  }).map(([word, others]) => [fold(word), others.map(fold)]),
)

type Entry = { href: string; chapter: string | null; title: string; text: string; words: Set<string> }

/** Finds the sections that have every word of a question, in any of its forms, the best first. */
export function searchManual(chapters: readonly Chapter[], q: string): Answer {
  const units = parseQuestion(q.slice(0, LONGEST_QUESTION)).slice(0, MOST_UNITS)
  if (units.length === 0) return { found: [], corrected: null }
  const entries = chapters.flatMap(entriesOf)
  const words = new Set(entries.flatMap((entry) => [...entry.words]))
  const mended = units.map((unit, index) => mend(unit, words, index === units.length - 1))
  const isMended = mended.some(({ wasMended }) => wasMended)
  const answers = mended.map(({ isAnswer }) => isAnswer)
  const found = entries
    .map((entry) => ({ entry, score: scoreOf(entry, answers, units) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ entry: { href, chapter, title, text } }) => ({
      href,
      chapter,
      title: piecesOf(title, hitsIn(title, answers)),
      context: contextIn(text, answers),
    }))
  return { found, corrected: isMended ? mended.map(({ text }) => text).join(' ') : null }
}

/** Remembers the words of each part: it never changes, and is the same for every reader. */
const READ = new WeakMap<Block[], Pick<Entry, 'text' | 'words'>>()

function read(chapter: string | null, title: string, blocks: Block[]): Pick<Entry, 'text' | 'words'> {
  const known = READ.get(blocks)
  if (known) return known
  const text = textOf(blocks)
  const words = new Set(tokensOf(`${chapter ?? ''} ${title} ${text}`).map(({ term }) => term))
  READ.set(blocks, { text, words })
  return { text, words }
}

function entriesOf({ slug, title, blocks, sections }: Chapter): Entry[] {
  return [
    { href: addressOf(slug), chapter: null, title, ...read(null, title, blocks) },
    ...sections.map((section) => ({
      href: addressOf(slug, section.id),
      chapter: title,
      title: section.title,
      ...read(title, section.title, section.blocks),
    })),
  ]
}

type Mended = { isAnswer: (term: string) => boolean; text: string; wasMended: boolean }

/** Returns the words that answer a part of the question. Corrects one letter of a word that the manual lacks. */
function mend(unit: Unit, words: ReadonlySet<string>, isLast: boolean): Mended {
  if (unit.kind === 'phrase') {
    const terms = new Set(unit.terms)
    return { isAnswer: (term) => terms.has(term), text: `"${unit.text}"`, wasMended: false }
  }
  const asked = ALSO[unit.term] ?? [unit.term]
  const answering = matching(asked, words, isLast)
  if (answering.size > 0 || unit.term.length < SHORTEST_MENDED)
    return { isAnswer: (term) => answering.has(term), text: unit.text, wasMended: false }
  const near = [...words].find((word) => isOneLetterOff(unit.term, word))
  if (near === undefined) return { isAnswer: () => false, text: unit.text, wasMended: false }
  const forms = matching([near], words, false)
  return { isAnswer: (term) => forms.has(term), text: near, wasMended: true }
}

/** Slettede and slettet are forms of slet; `coreOf` knows the endings of nouns. */
const stemOf = (word: string) => coreOf(word.replace(/^(.{3,}?)(?:ede|edes|et|te)$/, '$1'))

function matching(asked: string[], words: ReadonlySet<string>, isLast: boolean): Set<string> {
  const stems = asked.map((word) => ({ word, stem: stemOf(word) }))
  return new Set(
    [...words].filter((word) =>
      stems.some(
        (each) =>
          likenessOf(each, { word, stem: stemOf(word) }, isLast && each.word.length >= SHORTEST_BEGINNING) !==
          null,
      ),
    ),
  )
}

const IN_TITLE = 20
const WHOLE_TITLE = 10
const IN_CHAPTER = 5
const MOST_HITS = 4

/**
 * Zero if a part of the question has no answer. A word in a heading counts more than any number below it, and most in a
 * short heading.
 */
function scoreOf({ chapter, title, text, words }: Entry, answers: Answers, units: Unit[]): number {
  const isWhole = answers.every((isAnswer) => [...words].some(isAnswer))
  if (!isWhole || !hasPhrases(`${title}\n${text}`, units)) return 0
  const [inTitle, inChapter, inText] = [title, chapter ?? title, text].map((each) => hitsIn(each, answers))
  return (
    IN_TITLE * partsOf(inTitle!) +
    (WHOLE_TITLE * inTitle!.length) / Math.max(1, tokensOf(title).length) +
    IN_CHAPTER * partsOf(inChapter!) +
    Math.min(MOST_HITS, 1 + inText!.length)
  )
}

function hasPhrases(text: string, units: Unit[]): boolean {
  const phrases = units.flatMap((unit) => (unit.kind === 'phrase' ? [unit.terms.join(' ')] : []))
  if (phrases.length === 0) return true
  const line = ` ${tokensOf(text)
    .map(({ term }) => term)
    .join(' ')} `
  return phrases.every((phrase) => line.includes(` ${phrase} `))
}

const BEGINNING = 160

/** Returns the words in context, or how the section begins if only its heading answers. */
function contextIn(text: string, answers: Answers): Piece[] {
  const { pieces } = contextOf(text, answers)
  if (pieces.length > 0 || text === '') return pieces
  const line = text.replaceAll(/\s+/g, ' ')
  if (line.length <= BEGINNING) return [{ text: line, isHit: false }]
  return [{ text: `${line.slice(0, line.lastIndexOf(' ', BEGINNING))} …`, isHit: false }]
}
