import { run, runStaticChecks } from './run.ts'

runStaticChecks()
run('vitest', ['run'], { TESTS: 'unit' })
