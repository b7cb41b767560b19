import { findChromium } from './chromium.ts'
import { listOutcomes, printOutcomes } from './passed-tests.ts'
import { ensureBuild } from '../src/server/process/build.ts'
import { runStaticChecks, runTogether } from './run.ts'

findChromium() // fails at once if there is none
await Promise.all([
  runStaticChecks(),
  ensureBuild(console.log), // now, because both use it
])
// Each leaves part of the processor unused, so together they take a minute less.
const isGood = await runTogether([
  ['playwright', 'test'],
  ['vitest', 'run'],
])
printOutcomes(listOutcomes())
if (!isGood) process.exit(1)
