import { expect, onTestFinished } from 'vitest'

const left: (() => Promise<void>)[] = []

/** Runs `clean` after the test, or after the file's tests if no test has begun. Newest first. */
export function afterwards(clean: () => Promise<void>): void {
  if (!expect.getState().currentTestName) return void left.push(clean)
  try {
    onTestFinished(clean)
  } catch {
    left.push(clean) // in a hook of a later group no test runs, although currentTestName is set
  }
}

/** Runs the work deferred to the end of a test file. */
export async function cleanUp(): Promise<void> {
  for (const clean of left.splice(0).toReversed()) await clean()
}
