import { run } from './run.ts'

run('vitest', ['run'], { TESTS: 'long', KILL_ROUNDS: '30', UPLOAD_ROUNDS: '20', STRESS_SECONDS: '30' })
