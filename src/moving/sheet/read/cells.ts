import { MONTHS, readDay } from '../../../base/time/days.ts'
import { type Field } from '../../../base/fields/field.ts'
import { eitherOf } from '../../../base/danish/listed.ts'
import { cleanLine } from '../../../base/text.ts'

// Reads the cells of a sheet.

export type Read<Value> = { value: Value } | { fault: string }

const wordOf = (text: string) => cleanLine(text.slice(0, 200)).toLowerCase().replace(/[.:]$/, '')

/** Reads a choice by its word, or by one that other offices use. */
function readChoice(
  { label, choices, sheet }: Extract<Field, { kind: 'choice' }>,
  text: string,
): Read<string> {
  const word = wordOf(text)
  const isMeant = (choice: string) =>
    choices[choice]!.toLowerCase() === word || sheet.words?.[choice]?.includes(word)
  const value = Object.keys(choices).find(isMeant)
  return value ? { value } : { fault: sheet.fault ?? `${label} er ${eitherOf(Object.values(choices))}.` }
}

/** Reads the cell of a field with choices. Null for fields that are typed in a form. */
export function readCell(field: Field, text: string): Read<string | number> | null {
  if (field.kind === 'choice') return readChoice(field, text)
  if (field.kind === 'month') return readYearEnd(text)
  return field.kind === 'day' ? readDate(text) : null
}

/** Refuses a person who is deactivated in the office that the sheet comes from, as our own export says. */
export function readActive(text: string): Read<true> {
  return ['nej', 'inaktiv', 'no', 'false', 'falsk', '0'].includes(wordOf(text))
    ? { fault: 'Personen er ikke aktiv. Fjern rækken, eller skriv ja.' }
    : { value: true }
}

const NO_MONTH = 'Skriv den måned, regnskabsåret slutter i, for eksempel december eller 31/12.'

/** Reads 'december', 'dec.', '12', '31/12', '31-12-2025', '30. juni' and 'kalenderåret' as the month in which they end. */
export function readYearEnd(text: string): Read<number> {
  const word = wordOf(text)
  if (['kalenderår', 'kalenderåret'].includes(word)) return { value: 12 }
  const found = WAYS.map((way) => way.exec(word)?.groups).find(Boolean)
  const month = found?.month === undefined ? undefined : monthIn(found.month)
  if (month === undefined) return { fault: NO_MONTH }
  const day = found?.day === undefined ? null : Number(found.day)
  const isLast = day === null || day === lastDayOf(month) || (month === 2 && day === 29)
  return isLast ? { value: month } : { fault: 'Regnskabsåret skal slutte den sidste dag i en måned.' }
}

const WAYS = [
  /^(?<month>[a-zæøå]{3,9})$/,
  /^(?<month>\d\d?)$/,
  /^(?:den )?(?<day>\d\d?)\.? (?<month>[a-zæøå]{3,9})$/,
  /^(?<day>\d\d?)[./-](?<month>\d\d?)(?:[./-]\d{2,4})?$/,
  /^\d{4}-(?<month>\d\d)-(?<day>\d\d)$/,
]

function monthIn(text: string): number | undefined {
  const at = /^\d+$/.test(text) ? Number(text) - 1 : MONTHS.findIndex((month) => month.startsWith(text))
  return at >= 0 && at < MONTHS.length ? at + 1 : undefined
}

const lastDayOf = (month: number) => new Date(Date.UTC(2023, month, 0)).getUTCDate()

/** Reads a day, also with a time after it, as some programs write them. */
export function readDate(text: string): Read<string> {
  const read = readDay(cleanLine(text.slice(0, 200)).replace(/[ T]00[:.]00([:.]00)?$/, ''))
  if ('fault' in read) return read
  return read.day === null ? { fault: 'Skriv datoen som dd/mm/åååå.' } : { value: read.day }
}

/** Between texts: a comma, a line, a stroke between numbers or with space around it. 'K/S' is one text. */
const BETWEEN = /[,;\r\n]|\s\/\s|(?<=\d)\/(?=\d)|(?<=\d)\s*(?:\+|&|\bog\b)\s*(?=\d)/

/** '1024, 1042;1051' and '1024 / 1042 / 1051', and the same in lines, are three texts. Each comes once. */
export function textsIn(text: string): string[] {
  return [...new Set(text.split(BETWEEN).map(cleanLine))].filter((each) => each !== '')
}

/** A project's number, also where the kind of company stands before it: 'K/S 1055'. */
export const projectNumber = (text: string) => text.replace(/^(?:k\/?s|projekt)\.?\s+(?=\d+$)/i, '')
