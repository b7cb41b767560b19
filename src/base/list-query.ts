import { dotted } from './dotted.ts'
import { FIRST_PAGE } from './pagination.ts'
import { DEFAULT_DIRECTION, type Direction, type Sort } from './sort.ts'
import { cleanLine } from './text.ts'

/** The query of a list: S7.3. Without a sort, the list has its own order; without a filter, it has all rows. */
export type ListQuery = { q: string; page: number; sort: Sort | null; filter?: string }

export const EVERYTHING: ListQuery = { q: '', page: FIRST_PAGE, sort: null }

const MOST_LETTERS = 200
/** At most this many words: each is searched in every row, and a hundred short ones would keep the database busy. */
const MOST_WORDS = 10

const KNOWN = new Set(['q', 'page', 'filter', 'sort[column]', 'sort[direction]'])

type Reading = { query: ListQuery; errors: Record<string, string[]> }

/** Reads a list's query from an address, and the faults in it. Ignores the parts that are wrong. */
export function readListQuery(
  address: URLSearchParams,
  columns: readonly string[],
  filters: readonly string[] = [],
): Reading {
  const errors: Record<string, string[]> = {}
  const check = (name: string, isRight: boolean, fault: string) => {
    if (!isRight) errors[name] = [fault]
    return isRight
  }
  const q = address.get('q') ?? ''
  const page = address.get('page')
  const column = address.get('sort[column]')
  const direction = address.get('sort[direction]')
  const filter = filters.length > 0 ? address.get('filter') : null

  for (const name of new Set(address.keys())) {
    const isOurs = (filters.length > 0 ? /^(q|page|sort|filter)(\[|$)/ : /^(q|page|sort)(\[|$)/).test(name)
    if (isOurs && !(KNOWN.has(name) && address.getAll(name).length === 1))
      errors[dotted(name)] = ['Det kan listen ikke forstå.']
  }
  const isText = check('q', !q.includes('\ufffd'), 'Søgningen kan ikke læses.')
  const isShort = check('q', q.length <= MOST_LETTERS, `Søgningen må højst være på ${MOST_LETTERS} tegn.`)
  const isFew =
    !isShort || check('q', wordsOf(q).length <= MOST_WORDS, `Søg højst efter ${MOST_WORDS} ord ad gangen.`)
  const isPage = page === null || check('page', isPageNumber(page), 'Siden skal være et helt tal fra 1.')
  const isColumn =
    column === null ||
    check('sort.column', columns.includes(column), 'Den kolonne kan der ikke sorteres efter.')
  const isWay =
    direction === null ||
    check('sort.direction', isDirection(direction), 'Retningen skal være asc eller desc.')
  const isFilter = filter === null || check('filter', filters.includes(filter), 'Det filter findes ikke.')

  return {
    errors,
    query: {
      q: isText && isShort && isFew ? q.trim() : '',
      page: isPage && page !== null ? Number(page) : FIRST_PAGE,
      sort:
        column !== null && isColumn
          ? { column, direction: isWay && direction !== null ? (direction as Direction) : DEFAULT_DIRECTION }
          : null,
      ...(filter !== null && isFilter && { filter }),
    },
  }
}

/** Returns the words of a search, each once. */
export function wordsOf(q: string): string[] {
  return [...new Set(cleanLine(q).split(' '))].filter(Boolean)
}

function isPageNumber(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))
}

function isDirection(text: string): text is Direction {
  return text === 'asc' || text === 'desc'
}

/** `?q=nord&page=2&sort[column]=name&sort[direction]=asc`: only what differs from the default, '' for nothing. */
export function writeListQuery({ q, page, sort, filter }: ListQuery): string {
  const pairs = [
    q !== '' && `q=${encodeURIComponent(q.toWellFormed())}`,
    page !== FIRST_PAGE && `page=${page}`,
    sort && `sort[column]=${sort.column}`,
    sort && `sort[direction]=${sort.direction}`,
    filter && `filter=${filter}`,
  ].filter(Boolean)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}
