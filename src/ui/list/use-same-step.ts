import { useRef } from 'react'

/** Changes of one filter within this time are one step of the Back button, such as typing a date. */
const ONE_STEP_MS = 1000

/** Returns a function that tells whether a change belongs to the same step as the change before it. */
export function useSameStep(): (changed: string) => boolean {
  const last = useRef({ changed: '', at: 0 })
  return (changed) => {
    const [before, at] = [last.current, performance.now()]
    last.current = { changed, at }
    return before.changed === changed && at - before.at < ONE_STEP_MS
  }
}
