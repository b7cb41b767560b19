import { momentOf, offsetAt } from './wall-clock.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** 29 February comes again within this many days. */
const MOST_DAYS = 8 * 366 + 1

/** Returns the latest time of a cron line ('0 3 * * 1-5') up to now, in a time zone. Null if it has none. */
export function lastTimeOf(cron: string, timeZone: string, now: Date): Date | null {
  const [minutes, hours, days, months, weekdays] = cron.split(' ')
  const [isMinute, isHour] = [matcherOf(minutes!, 0), matcherOf(hours!, 0)]
  const [isDay, isMonth, isWeekday] = [matcherOf(days!, 1), matcherOf(months!, 1), matcherOf(weekdays!, 0)]
  // As in cron: if both days and weekdays are given, one of them is enough.
  const isEither = days !== '*' && weekdays !== '*'
  const today = Math.floor((now.getTime() + offsetAt(now.getTime(), timeZone)) / DAY_MS)
  for (let day = today + 1; day > today - MOST_DAYS; day--) {
    const date = new Date(day * DAY_MS)
    const fits = isDay(date.getUTCDate())
    const fitsWeek = isWeekday(date.getUTCDay()) || (date.getUTCDay() === 0 && isWeekday(7))
    if (!isMonth(date.getUTCMonth() + 1) || !(isEither ? fits || fitsWeek : fits && fitsWeek)) continue
    for (let minute = 24 * 60 - 1; minute >= 0; minute--) {
      if (!isHour(Math.floor(minute / 60)) || !isMinute(minute % 60)) continue
      const moment = momentOf(day * DAY_MS + minute * MINUTE_MS, timeZone)
      if (moment <= now.getTime()) return new Date(moment)
    }
  }
  return null
}

// '*', '5', '1-5', '0,30', '*/15', '8-18/2'.
function matcherOf(field: string, least: number): (value: number) => boolean {
  const parts = field.split(',').map((part) => {
    const [range = '*', step = '1'] = part.split('/')
    const [from, to] = range === '*' ? [least, Infinity] : range.split('-').map(Number)
    return { from: from!, to: to ?? (part.includes('/') ? Infinity : from!), step: Number(step) }
  })
  return (value) =>
    parts.some(({ from, to, step }) => value >= from && value <= to && (value - from) % step === 0)
}
