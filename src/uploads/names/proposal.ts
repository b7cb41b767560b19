import { rawLength } from '../../base/text.ts'
import {
  cleanFileName,
  isTooLong,
  keyInName,
  MOST_LETTERS,
  splitExtension,
  yearIn,
} from '../../files/names/file-name.ts'

/** Which numbers a form takes: those of projects and people, of people, or of one project. */
export type Taking = { of: 'all' } | { of: 'people' } | { of: 'project'; number: string }

/** The projects and people that have the numbers of a name. */
export type Existing = {
  /** By the project's number. */
  projects: ReadonlyMap<string, FolderTexts>
  /** The numbers of people. */
  people: ReadonlySet<string>
}

/** The names and sub names of a project's folders. */
export type FolderTexts = {
  has: (text: string) => boolean
  /** The one that was probably meant. */
  near: (text: string) => string | null
}

/** A number in a name, and where it stands. */
type NumberInName = { text: string; start: number; end: number }

const MOST_NUMBERS = 8
const MOST_WORDS = 20
/** The longest name of a folder that is looked for, in words. */
const MOST_FOLDER_WORDS = 5

/** Returns what may be a project's or a person's number in a name: '1024' in 'Årsrapport-1024-2025.pdf', nothing in '12.3.2025'. */
export function numbersIn(name: string): string[] {
  if (name.length > rawLength(MOST_LETTERS)) return []
  return [...new Set(findNumbers(stemOf(name)).map(({ text }) => text))]
}

function findNumbers(stem: string): NumberInName[] {
  const found: NumberInName[] = []
  for (const chunk of stem.matchAll(/[\p{L}\p{N}]+(?:[-.,:][\p{L}\p{N}]+)*/gu)) {
    const parts = [...chunk[0].matchAll(/[\p{L}\p{N}]+/gu)]
    const isPlain = ({ 0: text }: RegExpExecArray) => /\p{L}/u.test(text) || isYear(text)
    for (const part of parts) {
      // '1024-2' and '12.3.2025' are single numbers; 'Årsrapport-1024-2025' is three words.
      if (!/\d/.test(part[0]) || !parts.every((each) => each === part || isPlain(each))) continue
      const start = chunk.index + part.index
      found.push({ text: part[0], start, end: start + part[0].length })
    }
    if (parts.length > 1 && /\d/.test(chunk[0]))
      found.push({ text: chunk[0], start: chunk.index, end: chunk.index + chunk[0].length })
  }
  return found.slice(0, MOST_NUMBERS)
}

const isYear = (text: string) => text.length === 4 && yearIn(text) !== null

const stemOf = (name: string) => splitExtension(cleanFileName(name)).stem.replaceAll('_', ' ')

/**
 * Returns the name that was probably meant by one that leads nowhere: 'Årsrapport (1024) 2025.pdf' for
 * '1024_årsrapport_2025.pdf'. Keeps every other word. Null if there is none, or if it may mean several things.
 */
export function proposeName(name: string, existing: Existing, taking: Taking): string | null {
  const clean = cleanFileName(name)
  if (clean.length > MOST_LETTERS) return null
  const stem = stemOf(clean)
  const { extension } = splitExtension(clean)
  const numbers = findNumbers(stem).filter((number) => isMeant(stem, number, keyInName(clean)))
  const readings = new Set(readingsOf(stem, numbers, existing, taking))
  const [only] = readings
  if (readings.size !== 1 || only === undefined) return null
  const next = only + extension
  return next === clean || isTooLong(next) ? null : next
}

/**
 * A lone year is hardly a number, although a project may have it. If there is a plain number in the parenthesis, no
 * other one is meant: it may be mistyped.
 */
function isMeant(stem: string, { text, start, end }: NumberInName, key: string | null): boolean {
  const isNumber = key !== null && /^\d+$/.test(key) && !isYear(key)
  if (isNumber) return text === key
  return !isYear(text) || yearIn(`${stem.slice(0, start)} ${stem.slice(end)}`) !== null
}

