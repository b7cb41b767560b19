/** The bytes sent by a moment, which is in milliseconds. */
export type Sample = { at: number; done: number }

/** The time over which the speed is measured: long enough to be steady, short enough to follow a change. */
const BACK_MS = 15_000

export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  // A removed file lowers the sum, so the old speed means nothing.
  const before = samples.filter(({ at, done }) => at > sample.at - BACK_MS && done <= sample.done)
  return [...before, sample]
}

/** Returns the seconds until the rest is sent, or null if unknown. */
export function secondsLeft(samples: readonly Sample[], left: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < 1000 || last.done <= first.done) return null
  return (left * (last.at - first.at)) / (last.done - first.done) / 1000
}

/** Words the time roughly: nobody believes seconds of something that takes minutes. */
export function leftText(seconds: number): string {
  if (seconds < 10) return 'få sekunder tilbage'
  if (seconds < 55) return `ca. ${Math.ceil(seconds / 10) * 10} sekunder tilbage`
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return `ca. ${minutes} ${minutes === 1 ? 'minut' : 'minutter'} tilbage`
  const hours = Math.round(minutes / 60)
  return `ca. ${hours} ${hours === 1 ? 'time' : 'timer'} tilbage`
}
