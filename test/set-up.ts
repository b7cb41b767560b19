import { afterAll, afterEach, vi } from 'vitest'
import { cleanUp } from './clean-up.ts'
import { startCount } from './counter.ts'
import { takeRowFaults } from './rows/faults.ts'

startCount()

/** Rooms whose tests have not all run since rows are compared: what is found there is told, and fails nothing yet. */
const ONLY_TOLD = /^src\/(moving|programs|start|live|reading|access|office|help)\//

// What a query returned that its type does not say; `rows/check.ts` finds it.
const failForRows = () => {
  const { told = [], failing = [] } = Object.groupBy(takeRowFaults(), (fault) =>
    ONLY_TOLD.test(fault) ? 'told' : 'failing',
  )
  for (const fault of told) console.error(`A query does not return what its type says. ${fault}`)
  if (failing.length > 0)
    throw new Error(`A query does not return what its type says.\n${failing.join('\n')}`)
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
