import { run } from './run.ts'

run('vitest', ['run', 'test/kill-rounds.test.ts'], { KILL_ROUNDS: '30' })
