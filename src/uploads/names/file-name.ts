import { cleanLine, rawLength } from '../../base/text.ts'
import { nearMissAmong } from './near-miss.ts'

/** What a file's name says by the convention `Folder (key) rest.ext`: S5.1. */
export type SaidByName = {
  /** The text before the first parenthesis. */
  folder: string
  /** The text inside it: a project's number, or a person's. */
  key: string
  /** What comes after it, without the extension; further parentheses too. */
  rest: string
  year: number | null
}

/** A file's name as it is kept: composed, on one line, without what cannot be seen. */
export function cleanFileName(name: string): string {
  return cleanLine(name)
}

/** As many as a file system takes. */
export const MOST_LETTERS = 255

export function isTooLong(name: string): boolean {
  return name.length > rawLength(MOST_LETTERS) || cleanFileName(name).length > MOST_LETTERS
}

/** `Årsrapport 2020 (1024) endelig.pdf` says 'Årsrapport 2020', '1024' and 'endelig'. Null: it does not follow the convention. */
export function readFileName(name: string): SaidByName | null {
  const parts = readParts(name)
  if (!parts || parts.before === '') return null
  return { folder: parts.before, key: parts.inside, rest: parts.after, year: yearAround(parts) }
}

/** The person's number in `Brev (2001).pdf`: what stands before it is free, and may be nothing. */
export function keyInName(name: string): string | null {
  return readParts(name)?.inside ?? null
}

function readParts(name: string): Parts | null {
  const parts = splitParenthesis(splitExtension(cleanFileName(name)).stem)
  // One inside another is none that a number could stand in.
  return parts && parts.inside !== '' && !/[()]/.test(parts.before + parts.inside) ? parts : null
}

type Parts = { before: string; inside: string; after: string }

/** Around the first parenthesis, up to its own end; where that is missing, up to the last one there is. */
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

/** Of any name, whether or not it follows the convention: never inside the first parenthesis, never in the extension. */
export function yearInName(name: string): number | null {
  const { stem } = splitExtension(cleanFileName(name))
  const parts = splitParenthesis(stem)
  return parts ? yearAround(parts) : yearIn(stem)
}

const yearAround = ({ before, after }: Parts) => yearIn(after) ?? yearIn(before)

/** The first four digits from 1800 to 2199 that are not part of a longer number: S9.6. */
export function yearIn(text: string): number | null {
  const found = /(?<!\d)(?:1[89]|2[01])\d\d(?!\d)/.exec(text)
  return found ? Number(found[0]) : null
}

/**
 * 'Bilag.v2.pdf' becomes 'Bilag.v2' and '.pdf'. An extension has a letter: 'Referat 12.3.2020' and 'a.2020' have none, and
 * their year counts, since no program saves files as '.2020' and people do end names so. '.pdf' alone has none either.
 */
export function splitExtension(name: string): { stem: string; extension: string } {
  const extension = /(?<=.)\.(?=[^.]*\p{L})[\p{L}\d]{1,10}$/u.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/**
 * The name that leads a file to another folder or key. Every other word is kept, and the year: 'Ferieplan (1024) 2027.pdf' to
 * 'Diverse (1024) Ferieplan 2027.pdf', but 'Arsrapport (1024) 2023.pdf' to 'Årsrapport (1024) 2023.pdf'. May be too long.
 */
export function renamed(name: string, to: { folder: string; key: string }): string {
  const [folder, key] = [cleanFileName(to.folder), cleanFileName(to.key)]
  // The space: '.pdf' alone is an extension as soon as something stands before it.
  const { stem, extension } = splitExtension(` ${cleanFileName(name)}`)
  const said = readParts(name)
  const isSaid = said !== null && (said.before !== '' || folder === '')
  const rest = isSaid ? said.after : unsaid(stem.trim(), folder, key)
  const kept = isSaid ? joined(otherWords(said.before, folder), keptKey(said.inside, key)) : ''
  const year = yearInName(name)
  const rests = [joined(kept, rest), joined(rest, kept), joined(String(year), rest, kept)]
  const hasYear = (text: string) => year === null || year === (yearIn(text) ?? yearIn(folder))
  return `${joined(folder, `(${key})`, rests.find(hasYear) ?? rests[0]!)}${extension}`
}

const joined = (...words: string[]) => words.filter(Boolean).join(' ')

/** The words before the parenthesis that the folder's name does not say, rightly or wrongly spelt. */
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

/** A number in the parenthesis was wrong, and is replaced; words that stood there are kept. */
function keptKey(before: string, key: string): string {
  return before === key || !/\p{L}/u.test(before) ? '' : `(${before})`
}

/** What is left of a name, when it begins with its folder and key, but with parentheses that are missing, doubled or empty. */
function unsaid(stem: string, folder: string, key: string): string {
  const afterFolder = without(folder, stem)
  const keyOn = afterFolder.replace(/^[ (]+/, '')
  const afterKey = without(key, keyOn)
  // Alone in front, a number may be anything: '3 breve.pdf'.
  const isKey = afterFolder !== stem || keyOn !== afterFolder || keyOn[key.length] === ')'
  return afterKey !== keyOn && isKey ? afterKey.replace(/^[ )]+/, '') : afterFolder.replace(/^\( ?\) ?/, '')
}

/** The text without the words that it begins with. */
function without(words: string, text: string): string {
  const rest = text.slice(words.length)
  return text.startsWith(words) && /^(?:[ ()]|$)/.test(rest) ? rest.trim() : text
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const UNFIT = /[/\\\0-\x1f\x7f-\x9f]/

/** Whether a name holds what cannot be part of one. */
export function isUnfit(name: string): boolean {
  return UNFIT.test(name)
}

export const unfitText = (name: string) =>
  `Filnavnet ”${cleanFileName(name.slice(0, rawLength(MOST_LETTERS)))}” må ikke indeholde skråstreger eller styretegn.`

/** S5.5: what a name may not hold in the simple form goes. */
export function simpleName(name: string): string {
  return cleanFileName(name.replaceAll(/[/\\:]/g, ''))
}
