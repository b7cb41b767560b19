import { afterAll, expect, onTestFinished } from 'vitest'

const left: (() => Promise<void>)[] = []

/** Cleans up after the test, or after the file's tests when no test has begun; the newest first. */
export function afterwards(clean: () => Promise<void>): void {
  if (!expect.getState().currentTestName) return void left.push(clean)
  try {
    onTestFinished(clean)
  } catch {
    left.push(clean) // a hook of a later group: there is no test, though there was one
  }
}

// As a set-up file: what is registered inside a hook is never run.
afterAll(async () => {
  for (const clean of left.splice(0).toReversed()) await clean()
})
