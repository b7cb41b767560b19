import { afterAll, afterEach, vi } from 'vitest'
import { cleanUp } from './clean-up.ts'
import { startCount } from './counter.ts'
import { takeRowFaults } from './rows/faults.ts'

startCount()

// Fails for rows that differ from their query's type; `rows/check.ts` finds them.
const failForRows = () => {
  const faults = takeRowFaults()
  if (faults.length > 0) throw new Error(`A query does not return what its type says.\n${faults.join('\n')}`)
}
afterEach(failForRows)

// Vitest runs this file once for each test file, but loads `clean-up.ts` once for all test files of a worker.
// An afterAll that is registered inside a hook never runs, so it is registered here.
afterAll(async () => {
  await cleanUp()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  failForRows()
})
