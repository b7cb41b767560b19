import { readDay } from '../../base/time/days.ts'
import { FIRST_PAGE } from '../../base/pagination.ts'
import { cleanLine, isReadable } from '../../base/text.ts'
import { MOST_LETTERS } from './most-letters.ts'
import { FILE_KINDS, FILES_A_PAGE, MOST_FOUND, type FileKind, type Question } from './results.ts'

/** A search without words and filters. It asks for nothing. */
export const NO_QUESTION: Question = {
  q: '',
  project: null,
  folder: null,
  year: null,
  type: null,
  by: null,
  from: null,
  to: null,
  page: FIRST_PAGE,
}

const LAST_PAGE = MOST_FOUND / FILES_A_PAGE

type Reading = { question: Question; errors: Record<string, string[]> }

/** Reads a search from an address, with its faults. Ignores the wrong parts. */
export function readSearch(address: URLSearchParams): Reading {
  const errors: Record<string, string[]> = {}
  for (const name of new Set(address.keys()))
    if (!Object.hasOwn(NO_QUESTION, name)) errors[name] = ['Det filter kender søgningen ikke.']
    else if (address.getAll(name).length > 1) errors[name] = ['Filteret må kun stå der én gang.']

  function read<Value>(name: string, fault: string, valueOf: (text: string) => Value | null): Value | null {
    const text = name in errors ? '' : (address.get(name) ?? '')
    if (text === '') return null
    const value = valueOf(text)
    if (value === null) errors[name] = [fault]
    return value
  }
  const line = (name: string, what: string) =>
    read(name, `${what} kan ikke læses, eller er på mere end ${MOST_LETTERS} tegn.`, (text) =>
      text.length <= MOST_LETTERS && isReadable(text) ? cleanLine(text) : null,
    )
  const day = (name: string) => read(name, 'Skriv datoen som dd/mm/åååå.', dayIn)
  const id = (name: string) => read(name, 'Filteret skal være et id.', numberUpTo(Number.MAX_SAFE_INTEGER))

  const question: Question = {
    q: line('q', 'Søgningen') ?? '',
    project: id('project'),
    folder: line('folder', 'Mappen') || null,
    year: read('year', 'Året skal være fra 1800 til 2199.', yearIn),
    type: read('type', 'Den filtype kender søgningen ikke.', kindIn),
    by: id('by'),
    from: day('from'),
    to: day('to'),
    page:
      read('page', `Siden skal være et helt tal fra 1 til ${LAST_PAGE}.`, numberUpTo(LAST_PAGE)) ??
      FIRST_PAGE,
  }
  if (!isBackwards(question)) return { question, errors }
  errors.to = [BACKWARDS]
  return { question: { ...question, from: null, to: null }, errors }
}

export const BACKWARDS = 'Slutdatoen ligger før startdatoen.'

export const isBackwards = ({ from, to }: Pick<Question, 'from' | 'to'>) =>
  from !== null && to !== null && from > to

/** Writes `?q=budget&year=2025`: only set values, always in the same order; '' for an empty search. */
export function writeSearch(question: Question): string {
  const names = Object.keys(NO_QUESTION) as (keyof Question)[]
  const pairs = names
    .filter((name) => question[name] !== NO_QUESTION[name])
    .map((name) => `${name}=${encodeURIComponent(String(question[name]).toWellFormed())}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Whether a search asks for anything. */
export const isAsked = (question: Question) => writeSearch({ ...question, page: FIRST_PAGE }) !== ''

/** Whether a search has filters. */
export const isFiltered = (question: Question) => isAsked({ ...question, q: '' })

function dayIn(text: string): string | null {
  const found = readDay(text.slice(0, 40))
  return 'day' in found ? found.day : null
}

const numberUpTo = (most: number) => (text: string) =>
  /^[1-9]\d{0,15}$/.test(text) && Number(text) <= most ? Number(text) : null

const yearIn = (text: string) => (/^(1[89]|2[01])\d\d$/.test(text) ? Number(text) : null)

const kindIn = (text: string) => (Object.hasOwn(FILE_KINDS, text) ? (text as FileKind) : null)
