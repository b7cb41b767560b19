/** How much had been sent at a moment, in milliseconds. */
export type Sample = { at: number; done: number }

/** So far back is the speed reckoned: long enough to be steady, short enough to follow a change. */
const BACK_MS = 15_000

export function addSample(samples: readonly Sample[], sample: Sample): Sample[] {
  // What was taken away again makes less of it: the speed before says nothing any more.
  const before = samples.filter(({ at, done }) => at > sample.at - BACK_MS && done <= sample.done)
  return [...before, sample]
}

/** Seconds until the rest is there; null while there is no telling. */
export function secondsLeft(samples: readonly Sample[], left: number): number | null {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < 1000 || last.done <= first.done) return null
  return (left * (last.at - first.at)) / (last.done - first.done) / 1000
}

/** As one says it: nobody believes seconds of something that takes minutes. */
export function leftText(seconds: number): string {
  if (seconds < 10) return 'få sekunder tilbage'
  if (seconds < 55) return `ca. ${Math.ceil(seconds / 10) * 10} sekunder tilbage`
  const minutes = Math.max(1, Math.round(seconds / 60))
  if (minutes < 60) return `ca. ${minutes} ${minutes === 1 ? 'minut' : 'minutter'} tilbage`
  const hours = Math.round(minutes / 60)
  return `ca. ${hours} ${hours === 1 ? 'time' : 'timer'} tilbage`
}
