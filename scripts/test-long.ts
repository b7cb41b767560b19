import { findChromium } from './chromium.ts'
import { run } from './run.ts'

findChromium() // or says at once that there is none
run('vitest', ['run'], { TESTS: 'long', KILL_ROUNDS: '30', UPLOAD_ROUNDS: '20', STRESS_SECONDS: '30' })
run('vitest', ['run', 'test/search-questions.test.ts'], { QUESTIONS: 'all' })
run('playwright', ['test'], { TESTS: 'long' })
