import { periodIn, periodKey, yearOfPeriod, type Period } from '../../base/time/period.ts'
import { cleanLine, rawLength } from '../../base/text.ts'
import { nearMissAmong } from './near-miss.ts'

/** The parts of a file name that follows the convention `Folder (key) rest.ext`: S5.1. */
type NameParts = {
  /** The text before the first parenthesis. */
  folder: string
  /** The text inside it: a project's number, or a person's. */
  key: string
  /** The text after it, including further parentheses, without the extension. */
  rest: string
  year: number | null
}

/** Returns a file's name as it is stored: composed, on one line, without invisible characters. */
export function cleanFileName(name: string): string {
  return cleanLine(name)
}

/** The longest name that a file system takes. */
export const MOST_LETTERS = 255

export function isTooLong(name: string): boolean {
  return name.length > rawLength(MOST_LETTERS) || cleanFileName(name).length > MOST_LETTERS
}

/**
 * Splits `Årsrapport 2020 (1024) endelig.pdf` into 'Årsrapport 2020', '1024' and 'endelig'. Null if the name does not follow
 * the convention.
 */
export function readFileName(name: string): NameParts | null {
  const parts = readParts(name)
  if (!parts || parts.before === '') return null
  return {
    folder: parts.before,
    key: parts.inside,
    rest: parts.after,
    year: periodAround(parts)?.year ?? null,
  }
}

/** Returns the person's number in `Brev (2001).pdf`. The text before it is free, and may be empty. */
export function keyInName(name: string): string | null {
  return readParts(name)?.inside ?? null
}

/** The names that were read last: a pile of thousands is sorted again whenever something new is known. */
const latelyRead = new Map<string, Parts | null>()
const MOST_LATELY = 5000

function readParts(name: string): Parts | null {
  if (name.length > MOST_LETTERS) return readPartsAnew(name)
  const known = latelyRead.get(name)
  if (known !== undefined) return known
  const parts = readPartsAnew(name)
  if (latelyRead.size >= MOST_LATELY) latelyRead.clear()
  latelyRead.set(name, parts)
  return parts
}

function readPartsAnew(name: string): Parts | null {
  const parts = splitParenthesis(splitExtension(cleanFileName(name)).stem)
  // A number never stands in nested parentheses.
  return parts && parts.inside !== '' && !/[()]/.test(parts.before + parts.inside) ? parts : null
}

type Parts = { before: string; inside: string; after: string }

/** Splits around the first parenthesis, up to the one that closes it, or else up to the last closing one. */
function splitParenthesis(stem: string): Parts | null {
  const start = stem.indexOf('(')
  let end = -1
  let depth = 0
  for (let at = start; at >= 0 && at < stem.length; at++) {
    if (stem[at] === '(') depth++
    if (stem[at] !== ')') continue
    end = at
    depth--
    if (depth === 0) break
  }
  if (end < 0) return null
  const [before, inside, after] = [stem.slice(0, start), stem.slice(start + 1, end), stem.slice(end + 1)]
  return { before: before.trim(), inside: inside.trim(), after: after.trim() }
}

/**
 * Finds the period in any name, but never inside the first parenthesis or in the extension: 'Kvartalsrapport (1024) Q3
 * 2026.pdf' is of '2026-Q3', 'Årsrapport (1024) 2024-25.pdf' of '2025', and a name with a year is of that at least.
 */
export function periodInName(name: string): string | null {
  const { stem } = splitExtension(cleanFileName(name))
  const parts = splitParenthesis(stem)
  const period = parts ? periodAround(parts) : periodIn(stem)
  return period && periodKey(period)
}

const periodAround = ({ before, after }: Parts): Period | null => periodIn(after, before)

/** Returns the year of the period in a name. */
export const yearInName = (name: string) => yearOfPeriod(periodInName(name))

/** Returns the first four digits from 1800 to 2199 that are not part of a longer number: S9.6. */
export function yearIn(text: string): number | null {
  const found = /(?<!\d)(?:1[89]|2[01])\d\d(?!\d)/.exec(text)
  return found ? Number(found[0]) : null
}

/**
 * Splits 'Bilag.v2.pdf' into 'Bilag.v2' and '.pdf'. An extension has a letter: 'Referat 12.3.2020' and 'a.2020' have none,
 * and their year counts, because people end names like this and no program saves files as '.2020'. '.pdf' alone has none
 * either.
 */
