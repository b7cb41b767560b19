import { cleanFileName, MOST_LETTERS, splitExtension } from '../files/names/file-name.ts'
import { cleanLine, cleanLines, rawLength } from '../base/text.ts'

/** Where files are handed in: a directory that scanners and other programs write to, or a mailbox. */
export type IntakeSource = 'directory' | 'mailbox'

export const SOURCE_NAMES: Record<IntakeSource, string> = {
  directory: 'Fra scanner',
  mailbox: 'Fra postkasse',
}

/** A file that was not taken, and why: 'er for stor'. */
export type Untaken = { name: string; why: string }

/** A file that waits, is filed or was removed. */
export type IntakeFile = {
  id: number
  name: string
  size: number
  state: 'waiting' | 'filed' | 'removed'
}

/** What somebody has handed in with one mail, or within a minute. */
export type Intake = {
  source: IntakeSource
  /** The stated sender, which nobody has proved. Empty if none was stated. */
  sender: string
  subject: string
  /** A mail's text. */
  note: string
  /** How many small pictures, as of a signature, were left out. */
  pictures: number
  untaken: Untaken[]
}

const MOST_SENDER = 320
const MOST_SUBJECT = 300
const MOST_NOTE = 10_000
/** How many files that were not taken are named. */
const MOST_UNTAKEN = 50
/** The most files of one intake: a pile that a person can still look through. */
export const MOST_INTAKE_FILES = 500

/** A finished intake can be reopened for this long, with its files that were not filed. */
export const REOPEN_DAYS = 30

const UNNAMED = 'Uden navn'

/** Turns any name from outside into one that our files can have, with its extension. */
export function nameFrom(told: string): string {
  const short = told.length > rawLength(MOST_LETTERS) ? cutName(told, rawLength(MOST_LETTERS)) : told
  const clean = cleanFileName(
    short
      .toWellFormed()
      .replaceAll('\ufffd', '_')
      .replaceAll(/[/\\]|\p{Cc}/gu, '_'),
  )
  return cutName(clean, MOST_LETTERS).trim() || UNNAMED
}

/** Shortens the stem, never between two halves of a letter. */
function cutName(name: string, most: number): string {
  if (name.length <= most) return name
  const { stem, extension } = splitExtension(name)
  return cutText(stem, most - extension.length).trimEnd() + extension
}

/** Returns the first letters of a text, never half of one. */
function cutText(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

export const senderFrom = (told: string) =>
  cutText(cleanLine(cutText(told, rawLength(MOST_SENDER))), MOST_SENDER)

export const subjectFrom = (told: string) =>
  cutText(cleanLine(cutText(told, rawLength(MOST_SUBJECT))), MOST_SUBJECT)

export const noteFrom = (told: string) => cutText(cleanLines(cutText(told, rawLength(MOST_NOTE))), MOST_NOTE)

/** Names the files that were not taken, up to a maximum. */
export function untakenFrom(untaken: readonly Untaken[]): Untaken[] {
  const named = untaken.slice(0, MOST_UNTAKEN)
  const more = untaken.length - named.length
  return more > 0 ? [...named, { name: `${more} andre`, why: 'er heller ikke taget' }] : [...named]
}
