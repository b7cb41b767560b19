import { rmSync } from 'node:fs'
import { findChromium } from './chromium.ts'
import { listLongOutcomes, printFiles, printOutcomes } from './passed-tests.ts'
import { runs } from './run.ts'

findChromium() // fails at once if there is none
// Otherwise the list at the end would show an earlier run.
rmSync(new URL('../test-results', import.meta.url), { recursive: true, force: true })

const vitest = (report: string, args: string[], env: Record<string, string>) =>
  runs('vitest', ['run', ...args, `--outputFile.json=test-results/${report}.json`], env)

const began = Date.now()
const alone = 'test/long/one-client.test.ts'
// One after the other, and the next also if one fails: the list at the end is whole.
const isGood = [
  vitest('long', ['--exclude', alone], {
    TESTS: 'long',
    KILL_ROUNDS: '30',
    UPLOAD_ROUNDS: '20',
    STRESS_SECONDS: '30',
  }),
  vitest('questions', ['test/search/search-questions.test.ts'], { QUESTIONS: 'all' }),
  runs('playwright', ['test'], { TESTS: 'long' }),
  // It measures how long others wait, so it runs alone.
  vitest('one-client', [alone], { TESTS: 'long' }),
].every(Boolean)

const outcomes = listLongOutcomes()
console.log('\nWhat ran:')
printFiles(outcomes)
printOutcomes(outcomes)
console.log(`${Math.round((Date.now() - began) / 60_000)} minutes`)
if (!isGood) process.exit(1)