export function splitExtension(name: string): { stem: string; extension: string } {
  const extension = /(?<=.)\.(?=[^.]*\p{L})[\p{L}\d]{1,10}$/u.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/**
 * Returns why a file cannot get another name: its extension must stay, because programs open it by that. Null if it
 * can.
 */
export function extensionFault(before: string, after: string): string | null {
  const [old, next] = [before, after].map((name) => splitExtension(name).extension)
  if (old!.toLowerCase() === next!.toLowerCase()) return null
  return old === ''
    ? `Filen har ingen filendelse, så navnet kan ikke slutte på ”${next}”.`
    : `Navnet skal stadig slutte på ”${old}”, så filen kan åbnes.`
}

/**
 * Returns the name that leads a file to another folder or key. Keeps every other word, and the year: 'Ferieplan (1024)
 * 2027.pdf' becomes 'Diverse (1024) Ferieplan 2027.pdf', but 'Arsrapport (1024) 2023.pdf' becomes 'Årsrapport (1024)
 * 2023.pdf'. The new name may be too long.
 */
export function renamed(name: string, to: { folder: string; key: string }): string {
  const [folder, key] = [cleanFileName(to.folder), cleanFileName(to.key)]
  // The space lets '.pdf' alone count as an extension: the new name has a folder before it.
  const { stem, extension } = splitExtension(` ${cleanFileName(name)}`)
  const said = readParts(name)
  const isSaid = said !== null && (said.before !== '' || folder === '')
  const rest = isSaid ? said.after : unsaid(stem.trim(), folder, key)
  const kept = isSaid ? joined(otherWords(said.before, folder), keptKey(said.inside, key)) : ''
  const year = yearInName(name)
  const rests = [joined(kept, rest), joined(rest, kept), joined(String(year), rest, kept)]
  const names = rests.map((words) => joined(folder, `(${key})`, words) + extension).map(tightExtension)
  return names.find((next) => year === null || yearInName(next) === year) ?? names[0]!
}

/** Returns the name with another number in its first parenthesis, or null if it has none: 'Budget (1148) 2025.pdf'. */
export function withKey(name: string, key: string): string | null {
  const said = readParts(name)
  if (!said) return null
  const { extension } = splitExtension(cleanFileName(name))
  return tightExtension(joined(said.before, `(${key})`, said.after) + extension)
}

/**
 * Returns the name of a file that moves: a number of its old place in the parenthesis becomes the first number of its
 * new place. Null if the name has no such number, or would not change: '(1024) 2023.pdf' becomes '(1031) 2023.pdf', and
 * 'Brev (udkast).pdf' stays. Year and period are never in that parenthesis, so they stay too.
 */
export function movedName(name: string, from: readonly string[], to: readonly string[]): string | null {
  const [said, key] = [keyInName(name), to[0]]
  if (said === null || key === undefined || !from.map(cleanFileName).includes(said)) return null
  const next = withKey(name, cleanFileName(key))
  const isSame = next === null || next === cleanFileName(name) || keyInName(next) !== cleanFileName(key)
  return isSame || isTooLong(next) || isUnfit(next) ? null : next
}

/** Leaves no space before a word such as '.docx' that has come to the end and counts as the extension there. */
function tightExtension(name: string): string {
  const { stem, extension } = splitExtension(name)
  return stem.trimEnd() + extension
}

const joined = (...words: string[]) => words.filter(Boolean).join(' ')

/** Returns the words before the parenthesis without the folder's name, even if that is misspelt. */
function otherWords(text: string, folder: string): string {
  if (text === folder) return ''
  if (folder === '' || text.length > MOST_LETTERS) return text
  const words = text.split(' ')
  const [size, isNear] = [folder.split(' ').length, nearMissAmong([folder])]
  const runs = [size, size + 1, size - 1].flatMap((length) =>
    words.map((_, at) => ({ at, length, run: words.slice(at, at + length).join(' ') })),
  )
  const same =
    runs.find(({ run }) => run === folder) ?? runs.find(({ run }) => run !== '' && isNear(run) === folder)
  if (same) return joined(...words.toSpliced(same.at, same.length))
  const theirs = folder.split(' ')
  const first = words.findIndex((word, at) => word !== theirs[at])
  return words.slice(first).join(' ')
}

/** Drops a wrong number from the parenthesis, but keeps words in it. */
function keptKey(before: string, key: string): string {
  return before === key || !/\p{L}/u.test(before) ? '' : `(${before})`
}

/** Removes folder and key from the start of a name whose parentheses are missing, doubled or empty. */
function unsaid(stem: string, folder: string, key: string): string {
  const afterFolder = without(folder, stem)
  const keyOn = afterFolder.replace(/^[ (]+/, '')
  const afterKey = without(key, keyOn)
  // A number at the start may mean anything if no folder or parenthesis stands by it: '3 breve.pdf'.
  const isKey = afterFolder !== stem || keyOn !== afterFolder || keyOn[key.length] === ')'
  return afterKey !== keyOn && isKey ? afterKey.replace(/^[ )]+/, '') : afterFolder.replace(/^\( ?\) ?/, '')
}

/** Removes the words from the start of the text. */
function without(words: string, text: string): string {
  const rest = text.slice(words.length)
  return text.startsWith(words) && /^(?:[ ()]|$)/.test(rest) ? rest.trim() : text
}

// oxlint-disable-next-line no-control-regex -- the pattern looks for them
const UNFIT = /[/\\\0-\x1f\x7f-\x9f]/

/** Returns whether a name has characters that no file name may have. */
export function isUnfit(name: string): boolean {
  return UNFIT.test(name)
}

export const unfitText = (name: string) =>
  `Filnavnet ”${cleanFileName(name.slice(0, rawLength(MOST_LETTERS)))}” må ikke indeholde skråstreger eller styretegn.`

/** S5.5: removes the characters that the simple form does not allow. */
export function simpleName(name: string): string {
  return cleanFileName(name.replaceAll(/[/\\:]/g, ''))
}
