const SECOND = 1000
const HOUR = 3600 * SECOND
const DAY = 24 * HOUR

/** A clock that is not believed: where it should stand, and how long the computer has run since. Milliseconds. */
export type Doubt = { expected: number; ran: number }

export type ClockSeen = {
  now: number
  /** When it was last looked at; null: never. */
  seen: number | null
  /** How long ago that was by a clock that nobody sets; null: we have been started since. */
  elapsed: number | null
  doubt: Doubt | null
}

export type ClockEvent = 'jumped' | 'came-back' | 'believed' | 'went-back' | null

export type ClockVerdict = { doubt: Doubt | null; event: ClockEvent; jump: number }

/**
 * Whether things may be deleted because it is late enough. A jump of more than a day forward is doubted until the clock has
 * come back, or the computer has run for a day with it: then it was no slip of a minute, and has been there to be seen.
 * Also a computer that was switched off for days comes back so; it waits a day, and nothing else.
 */
export function judgeClock({ now, seen, elapsed, doubt }: ClockSeen): ClockVerdict {
  if (seen === null) return { doubt: null, event: null, jump: 0 }
  const passed = elapsed ?? 0
  const jump = now - seen - passed
  if (!doubt) {
    if (jump > DAY) return { doubt: { expected: seen + passed, ran: 0 }, event: 'jumped', jump }
    return { doubt: null, event: jump < -HOUR ? 'went-back' : null, jump }
  }
  const expected = doubt.expected + passed
  if (now <= expected + DAY) return { doubt: null, event: 'came-back', jump }
  if (jump > DAY) return { doubt: { expected, ran: 0 }, event: 'jumped', jump }
  const ran = doubt.ran + passed
  if (ran >= DAY) return { doubt: null, event: 'believed', jump }
  return { doubt: { expected, ran }, event: jump < -HOUR ? 'went-back' : null, jump }
}

type Schedule = {
  now: Date
  /** The last time of the cron line; null: it has none. */
  due: Date | null
  /** The last time that was asked for, by the same cron line; undefined: it is new. */
  last: Date | null | undefined
}

/** Whether a job is to be done now, also when its time was slept over, once; and what to remember. */
export function judgeSchedule({ now, due, last }: Schedule): { isDue: boolean; last: Date | null } {
  if (last === undefined || due === null) return { isDue: false, last: due }
  // Asked for while the clock was ahead: the next time comes as if it had not been.
  if (last !== null && last.getTime() > now.getTime() + HOUR) return { isDue: false, last: due }
  const isDue = last === null || due > last
  return { isDue, last: isDue ? due : last }
}
