import { numberOfPart } from './compounds.ts'
import { FILE_KINDS, type FileKind } from '../answer/results.ts'

// Numbers below zero, which stand among the ids of a file's words, so that one index answers "these words, in these
// projects".

const KINDS = Object.keys(FILE_KINDS) as FileKind[]

export const projectMark = (id: number) => -4 * id
export const personMark = (id: number) => -4 * id - 1
/** Returns the ids behind marks of projects and people. */
export function placesOf(marks: readonly number[]): { projects: number[]; people: number[] } {
  const isOfProject = (mark: number) => mark % 4 === 0
  return {
    projects: marks.filter(isOfProject).map((mark) => mark / -4),
    people: marks.filter((mark) => !isOfProject(mark)).map((mark) => (mark + 1) / -4),
  }
}
export const senderMark = (id: number) => -4 * id - 2
export const kindMark = (kind: FileKind) => -4 * KINDS.indexOf(kind) - 3

/** Kinds have the numbers before it. */
const FIRST_PART = 1000
/** The file has a form or a compound of this part: a question for `kontrakt` asks for one number, not for a thousand words. */
export const partMark = (part: string) => -4 * (FIRST_PART + numberOfPart(part)) - 3

/** Parts have the numbers before it. */
const FIRST_SEGMENT = 10_000
const SEGMENT = 4096
/** Files of about the same age: so the index itself looks at the newest first. */
export const segmentMark = (segment: number) => -4 * (FIRST_SEGMENT + segment) - 3
export const segmentOf = (file: number) => Math.floor(file / SEGMENT)

const PATTERNS: [RegExp, FileKind][] = [
  [/^application\/pdf$/, 'pdf'],
  [/wordprocessingml|^application\/(msword|rtf|vnd\.oasis\.opendocument\.text)/, 'word'],
  [/spreadsheetml|^application\/(vnd\.ms-excel|vnd\.oasis\.opendocument\.spreadsheet)/, 'excel'],
  [/^image\//, 'picture'],
  [/^message\/|^application\/vnd\.ms-outlook/, 'mail'],
]

/** The type comes from the bytes, which do not tell a mail or a table from plain text: their name does. */
export function kindOf({ mime, name }: { mime: string; name: string }): FileKind {
  if (mime.startsWith('text/') && /\.eml$/i.test(name)) return 'mail'
  if (mime.startsWith('text/') && /\.csv$/i.test(name)) return 'excel'
  return PATTERNS.find(([pattern]) => pattern.test(mime))?.[1] ?? 'other'
}
