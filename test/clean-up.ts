import { afterAll, expect, onTestFinished } from 'vitest'

const left: (() => Promise<void>)[] = []

/** Cleans up after the test, or after the file's tests when no test has begun; the newest first. */
export function afterwards(clean: () => Promise<void>): void {
  if (expect.getState().currentTestName) onTestFinished(clean)
  else left.push(clean)
}

// As a set-up file: what is registered inside a hook is never run.
afterAll(async () => {
  for (const clean of left.splice(0).toReversed()) await clean()
})
