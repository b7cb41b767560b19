import type { FoundTitle } from './find-title.ts'
import { fold } from '../../base/folded-words.ts'
import type { PaperLine } from './paper-lines.ts'

/** The year that a paper is about. */
export type FoundYear = {
  year: number
  page: number
  /** Every year that a correct name may have. */
  all: number[]
  /** The year is from the title, a period or the paper's date; not only from some day in its text. */
  isCertain: boolean
  quarter: number | null
}

const YEAR = /(?<![\d.,/-]|\d )(20\d\d|19[89]\d)(?![\d]|[.,]\d)/g
const MONTH =
  'januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december|january|february|march|may|june|july|october|jan|feb|mar|apr|jun|jul|aug|sep|okt|oct|nov|dec'
const DATE = new RegExp(
  [
    String.raw`(?<!\d)\d{1,2}\.? ?(?:${MONTH})\.? ?(\d{4})(?!\d)`,
    String.raw`(?:${MONTH})\.? \d{1,2}, ?(\d{4})(?!\d)`,
    String.raw`(?<!\d)\d{1,2}[./-]\d{1,2}[./ -](\d{4})(?!\d)`,
    String.raw`(?<!\d)(\d{4})-\d\d-\d\d(?!\d)`,
  ].join('|'),
  'g',
)
/** Words for the period of a paper. */
const PERIOD = new RegExp(
  String.raw`(?:31|30)\.? ?(?:december|juni|september|marts|dec|june|march)\.? (\d{4})|(?:31\.12|30\.06|30\.09|31\.03)\.(\d{4})|(?:regnskabsaaret|indkomstaaret|regnskabsaar|financial year|for aaret|income year)[^\d]{0,24}(\d{4})|kvartal (\d{4})|q[1-4] (\d{4})|quarter (\d{4})`,
  'g',
)
const SPAN = /(20\d\d) ?[/–-] ?(?:20)?(\d\d)(?!\d)/

/** Finds the year of a paper, by what its kind is about. */
export function findYear(lines: readonly PaperLine[], title: FoundTitle | null): FoundYear | null {
  const found = title?.kind.year === 'period' ? ofPeriod(lines, title) : ofDay(lines, title)
  return found && { ...found, quarter: findQuarter(lines, title) }
}

type Year = Omit<FoundYear, 'quarter'>

/** The comparison year stands beside this year's in every table, so tables are asked last. */
function ofPeriod(lines: readonly PaperLine[], title: FoundTitle): Year | null {
  const own = yearsIn(title.said.toLowerCase())
  const span = SPAN.exec(title.said)
  if (span) {
    const [first, last] = [Number(span[1]), Number(`20${span[2]}`)]
    if (last === first + 1) return { year: last, page: title.page, all: [first, last], isCertain: true }
  }
  // '1. juli 2024 – 30. juni 2025' ends in the year that it is called after, or in both.
  const ends = Array.from(fold(title.said).matchAll(PERIOD), (match) => Number(match.slice(1).find(Boolean)))
  if (ends.length > 0 && own.length > 0)
    return { year: ends.at(-1)!, page: title.page, all: [...new Set([...own, ...ends])], isCertain: true }
  if (own.length > 0) return { year: own[0]!, page: title.page, all: [own[0]!], isCertain: true }
  const near = lines.filter(({ page, at }) => page === title.page && at > title.at - 3 && at <= title.at + 5)
  const next = near.find(
    ({ at, words, folded }) =>
      at > title.at && at < title.at + 3 && words.length < 4 && yearsIn(folded).length === 1,
  )
  if (next)
    return { year: yearsIn(next.folded)[0]!, page: title.page, all: yearsIn(next.folded), isCertain: true }
  const day = ofDay(lines, title)
  // A day is not the period that it should be about.
  return endOfPeriod(near) ?? endOfPeriod(lines) ?? (day && { ...day, isCertain: false })
}

/** The period whose end is named most often; the later of two. */
function endOfPeriod(lines: readonly PaperLine[]): Year | null {
  const counts = new Map<number, { count: number; page: number }>()
  for (const { folded, page } of lines)
    for (const match of folded.matchAll(PERIOD)) {
      const year = Number(match.slice(1).find(Boolean))
      if (year < 1980 || year > 2199) continue
      const before = counts.get(year)
      counts.set(year, { count: (before?.count ?? 0) + 1, page: before?.page ?? page })
    }
  const [best] = [...counts].sort(([a, x], [b, y]) => y.count - x.count || b - a)
  return best ? { year: best[0], page: best[1].page, all: [best[0]], isCertain: true } : null
}

/** The year of the paper's date, or of its first day; it may be named after its other years. */
function ofDay(lines: readonly PaperLine[], title: FoundTitle | null): Year | null {
  const titled = title ? yearsIn(title.said.toLowerCase()) : []
  const dated = lines.filter(({ folded }) => !NO_DATING.test(folded) && datesIn(folded).length > 0)
  const own = dated.find(isDating)
  const first = own ?? dated[0]
  if (!first)
    return titled.length > 0 ? { year: titled[0]!, page: title!.page, all: titled, isCertain: true } : null
  const [day] = datesIn(first.folded) as [number]
  const others = lines.flatMap(({ folded }) => [...yearsIn(folded), ...datesIn(folded)])
  return {
    year: titled[0] ?? day,
    page: first.page,
    all: [...new Set([day, ...titled, ...others])],
    isCertain: own !== undefined || titled.length > 0,
  }
}

const NO_DATING = /\blov\b|bekendtgoerelse|foedt|\bborn\b|§/
const DATING =
  /dato|\bdate\b|dateret|afhold|\bheld\b|underskrevet|signed|kraft|vedtaget|adopted|udarbejdet|udstedt|opgjort|faktura|\bden \d|\bon \d|\bon [a-z]+ \d/

/** A day alone on its line, or with words that say that it is the paper's. */
const isDating = ({ folded, words }: PaperLine) => words.length <= 6 || DATING.test(folded)

const yearsIn = (text: string) => Array.from(text.matchAll(YEAR), ({ 1: year }) => Number(year))

const datesIn = (folded: string) =>
  Array.from(folded.matchAll(DATE), (match) => Number(match.slice(1).find(Boolean))).filter(
    (year) => year >= 1980 && year <= 2199,
  )

const QUARTER = /(?<!\d)([1-4])\. ?kvartal|\bq([1-4])\b|\b(first|second|third|fourth) quarter/
const ORDER = ['first', 'second', 'third', 'fourth']

function findQuarter(lines: readonly PaperLine[], title: FoundTitle | null): number | null {
  if (title?.kind.id !== 'quarter') return null
  const near = lines.filter(({ page, at }) => page === title.page && at >= title.at && at <= title.at + 3)
  for (const { folded } of near) {
    const match = QUARTER.exec(folded)
    if (match) return match[3] ? ORDER.indexOf(match[3]) + 1 : Number(match[1] ?? match[2])
  }
  return null
}
