import { findChromium } from './chromium.ts'
import { run } from './run.ts'

findChromium() // fails at once if there is none
const alone = 'test/long/one-client.test.ts'
run('vitest', ['run', '--exclude', alone], {
  TESTS: 'long',
  KILL_ROUNDS: '30',
  UPLOAD_ROUNDS: '20',
  STRESS_SECONDS: '30',
})
run('vitest', ['run', 'test/search/search-questions.test.ts'], { QUESTIONS: 'all' })
run('playwright', ['test'], { TESTS: 'long' })
// It measures how long others wait, so it runs alone.
run('vitest', ['run', alone, '--outputFile.json=test-results/one-client.json'], { TESTS: 'long' })
