import { isCvr } from '../../base/cvr.ts'
import { linesOf, toLine, type PaperLine } from '../../uploads/papers/paper-lines.ts'
import { phraseOf, RECEIPT_FIELDS, type Layout, type ReceiptField } from './layout.ts'
import { valuesIn } from './receipt-values.ts'

/** What a receipt says. Days are like '2026-05-12'; null is what it does not say, or not clearly. */
export type ReadReceipt = {
  layout: Layout
  cvr: string | null
  starts_on: string | null
  ends_on: string | null
  received_on: string | null
  number: string | null
  /** Why nobody should trust it, before it is compared with any duty. */
  fault: ReceiptFault | null
}

export const RECEIPT_FAULTS = ['rejected', 'no-cvr', 'cvrs', 'wrong-cvr', 'periods'] as const
export type ReceiptFault = (typeof RECEIPT_FAULTS)[number]

/** A receipt stands on one of the first pages. */
export const RECEIPT_PAGES = 2
/** More lines than this have papers that are no receipts. */
const MOST_LINES = 90
/** The title is one of the first lines. */
const MOST_BEFORE_TITLE = 15
const MOST_TITLE = 100
/** How far below its label a value may stand, where labels and values are columns. */
const LINES_BELOW = 12

const MAYBE = /kvittering|receipt|bekraeft|modtaget|indberet/
/** Words that a receipt does not have: what was sent has not been taken. */
const REJECTED =
  /\b(?:er afvist|blev afvist|afvist|kladde|ikke (?:er |blev )?(?:modtaget|godkendt|indsendt|afsluttet)|annulleret|rejected|test(?:indberetning|miljoe))\b/
/** Somebody else's words, before what may be quoted. */
const QUOTED =
  /^(?:kaere|hej|goddag|dear|hi|fw|fwd|vs|re|sv|fra|from|til|to|videresendt|vedlagt|jf|ifoelge|vi fremsender)\b/

/** Reads a receipt. Null if the paper is none. */
export function readReceipt(pages: readonly string[], layouts: readonly Layout[]): ReadReceipt | null {
  for (const page of receiptPages(pages))
    for (const layout of layouts) {
      const read = readAs(layout, page)
      if (read) return read
    }
  return null
}

/** Whether a paper looks like a receipt, of whatever layout: the office is asked about it. */
export function isLikeReceipt(pages: readonly string[]): boolean {
  return receiptPages(pages).some(
    (lines) =>
      lines.slice(0, MOST_BEFORE_TITLE).some(({ folded }) => MAYBE.test(folded)) &&
      quotedAt(lines) < 0 &&
      lines.some((line) => valuesIn(line).some(({ field, value }) => field === 'cvr' && isCvr(value))) &&
      lines.some((line) => valuesIn(line).some(({ field }) => field === 'day')),
  )
}

/** The lines of each page that may be a receipt. */
export function receiptPages(pages: readonly string[]): PaperLine[][] {
  return pages
    .slice(0, RECEIPT_PAGES)
    .map((page) => linesOf([page]))
    .filter((lines) => lines.length <= MOST_LINES && lines.some(({ folded }) => MAYBE.test(folded)))
}

const quotedAt = (lines: readonly PaperLine[]) =>
  lines.findIndex(({ words }) => QUOTED.test(words.map(({ folded }) => folded).join(' ')))

function readAs(layout: Layout, lines: readonly PaperLine[]): ReadReceipt | null {
  const all = ` ${lines.flatMap(({ words }) => words.map(({ folded }) => folded)).join(' ')} `
  if (!hasTitle(layout, lines)) return null
  if (!layout.words.every((word) => all.includes(` ${phraseOf(word).join(' ')} `))) return null

  // A sentence goes on in the next line.
  const said = layout.isRunning
    ? [toLine({ page: 1, at: 0, text: lines.map(({ text }) => text).join(' ') })]
    : lines
  const valuesOf = (field: ReceiptField) => [...new Set(fieldValues(layout, field, said))]
  const [cvrs, periods] = [valuesOf('cvr'), valuesOf('period')]
  const day = valuesOf('day')[0] ?? null
  const number = valuesOf('number').find((each) => !cvrs.includes(each)) ?? null
  if (day === null && number === null) return null
  const [from = null, to = null] = periods.length === 1 ? periods[0]!.split('/') : []
  const fault = cvrFault(cvrs)
  return {
    layout,
    cvr: fault === null ? cvrs[0]! : null,
    starts_on: from,
    ends_on: to,
    received_on: day,
    number,
    fault: REJECTED.test(all) ? 'rejected' : (fault ?? (periods.length > 1 ? 'periods' : null)),
  }
}

