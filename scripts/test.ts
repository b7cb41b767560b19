import { findChromium } from './chromium.ts'
import { countTests, listOutcomes } from './passed-tests.ts'
import { ensureBuild } from '../src/server/process/build.ts'
import { runStaticChecks, runTogether } from './run.ts'

findChromium() // or says at once that there is none
runStaticChecks()
await ensureBuild(console.log) // now, because both use it
// Each leaves a part of the processor unused: together they take a minute less.
await runTogether([
  ['playwright', 'test'],
  ['vitest', 'run'],
])

for (const { title, isSecondTry } of listOutcomes())
  if (isSecondTry) console.log(`Passed only at the second try: ${title}`)
const { passed, failed, skipped } = countTests()
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
