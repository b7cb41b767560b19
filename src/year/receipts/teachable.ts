import type { PaperLine } from '../../uploads/papers/paper-lines.ts'
import { RECEIPT_FIELDS, type Layout, type ReceiptField } from './layout.ts'
import { readReceipt, receiptPages } from './read-receipt.ts'
import { valuesIn, type ReceiptValue } from './receipt-values.ts'

/** A value that somebody can point at, with the words by which it is found again. */
export type Choice = { key: string; value: string; said: string; label: string }

/** What can be pointed at in a paper. */
export type Teachable = {
  /** The lines of the page, as read. */
  lines: string[]
  titles: { key: string; text: string }[]
  fields: Record<ReceiptField, Choice[]>
}

const TITLE_LINES = 15
const MOST_TITLE = 100
const MOST_LABEL_WORDS = 8

/** Returns what can be pointed at in a paper that looks like a receipt; null if it does not. */
export function teachableOf(pages: readonly string[]): Teachable | null {
  const [lines] = receiptPages(pages)
  if (!lines) return null
  const found = lines.flatMap((line, index) => choicesIn(line, index, lines[index - 1]))
  const titles = lines
    .slice(0, TITLE_LINES)
    .map(({ text }, index) => ({ key: String(index), text }))
    .filter(({ text }) => text.length <= MOST_TITLE && !/\d/.test(text) && /\p{L}{4}/u.test(text))
  const fields = perField((field) => found.filter((each) => each.field === field).map(({ choice }) => choice))
  return { lines: lines.map(({ text }) => text), titles, fields }
}

const perField = <Value>(valueOf: (field: ReceiptField) => Value) =>
  Object.fromEntries(RECEIPT_FIELDS.map((field) => [field, valueOf(field)])) as Record<ReceiptField, Value>

function choicesIn(line: PaperLine, index: number, above: PaperLine | undefined) {
  const values = valuesIn(line)
  return values.flatMap((value) => {
    const label = labelOf(line, value, values, above)
    if (label === null) return []
    const choice = { key: `${index}:${value.from}`, value: value.value, said: value.said, label }
    return [{ field: value.field, choice }]
  })
}

/** The words before a value: in its line, after the value before it, or alone in the line above. */
function labelOf(
  { text }: PaperLine,
  { from }: ReceiptValue,
  values: readonly ReceiptValue[],
  above: PaperLine | undefined,
): string | null {
  const start = Math.max(0, ...values.filter(({ to }) => to <= from).map(({ to }) => to))
  const own = cleanLabel(text.slice(start, from))
  if (own !== null) return own
  return from === 0 && above && !/\d/.test(above.text) ? cleanLabel(above.text) : null
}

function cleanLabel(text: string): string | null {
  const label = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const words = label.split(/\s+/)
  return /\p{L}{2}/u.test(label) && words.length <= MOST_LABEL_WORDS ? label : null
}

/** What somebody has pointed at, by keys; '' for a field that the receipt does not have. */
export type Pointed = Record<ReceiptField | 'title', string>

/** Returns the layout that somebody has pointed out, or the field whose choice is not there any more. */
export function layoutFrom(
  { titles, fields }: Teachable,
  pointed: Pointed,
  obligation: number,
): { layout: Layout } | { missing: keyof Pointed } {
  const title = titles.find(({ key }) => key === pointed.title)
  if (!title) return { missing: 'title' }
  const missing = RECEIPT_FIELDS.find((field) => pointed[field] !== '' && !choiceOf(fields, pointed, field))
  if (missing) return { missing }
  const labels = perField((field) => [choiceOf(fields, pointed, field)?.label ?? []].flat())
  return {
    layout: {
      code: 'own',
      authority: title.text,
      codes: [],
      obligation,
      titles: [title.text],
      words: [],
      labels,
      isRunning: false,
    },
  }
}

const choiceOf = (fields: Teachable['fields'], pointed: Pointed, field: ReceiptField) =>
  fields[field].find(({ key }) => key === pointed[field])

/** Returns the first field that a layout reads otherwise than somebody has pointed at; null if it reads all. */
export function misread(
  pages: readonly string[],
  { fields }: Teachable,
  pointed: Pointed,
  layout: Layout,
): keyof Pointed | null {
  const read = readReceipt(pages, [layout])
  if (!read) return 'title'
  const valuesOf: Record<ReceiptField, string | null> = {
    cvr: read.cvr,
    period: read.starts_on && `${read.starts_on}/${read.ends_on}`,
    day: read.received_on,
    number: read.number,
  }
  return (
    RECEIPT_FIELDS.find((field) => {
      const choice = choiceOf(fields, pointed, field)
      return choice !== undefined && choice.value !== valuesOf[field]
    }) ?? null
  )
}
