import { run } from './run.ts'

run('vitest', ['run', '--reporter=default'], { LONG: 'true', KILL_ROUNDS: '30' })
