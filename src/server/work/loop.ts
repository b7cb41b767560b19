import type { Jobs } from './jobs.ts'

type Loop = {
  /** How many turns of the jobs pass between two looks; half a minute if undefined. */
  turns?: number
  /** Whether the start waits for the first look. */
  isAwaited?: boolean
  complain: (error: unknown) => void
}

/** Looks again and again until the process stops, unless the last look still runs. */
export async function startLoop(
  jobs: Pick<Jobs, 'watch'>,
  { turns, isAwaited, complain }: Loop,
  look: (stopping: AbortSignal) => Promise<unknown>,
): Promise<void> {
  let isLooking = false
  await jobs.watch(async (stopping) => {
    if (isLooking) return
    isLooking = true
    const looked = look(stopping)
      .catch((error: unknown) => stopping.aborted || complain(error))
      .finally(() => (isLooking = false))
    if (isAwaited) await looked
  }, turns)
}

/** Acts at each call until it has succeeded once. */
export function untilDone(
  act: (stopping: AbortSignal) => Promise<unknown>,
): (stopping: AbortSignal) => Promise<void> {
  let isDone = false
  return async (stopping) => {
    if (isDone) return
    await act(stopping)
    isDone = true
  }
}
