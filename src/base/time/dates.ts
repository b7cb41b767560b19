// British English, in the time zone of the page, so that server and browser write the same: S9.7.
const LOCALE = 'en-GB'

/** '2026-03-12T23:30:00Z' in Copenhagen becomes '13/03/2026'. */
export function shortDate(date: Date | string, timeZone: string): string {
  const time = new Date(date).getTime()
  // A list has hundreds of dates, and writing one costs more than the rest of its row.
  if (!(time >= WHOLE_QUARTERS)) return writeShortDate(date, timeZone)
  const key = keyOf(time, timeZone)
  const known = shortDates.get(key)
  if (known !== undefined) return known
  const written = writeShortDate(date, timeZone)
  if (shortDates.size >= MOST_KEPT) shortDates.clear()
  shortDates.set(key, written)
  return written
}

/** Takes over the dates that a page shows already: to write the first costs a phone as much as to draw the list. */
export function keepShortDates(shown: Iterable<{ at: string; text: string }>, timeZone: string): void {
  for (const { at, text } of shown) {
    const time = new Date(at).getTime()
    // A day without a time is no moment: it begins in UTC.
    if (at.includes('T') && time >= WHOLE_QUARTERS && SHORT_DATE.test(text))
      shortDates.set(keyOf(time, timeZone), text)
  }
}

const SHORT_DATE = /^\d{2}\/\d{2}\/\d{4}$/

const keyOf = (time: number, timeZone: string) => `${Math.floor(time / QUARTER_MS)} ${timeZone}`

const QUARTER_MS = 900_000
/** Since 1973, every time zone differs from UTC by whole quarters of an hour, so that a date begins with one. */
const WHOLE_QUARTERS = Date.UTC(1973, 0)
const MOST_KEPT = 10_000
const shortDates = new Map<string, string>()

function writeShortDate(date: Date | string, timeZone: string): string {
  return partsOf(
    date,
    { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' },
    ({ day, month, year }) => [day, month, year?.padStart(4, '0')].join('/'),
  )
}

/** '2026-03-12T23:30:00Z' in Copenhagen becomes '13/03/2026 00.30', or '13/03/2026 00:30:00' for a spreadsheet. */
export function shortDateTime(date: Date | string, timeZone: string, { inSheet = false } = {}): string {
  const time = partsOf(
    date,
    { timeZone, hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
    ({ hour, minute, second }) => (inSheet ? [hour, minute, second].join(':') : `${hour}.${minute}`),
  )
  return `${shortDate(date, timeZone)} ${time}`
}

/** Writes a time inside a sentence: '13/03/2026 kl. 00.30', or 'kl. 00.30' on the day of `now`. */
export function spokenTime(date: Date | string, timeZone: string, now?: Date | string): string {
  const [day, time] = shortDateTime(date, timeZone).split(' ')
  return now !== undefined && dayOf(now, timeZone) === dayOf(date, timeZone)
    ? `kl. ${time}`
    : `${day} kl. ${time}`
}

/** '2026-03-12T23:30:00Z' in Copenhagen becomes '2026-03-13', the format of a date field. */
export function dayOf(date: Date | string, timeZone: string): string {
  return shortDate(date, timeZone).split('/').toReversed().join('-')
}

/** '2026-03-12T12:00:00Z' in Copenhagen becomes 'Thursday, 12 March 2026'. */
export function fullDate(date: Date | string, timeZone: string, locale = LOCALE): string {
  return partsOf(
    date,
    { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    ({ weekday, day, month, year }) => `${weekday}, ${day} ${month} ${year}`,
    locale,
  )
}

/** Writes the same in Danish: 'torsdag, 12 marts 2026'. */
export function danishDate(date: Date | string, timeZone: string): string {
  return fullDate(date, timeZone, 'da-DK')
}

/** Returns the Monday of a date's week, as '2026-03-09'. */
export function mondayOf(date: Date | string, timeZone: string): string {
  const [day, month, year] = shortDate(date, timeZone).split('/').map(Number)
  const noon = new Date(Date.UTC(year!, month! - 1, day, 12))
  const sinceMonday = (noon.getUTCDay() + 6) % 7
  noon.setUTCDate(noon.getUTCDate() - sinceMonday)
  return noon.toISOString().slice(0, 10)
}

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>

// Uses the parts only, because the text between them differs between browsers.
function partsOf(
  date: Date | string,
  options: Intl.DateTimeFormatOptions,
  write: (parts: Parts) => string,
  locale = LOCALE,
): string {
  const parts = formatterFor(options, locale).formatToParts(new Date(date))
  return write(Object.fromEntries(parts.map(({ type, value }) => [type, value])))
}

const formatters = new Map<string, Intl.DateTimeFormat>()

// Keeps the formatters: making one costs fifty times as much as using it.
function formatterFor(options: Intl.DateTimeFormatOptions, locale: string): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options)
  const formatter = formatters.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formatters.set(key, formatter)
  return formatter
}

/** Returns how many minutes are left, rounded up; 0 if the time has come. */
export function minutesUntil(end: Date | string, now: Date): number {
  return Math.max(0, Math.ceil((new Date(end).getTime() - now.getTime()) / 60_000))
}
