import { htmlToText } from './markup.ts'
import type { PieceWriter } from './piece-writer.ts'
import { Unreadable } from './reading-fault.ts'

const HTML = /^\s*(?:<!doctype html|<html|<head|<body|<meta)\b/i

/** Reads a text, or the words of a web page. */
export function readText(bytes: Buffer, to: PieceWriter): void {
  const text = decodeText(bytes)
  addLines(HTML.test(text.slice(0, 1000)) ? htmlToText(text) : text, to)
}

/** Adds a text line by line, with its own pages if it has some. */
export function addLines(text: string, to: PieceWriter): void {
  for (const page of text.split('\f')) {
    for (const line of page.split(/\r\n?|\n/)) {
      // A line without an end is cut, because a page ends with a line.
      for (let at = 0; at === 0 || at < line.length; at += LONGEST_LINE) {
        to.add(line.slice(at, at + LONGEST_LINE))
        to.endLine()
      }
    }
    to.breakPage()
  }
}

const LONGEST_LINE = 5000

/** Decodes UTF-8, UTF-16 or, if it is neither, Windows-1252. Throws `Unreadable` if it is no text. */
export function decodeText(bytes: Buffer): string {
  const text = decodeAs(bytes, encodingOf(bytes))
  const sample = text.slice(0, 100_000)
  const odd = sample.match(IN_NO_TEXT)?.length ?? 0
  if (odd > sample.length / 50) throw new Unreadable('notText')
  return text
}

// oxlint-disable-next-line no-control-regex -- control characters are what tells text from other bytes
const IN_NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffd]/g

function encodingOf(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, 2000)
  const zeros = [0, 0]
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]!++
  const [even, odd] = zeros.map((count) => count > sample.length / 5)
  if (even !== odd) return even ? 'utf-16be' : 'utf-16le'
  return 'utf-8'
}

function decodeAs(bytes: Buffer, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
