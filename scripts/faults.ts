import { run } from './run.ts'

// Runs Ringbind under load, breaks one thing after the other, and looks for what was lost: docs/faults.md.
// npm run faults [NAME…] [-- --skip-root]

const args = process.argv.slice(2)
const names = args.filter((arg) => !arg.startsWith('--'))
run('vitest', ['run', 'test/long/faults.test.ts', '--reporter=default', '--disable-console-intercept'], {
  TESTS: 'long',
  FAULTS_REPORT: 'docs/faults.md',
  FAULTS: names.join(' '),
  ...(args.includes('--skip-root') && { FAULTS_SKIP_ROOT: 'true' }),
})
