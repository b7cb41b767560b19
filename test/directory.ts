import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished } from 'vitest'

/** An empty directory, removed after the test, or after the file's tests when no test has begun. */
export async function freshDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'ringbind-files-'))
  afterwards(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

export function afterwards(clean: () => Promise<void>): void {
  if (expect.getState().currentTestName) onTestFinished(clean)
  else afterAll(clean)
}