/** Whether a layout's title begins one of the first lines, and nobody quotes it. */
function hasTitle(layout: Layout, lines: readonly PaperLine[]): boolean {
  const titles = layout.titles.map(phraseOf)
  const at = lines
    .slice(0, MOST_BEFORE_TITLE)
    .findIndex((line) => line.text.length <= MOST_TITLE && titles.some((phrase) => stands(phrase, line, 0)))
  const quoted = quotedAt(lines)
  return at >= 0 && !(quoted >= 0 && quoted < at)
}

function cvrFault(cvrs: readonly string[]): ReceiptFault | null {
  if (cvrs.length === 0) return 'no-cvr'
  if (cvrs.length > 1) return 'cvrs'
  return isCvr(cvrs[0]!) ? null : 'wrong-cvr'
}

/** Whether a line has these words, one after the other, from a word on. */
function stands(phrase: readonly string[], { words }: PaperLine, at: number): boolean {
  return phrase.length > 0 && phrase.every((word, index) => words[at + index]?.folded === word)
}

/** Returns the values behind the labels of a field: in the label's line, or below it in a table. */
function fieldValues(layout: Layout, field: ReceiptField, lines: readonly PaperLine[]): string[] {
  const phrases = phrasesOf(layout, field)
  return lines.flatMap((line, index) => {
    for (const [at, { from }] of line.words.entries()) {
      const label = phrases.find((phrase) => stands(phrase, line, at))
      if (!label || !(layout.isRunning || isCell(line.text.slice(0, from)) || isHead(layout, line))) continue
      const end = line.words[at + label.length - 1]!.to
      const found = valueAfter(field, line, end) ?? valueBelow(field, line, end, lines.slice(index + 1))
      if (found !== null) return [found]
    }
    return []
  })
}

/** The labels of a field. The longest is the whole of it: 'Modtaget dato' before 'Modtaget'. */
const phrasesOf = ({ labels }: Layout, field: ReceiptField) =>
  labels[field].map(phraseOf).sort((a, b) => b.length - a.length)

/** Whether a line is the head of a table: labels of several fields and no value. */
function isHead(layout: Layout, line: PaperLine): boolean {
  if (/\d/.test(line.text)) return false
  const has = (field: ReceiptField) =>
    phrasesOf(layout, field).some((phrase) => line.words.some((_, at) => stands(phrase, line, at)))
  return RECEIPT_FIELDS.filter(has).length > 1
}

/** Whether a label after this begins a cell of a table, not the middle of a sentence. */
const isCell = (before: string) => /(?:^|[\d:|\t]|\s{2})\s*$/.test(before)

function valueAfter(field: ReceiptField, line: PaperLine, end: number): string | null {
  return valuesIn(line).find((value) => value.field === field && value.from >= end)?.value ?? null
}

function valueBelow(
  field: ReceiptField,
  label: PaperLine,
  end: number,
  below: readonly PaperLine[],
): string | null {
  if (/\d/.test(label.text.slice(end))) return null
  for (const line of below.slice(0, LINES_BELOW)) {
    const values = valuesIn(line)
    const found = values.find(
      (value) => value.field === field && !(field === 'number' && isOther(value.said)),
    )
    if (
      found &&
      isBare(
        line.text.slice(0, found.from),
        values.map(({ said }) => said),
      )
    )
      return found.value
  }
  return null
}

/** Eight digits below each other are a CVR number as well as any other: a table's first column has that. */
const isOther = (said: string) => isCvr(said.replaceAll(' ', ''))

/** Whether only other values stand before a value, so that it belongs to a label above it. */
function isBare(before: string, values: readonly string[]): boolean {
  const rest = values.reduce((left, said) => left.replace(said, ' '), before)
  return !/\p{L}{3}/u.test(rest)
}
