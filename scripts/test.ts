import { findChromium } from './chromium.ts'
import { countTests, listOutcomes } from './passed-tests.ts'
import { ensureBuild } from '../src/server/process/build.ts'
import { runStaticChecks, runTogether } from './run.ts'

findChromium() // fails at once if there is none
runStaticChecks()
await ensureBuild(console.log) // now, because both use it
// Each leaves part of the processor unused, so together they take a minute less.
const isGood = await runTogether([
  ['playwright', 'test'],
  ['vitest', 'run'],
])

// Last, so that it is read also where only the end of the output is kept.
for (const { title, status, isSecondTry, faults } of listOutcomes()) {
  if (isSecondTry) console.log(`\nPassed only at the second try: ${title}`)
  if (status === 'failed') console.log(`\nFailed: ${title}`)
  if (isSecondTry || status === 'failed') console.log(faults.map((fault) => fault.slice(0, 1500)).join('\n'))
}
const { passed, failed, skipped } = countTests()
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
if (!isGood) process.exit(1)
