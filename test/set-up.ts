import { afterAll, vi } from 'vitest'
import { cleanUp } from './clean-up.ts'
import { startCount } from './counter.ts'

startCount()

// Vitest runs this file once for each test file, but loads `clean-up.ts` once for all test files of a worker.
// An afterAll that is registered inside a hook never runs, so it is registered here.
afterAll(async () => {
  await cleanUp()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
