const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 90 minutes become '1 time', two days and a half '2 dage'. */
function lengthText(ms: number): string {
  if (ms >= DAY_MS) return counted(ms / DAY_MS, 'dag', 'dage')
  if (ms >= HOUR_MS) return counted(ms / HOUR_MS, 'time', 'timer')
  return counted(Math.max(ms, MINUTE_MS) / MINUTE_MS, 'minut', 'minutter')
}

function counted(amount: number, one: string, many: string): string {
  const whole = Math.floor(amount)
  return `${whole} ${whole === 1 ? one : many}`
}

/** 'for 2 dage siden', or 'for lidt siden' within the last minute. */
export function agoText(time: string, now: string): string {
  const ms = Date.parse(now) - Date.parse(time)
  return ms < MINUTE_MS ? 'for lidt siden' : `for ${lengthText(ms)} siden`
}

/** 'om 7 dage' */
export const untilText = (time: string, now: string) => `om ${lengthText(Date.parse(time) - Date.parse(now))}`
