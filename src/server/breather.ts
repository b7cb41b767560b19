import { setImmediate } from 'node:timers/promises'

/** After so long others have their turn. */
const TURN_MS = 8

/**
 * For work that goes through many things at once: `await breathe()` between two of them lets others have their turn as soon
 * as this one has taken long enough.
 */
export function breather(): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < TURN_MS) return undefined
    return setImmediate().then(() => void (began = performance.now()))
  }
}
