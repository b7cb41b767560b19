import { spawnSync } from 'node:child_process'

/** Runs a command, and ends this process if it fails. */
export function run(command: string, args: string[], env: Record<string, string> = {}): void {
  console.log(`\n$ ${[command, ...args].join(' ')}`)
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Checks types, lint and format. */
export function runStaticChecks(): void {
  run('tsc', [])
  run('oxlint', [])
  run('oxfmt', ['--check'])
}