function readingsOf(
  stem: string,
  numbers: NumberInName[],
  { projects, people }: Existing,
  taking: Taking,
): string[] {
  if (taking.of === 'people') return numbers.flatMap((number) => forPerson(stem, number, people))
  if (taking.of === 'project') {
    const texts = projects.get(taking.number)
    const named = numbers.filter(({ text }) => !isYear(text) && text.length > 2)
    if (!texts || named.some(({ text }) => text !== taking.number)) return []
    return inProject(stem, named[0] ?? null, taking.number, texts)
  }
  const inFolders = numbers.flatMap((number) => {
    const texts = projects.get(number.text)
    return texts ? inProject(stem, number, number.text, texts) : []
  })
  // A person's number may follow any text, so a known folder's name is a stronger sign.
  return inFolders.length > 0 ? inFolders : numbers.flatMap((number) => forPerson(stem, number, people))
}

function inProject(stem: string, number: NumberInName | null, key: string, texts: FolderTexts): string[] {
  const [before, after] = number ? around(stem, number) : [stem, '']
  const found = findFolder([before, after], texts)
  if (!found) return []
  const rest = [before, after].flatMap((part, index) =>
    found.part === index ? [part.slice(0, found.start), part.slice(found.end)] : [part],
  )
  return [joined(found.folder, `(${key})`, tidied(...rest))]
}

function forPerson(stem: string, number: NumberInName, people: ReadonlySet<string>): string[] {
  if (!people.has(number.text)) return []
  const [before, after] = around(stem, number).map((part) => tidied(part)) as [string, string]
  const key = `(${number.text})`
  if (before === '') return [after.includes('(') ? joined(key, after) : joined(after, key)]
  // The first parenthesis has to be the number's.
  const other = before.search(/[()]/)
  return [
    other < 0
      ? joined(before, key, after)
      : joined(before.slice(0, other).trim(), key, before.slice(other), after),
  ]
}

/** The texts before and after a number, without a word that only says what the number is. */
function around(stem: string, { start, end }: NumberInName): [string, string] {
  const before = stem.slice(0, start).replace(/(?<!\p{L})(?:projekt|investor)?(?:nummer|nr)?[.:]?\s*$/iu, '')
  return [before, stem.slice(end)]
}

type FoundFolder = { folder: string; part: number; start: number; end: number }

/** Finds the folder that the words name: exactly, the longest first, or else nearly. Null if they name several. */
function findFolder(parts: string[], { has, near }: FolderTexts): FoundFolder | null {
  const runs = parts.flatMap((text, part) => runsIn(text).map((run) => ({ ...run, part })))
  for (const find of [(text: string) => (has(text) ? text : null), near])
    for (let length = MOST_FOLDER_WORDS; length > 0; length--) {
      const found = runs.flatMap((run) => {
        // Comparing letters takes time, and a folder stands first or beside the number.
        if (run.length !== length || (find === near && !run.isFirst)) return []
        const folder = run.texts.map(find).find((each) => each !== null)
        return folder === undefined || folder === null ? [] : [{ ...run, folder }]
      })
      if (found.length > 0) return new Set(found.map(({ folder }) => folder)).size === 1 ? found[0]! : null
    }
  return null
}

type Run = { texts: string[]; start: number; end: number; length: number; isFirst: boolean }

/** Lists the runs of words in a text, each as it stands and with spaces between its words. */
function runsIn(text: string): Run[] {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, MOST_WORDS)
  return words.flatMap(({ index: start }, first) =>
    words.slice(first, first + MOST_FOLDER_WORDS).map(({ 0: last, index }, more) => {
      const end = index + last.length
      const plain = words.slice(first, first + more + 1).map(([word]) => word)
      const texts = [...new Set([cleanFileName(text.slice(start, end)), plain.join(' ')])]
      return { texts, start, end, length: more + 1, isFirst: first === 0 }
    }),
  )
}

/** Joins the pieces left after words were removed, without loose dashes, empty parentheses and double spaces. */
function tidied(...pieces: string[]): string {
  let text = joined(...pieces.map((piece) => piece.replaceAll(/^[\s\-–,.;:]+|[\s\-–,;:]+$/g, '')))
  for (let before = ''; before !== text;) {
    before = text
    text = text.replaceAll(/[([{]\s*[)\]}]/g, ' ')
  }
  return cleanFileName(text.replaceAll(/(?<=^|\s)[-–,;:()[\]{}]+(?=\s|$)/g, ' '))
}

const joined = (...words: string[]) => words.filter(Boolean).join(' ')
