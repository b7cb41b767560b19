const SECOND = 1000
const HOUR = 3600 * SECOND
/** A clock put back by less than this is not reported: jobs then wait at most this long for a time to come again. */
const FAR_BACK = 600 * SECOND
const DAY = 24 * HOUR

/** A clock that is not trusted: the time it should show, and how long the computer has run since. In milliseconds. */
type Doubt = { expected: number; ran: number }

export type ClockSeen = {
  now: number
  /** The time at the last check. Null if there was none. */
  seen: number | null
  /** The time since the last check by a clock that cannot be set. Null if the program has started since. */
  elapsed: number | null
  doubt: Doubt | null
}

type ClockEvent = 'jumped' | 'came-back' | 'believed' | 'went-back' | null

export type ClockVerdict = { doubt: Doubt | null; event: ClockEvent; jump: number }

/**
 * Decides whether the clock can be trusted, before old things are deleted. Doubts a jump of more than a day forward until
 * the clock comes back, or until the computer has run with it for a day: then it is no short mistake, and people have
 * had time to notice it. A computer that was switched off for days looks the same; deleting only waits for a day there.
 */
export function judgeClock({ now, seen, elapsed, doubt }: ClockSeen): ClockVerdict {
  if (seen === null) return { doubt: null, event: null, jump: 0 }
  const passed = elapsed ?? 0
  const jump = now - seen - passed
  if (!doubt) {
    if (jump > DAY) return { doubt: { expected: seen + passed, ran: 0 }, event: 'jumped', jump }
    return { doubt: null, event: jump < -FAR_BACK ? 'went-back' : null, jump }
  }
  const expected = doubt.expected + passed
  if (now <= expected + DAY) return { doubt: null, event: 'came-back', jump }
  if (jump > DAY) return { doubt: { expected, ran: 0 }, event: 'jumped', jump }
  const ran = doubt.ran + passed
  if (ran >= DAY) return { doubt: null, event: 'believed', jump }
  return { doubt: { expected, ran }, event: jump < -FAR_BACK ? 'went-back' : null, jump }
}

type Schedule = {
  now: Date
  /** The latest time of the cron line. Null if it has none. */
  due: Date | null
  /** The latest time of the same cron line that was started. Undefined if the line is new. */
  last: Date | null | undefined
}

/** Decides whether a job is due now, and what to remember. A job that missed its times runs once. */
export function judgeSchedule({ now, due, last }: Schedule): { isDue: boolean; last: Date | null } {
  if (last === undefined || due === null) return { isDue: false, last: due }
  // The job was started while the clock was ahead. Forgets that, so that the next time is not skipped.
  if (last !== null && last.getTime() > now.getTime() + HOUR) return { isDue: false, last: due }
  const isDue = last === null || due > last
  return { isDue, last: isDue ? due : last }
}
