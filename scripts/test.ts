import { findChromium } from './chromium.ts'
import { countTests, listOutcomes } from './passed-tests.ts'
import { run, runStaticChecks } from './run.ts'

findChromium() // or says at once that there is none
runStaticChecks()
run('vitest', ['run'])
run('playwright', ['test'])

for (const { title, isSecondTry } of listOutcomes())
  if (isSecondTry) console.log(`Passed only at the second try: ${title}`)
const { passed, failed, skipped } = countTests()
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
