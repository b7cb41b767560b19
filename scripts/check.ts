import { run, runStaticChecks } from './run.ts'

await runStaticChecks()
run('vitest', ['run'], { TESTS: 'unit' })
