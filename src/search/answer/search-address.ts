import { FilterReader, numberUpTo, writeFilters } from '../../base/filter-address.ts'
import { BACKWARDS, isBackwards, readDay } from '../../base/time/days.ts'
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
  const filters = new FilterReader(address, NO_QUESTION, 'Det filter kender søgningen ikke.')
  const { errors } = filters
  const line = (name: string, what: string) =>
    filters.read(name, `${what} kan ikke læses, eller er på mere end ${MOST_LETTERS} tegn.`, (text) =>
      text.length <= MOST_LETTERS && isReadable(text) ? cleanLine(text) : null,
    )
  const day = (name: string) => filters.read(name, 'Skriv datoen som dd/mm/åååå.', dayIn)

  const question: Question = {
    q: line('q', 'Søgningen') ?? '',
    project: filters.id('project'),
    folder: line('folder', 'Mappen') || null,
    year: filters.read('year', 'Året skal være fra 1800 til 2199.', yearIn),
    type: filters.read('type', 'Den filtype kender søgningen ikke.', kindIn),
    by: filters.id('by'),
    from: day('from'),
    to: day('to'),
    page:
      filters.read('page', `Siden skal være et helt tal fra 1 til ${LAST_PAGE}.`, numberUpTo(LAST_PAGE)) ??
      FIRST_PAGE,
  }
  if (!isBackwards(question)) return { question, errors }
  errors.to = [BACKWARDS]
  return { question: { ...question, from: null, to: null }, errors }
}

/** Writes `?q=budget&year=2025`: only set values, always in the same order; '' for an empty search. */
export const writeSearch = (question: Question) => writeFilters(question, NO_QUESTION)

/** Whether a search asks for anything. */
export const isAsked = (question: Question) => writeSearch({ ...question, page: FIRST_PAGE }) !== ''

/** Whether a search has filters. */
export const isFiltered = (question: Question) => isAsked({ ...question, q: '' })

function dayIn(text: string): string | null {
  const found = readDay(text.slice(0, 40))
  return 'day' in found ? found.day : null
}

const yearIn = (text: string) => (/^(1[89]|2[01])\d\d$/.test(text) ? Number(text) : null)

const kindIn = (text: string) => (Object.hasOwn(FILE_KINDS, text) ? (text as FileKind) : null)
