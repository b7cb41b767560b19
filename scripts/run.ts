import { spawnSync } from 'node:child_process'

/** Runs one command of the project's and ends this process when it fails. */
export function run(command: string, args: string[], env: Record<string, string> = {}): void {
  console.log(`\n$ ${[command, ...args].join(' ')}`)
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Types, lint and format. */
export function runStaticChecks(): void {
  run('tsc', [])
  run('oxlint', [])
  run('oxfmt', ['--check'])
}
