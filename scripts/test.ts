import { findChromium } from './chromium.ts'
import { countTests, listOutcomes } from './passed-tests.ts'
import { run, runStaticChecks } from './run.ts'

const CHROMIUM = findChromium()
runStaticChecks()
run('vitest', ['run'])
run('playwright', ['test'], { CHROMIUM })

for (const { title, isSecondTry } of listOutcomes())
  if (isSecondTry) console.log(`Passed only at the second try: ${title}`)
const { passed, failed, skipped } = countTests()
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
