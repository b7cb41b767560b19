import { findChromium } from './chromium.ts'
import { countTests } from './passed-tests.ts'
import { run, runStaticChecks } from './run.ts'

const CHROMIUM = findChromium()
runStaticChecks()
run('vitest', ['run'])
run('playwright', ['test'], { CHROMIUM })

const { passed, failed, skipped } = countTests()
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
