const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Returns the moment at which the local clock shows a time. If it shows the time twice, the first moment; if never,
 * because it is put forward, the moment at which it would have shown it.
 */
export function momentOf(wall: number, timeZone: string): number {
  const guesses = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(near, timeZone))
  const right = guesses.filter((moment) => moment + offsetAt(moment, timeZone) === wall)
  return right.length > 0 ? Math.min(...right) : Math.max(...guesses)
}

/** Returns how far the local clock is ahead of UTC. */
export function offsetAt(moment: number, timeZone: string): number {
  const parts = formatterFor(timeZone).formatToParts(moment)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)!.value)
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
  return wall - Math.floor(moment / MINUTE_MS) * MINUTE_MS
}

/** Returns the moment of '2026-12-01' and '09:00', or null if the clock is put forward past that time. */
export function momentAt(day: string, time: string, timeZone: string): Date | null {
  const wall = Date.parse(`${day}T${time}:00Z`)
  const moment = momentOf(wall, timeZone)
  return moment + offsetAt(moment, timeZone) === wall ? new Date(moment) : null
}

const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  const made = formatters.get(timeZone)
  if (made) return made
  const numeric = 'numeric' as const
  const formatter = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
  })
  formatters.set(timeZone, formatter)
  return formatter
}
