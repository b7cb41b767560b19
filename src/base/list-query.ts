import { dotted } from './field-errors.ts'
import { FIRST_PAGE } from './pagination.ts'
import { DEFAULT_DIRECTION, type Direction, type Sort } from './sort.ts'
import { cleanLine } from './text.ts'

/** The query of a list: S7.3. Without a sort, the list has its own order; without a filter and a kind, it has all rows. */
export type ListQuery = { q: string; page: number; sort: Sort | null; filter?: string; kind?: string }

export const EVERYTHING: ListQuery = { q: '', page: FIRST_PAGE, sort: null }

const MOST_LETTERS = 200
/** At most this many words: each is searched in every row, and a hundred short ones would keep the database busy. */
const MOST_WORDS = 10

const KNOWN = new Set(['q', 'page', 'filter', 'kind', 'sort[column]', 'sort[direction]'])

type Reading = { query: ListQuery; errors: Record<string, string[]> }

/** Reads a list's query from an address, and the faults in it. Ignores the parts that are wrong. */
export function readListQuery(
  address: URLSearchParams,
  columns: readonly string[],
  filters: readonly string[] = [],
  kinds: readonly string[] = [],
): Reading {
  const errors: Record<string, string[]> = {}
  const choices = Object.entries({ filter: filters, kind: kinds }).filter(([, all]) => all.length > 0)
  const ours = new Set(['q', 'page', 'sort', ...choices.map(([name]) => name)])
  for (const name of new Set(address.keys()))
    if (ours.has(name.split('[')[0]!) && !(KNOWN.has(name) && address.getAll(name).length === 1))
      errors[dotted(name)] = ['Det kan listen ikke forstå.']

  /** Returns a part of the address, or null if it is left out or wrong. */
  const read = (name: string, faultIn: (text: string) => string | false): string | null => {
    const text = address.get(name)
    const fault = text !== null && faultIn(text)
    if (fault) errors[dotted(name)] = [fault]
    return fault ? null : text
  }
  const q = read('q', searchFault)
  const page = read('page', (text) => !isPageNumber(text) && 'Siden skal være et helt tal fra 1.')
  const column = read(
    'sort[column]',
    (text) => !columns.includes(text) && 'Den kolonne kan der ikke sorteres efter.',
  )
  const direction = read(
    'sort[direction]',
    (text) => !isDirection(text) && 'Retningen skal være asc eller desc.',
  )
  const chosen = choices.flatMap(([name, all]) => {
    const text = read(name, (sent) => !all.includes(sent) && 'Det filter findes ikke.')
    return text === null ? [] : [[name, text] as const]
  })

  return {
    errors,
    query: {
      q: q?.trim() ?? '',
      page: page === null ? FIRST_PAGE : Number(page),
      sort: column === null ? null : { column, direction: (direction ?? DEFAULT_DIRECTION) as Direction },
      ...Object.fromEntries(chosen),
    },
  }
}

function searchFault(q: string): string | false {
  if (q.length > MOST_LETTERS) return `Søgningen må højst være på ${MOST_LETTERS} tegn.`
  if (wordsOf(q).length > MOST_WORDS) return `Søg højst efter ${MOST_WORDS} ord ad gangen.`
  return q.includes('\ufffd') && 'Søgningen kan ikke læses.'
}

/** Returns the words of a search, each once. */
export function wordsOf(q: string): string[] {
  return [...new Set(cleanLine(q).split(' '))].filter(Boolean)
}

function isPageNumber(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))
}

function isDirection(text: string): boolean {
  return text === 'asc' || text === 'desc'
}

/** `?q=nord&page=2&sort[column]=name&sort[direction]=asc`: only what differs from the default, '' for nothing. */
export function writeListQuery({ q, page, sort, filter, kind }: ListQuery): string {
  const pairs = [
    q !== '' && `q=${encodeURIComponent(q.toWellFormed())}`,
    page !== FIRST_PAGE && `page=${page}`,
    sort && `sort[column]=${sort.column}`,
    sort && `sort[direction]=${sort.direction}`,
    filter && `filter=${filter}`,
    kind && `kind=${kind}`,
  ].filter(Boolean)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
