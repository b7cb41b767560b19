import {
  cleanFileName,
  isTooLong,
  MOST_LETTERS,
  readFileName,
  renamed,
  splitExtension,
  yearInName,
} from '../../../files/names/file-name.ts'
import { lettersOf } from './office-index.ts'

/** Words that a name gets from its directories, and the year if it has none itself. */
export type NameExtras = { words: readonly string[]; year: number | null; mark: string }

export const NO_EXTRAS: NameExtras = { words: [], year: null, mark: '' }

/** Returns the name that leads into a folder and keeps every word: 'Årsrapport (1024) scan0001 Bilag A 2023.pdf'. */
export function nameInFolder(name: string, to: { folder: string; key: string }, more: NameExtras): string {
  const said = readFileName(name)
  const isRight = said?.folder === to.folder && said.key === to.key
  return extended(isRight ? cleanFileName(name) : renamed(name, to), more)
}

/** Returns the name that leads to a person: 'Brev (2001) 2023.pdf'. */
export function nameAtPerson(name: string, number: string, more: NameExtras): string {
  const { stem, extension } = splitExtension(cleanFileName(name))
  const key = `(${number})`
  // The number must be in the first parenthesis.
  const other = stem.search(/[()]/)
  const own = stem.startsWith(key) || stem.includes(` ${key}`) ? stem : undefined
  if (own !== undefined && own.search(/[()]/) === own.indexOf(key)) return extended(own + extension, more)
  const words = other < 0 ? [stem, key] : [stem.slice(0, other).trim(), key, stem.slice(other)]
  return extended(words.filter(Boolean).join(' ') + extension, more)
}

/**
 * Adds the words that the name does not have already. If it gets too long, leaves out words of directories, the
 * outermost first.
 */
function extended(name: string, { words, year, mark }: NameExtras): string {
  const { stem, extension } = splitExtension(name)
  const has = (text: string) => ` ${lettersOf(stem)} `.includes(` ${lettersOf(text)} `)
  const added = words.filter((word) => lettersOf(word) !== '' && !has(word))
  for (let from = 0; from <= added.length; from++) {
    const rest = added.slice(from)
    const named = join([stem, ...rest], extension)
    const dated =
      year === null || yearInName(named) !== null ? named : join([stem, ...rest, String(year)], extension)
    const { stem: whole, extension: end } = splitExtension(dated)
    const marked = mark === '' ? dated : join([whole, `- ${mark}`], end)
    if (!isTooLong(marked)) return marked
  }
  return stem.slice(0, MOST_LETTERS - extension.length).trimEnd() + extension
}

const join = (words: string[], extension: string) => cleanFileName(words.join(' ')) + extension
