import { cleanLine } from '../base/text.ts'

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

/** `Årsrapport 2020 (1024) endelig.pdf` says 'Årsrapport 2020', '1024' and 'endelig'. Null: it does not follow the convention. */
export function readFileName(name: string): SaidByName | null {
  const { stem } = splitExtension(cleanFileName(name))
  const { folder, key, rest } = CONVENTION.exec(stem)?.groups ?? {}
  if (folder === undefined || key === undefined || rest === undefined) return null
  const said = { folder: folder.trim(), key: key.trim(), rest: rest.trim() }
  return said.folder === '' || said.key === '' ? null : { ...said, year: yearOf(said) }
}

// The first parenthesis decides. One inside another is none that a project's number could stand in.
const CONVENTION = /^(?<folder>[^()]*)\((?<key>[^()]*)\)(?<rest>.*)$/

/** Of any name, whether or not it follows the convention: never inside the first parenthesis, never in the extension. */
export function yearInName(name: string): number | null {
  const said = readFileName(name)
  return said ? said.year : yearIn(splitExtension(cleanFileName(name)).stem)
}

const yearOf = ({ rest, folder }: { rest: string; folder: string }) => yearIn(rest) ?? yearIn(folder)

/** The first four digits from 1800 to 2199 that are not part of a longer number: S9.6. */
export function yearIn(text: string): number | null {
  const found = /(?<!\d)(?:1[89]|2[01])\d\d(?!\d)/.exec(text)
  return found ? Number(found[0]) : null
}

/** 'Bilag.v2.pdf' becomes 'Bilag.v2' and '.pdf'. 'Referat 12.3.2020' has no extension, and neither has '.pdf'. */
export function splitExtension(name: string): { stem: string; extension: string } {
  const extension = /(?<=.)\.(?=[^.]*\p{L})[\p{L}\d]{1,10}$/u.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** The name that leads a file to another folder or key, all else kept: 'Arsrapport (1024) 2023.pdf' to 'Årsrapport (1024) 2023.pdf'. */
export function renamed(name: string, { folder, key }: { folder: string; key: string }): string {
  const { stem, extension } = splitExtension(cleanFileName(name))
  const rest = readFileName(name)?.rest ?? stem
  return `${[`${folder} (${key})`, rest].filter(Boolean).join(' ')}${extension}`
}

/** S5.5: what a name may not hold in the simple form goes. */
export function simpleName(name: string): string {
  return cleanFileName(name.replaceAll(/[/\\:]/g, ''))
}
